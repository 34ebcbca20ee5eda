//! The loop over a table: reads a block of rows, computes and writes it, then the next.

use super::faults::{bad_table, wrong_row};
use crate::wrong::Wrong;
use dicec_lang::syntax::{FileCode, Finding};
use dicec_runtime::bug;
use dicec_tables::{
    Answer, Batch, Container, CsvSink, Fault, Format, Group, Joined, Joins, JsonSink, Layout,
    Record, Sink, Source, column_sink,
};
use std::io::{self, Write};

/// Rows in the first block, which decides the added columns, as in the command.
const FIRST_ROWS: usize = 256;

/// Rows in the others, at most.
const ROWS: usize = 4096;

/// A block's cells hold at most about this many bytes.
const MAX_BLOCK_BYTES: u64 = 4 << 20;

/// The treatment of a row without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OnError {
    /// The answer ends with an error.
    Stop,
    /// Nothing in the added columns.
    Null,
}

impl OnError {
    /// The treatment with this name.
    ///
    /// # Errors
    /// Any other word.
    pub(super) fn named(word: &str) -> Result<Self, Wrong> {
        match word {
            "stop" => Ok(Self::Stop),
            "null" => Ok(Self::Null),
            other => Err(Wrong::request(
                format!("\"on_error\": {other} is nothing to do about an error"),
                "write stop or null",
            )),
        }
    }
}

/// A run over a table.
pub(super) struct Run {
    source: Source,
    batch: Batch,
    on_error: OnError,
    format: Format,
    joins: Joins,
    /// The rows of the block.
    records: Vec<Record>,
    filled: usize,
}

impl Run {
    pub(super) fn new(source: Source, batch: Batch, on_error: OnError, format: Format) -> Self {
        Self {
            source,
            batch,
            on_error,
            format,
            joins: Joins::default(),
            records: Vec::new(),
            filled: 0,
        }
    }

    /// Reads the whole table and writes the odds.
    ///
    /// # Errors
    /// A row that cannot be worked out, a table that is broken, or an output that is gone.
    pub(super) fn run(mut self, output: &mut dyn Write) -> Result<(), Wrong> {
        self.fill(FIRST_ROWS)?;
        if self.filled == 0 {
            let message = "the table has a header, but no rows";
            return Err(Finding::general(FileCode::BadTable.as_str(), message).into());
        }
        self.solve()?;
        let groups = self.batch.groups();
        self.check_names(&groups)?;
        let header = self.source.header().to_vec();
        let layout = Layout {
            long: None,
            header: &header,
            keys: &[],
            groups: &groups,
        };
        // What is wrong with the first block is an error, and not the end of an answer.
        self.check()?;
        let mut sink = self.sink(layout, output).map_err(gone)?;
        while self.filled > 0 {
            self.emit(&mut *sink)?;
            sink.flush().map_err(gone)?;
            self.fill(ROWS)?;
            self.solve()?;
        }
        sink.end().map_err(gone)?;
        sink.flush().map_err(gone)
    }

    fn sink<'s>(
        &self,
        layout: Layout<'s>,
        output: &'s mut dyn Write,
    ) -> io::Result<Box<dyn Sink + 's>> {
        let types = self.source.types();
        Ok(match self.format {
            Format::Csv => Box::new(CsvSink::new(output, layout, b',')?),
            Format::Tsv => Box::new(CsvSink::new(output, layout, b'\t')?),
            Format::Json => Box::new(JsonSink::array(output, layout)),
            Format::Jsonl => Box::new(JsonSink::lines(output, layout)),
            Format::Parquet => column_sink(output, Container::Parquet, layout, types)?,
            Format::Arrow => column_sink(output, Container::ArrowStream, layout, types)?,
        })
    }

    /// Reads a block of rows.
    fn fill(&mut self, most: usize) -> Result<(), Wrong> {
        self.batch.clear();
        self.filled = 0;
        let mut bytes = 0;
        while self.filled < most && bytes < MAX_BLOCK_BYTES {
            if self.filled == self.records.len() {
                self.records.push(Record::default());
            }
            let record = &mut self.records[self.filled];
            if !self.source.read(record).map_err(bad_table)? {
                break;
            }
            bytes += record.bytes();
            self.filled += 1;
            match record.fault() {
                Some(_) => self.batch.skip(),
                None => drop(self.batch.push(record)),
            }
        }
        Ok(())
    }

    /// Works out the block.
    fn solve(&mut self) -> Result<(), Wrong> {
        let solved = self.batch.solve();
        solved.map_err(|failure| Wrong::failed_fight(&failure, "table"))
    }

    /// Looks for rows of the block that end the answer.
    fn check(&self) -> Result<(), Wrong> {
        let mut numbers = 0..self.filled;
        numbers.try_for_each(|number| self.answered(number).map(drop))
    }

    /// Writes the block.
    fn emit(&self, sink: &mut dyn Sink) -> Result<(), Wrong> {
        (0..self.filled).try_for_each(|number| {
            let (row, answers) = self.answered(number)?;
            sink.row(&row, &answers).map_err(gone)
        })
    }

    /// A row of the block with its answers.
    fn answered(&self, number: usize) -> Result<(Joined<'_>, Vec<Option<Answer>>), Wrong> {
        let width = self.source.header().len();
        let record = self.records.get(number);
        let record = record.ok_or_else(|| bug!("a block without row {number}"))?;
        let row = self.joins.join(record, width, 0);
        let answers = self.answers(number, &row)?;
        // A row with too many cells has no place in the table, not even without odds.
        match row.fits() {
            true => Ok((row, answers)),
            false => Err(wrong_row(&self.batch, 0, &row, Fault::Skipped)),
        }
    }

    /// The answers for a row of the block.
    fn answers(&self, number: usize, row: &Joined<'_>) -> Result<Vec<Option<Answer>>, Wrong> {
        let questions = 0..self.batch.questions();
        let answers = questions.map(|question| match self.batch.answer(number, question) {
            Ok(answer) => Ok(Some(answer)),
            Err(_) if self.on_error == OnError::Null => Ok(None),
            Err(fault) => Err(wrong_row(&self.batch, question, row, fault)),
        });
        answers.collect()
    }

    /// Refuses an added column that is there already.
    fn check_names(&self, groups: &[Group]) -> Result<(), Wrong> {
        let header = self.source.header();
        match Group::collision(groups, header, self.format.names_questions()) {
            None => Ok(()),
            Some(collision) => {
                let message = format!("there would be two columns \"{}\"", collision.column);
                let finding = Finding::general(FileCode::NameTwice.as_str(), message);
                Err(finding
                    .help("name each rule: ?e=hit=1d20+[Attack]>=15")
                    .into())
            }
        }
    }
}

/// An output that cannot be written to.
fn gone(error: io::Error) -> Wrong {
    let message = format!("the answer cannot be sent: {error}");
    Finding::general(FileCode::Unwritable.as_str(), message).into()
}
