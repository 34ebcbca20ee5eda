//! The limit on the work and memory of one question. Every operation on a [`Pmf`](super::Pmf) first
//! charges the budget with an upper estimate of its cost, so that a question that is too large is
//! refused at once.

use crate::control::Control;
use std::fmt;

/// The default of [`Limits::work`]: a tenth of a second of `f64` convolutions, or a few seconds if
/// results are so far apart that they are collected by hashing.
pub const DEFAULT_WORK: u64 = 200_000_000;

/// The default of [`Limits::outcomes`].
pub const DEFAULT_OUTCOMES: u64 = 1_000_000;

/// The highest effective value of [`Limits::outcomes`]; higher ones are cut to it. It keeps sizes
/// well inside `usize` and values inside `i64`.
pub const MAX_OUTCOMES: u64 = 1 << 32;

/// A series is cut where the remaining mass is at most this. For `f64`, that is the size of
/// roundings; exact totals would never end, so exact weights are cut at the same point, and both
/// give the same answer.
///
/// For a die that explodes with probability p, the part that is left out has a mean of about 35 /
/// (1 - p) times the exploding face, so the mean of a die with the faces `1..=sides` has a relative
/// error below 1e-13.
pub const SERIES_CUT: f64 = 1e-15;

/// The limits of one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of elementary weight operations for the whole question. One operation is
    /// a multiplication and addition of `f64` weights; an operation on exact weights counts by the
    /// words that it touches.
    pub work: u64,
    /// The maximum number of outcomes in any one table. An exact weight counts as one more outcome
    /// for each full 2048 bits, so this limits memory, too.
    pub outcomes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            work: DEFAULT_WORK,
            outcomes: DEFAULT_OUTCOMES,
        }
    }
}

/// The limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// [`Limits::work`].
    Work,
    /// [`Limits::outcomes`].
    Outcomes,
    /// The caller cancelled the question ([`Control::cancel`]).
    Cancelled,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Work => "weight operations",
            Self::Outcomes => "outcomes",
            Self::Cancelled => "weight operations, and was cancelled",
        })
    }
}

/// The refusal of an operation that does not fit in its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an exact answer needs more than {limit} {resource}")]
pub struct Exhausted {
    /// The limit that would be exceeded.
    pub resource: Resource,
    /// Its value.
    pub limit: u64,
}

/// The rest of one question's [`Limits`], and the caller's [`Control`].
#[derive(Clone, Debug)]
pub struct Budget {
    limits: Limits,
    spent: u64,
    control: Control,
    cut: f64,
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

/// Progress is reported after each portion of work of this size.
const REPORT_EVERY: u64 = 1 << 20;

impl Budget {
    /// A fresh budget; `limits.outcomes` is cut to [`MAX_OUTCOMES`].
    pub fn new(limits: Limits) -> Self {
        let outcomes = limits.outcomes.min(MAX_OUTCOMES);
        Self {
            limits: Limits { outcomes, ..limits },
            spent: 0,
            control: Control::default(),
            cut: SERIES_CUT,
        }
    }

    /// The same budget for odds with another cut than [`SERIES_CUT`], to find out what depends on
    /// the cut.
    pub fn cutting(self, cut: f64) -> Self {
        Self { cut, ..self }
    }

    /// Rolls that can go on without end are cut where at most this probability is left.
    pub fn cut(&self) -> f64 {
        self.cut
    }

    /// The same budget under a caller's control, which is checked whenever something is spent.
    pub fn under(mut self, control: &Control) -> Self {
        self.control = control.clone();
        self
    }

    /// The same budget with nothing spent.
    #[must_use]
    pub fn renewed(&self) -> Self {
        Self {
            spent: 0,
            ..self.clone()
        }
    }

    /// The limits in force.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The work done so far, never above [`Limits::work`].
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Charges for an operation of at most `work` elementary operations whose largest table holds
    /// at most `outcomes`.
    ///
    /// Call it before the operation, with upper estimates (saturated on overflow).
    ///
    /// # Errors
    /// [`Exhausted`] if either does not fit; then nothing is spent.
    pub fn spend(&mut self, work: u64, outcomes: u64) -> Result<(), Exhausted> {
        self.check_outcomes(outcomes)?;
        if self.control.is_cancelled() {
            return Err(Exhausted {
                resource: Resource::Cancelled,
                limit: self.spent,
            });
        }
        let spent = self.spent.saturating_add(work);
        if spent > self.limits.work {
            return Err(Exhausted {
                resource: Resource::Work,
                limit: self.limits.work,
            });
        }
        if spent / REPORT_EVERY != self.spent / REPORT_EVERY {
            self.control.report(spent, self.limits.work);
        }
        self.spent = spent;
        Ok(())
    }

    /// Checks only the size of a table.
    ///
    /// # Errors
    /// [`Exhausted`] when `outcomes` is above the limit.
    pub fn check_outcomes(&self, outcomes: u64) -> Result<(), Exhausted> {
        if outcomes > self.limits.outcomes {
            return Err(Exhausted {
                resource: Resource::Outcomes,
                limit: self.limits.outcomes,
            });
        }
        Ok(())
    }
}
