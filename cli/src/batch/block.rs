//! The loop of a batch: reads a block of rows, computes and writes it, then the next.

use super::fights::tell_unmodelled;
use super::naming::{check_added, check_long};
use super::notes::Notes;
use super::picture::Picture;
use super::policy::{OnError, Policy};
use super::scenarios::tell_cells;
use super::table_sink::TableSink;
use super::tables::Tables;
use crate::error::{CliError, FileCode, Finding};
use crate::progress::Progress;
use crate::target::Target;
use dicec_tables::{
    Answer, Batch, Container, CsvSink, Format, JsonSink, Layout, Named, Record, Sink, column_sink,
};
use std::time::{Duration, Instant};

/// Rows in the first block. It decides which columns there are, so it does not depend on the
/// machine.
const FIRST_ROWS: usize = 256;

/// Rows in a block, at least and at most.
const ROWS: (usize, usize) = (64, 8192);

/// A block that takes this long is halved next time, for progress is shown and output written
/// between blocks; one that takes much less is doubled.
const BLOCK_TIME: Duration = Duration::from_millis(500);

/// A block's cells hold at most about this many bytes.
const MAX_BLOCK_BYTES: u64 = 4 << 20;

/// A run over a table.
pub(super) struct Run<'p> {
    tables: Tables,
    batch: Batch,
    /// The expressions, in the order of the questions; none for a script.
    named: &'p [Named],
    policy: Policy,
    picture: Option<Picture<'p>>,
    /// The rows of the block; those beyond `filled` are left over from a longer block.
    rows: Vec<Record>,
    filled: usize,
    /// The block: a row, and the number of what it is joined with.
    joined: Vec<(usize, usize)>,
    /// With what the last row is joined next; 0 if it is done.
    next: usize,
    /// Where the last row begins in its table.
    bytes_before: u64,
    /// What ended the reading after the block's last row.
    broken: Option<CliError>,
}

impl<'p> Run<'p> {
    pub(super) fn new(
        tables: Tables,
        batch: Batch,
        named: &'p [Named],
        policy: Policy,
        picture: Option<Picture<'p>>,
    ) -> Self {
        Self {
            tables,
            batch,
            named,
            policy,
            picture,
            rows: Vec::new(),
            filled: 0,
            joined: Vec::new(),
            next: 0,
            bytes_before: 0,
            broken: None,
        }
    }

    /// Reads the whole table and writes the odds.
    pub(super) fn run(mut self, mut target: Target) -> Result<(), CliError> {
        let rows = self.tables.rows();
        let progress = Progress::of_rows(rows.or(self.tables.input.size()));
        let progress = (!self.policy.is_watched).then_some(progress);
        if let Some(progress) = &progress {
            self.batch.on_progress(rows, progress.rows(rows.is_some()));
        }
        let most = FIRST_ROWS;
        self.fill(most);
        if self.joined.is_empty() {
            return Err(self.broken.unwrap_or_else(|| self.tables.input.no_rows()));
        }
        self.solve()?;
        // The groups are known now: an answer that had to be sampled adds a column.
        let header = self.tables.places.header.clone();
        let keys = self.tables.keys.clone();
        let groups = self.batch.groups();
        let layout = Layout {
            header: &header,
            keys: &keys,
            groups: &groups,
            long: self.batch.long_columns(),
        };
        match layout.long {
            Some(long) => check_long(&self.tables.places, long)?,
            None => check_added(&self.tables.places, &groups, self.policy.names_questions())?,
        }
        let mut notes = Notes::new(self.policy, self.batch.method(), &groups);
        self.write_all(layout, &mut target, &mut notes, most, progress)?;
        // A table without its picture would not be what was asked for.
        if let Some(picture) = self.picture {
            picture.write(self.policy.reporter)?;
        }
        target.commit()?;
        tell_unmodelled(&self.batch, self.policy.reporter);
        tell_cells(&self.batch, &self.tables.places, self.policy.reporter);
        notes.summarise()
    }

    /// Writes the first block, and reads, solves and writes the others.
    fn write_all(
        &mut self,
        layout: Layout<'_>,
        target: &mut Target,
        notes: &mut Notes<'_>,
        mut most: usize,
        progress: Option<Progress>,
    ) -> Result<(), CliError> {
        let failed = target.on_failure();
        let mut sink = self.sink(layout, target).map_err(&failed)?;
        while !self.joined.is_empty() {
            let start = Instant::now();
            let emitted = self.emit(&mut *sink, notes, &failed);
            // The rows before a bad one are written all the same.
            sink.flush().map_err(&failed)?;
            emitted?;
            if let Some(progress) = progress.as_ref().filter(|_| self.tables.rows().is_none()) {
                progress.set(self.bytes_done());
            }
            if let Some(error) = self.broken.take() {
                return Err(error);
            }
            self.fill(most);
            self.solve()?;
            most = next_size(most, start.elapsed());
        }
        match self.broken.take() {
            Some(error) => Err(error),
            None => sink.end().map_err(&failed),
        }
    }

