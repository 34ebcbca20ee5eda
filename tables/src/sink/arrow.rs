//! Rows as columns of Arrow: a Parquet file, or a file or a stream in Arrow's own format.

use super::{Layout, Sink};
use crate::{Answer, BatchWriter, Container, Joined, RecordBatches};
use arrow_schema::DataType;
use std::io::{self, Write};

/// Writes columns.
pub(super) struct ArrowSink<W: Write> {
    output: W,
    container: Container,
    batches: RecordBatches,
    /// Open after the first block, which decides the types of columns.
    open: Option<BatchWriter>,
}

impl<W: Write> ArrowSink<W> {
    /// Rows of a table whose columns have these types, if they are known.
    pub(super) fn new(
        output: W,
        container: Container,
        layout: Layout<'_>,
        types: &[Option<DataType>],
    ) -> Self {
        Self {
            output,
            container,
            batches: match layout.long {
                Some(columns) => {
                    RecordBatches::of_results(layout.header, types, layout.groups, columns)
                }
                None => RecordBatches::new(layout.header, types, layout.groups),
            },
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
                .insert(BatchWriter::new(self.container, &batch.schema())?),
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
