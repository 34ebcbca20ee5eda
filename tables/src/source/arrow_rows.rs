//! Rows of Arrow's record batches: of a Parquet file, of Arrow's own format, or of any reader of
//! batches. A batch at a time is in memory.

use super::arrow_cells::{Cells, TooMuch, arrays, flattened};
use super::feed::MAX_ROW_BYTES;
use super::gate::ipc::Gated;
use super::gate::parquet::Groups;
use super::gate::{MAX_ELEMENTS, caught};
use super::{BadTable, Record};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchReader};
use arrow_ipc::reader::StreamReader;
use arrow_schema::{ArrowError, DataType, Schema};
use bytes::Bytes;
use hashbrown::HashMap;
use parquet::file::reader::ChunkReader;
use std::io::{BufReader, Read};
use std::sync::Arc;

/// Rows that are decoded at once.
const BATCH_ROWS: usize = 1024;

/// What a file in Arrow's format begins with, two bytes of padding included. More padding may
/// follow; then it goes on as a stream does.
const ARROW_FILE: &[u8; 8] = b"ARROW1\0\0";

/// Batches as any reader gives them.
type Batches = Box<dyn Iterator<Item = Result<RecordBatch, BadTable>>>;

/// Rows of record batches.
pub(super) struct ArrowRows {
    batches: Batches,
    /// The batch at hand, how many of its rows are done with, and the bytes for each that it keeps
    /// in memory.
    batch: Option<RecordBatch>,
    sliced: usize,
    share: u64,
    /// The columns of its rows at hand, as they are and as cells, and how many rows those are.
    arrays: Arc<[ArrayRef]>,
    columns: Vec<Cells>,
    rows: usize,
    /// The next of them.
    next: usize,
    /// The rows read so far, of all batches.
    done: u64,
    /// How many rows there are, and the bytes that they take, if that is known.
    size: Option<(u64, u64)>,
}

/// The rows, and the names and types of their columns.
pub(super) type Opened = (ArrowRows, Vec<(String, DataType)>);

impl ArrowRows {
    /// The rows of a Parquet file in memory.
    ///
    /// # Errors
    /// As for [`ArrowRows::parquet`].
    pub(super) fn parquet_bytes(bytes: Vec<u8>) -> Result<Opened, BadTable> {
        Self::parquet(Bytes::from(bytes))
    }

    /// The rows of a Parquet file.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn parquet(file: impl ChunkReader + 'static) -> Result<Opened, BadTable> {
        let bytes = file.len();
        let groups = Groups::open(file, BATCH_ROWS)?;
        let (schema, size) = (groups.schema(), Some((groups.rows(), bytes)));
        Self::sized(Box::new(groups), &schema, size)
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
        let stream = Gated::new(std::io::Cursor::new(first).chain(bytes));
        let reader = caught(|| StreamReader::try_new(stream, None).map_err(unreadable))?;
        Self::new(Box::new(reader))
    }

    /// The rows of these batches.
    ///
    /// # Errors
    /// Their columns are too many, or too deep in each other.
    pub(super) fn new(mut batches: Box<dyn RecordBatchReader>) -> Result<Opened, BadTable> {
        let schema = caught(|| Ok(batches.schema()))?;
        let next = move || caught(|| batches.next().transpose().map_err(unreadable)).transpose();
        Self::sized(Box::new(std::iter::from_fn(next)), &schema, None)
    }

    fn sized(
        batches: Batches,
        schema: &Schema,
        size: Option<(u64, u64)>,
    ) -> Result<Opened, BadTable> {
        let columns = flattened(schema.fields()).map_err(BadTable::unreadable)?;
        let rows = Self {
            batches,
            batch: None,
            sliced: 0,
            share: 0,
            arrays: Arc::from([]),
            columns: Vec::new(),
            rows: 0,
            next: 0,
            done: 0,
            size,
        };
        Ok((rows, columns))
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
            if !self.slice()? {
                return Ok(false);
            }
        }
        self.done += 1;
        row.begin_in(self.done, &self.arrays, self.next, self.share);
        caught(|| {
            for (number, column) in self.columns.iter().enumerate() {
                let place = (self.done, number as u64 + 1);
                let written = column.write(self.next, row);
                written.map_err(|wrong| too_much(wrong, place))?;
            }
            Ok(())
        })?;
        self.next += 1;
        Ok(true)
    }

    /// Goes on to more rows, of the batch at hand or of the next one; false if there are none.
    fn slice(&mut self) -> Result<bool, BadTable> {
        let left = self
            .batch
            .as_ref()
            .map(|batch| batch.num_rows() - self.sliced);
        if left.unwrap_or(0) == 0 {
            // What is not needed any more is given back before more is read.
            self.batch = None;
            self.arrays = Arc::from([]);
            self.columns = Vec::new();
            match self.batches.next() {
                None => return Ok(false),
                Some(batch) => self.batch = Some(batch?),
            }
            self.sliced = 0;
        }
        let Some(batch) = &self.batch else {
            return Ok(false);
        };
        if self.sliced == 0 {
            self.share = held(batch) / (batch.num_rows().max(1) as u64);
        }
        let rows = BATCH_ROWS.min(batch.num_rows() - self.sliced);
        let slice = batch.slice(self.sliced, rows);
        let (arrays, columns) = caught(|| {
            let arrays = arrays(&slice).map_err(unreadable)?;
            let columns = arrays.iter().map(Cells::new).collect::<Result<_, _>>();
            Ok((arrays, columns.map_err(unreadable)?))
        })?;
        (self.arrays, self.columns) = (arrays.into(), columns);
        (self.rows, self.next) = (rows, 0);
        self.sliced += rows;
        Ok(true)
    }
}

/// The bytes that a batch keeps in memory. Columns may share them.
fn held(batch: &RecordBatch) -> u64 {
    let mut held = HashMap::new();
    let mut open: Vec<_> = batch
        .columns()
        .iter()
        .map(|column| column.to_data())
        .collect();
    while let Some(array) = open.pop() {
        let missing = array.nulls().map(|nulls| nulls.buffer());
        for buffer in array.buffers().iter().chain(missing) {
            held.insert(buffer.data_ptr().as_ptr() as usize, buffer.capacity());
        }
        open.extend_from_slice(array.child_data());
    }
    held.values().map(|bytes| *bytes as u64).sum()
}

/// What Arrow says, or what the gate says through it.
fn unreadable(error: ArrowError) -> BadTable {
    match error {
        ArrowError::IoError(_, error) => BadTable::unreadable(error),
        error => BadTable::unreadable(error),
    }
}

fn too_much(wrong: TooMuch, place: (u64, u64)) -> BadTable {
    match wrong {
        TooMuch::Bytes => {
            let most = MAX_ROW_BYTES >> 20;
            let message = format!("a row is longer than {most} MiB");
            BadTable::at(place, message).help("leave long texts out of the table")
        }
        TooMuch::Elements => {
            let message = format!("a list has more than {MAX_ELEMENTS} elements");
            BadTable::at(place, message).help("leave long lists out of the table")
        }
        TooMuch::Arrow(error) => unreadable(error),
    }
}
