//! Rows as columns of Arrow: a Parquet file, or a file or a stream in Arrow's own format.

use super::{Layout, Sink};
use arrow_array::RecordBatch;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{DataType, Schema};
use dicec_tables::{Answer, Joined, RecordBatches};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::io::{self, Write};

/// Rows of a row group. One is in memory while it is written.
const GROUP_ROWS: usize = 1 << 18;

/// How columns are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::batch) enum Container {
    Parquet,
    /// A file in Arrow's format, which ends with a directory of its batches.
    ArrowFile,
    /// The same without one, so that a pipe can be read.
    ArrowStream,
}

/// Writes columns.
pub(in crate::batch) struct ArrowSink<W: Write> {
    output: W,
    container: Container,
    batches: RecordBatches,
    /// Open after the first block, which decides the types of columns.
    open: Option<Open>,
}

/// What writes into memory, from where bytes go on: an output may not leave its thread.
enum Open {
    Parquet(Box<ArrowWriter<Vec<u8>>>),
    File(Box<FileWriter<Vec<u8>>>),
    Stream(Box<StreamWriter<Vec<u8>>>),
}

impl<W: Write> ArrowSink<W> {
    /// Rows of a table whose columns have these types, if they are known.
    pub(in crate::batch) fn new(
        output: W,
        container: Container,
        layout: Layout<'_>,
        types: &[Option<DataType>],
    ) -> Self {
        Self {
            output,
            container,
            batches: RecordBatches::new(layout.header, types, layout.groups),
            open: None,
        }
    }
}

impl<W: Write> Sink for ArrowSink<W> {
    fn row(&mut self, cells: &Joined<'_>, answers: &[Option<Answer>]) -> io::Result<()> {
        self.batches.push(cells, answers).map_err(io::Error::other)
    }

    fn flush(&mut self) -> io::Result<()> {
        let batch = self.batches.batch().map_err(io::Error::other)?;
        let open = match &mut self.open {
            Some(open) => open,
            None => self
                .open
                .insert(Open::new(self.container, &batch.schema())?),
        };
        open.write(&batch)?;
        self.output.write_all(&open.written())?;
        self.output.flush()
    }

    fn end(&mut self) -> io::Result<()> {
        if let Some(mut open) = self.open.take() {
            open.finish()?;
            self.output.write_all(&open.written())?;
        }
        self.output.flush()
    }
}

impl Open {
    fn new(container: Container, schema: &Schema) -> io::Result<Self> {
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

    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        match self {
            Self::Parquet(writer) => writer.write(batch)?,
            Self::File(writer) => writer.write(batch).map_err(io::Error::other)?,
            Self::Stream(writer) => writer.write(batch).map_err(io::Error::other)?,
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
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
    fn written(&mut self) -> Vec<u8> {
        std::mem::take(match self {
            Self::Parquet(writer) => writer.inner_mut(),
            Self::File(writer) => writer.get_mut(),
            Self::Stream(writer) => writer.get_mut(),
        })
    }
}
