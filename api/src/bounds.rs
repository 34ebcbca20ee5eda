//! Limits on the cost of a request.

use dicec_compiler::Limits;

/// Limits on the work of a request. The caller limits the time with the control of a
/// [`Watch`](crate::Watch).
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Bounds on texts, rolls, trials and exact answers.
    pub limits: Limits,
    /// The maximum number of trials of a simulation.
    pub trials: u64,
    /// The maximum number of rules in a comparison, or of values in a sweep.
    pub questions: usize,
    /// The maximum number of results that rules are compared in: those of both rules of each pair.
    pub compared: u64,
}

impl Bounds {
    /// Limits for a server that takes requests from untrusted people.
    pub fn untrusted() -> Self {
        Self {
            limits: Limits::untrusted(),
            trials: 1_000_000_000,
            questions: 1_000,
            compared: 10_000_000,
        }
    }

    /// Bounds on the script of an encounter. We write it, so its length and its steps are those
    /// that fights need.
    pub(crate) fn of_fights(&self) -> Limits {
        let usual = Limits::default();
        let mut limits = self.limits;
        limits.source = usual.source;
        limits.script = usual.script;
        limits
    }
}
