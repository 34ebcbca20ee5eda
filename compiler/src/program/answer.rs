//! Answers about bound rolls, exact and sampled, in the types of [`crate::answer`].

use super::bind::Bound;
use super::failure::Failure;
use super::report::{Report, Results};
use super::simulation::Backend;
use crate::answer::{Answer, Distribution, Exactness, Run, exact};
use dicec_lang::hir::Kind;
use dicec_native::pass::Sampling;
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;

impl Bound {
    /// The exact answer: results, lines and statistics, in fractions or floats as `exactness` says.
    /// Given a condition, it is that of the rolls for which it holds, without lines and statistics.
    ///
    /// # Errors
    /// A trap that can happen, a budget that is too small, that it was cancelled, an answer that
    /// its check refutes, or a condition that never holds.
    pub fn answer(
        &self,
        limits: &Limits,
        exactness: Exactness,
        control: &Control,
    ) -> Result<Answer, Failure> {
        let answer = exact(&self.question(), self.kind(), limits, exactness, control);
        let mut answer = answer.map_err(|error| self.failed(error.into()))?;
        self.check_answer(&mut answer, exactness, limits, control)?;
        let answer = self.exactly_clamped(answer, limits, control);
        let answer = self.in_parts(answer);
        match self.condition() {
            None => Ok(answer),
            Some(condition) => condition.applied(answer),
        }
    }

    /// An answer whose parts are no longer among its statistics.
    fn in_parts(&self, answer: Answer) -> Answer {
        answer.in_parts(self.definition().parts(), self.program().hir())
    }

    /// The answer of a simulation of this roll.
    pub fn sampled(&self, report: Report) -> Answer {
        let labels = self.program().hir().labels(self.definition().function_id());
        let trials = report.trials();
        let result = self.kind().map(|kind| of_results(kind, report.results));
        let result = result.map(|odds| {
            let clamped = self.clamped_share(report.simulation.seed);
            odds.labelled(labels).clamped_by(clamped)
        });
        let answer = Answer::sampled(trials, result, &report.events, self.program().hir());
        self.in_parts(answer)
    }
}

fn of_results(kind: Kind, results: Results) -> Distribution {
    match results {
        Results::Outcomes(tally) => Distribution::sampled(kind, tally),
        Results::Moments(summary) => Distribution::summed(kind, summary),
    }
}

impl Report {
    /// How the simulation went.
    pub fn run(&self) -> Run {
        Run {
            extent: self.simulation.extent,
            seed: self.simulation.seed,
            backend: match self.simulation.backend {
                Backend::Auto => "auto",
                #[cfg(feature = "jit")]
                Backend::Jit => "jit",
                Backend::Interp => "interp",
            },
            sampling: match self.simulation.sampling {
                Sampling::Faithful => "faithful",
                Sampling::Fused => "fused",
            },
            trials: self.trials(),
            ended: self.ended,
            elapsed: self.elapsed,
            checked: self.checked,
        }
    }
}
