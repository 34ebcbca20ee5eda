//! The reasons why a program has no answer.

use dicec_lang::syntax::{Code, Diagnostic};
use dicec_runtime::pmf::{CombineError, Exhausted, MixtureError, Overflow};
use dicec_runtime::span::Span;
use thiserror::Error;

/// Why a program has no answer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Failure {
    /// Something is wrong with the program.
    #[error("{}", .0.message)]
    Wrong(Box<Diagnostic>),
    /// The answer does not fit in the budget, or was cancelled.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl From<Diagnostic> for Failure {
    fn from(found: Diagnostic) -> Self {
        Self::Wrong(Box::new(found))
    }
}

/// An operation on distributions that failed, without its place in the program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unplaced {
    Overflow,
    /// A number to the power of a negative number.
    NegativePower,
    Exhausted(Exhausted),
}

impl Unplaced {
    /// The failure at this place.
    pub(crate) fn at(self, span: Span) -> Failure {
        match self {
            Self::Exhausted(exhausted) => Failure::Exhausted(exhausted),
            Self::Overflow => {
                let message = "a number leaves the range of 64 bits here";
                let found = Diagnostic::error(Code::AnyDiceNumber, span, message);
                let help = "AnyDice continues with a wrong number; make the numbers smaller";
                found.help(help).into()
            }
            Self::NegativePower => {
                let message = "a number to the power of a negative number is not whole";
                let found = Diagnostic::error(Code::AnyDiceNumber, span, message);
                found.help("make the exponent 0 or greater").into()
            }
        }
    }
}

impl From<Exhausted> for Unplaced {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

impl From<CombineError<Overflow>> for Unplaced {
    fn from(error: CombineError<Overflow>) -> Self {
        match error {
            CombineError::Value(Overflow) => Self::Overflow,
            CombineError::Exhausted(exhausted) => Self::Exhausted(exhausted),
        }
    }
}

impl From<CombineError<Unplaced>> for Unplaced {
    fn from(error: CombineError<Unplaced>) -> Self {
        match error {
            CombineError::Value(why) => why,
            CombineError::Exhausted(exhausted) => Self::Exhausted(exhausted),
        }
    }
}

impl From<MixtureError> for Unplaced {
    fn from(error: MixtureError) -> Self {
        match error {
            MixtureError::Exhausted(exhausted) => Self::Exhausted(exhausted),
            // Weights are those of dice, so only their size can be wrong.
            MixtureError::Weights => Self::Overflow,
        }
    }
}
