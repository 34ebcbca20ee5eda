//! A simulation of a rule as a document.

use super::odds::OddsDocument;
use crate::answer::{Checked, Distribution, Questions, Run};
use dicec_lang::hir::Kind;
use dicec_runtime::driver::{Ended, Extent};
use serde::Serialize;

/// A simulation: the whole output of `dicec sim --json`.
#[derive(Clone, Debug, Serialize)]
pub struct SimulationDocument {
    #[serde(flatten)]
    odds: OddsDocument,
    /// The 95 % interval of a check's probability: its lower end; null for a number.
    low: Option<f64>,
    /// Its upper end.
    high: Option<f64>,
    /// How many trials ran.
    trials: u64,
    /// The seed that gives the same result again.
    seed: u64,
    /// `jit` or `interp`.
    backend: &'static str,
    /// `faithful` or `fused`.
    sampling: &'static str,
    /// The standard error: of the mean, or of a check's probability; null for a single trial.
    stderr: Option<f64>,
    /// How many neighbouring numbers share a count; 1 unless there are very many; null where
    /// nothing is counted.
    resolution: Option<u64>,
    /// Whether --precision was reached; null without it.
    precision_reached: Option<bool>,
    /// Why it ended: `trials`, `precision`, `max_trials` or `interrupted`.
    ended: &'static str,
    /// How long the trials took, in nanoseconds.
    elapsed_ns: u64,
    /// Trials per second.
    trials_per_second: f64,
    /// The check that it has passed; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<Checked>,
}

impl SimulationDocument {
    /// A simulation, with answers to the questions.
    pub fn new(odds: &Distribution, run: &Run, asked: &Questions) -> Self {
        let kind = odds.kind();
        let interval = match kind {
            Kind::Number | Kind::Float | Kind::Degree(_) | Kind::Label => None,
            Kind::Level(success) => odds.at_least(success).interval,
            Kind::Check | Kind::Test => odds.at_least(1).interval,
        };
        let reached = match run.extent {
            Extent::Trials(_) => None,
            Extent::Precision { .. } | Extent::OfRange { .. } => Some(run.ended == Ended::Precise),
        };
        Self {
            odds: OddsDocument::new(odds, asked),
            low: interval.map(|(low, _)| low),
            high: interval.map(|(_, high)| high),
            trials: run.trials,
            seed: run.seed,
            backend: run.backend,
            sampling: run.sampling,
            stderr: odds.standard_error(),
            resolution: odds.resolution(),
            precision_reached: reached,
            ended: run.ended_word(),
            elapsed_ns: run.elapsed_ns(),
            trials_per_second: run.trials_per_second(),
            check: run.checked,
        }
    }
}
