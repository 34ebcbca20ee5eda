//! Failures of compiled programs, and their reports to a game master.

use super::bind_error::BindError;
use super::checked::wrong_answer::WrongAnswer;
use super::unfit_faces::UnfitFaces;
use crate::answer::{Condition, NotGiven};
use dicec_exact::{ExactError, StateExplosion, VariedPart};
use dicec_lang::syntax::{Advice, Code, Diagnostic, FileCode, Finding, Limit, Sources};
#[cfg(feature = "jit")]
use dicec_native::jit::JitError;
use dicec_runtime::driver::RunError;
use dicec_runtime::pmf::{Exhausted, Resource};
use dicec_runtime::span::Span;
use dicec_runtime::trap::{Trap, TrapCode};
use std::fmt;
use thiserror::Error;

/// The reason why a question has no answer.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Failure {
    /// A roll ended in an error; for exact odds, some roll may.
    #[error(transparent)]
    Trap(#[from] Trap),
    /// An execution for a player read an element that its list does not have.
    #[error("the list has no element number {index}: it has {length}")]
    NoElement {
        /// The location.
        trap: Trap,
        /// The number of the element.
        index: i64,
        /// The number of elements of the list.
        length: usize,
    },
    /// A simulation ended early.
    #[error(transparent)]
    Run(RunError),
    /// The exact answer does not fit in the budget.
    #[error(transparent)]
    Exhausted(#[from] Refusal),
    /// The caller cancelled.
    #[error("cancelled after {done} {units}")]
    Cancelled {
        /// The work done before.
        done: u64,
        /// The unit: trials, or an exact answer's weight operations.
        units: &'static str,
    },
    /// Native code could not be generated.
    #[cfg(feature = "jit")]
    #[error(transparent)]
    Jit(#[from] JitError),
    /// A roll that could not be bound.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// The question does not apply to the roll or the sampler.
    #[error(transparent)]
    Misuse(#[from] Misuse),
    /// A mistake in an AnyDice program that shows only when it runs.
    #[error("{}", .0.message)]
    AnyDice(Box<Diagnostic>),
    /// Given faces that do not fit the dice of a roll.
    #[error(transparent)]
    Faces(#[from] UnfitFaces),
    /// There are no odds given a condition.
    #[error(transparent)]
    Condition(#[from] Box<ConditionFailure>),
    /// A mistake in the compiler.
    #[error("{0}")]
    Bug(Box<BugReport>),
    /// An answer that its check refuted: also a mistake in the compiler.
    #[error("{0}")]
    WrongAnswer(Box<WrongAnswer>),
}

/// A question that does not apply to the roll or the sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Misuse {
    /// A sampler was run for another roll.
    #[error("the sampler was made for another roll or another program")]
    OtherRoll,
    /// A sampler was run for other policies.
    #[error("the sampler was made for other policies")]
    OtherPolicies,
    /// A sampler for known arguments and resources was run for others.
    #[error("the sampler was made for other arguments or resources")]
    OtherArguments,
    /// Outcomes or samples of a simulation that did not keep them.
    #[error("the simulation does not keep this: ask for it with Simulation::keep")]
    NotKept,
    /// The environment names a shortcut of exact odds that does not exist.
    #[error("DICEC_EXACT names no shortcut of exact odds")]
    UnknownShortcut,
    /// The result of a roll that returns nothing.
    #[error("the roll gives no result")]
    NoResult,
    /// A rule is rolled; only a script is played.
    #[error("a rule is not played: roll it")]
    NotAScript,
    /// A script cannot be shown die by die; it is played.
    #[error("a script is not shown die by die: play it")]
    NotARule,
    /// An AnyDice program cannot be sampled.
    #[error("an AnyDice program never rolls, so it cannot be sampled: ask for its exact odds")]
    NeverRolls,
}

/// The reason why there are no odds given a condition.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.words())]
pub struct ConditionFailure {
    /// The condition.
    condition: String,
    why: NotGiven,
}

impl ConditionFailure {
    pub(super) fn new(condition: &Condition, why: NotGiven) -> Box<Self> {
        let condition = condition.text.to_string();
        Box::new(Self { condition, why })
    }

    fn words(&self) -> String {
        match self.why {
            NotGiven::Never => format!("no roll has {}: its probability is 0", self.condition),
            NotGiven::Sampled => "odds given a condition are exact, and these are not".to_owned(),
            NotGiven::Trap(trap) => format!("the condition {}: {}", self.condition, trap.code),
        }
    }

    fn finding(&self, words: impl Fn(&Advice) -> String) -> Finding {
        match self.why {
            NotGiven::Never => {
                let finding = Finding::general(FileCode::NeverGiven.as_str(), self.words());
                finding.help("give a condition that some roll meets")
            }
            NotGiven::Sampled => {
                let finding = Finding::general(FileCode::NeverGiven.as_str(), self.words());
                finding.help("compute exact odds")
            }
            NotGiven::Trap(trap) => {
                let sources = Sources::single("", &self.condition);
                Finding::in_sources(&diagnose(trap).worded(words), &sources)
            }
        }
    }
}

/// A mistake in the compiler, with information for its authors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BugReport {
    /// The unexpected state.
    pub what: String,
    /// The rule or script.
    pub program: String,
    /// The seed of the simulation, if there was one.
    pub seed: Option<u64>,
}

impl fmt::Display for BugReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; please report it with the program", self.what)?;
        if let Some(seed) = self.seed {
            write!(f, " and the seed {seed}")?;
        }
        write!(f, ": {}", self.program)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Cancelled { done } => Failure::Cancelled {
                done,
                units: "trials",
            },
            error => Failure::Run(error),
        }
    }
}

