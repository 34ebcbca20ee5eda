//! What can go wrong with a compiled rule, and how it is told to a GM.

use crate::engine::exact::{Crowd, ExactError, Part};
use crate::engine::jit::JitError;
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::driver::RunError;
use dicec_runtime::pmf::Exhausted;
use dicec_runtime::span::Span;
use dicec_runtime::trap::{Trap, TrapCode};
use thiserror::Error;

/// Why a question to a compiled rule has no answer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Failure {
    /// A roll ended in an error; exactly, some roll can.
    #[error(transparent)]
    Trap(#[from] Trap),
    /// A simulation ended early.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The exact answer does not fit in the budget.
    #[error(transparent)]
    Exhausted(#[from] Refusal),
    /// Native code could not be made.
    #[error(transparent)]
    Jit(#[from] JitError),
}

/// Why an exact answer was given up.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{exhausted}")]
pub struct Refusal {
    /// The limit that was met.
    pub exhausted: Exhausted,
    /// The states of a script that were too many, if it is one.
    pub crowd: Option<Box<Crowd>>,
}

impl From<ExactError> for Failure {
    fn from(error: ExactError) -> Self {
        let refusal = |exhausted, crowd| Refusal { exhausted, crowd }.into();
        match error {
            ExactError::Exhausted(exhausted) => refusal(exhausted, None),
            ExactError::Crowded(crowd) => refusal(crowd.exhausted, Some(crowd)),
            ExactError::Trap(trap) => trap.into(),
        }
    }
}

impl Failure {
    /// The failure as a diagnostic on the rule's text, `length` bytes long; `None` if it is not about the rule.
    pub fn diagnostic(&self, length: usize) -> Option<Diagnostic> {
        match self {
            Failure::Trap(trap) => Some(diagnose(*trap)),
            Failure::Run(RunError::Trapped { trap, trial, seed }) => {
                let mut diagnostic = diagnose(*trap);
                let place = format!("trial {trial} of seed {seed}");
                diagnostic.message = format!("{} ({place})", diagnostic.message);
                Some(diagnostic)
            }
            Failure::Exhausted(refusal) => Some(refuse(refusal, length)),
            Failure::Run(_) | Failure::Jit(_) => None,
        }
    }
}

/// A refusal as a diagnostic: at the place in a script where its states are too many, or else on the whole rule.
fn refuse(refusal: &Refusal, length: usize) -> Diagnostic {
    const RAISE: &str =
        "raise the budget with --max-work or --max-outcomes, or sample instead: dicec sim";
    let whole = Span::new(0, u32::try_from(length).unwrap_or(u32::MAX));
    let message = refusal.exhausted.to_string();
    let Some(crowd) = &refusal.crowd else {
        return Diagnostic::error(Code::Budget, whole, message).help(RAISE);
    };
    let refused = Diagnostic::error(Code::Budget, crowd.span, message);
    let part = |part: &Part| match part.places {
        1 => format!("{} ({} values)", part.name, part.values),
        places => format!("{} ({} values in {places} places)", part.name, part.values),
    };
    let parts: Vec<String> = crowd.parts.iter().map(part).collect();
    if parts.is_empty() {
        return refused.help(RAISE);
    }
    refused.help(format!(
        "{} states are kept apart here, by {}: fewer values, or less that is read later, make them fewer; or {RAISE}",
        crowd.states,
        parts.join(", ")
    ))
}

/// A trap as a diagnostic, under its stable code.
pub fn diagnose(trap: Trap) -> Diagnostic {
    let (code, help) = match trap.code {
        TrapCode::Overflow => (
            Code::Overflow,
            "whole numbers fit up to ±9.2 × 10^18, decimals up to ±1.8 × 10^308; check the resources",
        ),
        TrapCode::NoSides => (
            Code::ComputedNoSides,
            "make sure that the number of sides cannot fall below 1",
        ),
        TrapCode::TooManySides => (
            Code::ComputedTooManySides,
            "check the resources that the number of sides is computed from",
        ),
        TrapCode::TooManyDice => (
            Code::ComputedTooManyDice,
            "roll fewer, or raise the limit with --max-dice",
        ),
        TrapCode::FacesRanOut => (
            Code::FacesRanOut,
            "give a face for each die, in the order in which they are rolled",
        ),
        TrapCode::ImpossibleFace => (
            Code::ImpossibleFace,
            "a die shows a number from 1 to its sides",
        ),
        TrapCode::DivisionByZero => (
            Code::DivisionByZero,
            "make sure that what divides cannot come to 0: `max(1, ...)`",
        ),
        TrapCode::TooManyExplosions => (
            Code::TooManyExplosions,
            "let fewer faces explode, or raise the limit with --max-explosions",
        ),
        TrapCode::TooManyRerolls => (
            Code::TooManyRerolls,
            "reroll fewer faces, or raise the limit with --max-rerolls",
        ),
        TrapCode::OutOfFuel => (
            Code::OutOfFuel,
            "make sure that each loop comes to its end, or raise the limit with --fuel",
        ),
        TrapCode::TooDeep => (
            Code::TooDeep,
            "make sure that the function stops calling itself, or raise the limit with --max-depth",
        ),
        TrapCode::NoElement => (
            Code::NoElement,
            "the first element is number 0, the last one number len(list) - 1",
        ),
        TrapCode::ListTooLong => (
            Code::ListTooLong,
            "append less, or raise the limit with --max-list",
        ),
        TrapCode::TextTooLong => (Code::TextTooLong, "output the parts one by one"),
        TrapCode::Bug => (
            Code::Internal,
            "this is a mistake in the compiler, not in the rule: please report it with the rule and the seed",
        ),
        TrapCode::NoRealResult => (
            Code::NoRealResult,
            "roots and broken powers are for numbers from 0 up: `sqrt(max(0, ...))`",
        ),
    };
    Diagnostic::error(code, trap.span, trap.code.to_string()).help(help)
}
