//! The loop of a batch: a block of rows is read, worked out and written, then the next.

use super::answer::{Answer, Events};
use super::args::{Format, OnError};
use super::columns::Columns;
use super::fault::Fault;
use super::naming::{Group, check_added};
use super::notes::Notes;
use super::questions::{Asked, NoTicket, Ticket};
use super::sink::{CsvSink, JsonSink, Layout, Sink, TableSink};
use super::solve::{Job, Method, Solver};
use super::source::{Row, Source};
use crate::error::{CliError, FileCode, Finding};
use crate::progress::Progress;
use crate::report::Reporter;
use crate::target::Target;
use std::time::{Duration, Instant};

/// Rows in the first block. It decides which columns there are, so it does not depend on the machine.
const FIRST_ROWS: usize = 256;

/// Rows in a block, at least and at most.
const ROWS: (usize, usize) = (64, 8192);

/// A block that takes so long is halved next time, for progress is shown and output written between blocks; one that
/// takes much less is doubled.
const BLOCK_TIME: Duration = Duration::from_millis(500);

/// A block's cells hold at most about so many bytes.
const MOST_BLOCK_BYTES: usize = 4 << 20;

/// Tuples that are remembered, over all questions; then all are forgotten. A tuple takes about 100 bytes.
const MOST_TUPLES: usize = 1_000_000;

/// How rows are written, and what is done about bad ones.
#[derive(Clone, Copy)]
pub(super) struct Policy {
    pub(super) on_error: OnError,
    /// Never [`Format::Auto`].
    pub(super) format: Format,
    pub(super) json: bool,
    pub(super) delimiter: u8,
    pub(super) width: usize,
    /// Whether rows scroll by on a terminal, where a progress bar would be in the way.
    pub(super) is_watched: bool,
    pub(super) reporter: Reporter,
}

/// A run over a table.
pub(super) struct Batch<'p> {
    source: Source,
    columns: Columns,
    asked: Vec<Asked<'p>>,
    solver: Solver,
    policy: Policy,
    /// The rows of the block; those beyond `filled` are left over from a longer block.
    rows: Vec<Row>,
    filled: usize,
    /// A ticket a question, row after row.
    tickets: Vec<Result<Ticket, NoTicket>>,
    /// What ended the reading after the block's last row.
    broken: Option<CliError>,
}

impl<'p> Batch<'p> {
    pub(super) fn new(
        source: Source,
        columns: Columns,
        asked: Vec<Asked<'p>>,
        solver: Solver,
        policy: Policy,
    ) -> Self {
        Self {
            source,
            columns,
            asked,
            solver,
            policy,
            rows: Vec::new(),
            filled: 0,
            tickets: Vec::new(),
            broken: None,
        }
    }

    /// Reads the whole table and writes the odds.
    pub(super) fn run(mut self, mut target: Target) -> Result<(), CliError> {
        let mut most = FIRST_ROWS;
        self.fill(most);
        if self.filled == 0 {
            return Err(self.broken.unwrap_or_else(|| self.source.no_rows()));
        }
        self.solve()?;
        // The groups are known now: an answer that had to be sampled adds a column.
        let header = self.source.header().to_vec();
        let groups = self.groups();
        check_added(self.source.path(), &header, &groups, self.policy.json)?;
        let layout = Layout {
            header: &header,
            groups: &groups,
        };
        let mut notes = Notes::new(self.policy, self.solver.method(), &groups);
        self.write_all(layout, &mut target, &mut notes, &mut most)?;
        target.commit()?;
        notes.summarise();
        Ok(())
    }

    /// Writes the first block, and reads, solves and writes the others.
    fn write_all(
        &mut self,
        layout: Layout<'_>,
        target: &mut Target,
        notes: &mut Notes<'_>,
        most: &mut usize,
    ) -> Result<(), CliError> {
        let failed = target.on_failure();
        let mut sink = self.sink(layout, target).map_err(&failed)?;
        let progress = Progress::new(self.source.size(), "bytes");
        let progress = (!self.policy.is_watched).then_some(progress);
        while self.filled > 0 {
            let start = Instant::now();
            let emitted = self.emit(&mut *sink, notes, &failed);
            // What stands before a bad row is written all the same.
            sink.flush().map_err(&failed)?;
            emitted?;
            if let Some(progress) = &progress {
                progress.set(self.source.bytes_read());
            }
            if let Some(error) = self.broken.take() {
                return Err(error);
            }
            self.fill(*most);
            self.solve()?;
            *most = next_size(*most, start.elapsed());
        }
        self.broken.take().map_or(Ok(()), Err)
    }

