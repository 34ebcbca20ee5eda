//! The rows of a table of Arrow with their answers, block by block: memory does not grow with the
//! table.

use crate::error::{Answered, Wrong, warn};
use crate::faults;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use dicec_compiler::answer::grouped;
use dicec_lang::syntax::{FileCode, Finding, Sources};
use dicec_tables::{Answer, BadBatch, BadTable, Batch, Joins, Record, RecordBatches, Source};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Rows in the first block, which decides the added columns, as in the command.
const FIRST_ROWS: usize = 256;

/// Rows in the others, at most.
const ROWS: usize = 8192;

/// What a row that cannot be worked out means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnError {
    /// An exception.
    Raise,
    /// Nothing in the added columns.
    Null,
}

impl OnError {
    /// What a word means.
    ///
    /// # Errors
    /// `ValueError` for any other word.
    pub(crate) fn named(word: &str) -> PyResult<Self> {
        match word {
            "raise" => Ok(Self::Raise),
            "null" => Ok(Self::Null),
            other => Err(PyValueError::new_err(format!(
                "on_error is \"raise\" or \"null\", not {other:?}"
            ))),
        }
    }
}

/// A run over a table.
pub(crate) struct Rows {
    reader: Box<dyn RecordBatchReader + Send>,
    /// What of the last batch is not worked out yet.
    rest: Option<RecordBatch>,
    batch: Batch,
    /// The texts of the rules.
    sources: Vec<Sources>,
    on_error: OnError,
    /// Whether the table's own columns go out, too.
    whole: bool,
    made: RecordBatches,
    /// The first block, until it is asked for.
    first: Option<RecordBatch>,
    schema: SchemaRef,
    /// The rows of the block.
    records: Vec<Record>,
    /// The rows before it.
    before: u64,
    /// Rows without answers, and the first of them.
    bad: u64,
    first_bad: Option<Finding>,
    /// Rows whose odds clamping at 0 changed.
    clamped: u64,
    is_over: bool,
}

impl Rows {
    /// The names of a table's columns, those inside of structures among them.
    ///
    /// # Errors
    /// Two columns of one name.
    pub(crate) fn header(schema: SchemaRef) -> Answered<Vec<String>> {
        let none = RecordBatchIterator::new(Vec::new(), schema);
        let source = Source::batches(Box::new(none)).map_err(bad_table)?;
        Ok(source.header().to_vec())
    }

    /// Works out the first block, which decides what is added.
    ///
    /// # Errors
    /// A row that cannot be worked out, or a column that is there already.
    pub(crate) fn new(
        reader: Box<dyn RecordBatchReader + Send>,
        batch: Batch,
        sources: Vec<Sources>,
        on_error: OnError,
        whole: bool,
    ) -> Answered<Self> {
        let schema = reader.schema();
        let mut rows = Self {
            reader,
            rest: None,
            batch,
            sources,
            on_error,
            whole,
            made: RecordBatches::apart(&[]),
            first: None,
            schema: Arc::clone(&schema),
            records: Vec::new(),
            before: 0,
            bad: 0,
            first_bad: None,
            clamped: 0,
            is_over: false,
        };
        let slice = rows.slice(FIRST_ROWS)?;
        let own = slice.unwrap_or_else(|| RecordBatch::new_empty(schema));
        rows.read(&own)?;
        rows.made = RecordBatches::apart(&rows.batch.groups());
        let first = rows.answered(&own)?;
        rows.schema = first.schema();
        rows.first = Some(first);
        Ok(rows)
    }

    /// What goes out.
    pub(crate) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// What a reader should know and the columns do not say.
    pub(crate) fn notes(&self) -> Vec<Finding> {
        let rows = |count: u64| match count {
            1 => "1 row is".to_owned(),
            count => format!("{} rows are", grouped(count)),
        };
        let note = |message| Finding::general(FileCode::TableNote.as_str(), message).note();
        let mut notes = Vec::new();
        if let Some(first) = &self.first_bad {
            let message = format!(
                "{} without odds; the first: {}",
                rows(self.bad),
                first.message
            );
            notes.push(note(message));
        }
        if self.clamped > 0 {
            let rows = rows(self.clamped);
            notes.push(note(format!(
                "{rows} changed by clamping at 0: numbers below 0 count as 0"
            )));
        }
        notes
    }

    /// The next rows of the table, at most this many.
    fn slice(&mut self, most: usize) -> Answered<Option<RecordBatch>> {
        loop {
            let batch = match self.rest.take() {
                Some(rest) => rest,
                None => match self.reader.next() {
                    Some(batch) => batch.map_err(unreadable)?,
                    None => return Ok(None),
                },
            };
            let (rows, wanted) = (batch.num_rows(), batch.num_rows().min(most));
            if rows == 0 {
                continue;
            }
            if wanted < rows {
                self.rest = Some(batch.slice(wanted, rows - wanted));
            }
            return Ok(Some(batch.slice(0, wanted)));
        }
    }

