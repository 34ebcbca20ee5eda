//! The reason why a simulation ended, as a line of its report.

use dicec_compiler::answer::{Answer, Distribution, Run, grouped, percent, significant};
use dicec_lang::hir::Kind;
use dicec_runtime::driver::{Ended, Extent};

/// Why a simulation ended and how precise it is; nothing if it ran the trials that were asked for.
pub(super) fn ending(run: &Run, judged: &Judged<'_>) -> String {
    let trials = grouped(run.trials);
    match (run.ended, run.extent) {
        (Ended::Trials, _) => String::new(),
        (Ended::Finished, _) => {
            format!("stopped early, after {trials} trials\n")
        }
        (_, Extent::OfRange { share, .. }) => {
            let known = judged.known_to(share);
            match run.ended {
                Ended::Precise => format!("stopped when {known} (see -n)\n"),
                _ => {
                    format!("stopped after {trials} trials, before {known} (see -n)\n")
                }
            }
        }
        (_, Extent::Trials(_) | Extent::Precision { .. }) => {
            let reached = judged.interval();
            match (run.ended, reached) {
                (Ended::Precise, None) => "stopped when the precision was reached\n".to_owned(),
                (Ended::Precise, Some(reached)) => format!("{reached}\n"),
                (_, None) => {
                    "stopped before the precision was reached (see --max-trials)\n".to_owned()
                }
                (_, Some(reached)) => format!(
                    "stopped before the precision was reached: {reached} (see --max-trials)\n"
                ),
            }
        }
    }
}

/// What the precision of a simulation is about.
pub(super) enum Judged<'a> {
    /// The mean or the chances of the results.
    Results(&'a Distribution),
    /// The means of the statistics.
    Statistics,
    /// The chances of the lines.
    Lines,
}

impl<'a> Judged<'a> {
    /// What decides about a roll of a script.
    pub(super) fn of(answer: &'a Answer) -> Self {
        match &answer.result {
            Some(results) => Judged::Results(results),
            None if answer.stats.is_empty() => Judged::Lines,
            None => Judged::Statistics,
        }
    }

    /// `the mean was known to 0.1 % of its range`.
    fn known_to(&self, share: f64) -> String {
        let share = significant(share * 100.0, 3);
        let (what, of) = match self {
            Judged::Statistics => ("the mean of each statistic", "% of its range"),
            Judged::Lines => ("the chance of each line", "percentage points"),
            Judged::Results(odds) => match odds.kind() {
                Kind::Number | Kind::Float | Kind::Test => ("the mean", "% of the range"),
                Kind::Check => ("the chance", "percentage points"),
                Kind::Degree(_) | Kind::Label | Kind::Level(_) => {
                    ("each chance", "percentage points")
                }
            },
        };
        format!("{what} was known to {share} {of}")
    }

    fn interval(&self) -> Option<String> {
        let Judged::Results(odds) = self else {
            return None;
        };
        let reached = odds.half_width().unwrap_or(f64::INFINITY);
        let text = match odds.kind() {
            Kind::Number | Kind::Float | Kind::Test => significant(reached, 3),
            Kind::Check | Kind::Degree(_) | Kind::Label | Kind::Level(_) => percent(reached),
        };
        Some(format!("the 95 % interval is ±{text}"))
    }
}
