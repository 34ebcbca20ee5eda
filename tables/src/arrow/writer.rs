//! Record batches as files: Parquet, or Arrow's own format.

use crate::Container;
use arrow_array::RecordBatch;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::Schema;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::io;

/// Rows of a row group. One is in memory while it is written.
const GROUP_ROWS: usize = 1 << 18;

/// Writes into memory, from where bytes go on: an output may not leave its thread.
pub enum BatchWriter {
    /// A Parquet file.
    Parquet(Box<ArrowWriter<Vec<u8>>>),
    /// A file in Arrow's format.
    File(Box<FileWriter<Vec<u8>>>),
    /// A stream in Arrow's format.
    Stream(Box<StreamWriter<Vec<u8>>>),
}

impl BatchWriter {
    /// Begins a file of batches with this schema.
    ///
    /// # Errors
    /// The container cannot hold its types.
    pub fn new(container: Container, schema: &Schema) -> io::Result<Self> {
        let bytes = Vec::new();
        Ok(match container {
            Container::Parquet => {
                let properties = WriterProperties::builder()
                    .set_compression(Compression::ZSTD(ZstdLevel::default()))
                    .set_max_row_group_row_count(Some(GROUP_ROWS))
                    .build();
                let schema = schema.clone().into();
                let writer = ArrowWriter::try_new(bytes, schema, Some(properties))?;
                Self::Parquet(Box::new(writer))
            }
            Container::ArrowFile => {
                let writer = FileWriter::try_new(bytes, schema).map_err(io::Error::other)?;
                Self::File(Box::new(writer))
            }
            Container::ArrowStream => {
                let writer = StreamWriter::try_new(bytes, schema).map_err(io::Error::other)?;
                Self::Stream(Box::new(writer))
            }
        })
    }

    /// Writes a batch.
    ///
    /// # Errors
    /// It has another schema.
    pub fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        match self {
            Self::Parquet(writer) => writer.write(batch)?,
            Self::File(writer) => writer.write(batch).map_err(io::Error::other)?,
            Self::Stream(writer) => writer.write(batch).map_err(io::Error::other)?,
        }
        Ok(())
    }

    /// Writes what follows the last batch.
    ///
    /// # Errors
    /// As for [`BatchWriter::write`].
    pub fn finish(&mut self) -> io::Result<()> {
        match self {
            Self::Parquet(writer) => {
                writer.finish()?;
            }
            Self::File(writer) => writer.finish().map_err(io::Error::other)?,
            Self::Stream(writer) => writer.finish().map_err(io::Error::other)?,
        }
        Ok(())
    }

    /// The bytes that are complete.
    pub fn written(&mut self) -> Vec<u8> {
        std::mem::take(match self {
            Self::Parquet(writer) => writer.inner_mut(),
            Self::File(writer) => writer.get_mut(),
            Self::Stream(writer) => writer.get_mut(),
        })
    }
}
