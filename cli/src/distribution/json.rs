//! What `--json` prints of a distribution. These structs are the documented format: fields are only ever added.

use super::rational::RationalJson;
use super::{Distribution, Outcome, Questions, Run};
use crate::args::{backend_word, sampling_word};
use dicec_compiler::hir::Kind;
use dicec_runtime::driver::Extent;
use dicec_runtime::scale::Scale;
use serde::Serialize;

/// The odds of a rule: the whole output of `dicec odds --json`, and the beginning of that of `dicec sim --json`.
#[derive(Serialize)]
pub(crate) struct OddsJson {
    /// `number`, `check`, `degree` or `label`.
    kind: &'static str,
    /// Whether the probabilities are exact (to `error_bound`) or sampled.
    exact: bool,
    /// What the outcomes' weights are relative to, in decimal digits; null where there are no whole weights.
    denominator: Option<String>,
    /// Every possible outcome in ascending order; both `false` and `true` for a check, every label in written order; null for a number
    /// with --summary.
    outcomes: Option<Vec<OutcomeJson>>,
    /// The mean; null for a check, like the next three.
    mean: Option<f64>,
    /// The standard deviation; null also for a single trial.
    sd: Option<f64>,
    /// The least outcome.
    min: Option<NumberJson>,
    /// The greatest outcome.
    max: Option<NumberJson>,
    /// A check's probability of being true, a degree's of being a success; null for a number.
    p: Option<f64>,
    /// The same as a fraction; absent for a number and without --rational.
    #[serde(skip_serializing_if = "Option::is_none")]
    rational: Option<RationalJson>,
    /// A bound on the probability of the rolls that are left out: of dice that explode or are rerolled very often.
    left_out: f64,
    /// The relative error of each probability, at most: 0 for whole weights; null if sampled.
    error_bound: Option<f64>,
    /// Quantiles, those of --quantile or the usual ones; null for a check, and with --summary.
    quantiles: Option<Vec<QuantileJson>>,
    /// An answer for each --ge.
    at_least: Vec<TailJson>,
}

/// One outcome.
#[derive(Serialize)]
struct OutcomeJson {
    /// A number, `false` or `true`, the name of a rung, or a label.
    value: ValueJson,
    /// Its probability.
    p: f64,
    /// The same as a fraction; absent without --rational.
    #[serde(skip_serializing_if = "Option::is_none")]
    rational: Option<RationalJson>,
    /// How many of the `denominator` equally likely rolls give it, in decimal digits.
    weight: Option<String>,
    /// How many trials gave it; absent if exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
}

/// A number, true or false, or the name of a rung or a label.
#[derive(Serialize)]
#[serde(untagged)]
enum ValueJson {
    Number(NumberJson),
    Check(bool),
    Name(String),
}

/// A whole number, or one with decimals.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
pub(crate) enum NumberJson {
    Whole(i64),
    Float(f64),
}

impl NumberJson {
    /// The number that an outcome stands for.
    fn new(scale: Scale, outcome: i64) -> Self {
        match scale {
            Scale::Whole => Self::Whole(outcome),
            Scale::Float => Self::Float(scale.number(outcome)),
        }
    }
}

/// The smallest `value` that at least a share `p` of all is not above.
#[derive(Serialize)]
struct QuantileJson {
    p: f64,
    value: NumberJson,
}

/// The probability `p` of at least `value`.
#[derive(Serialize)]
struct TailJson {
    value: NumberJson,
    p: f64,
    /// The same as a fraction in lowest terms, `7/12`; null where there are no whole weights.
    fraction: Option<String>,
    /// The same in two parts; absent without --rational.
    #[serde(skip_serializing_if = "Option::is_none")]
    rational: Option<RationalJson>,
}

/// A simulation: the whole output of `dicec sim --json`.
#[derive(Serialize)]
pub(crate) struct SimJson {
    #[serde(flatten)]
    odds: OddsJson,
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
    /// How many neighbouring numbers share a count; 1 unless there are very many; null where nothing is counted.
    resolution: Option<u64>,
    /// Whether --precision was reached; null without it.
    precision_reached: Option<bool>,
    /// How long the trials took, in nanoseconds.
    elapsed_ns: u64,
    /// Trials by that time.
    trials_per_second: f64,
}