    /// Reads a block and works it out.
    fn read(&mut self, own: &RecordBatch) -> Answered<()> {
        let one = RecordBatchIterator::new(vec![Ok(own.clone())], own.schema());
        let mut source = Source::batches(Box::new(one)).map_err(bad_table)?;
        self.batch.clear();
        self.records.resize_with(own.num_rows(), Record::default);
        for record in &mut self.records {
            source.read(record).map_err(bad_table)?;
            match record.fault() {
                Some(_) => self.batch.skip(),
                None => drop(self.batch.push(record)),
            }
        }
        let solved = self.batch.solve();
        solved.map_err(|failure| Wrong::failed(&failure, &Sources::single("", "")))
    }

    /// The block with its answers.
    fn answered(&mut self, own: &RecordBatch) -> Answered<RecordBatch> {
        let joins = Joins::default();
        let width = self.batch.columns().names().len();
        for number in 0..self.records.len() {
            let answers = self.answers(number)?;
            let row = joins.join(&self.records[number], width, 0);
            self.made.push(&row, &answers).map_err(bad_batch)?;
        }
        self.before += self.records.len() as u64;
        let added = self.made.batch().map_err(bad_batch)?;
        self.check_names(own, &added)?;
        if !self.whole {
            return Ok(added);
        }
        let (outer, inner) = (own.schema(), added.schema());
        let fields = outer.fields().iter().chain(inner.fields()).cloned();
        let fields: Vec<_> = fields.collect();
        let schema = Schema::new_with_metadata(fields, outer.metadata().clone());
        let columns = [own.columns(), added.columns()].concat();
        RecordBatch::try_new(Arc::new(schema), columns).map_err(unreadable)
    }

    /// The answers to all rules for a row of the block.
    fn answers(&mut self, number: usize) -> Answered<Vec<Option<Answer>>> {
        let (mut answers, mut bad) = (Vec::with_capacity(self.sources.len()), None);
        for (question, sources) in self.sources.iter().enumerate() {
            match self.batch.answer(number, question) {
                Ok(answer) => answers.push(Some(answer)),
                Err(fault) => {
                    let row = (self.before + number as u64, &self.records[number]);
                    bad.get_or_insert_with(|| faults::at_row(row, &self.batch, sources, &fault));
                    answers.push(None);
                }
            }
        }
        let mut all = answers.iter().flatten();
        self.clamped += u64::from(all.any(|answer| answer.clamped.is_some()));
        match (bad, self.on_error) {
            (None, _) => {}
            (Some(wrong), OnError::Raise) => return Err(wrong),
            (Some(wrong), OnError::Null) => {
                self.bad += 1;
                if let (None, Wrong::Findings(mut findings)) = (&self.first_bad, wrong) {
                    self.first_bad = findings.drain(..).next();
                }
            }
        }
        Ok(answers)
    }

    /// Refuses an added column whose name the table has.
    fn check_names(&self, own: &RecordBatch, added: &RecordBatch) -> Answered<()> {
        let (own, added) = (own.schema(), added.schema());
        let mut names = added.fields().iter().map(|field| field.name());
        let Some(name) = names.find(|name| own.field_with_name(name).is_ok()) else {
            return Ok(());
        };
        let message = format!("the table has a column \"{name}\" already");
        let finding = Finding::general(FileCode::NameTwice.as_str(), message);
        Err(finding.help("give the rule another name").into())
    }

    /// The next block, if there is one.
    fn block(&mut self) -> Answered<Option<RecordBatch>> {
        if let Some(first) = self.first.take() {
            return Ok(Some(first));
        }
        let Some(own) = self.slice(ROWS)? else {
            return Ok(None);
        };
        self.read(&own)?;
        self.answered(&own).map(Some)
    }

    /// The rows as another library reads them; what is wrong with a row is the stream's error, and
    /// notes are told at its end.
    pub(crate) fn into_reader(self) -> impl RecordBatchReader + Send {
        Streamed(self)
    }
}

impl Iterator for Rows {
    type Item = Answered<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let block = self.block().transpose();
        self.is_over = !matches!(block, Some(Ok(_)));
        block
    }
}

/// Rows that are worked out as they are read.
struct Streamed(Rows);

impl Iterator for Streamed {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let was_over = self.0.is_over;
        match self.0.next() {
            Some(block) => {
                Some(block.map_err(|wrong| {
                    ArrowError::ExternalError(PyErr::from(wrong).to_string().into())
                }))
            }
            None if was_over => None,
            None => {
                let warned = Python::attach(|py| warn(py, self.0.notes()));
                let warned = warned.map_err(|error| error.to_string());
                warned
                    .err()
                    .map(|text| Err(ArrowError::ExternalError(text.into())))
            }
        }
    }
}

impl RecordBatchReader for Streamed {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }
}

fn bad_table(bad: BadTable) -> Wrong {
    let mut finding = Finding::general(FileCode::BadTable.as_str(), bad.message);
    finding.help = bad.help;
    finding.into()
}

fn bad_batch(bad: BadBatch) -> Wrong {
    let code = match bad {
        BadBatch::Twice(_) => FileCode::NameTwice,
        BadBatch::Cell { .. } | BadBatch::Type { .. } | BadBatch::Arrow(_) => FileCode::BadTable,
    };
    Finding::general(code.as_str(), bad.to_string()).into()
}

fn unreadable(error: ArrowError) -> Wrong {
    let message = format!("cannot read the table: {error}");
    Finding::general(FileCode::Unreadable.as_str(), message).into()
}