/// The reason why an exact answer was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{exhausted}")]
pub struct Refusal {
    /// The exceeded limit.
    pub exhausted: Exhausted,
    /// The states of a script, if there were too many.
    pub state_explosion: Option<Box<StateExplosion>>,
    /// Whether a simulation can answer instead.
    pub can_sample: bool,
}

impl From<ExactError> for Failure {
    fn from(error: ExactError) -> Self {
        let refusal = |exhausted, state_explosion| {
            Refusal {
                exhausted,
                state_explosion,
                can_sample: true,
            }
            .into()
        };
        match error {
            ExactError::Exhausted(Exhausted {
                resource: Resource::Cancelled,
                limit: done,
            }) => Failure::Cancelled {
                done,
                units: "weight operations",
            },
            ExactError::Exhausted(exhausted) => refusal(exhausted, None),
            ExactError::StateExplosion(state_explosion) => {
                refusal(state_explosion.exhausted, Some(state_explosion))
            }
            ExactError::Trap(trap) => trap.into(),
            // The roll is added later.
            ExactError::Wrong(difference) => Failure::Bug(Box::new(BugReport {
                what: difference.to_string(),
                program: String::new(),
                seed: None,
            })),
        }
    }
}

impl Failure {
    /// The failure with the missing index and the length of the list, if it is about a list.
    pub(super) fn at_element(self, missed: Option<(i64, usize)>) -> Self {
        match (self, missed) {
            (Failure::Trap(trap), Some((index, length))) if trap.code == TrapCode::NoElement => {
                Failure::NoElement {
                    trap,
                    index,
                    length,
                }
            }
            (failure, _) => failure,
        }
    }

    /// The failure as a finding, with advice in these words: in the text of its program, or about
    /// the whole run.
    pub fn finding(&self, sources: &Sources, words: impl Fn(&Advice) -> String) -> Finding {
        if let Self::Condition(failure) = self {
            return failure.finding(words);
        }
        match self.diagnostic(sources.main().len()) {
            Some(diagnostic) => Finding::in_sources(&diagnostic.worded(words), sources),
            None => {
                let code = match self {
                    Failure::Cancelled { .. } => FileCode::Cancelled,
                    _ => FileCode::NoNativeCode,
                };
                Finding::general(code.as_str(), self.to_string())
            }
        }
    }

    /// The failure as a diagnostic on the rule's text, which is `length` bytes long; `None` if it
    /// is not about the rule.
    pub fn diagnostic(&self, length: usize) -> Option<Diagnostic> {
        match self {
            Failure::Trap(trap) => Some(diagnose(*trap)),
            Failure::NoElement { trap, length, .. } => {
                let mut diagnostic = diagnose(*trap);
                diagnostic.message = self.to_string();
                diagnostic.help = Some(match length {
                    0 => "ask for the length first: `len(list) > 0`".to_owned(),
                    1 => "its only element is number 0".to_owned(),
                    length => format!(
                        "the first element is number 0, the last one number {}",
                        length - 1
                    ),
                });
                Some(diagnostic)
            }
            Failure::Run(RunError::Trapped { trap, trial, seed }) => {
                let mut diagnostic = diagnose(*trap);
                let place = format!("trial {trial} of seed {seed}");
                diagnostic.message = format!("{} ({place})", diagnostic.message);
                Some(diagnostic)
            }
            Failure::Exhausted(refusal) => Some(refuse(refusal, length)),
            Failure::Faces(unfit) => Some(misfit(unfit, length)),
            Failure::AnyDice(found) => Some((**found).clone()),
            Failure::Bug(report) => Some(internal(&report.program, report.what.clone())),
            Failure::WrongAnswer(wrong) => {
                let whole = Span::new(0, u32::try_from(length).unwrap_or(u32::MAX));
                let found = Diagnostic::error(Code::WrongAnswer, whole, wrong.to_string());
                Some(found.help(wrong.help()).advise(Advice::Uncheck))
            }
            #[cfg(feature = "jit")]
            Failure::Jit(_) => None,
            Failure::Run(_)
            | Failure::Cancelled { .. }
            | Failure::Bind(_)
            | Failure::Misuse(_)
            | Failure::Condition(_) => None,
        }
    }
}

