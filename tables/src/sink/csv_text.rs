//! Rows as CSV: the table's own cells as they were, and the numbers in full.

use super::{Layout, Sink};
use crate::{Answer, Figure, Joined, LongColumns, ResultRow};
use csv::{Writer, WriterBuilder};
use std::io::{self, Write};

/// Writes CSV.
pub struct CsvSink<'b, W: Write> {
    writer: Writer<W>,
    layout: Layout<'b>,
    /// The text of one number.
    text: Vec<u8>,
}

impl<'b, W: Write> CsvSink<'b, W> {
    /// Writes the header.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn new(output: W, layout: Layout<'b>, delimiter: u8) -> io::Result<Self> {
        let mut writer = WriterBuilder::new()
            .delimiter(delimiter)
            .buffer_capacity(1 << 16)
            .from_writer(output);
        writer.write_record(layout.header.iter().cloned().chain(layout.added()))?;
        Ok(Self {
            writer,
            layout,
            text: Vec::with_capacity(32),
        })
    }
}

impl<W: Write> CsvSink<'_, W> {
    /// Begins a line with the table's own cells.
    fn own(&mut self, cells: &Joined<'_>) -> io::Result<()> {
        for column in 0..self.layout.header.len() {
            self.writer
                .write_field(cells.get(column).unwrap_or_default())?;
        }
        Ok(())
    }

    /// A line for a result.
    fn result(
        &mut self,
        cells: &Joined<'_>,
        long: LongColumns,
        row: ResultRow<'_>,
    ) -> io::Result<()> {
        self.own(cells)?;
        if long.has_rule {
            self.writer.write_field(row.rule)?;
        }
        if long.has_part {
            self.writer.write_field(row.part.unwrap_or_default())?;
        }
        let (result, p) = match row.found {
            Some((result, p)) => (result.to_string(), Figure::Float(p).to_string()),
            None => Default::default(),
        };
        self.writer.write_field(result)?;
        self.writer.write_field(p)?;
        self.writer.write_record(None::<&[u8]>)?;
        Ok(())
    }
}

impl<W: Write> Sink for CsvSink<'_, W> {
    fn row(&mut self, cells: &Joined<'_>, answers: &[Option<Answer>]) -> io::Result<()> {
        if let Some(long) = self.layout.long {
            let mut rows = LongColumns::rows(self.layout.groups, answers);
            return rows.try_for_each(|row| self.result(cells, long, row));
        }
        self.own(cells)?;
        for (group, answer) in self.layout.groups.iter().zip(answers) {
            for field in &group.fields {
                self.text.clear();
                if let Some(figure) = answer
                    .as_ref()
                    .and_then(|answer| group.figure(answer, *field))
                {
                    write!(self.text, "{figure}")?;
                }
                self.writer.write_field(&self.text)?;
            }
        }
        self.writer.write_record(None::<&[u8]>)?;
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
