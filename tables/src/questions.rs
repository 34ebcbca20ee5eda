//! The questions to each row: a rule, the rules of a column, an AnyDice program, the roll of a
//! script, or the fight of the row. Each maps a row to an [`Index`]: the place of its answer after
//! the pending tuples are solved.

use crate::Row;
use crate::answer::{Answer, Events};
use crate::columns::Columns;
use crate::fault::{ArgumentFault, Fault};
use crate::fights::{CellNote, Fights};
use crate::group::Group;
use crate::index::{Index, NoIndex};
use crate::lines::Templates;
use crate::memo::Solved;
use crate::outputs::names;
use crate::rolls::Roll;
use crate::rules::{Column, Fixed};
use crate::solve::{Job, Solver, Tick};
use crate::swept::Swept;
use crate::varying::Varying;
use dicec_compiler::Failure;
use dicec_lang::hir::Kind;
use dicec_runtime::bug;
use std::collections::BTreeMap;

/// A question to each row.
pub(crate) enum Asked {
    Fixed(Box<Fixed>),
    Column(Box<Column>),
    AnyDice(Box<Swept>),
    Roll(Box<Roll>),
    Fights(Box<Fights>),
}

impl Asked {
    pub(crate) fn index(&mut self, row: &dyn Row, columns: &Columns) -> Result<Index, NoIndex> {
        match self {
            Asked::Fixed(fixed) => fixed.index(row, columns),
            Asked::Column(column) => column.index(row, columns),
            Asked::AnyDice(swept) => swept.index(row),
            Asked::Roll(script) => script.index(row),
            Asked::Fights(fights) => fights.index(row),
        }
    }

    /// How much is remembered, in tuples.
    pub(crate) fn remembered(&self) -> usize {
        match self {
            Asked::Fixed(fixed) => fixed.remembered(),
            Asked::Column(column) => column.texts().remembered(),
            Asked::AnyDice(swept) => swept.memo().weight(),
            Asked::Roll(script) => script.remembered(),
            Asked::Fights(fights) => fights.remembered(),
        }
    }

    /// Whether the memo is full, apart from tuples.
    pub(crate) fn is_full(&self) -> bool {
        match self {
            Asked::Fixed(fixed) => fixed.is_full(),
            Asked::Column(column) => column.texts().is_full(),
            Asked::AnyDice(_) => false,
            Asked::Roll(script) => script.is_full(),
            Asked::Fights(fights) => fights.is_full(),
        }
    }

    /// Forgets all tuples; indices mean nothing afterwards.
    pub(crate) fn forget(&mut self) {
        match self {
            Asked::Fixed(fixed) => fixed.forget(),
            Asked::Column(column) => column.texts_mut().forget(),
            Asked::AnyDice(swept) => swept.forget(),
            Asked::Roll(script) => script.forget(),
            Asked::Fights(fights) => fights.forget(),
        }
    }

