//! The reasons why a row has no answer. Faults refer to their causes; the caller makes texts for
//! people, because a table may have millions of them.

use crate::cell::NotWhole;
use dicec_compiler::Failure;
use dicec_compiler::unstable::ArgumentError;
use dicec_games::encounter::Wrong;
use dicec_lang::hir::ResourceUse;
use dicec_lang::syntax::{Diagnostics, Sources};
use dicec_runtime::bug::Bug;

/// A fault of a row, possibly for only one question.
#[derive(Clone, Debug)]
pub enum Fault<'b> {
    /// The row was left out by the caller ([`Batch::skip`](crate::Batch::skip)).
    Skipped,
    /// A cell that a rule reads is not a whole number.
    Cell {
        /// The column, from 0.
        column: usize,
        /// Why it is not.
        why: NotWhole,
    },
    /// The rule in the row's own cell is wrong, or it reads a column that the table lacks.
    Text {
        /// The column, from 0.
        column: usize,
        /// The cell's text.
        text: &'b str,
        /// The kind of the fault.
        why: &'b TextError,
    },
    /// The row's cells do not make arguments of the roll;
    /// [`Batch::wrong_arguments`](crate::Batch::wrong_arguments) says why.
    Arguments,
    /// There is no answer for this row.
    Failed {
        /// The column that the rule is in, if it is the row's own.
        column: Option<usize>,
        /// The rule, the program or the script.
        sources: &'b Sources,
        /// Why there is none.
        why: &'b Failure,
    },
    /// The AnyDice program of the row has other outputs than that of the first row with an answer,
    /// which decided the columns.
    OtherOutputs {
        /// The column that the program is in, if it is the row's own.
        column: Option<usize>,
        /// The names of its outputs; none if it has only one, or if it is a rule.
        found: Vec<String>,
        /// Those that have columns; none if the columns are those of one number or rule.
        expected: &'b [String],
    },
    /// The cells do not make an encounter.
    Encounter {
        /// The column of the error, from 0.
        column: usize,
        /// The error.
        wrong: &'b Wrong,
    },
    /// The cells do not make a scenario of the d100 rules.
    Scenario {
        /// The column of the error, from 0.
        column: usize,
        /// The error.
        wrong: &'b Wrong,
    },
    /// The row's fight has no answer.
    Unfought {
        /// Why there is none.
        why: &'b Failure,
    },
    /// A mistake in this library.
    Bug(Bug),
}

impl Fault<'_> {
    /// Whether there was an answer that its check refuted: a mistake in the compiler.
    pub fn is_wrong_answer(&self) -> bool {
        match self {
            Fault::Failed { why, .. } | Fault::Unfought { why } => {
                matches!(why, Failure::WrongAnswer(_))
            }
            _ => false,
        }
    }
}

/// The reason why the text of a cell is not a valid question.
#[derive(Clone, Debug)]
pub enum TextError {
    /// It is not a rule.
    Text(Diagnostics),
    /// It reads resources that neither a column nor the caller gives.
    Missing(Vec<ResourceUse>),
}

/// An argument that the cells of a row do not make.
#[derive(Clone, Debug)]
pub struct ArgumentFault {
    /// The column that it comes from, from 0, if any.
    pub column: Option<usize>,
    /// The mismatch.
    pub error: ArgumentError,
    /// Why the cell is not the list or the record that it is meant to be, if it is to be one and is
    /// not JSON.
    pub not_json: Option<String>,
}
