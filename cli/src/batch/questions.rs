//! What is asked of each row: expressions of `-e`, the expressions of a column, or the roll of a script. All turn a row into a
//! [`Ticket`]: where its answer will be, once what is pending is worked out.

use super::answer::Events;
use super::cell::NotWhole;
use super::columns::Columns;
use super::fault::{Fault, RowFault};
use super::lines::Lines;
use super::memo::Solved;
use super::naming::Group;
use super::rules::{Fixed, Texts};
use super::scripted::Scripted;
use super::solve::{Job, Solver};
use csv::ByteRecord;

/// Where a row's answer is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticket {
    /// The number of a row's own expression; 0 for what is asked of all rows.
    pub(super) text: usize,
    /// The number of its tuple in a [`Memo`](super::memo::Memo).
    pub(super) tuple: u32,
}

/// Why a row has no ticket.
#[derive(Clone, Copy, Debug)]
pub(super) enum NoTicket {
    /// The whole row is wrong.
    Row(RowFault),
    /// A cell of this column is no whole number.
    Cell { column: usize, why: NotWhole },
    /// The text of this number is not an expression, or reads a column that there is not; see [`Texts::error`].
    Text(usize),
    /// The cells do not make arguments of the roll; see [`Scripted::wrong_arguments`].
    Arguments,
}

/// Something that is asked of each row.
pub(super) enum Asked<'p> {
    Fixed(Fixed<'p>),
    Texts(Texts),
    Script(Box<Scripted<'p>>),
}

impl<'p> Asked<'p> {
    pub(super) fn ticket(
        &mut self,
        cells: &ByteRecord,
        columns: &Columns,
    ) -> Result<Ticket, NoTicket> {
        match self {
            Asked::Fixed(fixed) => fixed.ticket(cells),
            Asked::Texts(texts) => texts.ticket(cells, columns),
            Asked::Script(script) => script.ticket(cells),
        }
    }

    /// How much is remembered, in tuples.
    pub(super) fn remembered(&self) -> usize {
        match self {
            Asked::Fixed(fixed) => fixed.remembered(),
            Asked::Texts(texts) => texts.remembered(),
            Asked::Script(script) => script.remembered(),
        }
    }

    /// Whether it holds as much as it may beside tuples.
    pub(super) fn is_full(&self) -> bool {
        match self {
            Asked::Fixed(_) => false,
            Asked::Texts(texts) => texts.is_full(),
            Asked::Script(script) => script.is_full(),
        }
    }

    /// Forgets all tuples; tickets mean nothing afterwards.
    pub(super) fn forget(&mut self) {
        match self {
            Asked::Fixed(fixed) => fixed.forget(),
            Asked::Texts(texts) => texts.forget(),
            Asked::Script(script) => script.forget(),
        }
    }

    /// What is pending, where that is one job; texts are many, see [`Asked::solve_texts`].
    pub(super) fn job(&mut self) -> Option<Job<'_>> {
        match self {
            Asked::Fixed(fixed) => Some(fixed.job()),
            Asked::Texts(_) => None,
            Asked::Script(script) => Some(script.job()),
        }
    }

    /// Works out what is pending of texts.
    pub(super) fn solve_texts(&mut self, solver: &Solver) {
        if let Asked::Texts(texts) = self {
            texts.solve(solver);
        }
    }

    /// What it adds to the table, after the first block. `events` are those of its rows.
    pub(super) fn group(&self, always_sampled: bool, events: &[&Events]) -> Group {
        match self {
            Asked::Fixed(fixed) => {
                let program = fixed.program();
                let sampled = always_sampled || fixed.any_sampled();
                Group::new(
                    fixed.name(),
                    program.kind(),
                    program.labels(),
                    fixed.numbers(),
                    sampled,
                )
            }
            Asked::Texts(texts) => {
                let sampled = always_sampled || texts.any_sampled();
                Group::new(texts.name(), None, &[], texts.numbers(), sampled)
            }
            Asked::Script(script) => {
                let sampled = always_sampled || script.any_sampled();
                let lines = Lines::new(script.templates(), events);
                let returned = (script.kind(), script.numbers());
                Group::of_script(script.name(), returned, sampled, script.stats(), lines)
            }
        }
    }

    /// What became of a ticket.
    pub(super) fn solved(&self, ticket: Ticket) -> &Solved {
        match self {
            Asked::Fixed(fixed) => fixed.solved(ticket),
            Asked::Texts(texts) => texts.solved(ticket).1,
            Asked::Script(script) => script.solved(ticket),
        }
    }

    /// Why a ticket has no answer.
    pub(super) fn failed<'b>(
        &'b self,
        ticket: Ticket,
        why: &'b dicec_compiler::Failure,
    ) -> Fault<'b> {
        match self {
            Asked::Fixed(fixed) => Fault::Failed {
                column: None,
                name: fixed.name(),
                text: fixed.program().text(),
                why,
            },
            Asked::Texts(texts) => Fault::Failed {
                column: Some(texts.column()),
                name: texts.name(),
                text: texts.solved(ticket).0.text(),
                why,
            },
            Asked::Script(script) => Fault::Roll { script, why },
        }
    }

    /// Why a row has no ticket.
    pub(super) fn fault(&self, lack: NoTicket) -> Fault<'_> {
        match (lack, self) {
            (NoTicket::Row(fault), _) => Fault::Row(fault),
            (NoTicket::Cell { column, why }, _) => Fault::Cell { column, why },
            (NoTicket::Text(number), Asked::Texts(texts)) => Fault::Text {
                column: texts.column(),
                why: texts.error(number),
            },
            (NoTicket::Arguments, Asked::Script(script)) => Fault::Arguments(script),
            (NoTicket::Text(_) | NoTicket::Arguments, _) => {
                unreachable!("only texts have wrong texts, only scripts have arguments")
            }
        }
    }
}
