//! Groups of rows of a Parquet file, one after the other. Each is checked before it is read, and
//! only as many of its rows are decoded at once as fit the budget.

use super::pages::{Column, column};
use super::{
    BadTable, MAX_BATCH, MAX_PAGE, MAX_PAGES, Refusal, caught, damaged, footer, index, too_large,
};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use bytes::Bytes;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{ChunkReader, Length};
use std::sync::Arc;

/// What a value takes besides its bytes: decoded, as a decimal number at most, with its levels.
const VALUE_BYTES: u64 = 40;

/// A file that is read several times, in parts that may not be too long.
struct Shared<R>(Arc<R>);

impl<R> Clone for Shared<R> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<R: ChunkReader> Length for Shared<R> {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl<R: ChunkReader> ChunkReader for Shared<R> {
    type T = R::T;

    fn get_read(&self, start: u64) -> ParquetResult<R::T> {
        self.0.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let end = start.checked_add(length as u64);
        if length as u64 > MAX_PAGE || end.is_none_or(|end| end > self.len()) {
            let why = damaged("a part of it is not within the file");
            return Err(ParquetError::General(why));
        }
        self.0.get_bytes(start, length)
    }
}

/// The batches of a file.
pub(in crate::source) struct Groups<R> {
    file: Shared<R>,
    directory: ArrowReaderMetadata,
    /// Where the directory begins.
    end: u64,
    max_rows: usize,
    /// The next group.
    next: usize,
    /// The group at hand.
    reader: Option<ParquetRecordBatchReader>,
}

impl<R: ChunkReader + 'static> Groups<R> {
    /// Reads the index of a file, whose batches will have at most `max_rows` rows.
    ///
    /// # Errors
    /// It cannot be read.
    pub(in crate::source) fn open(file: R, max_rows: usize) -> Result<Self, BadTable> {
        caught(|| {
            let file = Shared(Arc::new(file));
            let directory = footer::directory(&file);
            let (directory, end) = directory.map_err(BadTable::unreadable)?;
            let options = ArrowReaderOptions::new();
            let directory = ArrowReaderMetadata::try_new(Arc::new(directory), options);
            Ok(Self {
                file,
                directory: directory.map_err(BadTable::unreadable)?,
                end,
                max_rows,
                next: 0,
                reader: None,
            })
        })
    }

    pub(in crate::source) fn schema(&self) -> SchemaRef {
        Arc::clone(self.directory.schema())
    }

    /// The number of rows, as the index states it.
    pub(in crate::source) fn rows(&self) -> u64 {
        let rows = self.directory.metadata().file_metadata().num_rows();
        u64::try_from(rows).unwrap_or(0)
    }

    /// Looks at all groups and the index of their pages, and tells how many rows of each may be
    /// decoded at once.
    ///
    /// # Errors
    /// It is damaged, or too large.
    pub(in crate::source) fn checked(&self) -> Result<usize, BadTable> {
        caught(|| {
            let groups = self.directory.metadata().row_groups();
            index::check(&self.file, groups).map_err(BadTable::unreadable)?;
            groups.iter().try_fold(self.max_rows, |most, group| {
                let rows = self.rows_at_once(group).map_err(BadTable::unreadable)?;
                Ok(most.min(rows))
            })
        })
    }

    /// Where the index of the first column's pages is.
    #[cfg(test)]
    pub(in crate::source) fn index_of_first(&self) -> Option<std::ops::Range<usize>> {
        let chunk = self.directory.metadata().row_group(0).column(0);
        let from = usize::try_from(chunk.column_index_offset()?).ok()?;
        let length = usize::try_from(chunk.column_index_length()?).ok()?;
        Some(from..from + length)
    }

    fn batch(&mut self) -> Result<Option<RecordBatch>, BadTable> {
        loop {
            if let Some(reader) = &mut self.reader {
                match reader.next() {
                    Some(batch) => return Ok(Some(batch.map_err(BadTable::unreadable)?)),
                    None => self.reader = None,
                }
            }
            if self.next == self.directory.metadata().num_row_groups() {
                return Ok(None);
            }
            let group = self.directory.metadata().row_group(self.next);
            let rows = self.rows_at_once(group).map_err(BadTable::unreadable)?;
            let (file, directory) = (self.file.clone(), self.directory.clone());
            let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, directory)
                .with_row_groups(vec![self.next])
                .with_batch_size(rows)
                .build();
            self.reader = Some(reader.map_err(BadTable::unreadable)?);
            self.next += 1;
        }
    }

    /// Checks a group, and returns the number of its rows that may be decoded at once.
    fn rows_at_once(&self, group: &RowGroupMetaData) -> Result<usize, Refusal> {
        if group.num_rows() < 0 || group.num_columns() == 0 && group.num_rows() > 0 {
            return Err(damaged("a group of rows has no columns"));
        }
        let (mut held, mut row): (u64, u64) = (0, 0);
        for chunk in group.columns() {
            let found = column(&self.file, chunk, self.end)?;
            held = held.saturating_add(found.dictionary + found.page);
            row = row.saturating_add(found.row_bytes());
            if held > MAX_PAGES {
                return Err(too_large("what is held of the columns", held, MAX_PAGES));
            }
            if row > MAX_BATCH {
                return Err(too_large("a row", row, MAX_BATCH));
            }
        }
        let most = MAX_BATCH / row.max(1);
        Ok(usize::try_from(most).map_or(self.max_rows, |most| most.min(self.max_rows)))
    }
}

impl Column {
    /// The most bytes that a row of it takes.
    fn row_bytes(&self) -> u64 {
        let elements = self.elements.most.max(1) as u64;
        elements.saturating_mul(self.value as u64 + VALUE_BYTES)
    }
}

impl<R: ChunkReader + 'static> Iterator for Groups<R> {
    type Item = Result<RecordBatch, BadTable>;

    fn next(&mut self) -> Option<Self::Item> {
        caught(|| self.batch()).transpose()
    }
}