/// A refusal as a diagnostic: at the statement of a script with too many states, otherwise on the
/// whole rule.
fn refuse(refusal: &Refusal, length: usize) -> Diagnostic {
    let advised = |found: Diagnostic| {
        let found = found.advise(Advice::RaiseLimit(Limit::Exact));
        match refusal.can_sample {
            true => found.advise(Advice::Simulate),
            false => found,
        }
    };
    let whole = Span::new(0, u32::try_from(length).unwrap_or(u32::MAX));
    let message = refusal.exhausted.to_string();
    let Some(state_explosion) = &refusal.state_explosion else {
        return advised(Diagnostic::error(Code::Budget, whole, message));
    };
    let refused = Diagnostic::error(Code::Budget, state_explosion.span, message);
    let part = |part: &VariedPart| match part.instances {
        1 => format!("{} ({} values)", part.name, part.values),
        places => format!("{} ({} values in {places} places)", part.name, part.values),
    };
    let parts: Vec<String> = state_explosion.parts.iter().map(part).collect();
    if parts.is_empty() {
        return advised(refused);
    }
    advised(refused.help(format!(
        "{} states are kept apart here, by {}: fewer values, or less that is read later, make them fewer",
        state_explosion.states,
        parts.join(", ")
    )))
}

/// An internal error that a text caused, as a diagnostic on the whole text.
pub(super) fn internal(text: &str, what: String) -> Diagnostic {
    let whole = Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX));
    Diagnostic::error(Code::Internal, whole, what).help(REPORT)
}

/// Faces that do not fit as a diagnostic: at the pool of their die, or on the whole rule.
fn misfit(unfit: &UnfitFaces, length: usize) -> Diagnostic {
    match unfit {
        UnfitFaces::OfDie { trap, .. } => {
            let mut found = diagnose(*trap);
            found.message = unfit.to_string();
            found
        }
        UnfitFaces::LeftOver { given, .. } => {
            let whole = Span::new(0, u32::try_from(length).unwrap_or(u32::MAX));
            let found = Diagnostic::error(Code::LeftoverFaces, whole, unfit.to_string());
            found.help(format!("{given} faces were given; leave the last ones out"))
        }
    }
}

/// The suggestion for an internal error.
const REPORT: &str = "this is a mistake in the compiler, not in the rule: please report it with the rule and the seed";

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
        TrapCode::TooManyDice => (Code::ComputedTooManyDice, "roll fewer"),
        TrapCode::NegativeCount => (
            Code::ComputedNegativeCount,
            "to roll, keep or drop none instead, write `max(0, ...)` around the number",
        ),
        TrapCode::FacesRanOut => (
            Code::FacesRanOut,
            "give a face for each die, in the order in which they are rolled",
        ),
        TrapCode::ImpossibleFace => (
            Code::ImpossibleFace,
            "a die shows a number from 1 to its sides; a fate die shows -1, 0 or 1",
        ),
        TrapCode::DivisionByZero => (
            Code::DivisionByZero,
            "make sure that what divides cannot come to 0: `max(1, ...)`",
        ),
        TrapCode::TooManyExplosions => (Code::TooManyExplosions, "let fewer faces explode"),
        TrapCode::TooManyRerolls => (Code::TooManyRerolls, "reroll fewer faces"),
        TrapCode::OutOfFuel => (Code::OutOfFuel, "make sure that each loop comes to its end"),
        TrapCode::TooDeep => (
            Code::TooDeep,
            "make sure that the function stops calling itself",
        ),
        TrapCode::NoElement => (
            Code::NoElement,
            "the first element is number 0, the last one number len(list) - 1",
        ),
        TrapCode::NoRow => (
            Code::NoRow,
            "add rows such as `101+: ...` and `..0: ...`, or `else: ...` for the rest",
        ),
        TrapCode::ListTooLong => (Code::ListTooLong, "append less"),
        TrapCode::TextTooLong => (Code::TextTooLong, "output the parts one by one"),
        TrapCode::TooMuchToShow => (
            Code::TooMuchToShow,
            "roll and output less; simulations show nothing",
        ),
        // A cancelled roll is a failure of its own; see `Bound::failed`.
        TrapCode::Bug | TrapCode::Cancelled => (Code::Internal, REPORT),
        TrapCode::NoRealResult => (
            Code::NoRealResult,
            "roots and broken powers are for numbers from 0 up: `sqrt(max(0, ...))`",
        ),
    };
    let found = Diagnostic::error(code, trap.span, trap.code.to_string()).help(help);
    match limit_of(trap.code) {
        Some(limit) => found.advise(Advice::RaiseLimit(limit)),
        None => found,
    }
}

/// The limit that a trap exceeded, if it can be raised.
fn limit_of(code: TrapCode) -> Option<Limit> {
    Some(match code {
        TrapCode::TooManyDice => Limit::Dice,
        TrapCode::TooManyExplosions => Limit::Explosions,
        TrapCode::TooManyRerolls => Limit::Rerolls,
        TrapCode::OutOfFuel => Limit::Fuel,
        TrapCode::TooDeep => Limit::Depth,
        TrapCode::ListTooLong => Limit::List,
        TrapCode::TooMuchToShow => Limit::Shown,
        _ => return None,
    })
}