    fn sink<'s>(
        &self,
        layout: Layout<'s>,
        target: &'s mut Target,
    ) -> std::io::Result<Box<dyn Sink + 's>> {
        let Policy {
            format,
            json,
            delimiter,
            width,
            ..
        } = self.policy;
        Ok(match format {
            _ if json => Box::new(JsonSink::new(target, layout)),
            Format::Table => Box::new(TableSink::new(target, layout, width)),
            Format::Csv | Format::Auto => Box::new(CsvSink::new(target, layout, delimiter)?),
        })
    }

    /// What each question adds, in the order of the tickets.
    fn groups(&self) -> Vec<Group> {
        let always = matches!(self.solver.method(), Method::Sample(_));
        let group = |(index, asked): (usize, &Asked<'p>)| {
            let tickets = self.tickets.iter().skip(index).step_by(self.asked.len());
            let solved = tickets.flatten().map(|ticket| asked.solved(*ticket));
            let events = solved
                .flatten()
                .filter_map(|answer| answer.events.as_deref());
            asked.group(always, &events.collect::<Vec<&Events>>())
        };
        self.asked.iter().enumerate().map(group).collect()
    }

    /// Reads a block of rows and finds their tuples.
    fn fill(&mut self, most: usize) {
        self.forget_if_full();
        self.filled = 0;
        self.tickets.clear();
        let mut bytes = 0;
        while self.filled < most && bytes < MOST_BLOCK_BYTES {
            if self.filled == self.rows.len() {
                self.rows.push(Row::default());
            }
            let row = &mut self.rows[self.filled];
            match self.source.read(row) {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    self.broken = Some(error);
                    return;
                }
            }
            self.filled += 1;
            bytes += row.cells.as_slice().len();
            let is_good = self.ask(self.filled - 1);
            // Nothing after the first bad row will be written.
            if !is_good && self.policy.on_error == OnError::Stop {
                return;
            }
        }
    }

    /// Adds the tickets of a row; false if one lacks.
    fn ask(&mut self, row: usize) -> bool {
        let row = &self.rows[row];
        let first = self.tickets.len();
        for asked in &mut self.asked {
            self.tickets.push(match row.fault {
                Some(fault) => Err(NoTicket::Row(fault)),
                None => asked.ticket(&row.cells, &self.columns),
            });
        }
        self.tickets[first..].iter().all(Result::is_ok)
    }

    /// Keeps memory bounded. Only between blocks, for tickets mean nothing afterwards.
    fn forget_if_full(&mut self) {
        let remembered: usize = self.asked.iter().map(Asked::remembered).sum();
        if remembered >= MOST_TUPLES || self.asked.iter().any(Asked::is_full) {
            self.asked.iter_mut().for_each(Asked::forget);
        }
    }

    /// Works out the block's new tuples.
    fn solve(&mut self) -> Result<(), CliError> {
        let mut jobs: Vec<Job<'_>> = self.asked.iter_mut().filter_map(Asked::job).collect();
        self.solver.solve(&mut jobs);
        for asked in &mut self.asked {
            asked.solve_texts(&self.solver);
        }
        if self.solver.is_cancelled() {
            return Err(Finding::general(FileCode::Cancelled.as_str(), "cancelled").into());
        }
        Ok(())
    }

    /// Writes the block.
    fn emit(
        &self,
        sink: &mut dyn Sink,
        notes: &mut Notes<'_>,
        failed: &dyn Fn(std::io::Error) -> CliError,
    ) -> Result<(), CliError> {
        let width = self.asked.len();
        let mut answers: Vec<Option<Answer>> = vec![None; width];
        let rows = &self.rows[..self.filled];
        for (row, tickets) in rows.iter().zip(self.tickets.chunks(width)) {
            let mut first_fault = None;
            for (index, ticket) in tickets.iter().enumerate() {
                answers[index] = match self.answer(index, *ticket) {
                    Ok(answer) => Some(answer),
                    Err(fault) => {
                        first_fault.get_or_insert(fault);
                        None
                    }
                };
            }
            notes.row(self.source.path(), row, &answers);
            let fits = row.cells.len() <= self.source.header().len();
            match (first_fault, self.policy.on_error) {
                (None, _) => {}
                (Some(fault), OnError::Stop) => return Err(self.source.fault(row, &fault)),
                // A row with too many cells has no place in the table, not even without odds.
                (Some(fault), OnError::Null) if fits => {
                    notes.kept(|| self.source.fault(row, &fault));
                }
                (Some(fault), _) => {
                    notes.left_out(|| self.source.fault(row, &fault));
                    continue;
                }
            }
            sink.row(&row.cells, &answers).map_err(failed)?;
        }
        Ok(())
    }

    /// The answer to a question, or what is wrong.
    fn answer(&self, index: usize, ticket: Result<Ticket, NoTicket>) -> Result<Answer, Fault<'_>> {
        let asked = &self.asked[index];
        let ticket = ticket.map_err(|lack| asked.fault(lack))?;
        match asked.solved(ticket) {
            Ok(answer) => Ok(answer.clone()),
            Err(why) => Err(asked.failed(ticket, why)),
        }
    }
}

/// The size of the block after one of `rows` that took so long.
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