impl OddsJson {
    /// The odds with answers to what was asked.
    pub(crate) fn new(odds: &Distribution, asked: &Questions) -> Self {
        let number = odds.kind().is_number();
        let scale = odds.scale();
        let quantile = |&p: &f64| QuantileJson {
            p,
            value: NumberJson::new(scale, odds.quantile(p)),
        };
        let outcomes = || {
            let outcomes = odds.outcomes().into_iter();
            outcomes
                .map(|outcome| OutcomeJson::new(outcome, odds))
                .collect()
        };
        let quantiles = number && odds.has_outcomes();
        let chance = match odds.kind() {
            Kind::Number | Kind::Float | Kind::Label => None,
            Kind::Check => Some(odds.at_least(1)),
            Kind::Degree(ladder) => Some(odds.at_least(ladder.success())),
        };
        Self {
            kind: kind_word(odds.kind()),
            exact: odds.is_exact(),
            denominator: odds.denominator().map(ToString::to_string),
            outcomes: odds.has_outcomes().then(outcomes),
            mean: number.then(|| odds.mean()),
            sd: odds.sd().filter(|_| number),
            min: number.then(|| NumberJson::new(scale, odds.min())),
            max: number.then(|| NumberJson::new(scale, odds.max())),
            p: chance.as_ref().map(|chance| chance.p),
            rational: chance.as_ref().and_then(RationalJson::new),
            left_out: odds.left_out(),
            error_bound: odds.error_bound().filter(|bound| bound.is_finite()),
            quantiles: quantiles.then(|| asked.quantiles().iter().map(quantile).collect()),
            at_least: tails(odds, asked),
        }
    }
}

fn tails(odds: &Distribution, asked: &Questions) -> Vec<TailJson> {
    let tail = |&value: &i64| {
        let share = odds.at_least(value);
        TailJson {
            value: NumberJson::new(odds.scale(), value),
            p: share.p,
            rational: RationalJson::new(&share),
            fraction: share
                .fraction
                .map(|(above, below)| format!("{above}/{below}")),
        }
    };
    asked.at_least.iter().map(tail).collect()
}

impl OutcomeJson {
    fn new(outcome: Outcome, odds: &Distribution) -> Self {
        let name = || odds.name(outcome.value).unwrap_or_default();
        Self {
            value: match odds.kind() {
                Kind::Number | Kind::Float => {
                    ValueJson::Number(NumberJson::new(odds.scale(), outcome.value))
                }
                Kind::Check => ValueJson::Check(outcome.value != 0),
                Kind::Degree(_) | Kind::Label => ValueJson::Name(name().to_owned()),
            },
            p: outcome.p,
            rational: RationalJson::new(&odds.share(&outcome)),
            weight: outcome.weight.map(|weight| weight.to_string()),
            count: outcome.count,
        }
    }
}

impl SimJson {
    /// A simulation with answers to what was asked.
    pub(crate) fn new(odds: &Distribution, run: &Run, asked: &Questions) -> Self {
        let kind = odds.kind();
        let interval = match kind {
            Kind::Number | Kind::Float | Kind::Degree(_) | Kind::Label => None,
            Kind::Check => odds.at_least(1).interval,
        };
        let reached = match run.asked.extent {
            Extent::Trials(_) => None,
            Extent::Precision { half_width, .. } => {
                let reached = odds.half_width();
                Some(reached.is_some_and(|reached| reached <= half_width))
            }
        };
        Self {
            odds: OddsJson::new(odds, asked),
            low: interval.map(|(low, _)| low),
            high: interval.map(|(_, high)| high),
            trials: run.trials,
            seed: run.asked.seed,
            backend: backend_word(run.asked.backend),
            sampling: sampling_word(run.asked.sampling),
            stderr: odds.standard_error(),
            resolution: odds.resolution(),
            precision_reached: reached,
            elapsed_ns: u64::try_from(run.elapsed.as_nanos()).unwrap_or(u64::MAX),
            trials_per_second: run.trials_per_second(),
        }
    }
}

/// The word for a kind of result.
pub(crate) fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Number | Kind::Float => "number",
        Kind::Check => "check",
        Kind::Degree(_) => "degree",
        Kind::Label => "label",
    }
}
