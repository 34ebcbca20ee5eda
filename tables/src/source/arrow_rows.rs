//! Rows of Arrow's record batches: of a Parquet file, of Arrow's own format, or of any reader of
//! batches. A batch at a time is in memory.

use super::arrow_cells::{Cells, arrays, flattened};
use super::{BadTable, Record};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader};
use arrow_ipc::reader::StreamReader;
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::reader::ChunkReader;
use std::io::{BufReader, Read};
use std::sync::Arc;

/// Rows that are decoded at once.
const BATCH_ROWS: usize = 1024;

/// What a file in Arrow's format begins with, two bytes of padding included. More padding may
/// follow; then it goes on as a stream does.
const ARROW_FILE: &[u8; 8] = b"ARROW1\0\0";

/// Rows of record batches.
pub(super) struct ArrowRows {
    batches: Box<dyn RecordBatchReader>,
    /// The columns of the batch at hand, as they are and as cells, and how many rows it has.
    arrays: Arc<[ArrayRef]>,
    columns: Vec<Cells>,
    rows: usize,
    /// Its next row.
    next: usize,
    /// The rows read so far, of all batches.
    done: u64,
    /// How many rows there are, and the bytes that they take, if that is known.
    size: Option<(u64, u64)>,
}

/// The rows, and the names and types of their columns.
pub(super) type Opened = (ArrowRows, Vec<(String, DataType)>);

impl ArrowRows {
    /// The rows of a Parquet file.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn parquet(file: impl ChunkReader + 'static) -> Result<Opened, BadTable> {
        let bytes = file.len();
        let builder = ParquetRecordBatchReaderBuilder::try_new(file);
        let builder = builder.map_err(BadTable::unreadable)?;
        let rows = builder.metadata().file_metadata().num_rows();
        let reader = builder.with_batch_size(BATCH_ROWS).build();
        let reader = reader.map_err(BadTable::unreadable)?;
        let size = Some((rows.unsigned_abs(), bytes));
        Ok(Self::sized(Box::new(reader), size))
    }

    /// The rows of a file or a stream in Arrow's format.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn ipc(bytes: Box<dyn Read>) -> Result<Opened, BadTable> {
        let mut bytes = BufReader::with_capacity(1 << 16, bytes);
        let mut next = || -> Result<Vec<u8>, BadTable> {
            let mut next = Vec::new();
            let wanted = ARROW_FILE.len() as u64;
            let read = bytes.by_ref().take(wanted).read_to_end(&mut next);
            read.map_err(BadTable::unreadable)?;
            Ok(next)
        };
        let mut first = next()?;
        if first == ARROW_FILE {
            first = next()?;
            while first == [0; ARROW_FILE.len()] {
                first = next()?;
            }
        }
        let stream = std::io::Cursor::new(first).chain(bytes);
        let reader = StreamReader::try_new(stream, None).map_err(BadTable::unreadable)?;
        Ok(Self::sized(Box::new(reader), None))
    }

    /// The rows of these batches.
    pub(super) fn new(batches: Box<dyn RecordBatchReader>) -> Opened {
        Self::sized(batches, None)
    }

    fn sized(batches: Box<dyn RecordBatchReader>, size: Option<(u64, u64)>) -> Opened {
        let columns = flattened(batches.schema().fields());
        let rows = Self {
            batches,
            arrays: Arc::from([]),
            columns: Vec::new(),
            rows: 0,
            next: 0,
            done: 0,
            size,
        };
        (rows, columns)
    }

    /// How many bytes of the table the rows so far take, if that is known.
    pub(super) fn bytes_read(&self) -> u64 {
        match self.size {
            Some((rows, bytes)) if rows > 0 => {
                (bytes as f64 * self.done as f64 / rows as f64) as u64
            }
            _ => 0,
        }
    }

    /// Reads the next row; false at the end.
    ///
    /// # Errors
    /// What makes it impossible to go on.
    pub(super) fn read(&mut self, row: &mut Record) -> Result<bool, BadTable> {
        while self.next == self.rows {
            match self.batches.next() {
                None => return Ok(false),
                Some(batch) => self.begin(&batch.map_err(BadTable::unreadable)?)?,
            }
        }
        self.done += 1;
        row.begin_in(self.done, &self.arrays, self.next);
        for column in &self.columns {
            column.write(self.next, row).map_err(BadTable::unreadable)?;
        }
        self.next += 1;
        Ok(true)
    }

    fn begin(&mut self, batch: &RecordBatch) -> Result<(), BadTable> {
        let arrays = arrays(batch).map_err(BadTable::unreadable)?;
        let columns = arrays.iter().map(Cells::new).collect::<Result<_, _>>();
        self.columns = columns.map_err(BadTable::unreadable)?;
        self.arrays = arrays.into();
        (self.rows, self.next) = (batch.num_rows(), 0);
        Ok(())
    }
}
