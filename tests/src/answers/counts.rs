//! What was compared, and how often.

use dicec_compiler::verify::Checked;
use std::collections::BTreeMap;
use std::fmt;

/// What was compared with the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// The reference is brute force.
    Enumerated,
    /// The reference is a number of faithful trials.
    Sampled,
    /// Some rolls end in a trap.
    Trapped,
    /// Native code that draws every die as written.
    Faithful,
    /// Exact odds in floats.
    Odds,
    /// Exact odds in fractions.
    Fractions,
    /// The exact engine refused.
    Refused,
    /// Native code for these arguments, which long simulations run.
    Known,
    /// The same, and it runs in lanes.
    Lanes,
    /// Native code for all arguments of the pattern, which tables run.
    Shared,
    /// Native code for any arguments, which short simulations run.
    Few,
    /// Exact odds and shared native code for other arguments, asked after those for the first ones:
    /// programs keep parts of answers and kernels.
    OtherArguments,
    /// A simulation that keeps the mean and the extremes only.
    Moments,
    /// All engines, trial by trial.
    Engines,
    /// Each rewrite and each stage by its contract: [`verified`](super::verified).
    Verified,
}

/// How often each comparison was made.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    checks: BTreeMap<Check, u64>,
    /// How the rewrites of each pass were checked, by its name.
    pub passes: BTreeMap<&'static str, Checked>,
}

impl Counts {
    /// How many programs were compared in this way.
    pub fn of(&self, check: Check) -> u64 {
        self.checks.get(&check).copied().unwrap_or(0)
    }

    pub(super) fn note(&mut self, check: Check) {
        *self.checks.entry(check).or_default() += 1;
    }

    /// Adds those of other programs.
    pub fn merge(&mut self, other: &Self) {
        for (check, number) in &other.checks {
            *self.checks.entry(*check).or_default() += number;
        }
        for (pass, checked) in &other.passes {
            let passed = self.passes.entry(pass).or_default();
            *passed = passed.and(checked);
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = "";
        for (check, number) in &self.checks {
            write!(f, "{before}{check:?} {number}")?;
            before = ", ";
        }
        Ok(())
    }
}