    /// The pending work, if it is one job; texts are many jobs, see [`Asked::solve_texts`].
    pub(crate) fn job(&mut self) -> Option<Job<'_>> {
        match self {
            Asked::Fixed(fixed) => Some(fixed.job()),
            Asked::Column(_) => None,
            Asked::AnyDice(swept) => Some(swept.job()),
            Asked::Roll(script) => Some(script.job()),
            Asked::Fights(fights) => Some(fights.job()),
        }
    }

    /// The number of pending tuples.
    pub(crate) fn pending(&mut self) -> usize {
        match self {
            Asked::Column(column) => column.texts().pending(),
            Asked::Fixed(fixed) => fixed.pending(),
            Asked::AnyDice(swept) => swept.memo().pending().len(),
            Asked::Roll(script) => script.job().memo.pending().len(),
            Asked::Fights(fights) => fights.pending(),
        }
    }

    /// Solves the pending work of texts.
    pub(crate) fn solve_texts(&mut self, solver: &Solver, tick: &Tick<'_>) {
        match self {
            Asked::Fixed(fixed) => fixed.solve_dice(solver, tick),
            Asked::Column(column) => column.texts_mut().solve(solver, tick),
            Asked::AnyDice(_) | Asked::Roll(_) | Asked::Fights(_) => {}
        }
    }

    /// Lets the first answer decide which outputs have columns, after a block is solved.
    pub(crate) fn decide(&mut self) {
        match self {
            Asked::Column(column) => column.decide(),
            Asked::AnyDice(swept) => swept.decide(),
            Asked::Fixed(_) | Asked::Roll(_) | Asked::Fights(_) => {}
        }
    }

    /// The columns that it adds to the table, after the first block. `events` are those of its
    /// rows.
    pub(crate) fn group(&self, always_sampled: bool, events: &[&Events]) -> Group {
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
            Asked::Column(column) => {
                let texts = column.texts();
                let sampled = always_sampled || texts.any_sampled();
                match column.decided().names() {
                    [] => Group::of_kinds(column.name(), column.kinds(), texts.shown(), sampled),
                    names => Group::of_outputs(column.name(), names, texts.shown()),
                }
            }
            Asked::AnyDice(swept) => {
                let numbers = swept.outputs().numbers();
                match swept.decided().names() {
                    [] => Group::new(swept.name(), Some(Kind::Number), &[], numbers, false),
                    names => Group::of_outputs(swept.name(), names, numbers),
                }
            }
            Asked::Roll(script) => {
                let sampled = always_sampled || script.any_sampled();
                let lines = Templates::of_lines(script.templates(), events);
                let stats = Templates::of_stats(script.stats(), events);
                let labels = script.labels();
                let returned = (script.kind(), &labels[..], script.numbers());
                Group::of_script(script.name(), returned, sampled, stats, lines)
            }
            Asked::Fights(fights) => {
                let sampled = always_sampled || fights.any_sampled();
                let stats = Templates::of_stats(&fights.statistics(events), events);
                let (kind, labels) = fights.outcomes();
                let returned = (Some(kind), labels, fights.shown());
                let lines = Templates::default();
                let group = Group::of_script(fights.name(), returned, sampled, stats, lines);
                group.with_means_only()
            }
        }
    }

    /// The result of an index.
    pub(crate) fn solved(&self, index: Index) -> &Solved {
        match self {
            Asked::Fixed(fixed) => fixed.solved(index).1,
            Asked::Column(column) => column.texts().solved(index).1,
            Asked::AnyDice(swept) => swept.memo().get(index.tuple),
            Asked::Roll(script) => script.solved(index),
            Asked::Fights(fights) => fights.solved(index),
        }
    }

    /// Why an index has no answer.
    pub(crate) fn failed<'b>(&'b self, index: Index, why: &'b Failure) -> Fault<'b> {
        let (column, sources) = match self {
            Asked::Fixed(fixed) => (None, fixed.solved(index).0),
            Asked::Column(column) => (Some(column.column()), column.texts().solved(index).0),
            Asked::AnyDice(swept) => (None, swept.outputs().program().sources()),
            Asked::Roll(roll) => (None, roll.program().sources()),
            Asked::Fights(_) => return Fault::Unfought { why },
        };
        Fault::Failed {
            column,
            sources,
            why,
        }
    }

    /// The fault of an answer whose outputs have no columns.
    pub(crate) fn misfit(&self, answer: &Answer) -> Option<Fault<'_>> {
        let (column, decided) = match self {
            Asked::Column(column) => (Some(column.column()), column.decided()),
            Asked::AnyDice(swept) => (None, swept.decided()),
            Asked::Fixed(_) | Asked::Roll(_) | Asked::Fights(_) => return None,
        };
        let (found, expected) = (names(answer), decided.names());
        (found != expected).then_some(Fault::OtherOutputs {
            column,
            found,
            expected,
        })
    }

    /// Why a row has no index.
    pub(crate) fn fault(&self, lack: NoIndex) -> Fault<'_> {
        match (lack, self) {
            (NoIndex::Skipped, _) => Fault::Skipped,
            (NoIndex::Cell { column, why }, _) => Fault::Cell { column, why },
            (NoIndex::Text(number), Asked::Column(column)) => column.texts().error(number).fault(),
            (NoIndex::Text(number), Asked::Fixed(fixed)) => fixed.dice().error(number).fault(),
            (NoIndex::Text(number), Asked::Fights(fights)) => fights.fault(number),
            (NoIndex::Arguments, _) => Fault::Arguments,
            (NoIndex::Text(_), _) => Fault::Bug(bug!("a wrong text of a question without texts")),
        }
    }

    /// The errors in the arguments of a row; none for a rule.
    pub(crate) fn wrong_arguments(&self, row: &dyn Row) -> Vec<ArgumentFault> {
        match self {
            Asked::Roll(roll) => roll.wrong_arguments(row),
            Asked::Fixed(_) | Asked::Column(_) | Asked::AnyDice(_) | Asked::Fights(_) => Vec::new(),
        }
    }

    /// The abilities of creatures in its rows that are not modelled, by name.
    pub(crate) fn unmodelled(&self) -> Option<&BTreeMap<String, Vec<String>>> {
        match self {
            Asked::Fights(fights) => Some(fights.missing()),
            Asked::Fixed(_) | Asked::Column(_) | Asked::AnyDice(_) | Asked::Roll(_) => None,
        }
    }

    /// The parts of cells in its rows that have no effect.
    pub(crate) fn cell_notes(&self) -> &[CellNote] {
        match self {
            Asked::Fights(fights) => fights.notes(),
            Asked::Fixed(_) | Asked::Column(_) | Asked::AnyDice(_) | Asked::Roll(_) => &[],
        }
    }

    /// The roll and its arguments.
    pub(crate) fn varying(&self) -> Option<&Varying> {
        match self {
            Asked::Roll(roll) => Some(roll.varying()),
            Asked::Fixed(_) | Asked::Column(_) | Asked::AnyDice(_) | Asked::Fights(_) => None,
        }
    }
}