    fn sink<'s>(
        &self,
        layout: Layout<'s>,
        target: &'s mut Target,
    ) -> std::io::Result<Box<dyn Sink + 's>> {
        let Policy {
            format,
            delimiter,
            width,
            ..
        } = self.policy;
        let columns =
            |target, container| column_sink(target, container, layout, &self.tables.types);
        Ok(match format {
            None => Box::new(TableSink::new(target, layout, width)),
            Some(Format::Parquet) => columns(target, Container::Parquet)?,
            Some(Format::Arrow) => {
                let container = Container::arrow(target.file());
                columns(target, container)?
            }
            Some(Format::Json) => Box::new(JsonSink::array(target, layout)),
            Some(Format::Jsonl) => Box::new(JsonSink::lines(target, layout)),
            Some(Format::Tsv) => Box::new(CsvSink::new(target, layout, b'\t')?),
            Some(Format::Csv) => Box::new(CsvSink::new(target, layout, delimiter)?),
        })
    }

    /// Reads a block of rows and finds their tuples. A row that has not met all that it is joined
    /// with stays for the next block.
    fn fill(&mut self, most: usize) {
        self.batch.clear();
        self.joined.clear();
        if self.next == 0 {
            self.filled = 0;
        } else {
            self.rows.swap(0, self.filled - 1);
            self.filled = 1;
        }
        let mut bytes = 0;
        while self.joined.len() < most && bytes < MAX_BLOCK_BYTES {
            if self.next == 0 {
                match self.read() {
                    Ok(true) => bytes += self.rows[self.filled - 1].bytes(),
                    Ok(false) => return,
                    Err(error) => {
                        self.broken = Some(error);
                        return;
                    }
                }
            }
            let place = (self.filled - 1, self.next);
            self.joined.push(place);
            self.next = (self.next + 1) % self.tables.joins.count();
            let row = self.tables.join(&self.rows[place.0], place.1);
            let is_good = match row.fault() {
                Some(_) => {
                    self.batch.skip();
                    false
                }
                None => self.batch.push(&row),
            };
            // Nothing after the first bad row will be written.
            if !is_good && self.policy.on_error == OnError::Stop {
                return;
            }
        }
    }

    /// How many bytes of the first table are done: of a row that has not met all that it is joined
    /// with, a share.
    fn bytes_done(&self) -> u64 {
        let read = self.tables.input.bytes_read();
        let row = read.saturating_sub(self.bytes_before);
        let met = match self.next {
            0 => row,
            next => (row as f64 * next as f64 / self.tables.joins.count() as f64) as u64,
        };
        self.bytes_before + met
    }

    /// Reads another row of the first table.
    fn read(&mut self) -> Result<bool, CliError> {
        if self.filled == self.rows.len() {
            self.rows.push(Record::default());
        }
        self.bytes_before = self.tables.input.bytes_read();
        let read = self.tables.input.read(&mut self.rows[self.filled])?;
        self.filled += usize::from(read);
        Ok(read)
    }

    /// Works out the block's new tuples.
    fn solve(&mut self) -> Result<(), CliError> {
        let cancelled = |_| Finding::general(FileCode::Cancelled.as_str(), "cancelled").into();
        self.batch.solve().map_err(cancelled)
    }

    /// Writes the block.
    fn emit(
        &mut self,
        sink: &mut dyn Sink,
        notes: &mut Notes<'_>,
        failed: &dyn Fn(std::io::Error) -> CliError,
    ) -> Result<(), CliError> {
        let width = self.batch.questions();
        let mut answers: Vec<Option<Answer>> = vec![None; width];
        let places = &self.tables.places;
        for (number, (record, other)) in self.joined.iter().enumerate() {
            let row = self.tables.join(&self.rows[*record], *other);
            let mut first_fault = None;
            for (question, place) in answers.iter_mut().enumerate() {
                *place = match self.batch.answer(number, question) {
                    Ok(answer) => Some(answer),
                    Err(fault) => {
                        first_fault.get_or_insert((question, fault));
                        None
                    }
                };
            }
            let describe = |(question, fault)| {
                let named: Option<&Named> = self.named.get(question);
                let origin = named.map_or_else(String::new, Named::origin);
                places.describe(&self.batch, question, &origin, &row, fault)
            };
            notes.row(places, &row, &answers);
            if let Some(fault) = first_fault
                .as_ref()
                .filter(|(_, fault)| fault.is_wrong_answer())
            {
                notes.wrong(|| describe(fault.clone()));
            }
            match (first_fault, self.policy.on_error) {
                (None, _) => {}
                (Some(fault), OnError::Stop) => return Err(describe(fault)),
                // A row with too many cells has no place in the table, not even without odds.
                (Some(fault), OnError::Null) if row.fits() => {
                    notes.kept(|| describe(fault));
                }
                (Some(fault), _) => {
                    notes.left_out(|| describe(fault));
                    continue;
                }
            }
            if let Some(picture) = &mut self.picture {
                picture.add(&row, &answers);
            }
            sink.row(&row, &answers).map_err(failed)?;
        }
        Ok(())
    }
}

/// The size of the block after one of `rows` that took this long.
fn next_size(rows: usize, time: Duration) -> usize {
    let (least, most) = ROWS;
    if time > BLOCK_TIME {
        (rows / 2).max(least)
    } else if time < BLOCK_TIME / 4 {
        (rows * 2).min(most)
    } else {
        rows
    }
}
