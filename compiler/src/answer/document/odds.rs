//! The odds of a rule as a document.

use super::number::Number;
use crate::answer::{
    Checked, Distribution, Given, Outcome, Questions, Range, Share, Total, Unbounded, kind_word,
};
use dicec_lang::hir::Kind;
use dicec_runtime::scale::Scale;
use serde::Serialize;

/// The odds of a rule: the whole output of `dicec odds --json`, and the beginning of that of `dicec
/// sim --json`.
#[derive(Clone, Debug, Serialize)]
pub struct OddsDocument {
    /// `number`, `check`, `degree` or `label`.
    kind: &'static str,
    /// Whether the probabilities are exact (to `error_bound`) or sampled.
    exact: bool,
    /// What the outcomes' weights are relative to, in decimal digits; null if there are no whole
    /// weights.
    denominator: Option<String>,
    /// Every possible outcome in ascending order; both `false` and `true` for a check, every label
    /// in written order; null for a number of which only a summary was kept.
    outcomes: Option<Vec<OutcomeEntry>>,
    /// The mean; null for a check, like the next three.
    mean: Option<f64>,
    /// The standard deviation; null also for a single trial.
    sd: Option<f64>,
    /// The least outcome; null also if there is none.
    min: Option<Number>,
    /// The greatest outcome; null also if there is none.
    max: Option<Number>,
    /// The ends at which a number has no bound: `below`, `above` or `both`; absent if it has
    /// bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    unbounded: Option<&'static str>,
    /// A check's probability of being true, a degree's of being a success; null for a number.
    p: Option<f64>,
    /// The same as a fraction; absent for a number, and unless fractions are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    rational: Option<Rational>,
    /// A bound on the probability of the rolls that are left out: of dice that explode or are
    /// rerolled very often.
    left_out: f64,
    /// The share of all rolls that clamping at 0 changed; absent if it changed nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    clamped: Option<ClampedEntry>,
    /// The relative error of each probability, at most: 0 for whole weights; null if sampled.
    error_bound: Option<f64>,
    /// The requested quantiles, or the usual ones; null for a check and for a summary.
    quantiles: Option<Vec<QuantileEntry>>,
    /// The probability of at least each total that was asked for.
    at_least: Vec<TailEntry>,
    /// That of at most each total that was asked for; absent if none was, like the next two.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    at_most: Vec<TailEntry>,
    /// That of each total that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    equal: Vec<TailEntry>,
    /// That of each range that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    between: Vec<RangeEntry>,
    /// The odds of what the terms with each label contribute, and at last of those without one;
    /// absent for a rule without labels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    subtotals: Vec<SubtotalOdds>,
    /// The condition that the odds are given; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<GivenEntry>,
    /// The check that exact odds have passed; absent if there was none. Those of a script and of a
    /// simulation have it next to them.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<Checked>,
}

/// The odds of what the terms with a label contribute.
#[derive(Clone, Debug, Serialize)]
struct SubtotalOdds {
    /// The label; null for the terms without one.
    label: Option<String>,
    #[serde(flatten)]
    odds: OddsDocument,
}

/// One outcome.
#[derive(Clone, Debug, Serialize)]
struct OutcomeEntry {
    /// A number, `false` or `true`, the name of a rung, or a label.
    value: Value,
    /// Its probability.
    p: f64,
    /// The same as a fraction; absent unless fractions are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    rational: Option<Rational>,
    /// How many of the `denominator` equally likely rolls give it, in decimal digits.
    weight: Option<String>,
    /// How many trials gave it; absent if exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
}

/// A number, true or false, or the name of a rung or a label.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Value {
    Number(Number),
    Check(bool),
    Name(String),
}

impl Value {
    /// An outcome of these odds.
    pub(super) fn new(odds: &Distribution, outcome: i64) -> Self {
        match (odds.kind(), odds.name(outcome)) {
            (Kind::Check, _) => Self::Check(outcome != 0),
            (_, Some(name)) => Self::Name(name.to_owned()),
            (_, None) => Self::Number(Number::new(odds.scale(), outcome)),
        }
    }
}

/// A fraction in lowest terms, its parts in decimal digits.
#[derive(Clone, Debug, Serialize)]
struct Rational {
    numerator: String,
    denominator: String,
}

impl Rational {
    /// A probability, if it is to be shown as a fraction.
    fn new(share: &Share) -> Option<Self> {
        let (above, below) = share.fraction.as_ref().filter(|_| share.in_full)?;
        Some(Self {
            numerator: above.to_string(),
            denominator: below.to_string(),
        })
    }
}

/// The probability `p` of the results that clamping at 0 changed.
#[derive(Clone, Debug, Serialize)]
struct ClampedEntry {
    p: f64,
    /// The same as a fraction in lowest terms; null unless weights are whole.
    fraction: Option<String>,
    /// Whether it is exact, also for sampled odds.
    exact: bool,
}

/// The smallest `value` that at least a share `p` of all is not above.
#[derive(Clone, Debug, Serialize)]
struct QuantileEntry {
    p: f64,
    value: Number,
}

/// The probability `p` of `value` and of the totals on one side of it.
#[derive(Clone, Debug, Serialize)]
struct TailEntry {
    value: Number,
    #[serde(flatten)]
    chance: ChanceEntry,
}

/// A probability.
#[derive(Clone, Debug, Serialize)]
struct ChanceEntry {
    p: f64,
    /// The same as a fraction in lowest terms, `7/12`; null unless weights are whole.
    fraction: Option<String>,
    /// The same in two parts; absent unless fractions are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    rational: Option<Rational>,
}

/// A condition.
#[derive(Clone, Debug, Serialize)]
pub(super) struct GivenEntry {
    /// As it was written.
    condition: String,
    /// The share of all rolls for which it holds.
    p: f64,
    /// The same as a fraction in lowest terms, `7/12`; null unless weights are whole.
    fraction: Option<String>,
}

impl GivenEntry {
    pub(super) fn new(given: &Given) -> Self {
        Self {
            condition: given.condition.clone(),
            p: given.share.p,
            fraction: fraction_text(&given.share),
        }
    }
}

/// The probability of `from` to `to`, both included.
#[derive(Clone, Debug, Serialize)]
struct RangeEntry {
    from: Number,
    to: Number,
    #[serde(flatten)]
    chance: ChanceEntry,
}

impl OddsDocument {
    /// The odds, with answers to the questions.
    pub fn new(odds: &Distribution, asked: &Questions) -> Self {
        let number = odds.kind().is_number();
        let scale = odds.scale();
        let quantile = |&p: &f64| QuantileEntry {
            p,
            value: Number::new(scale, odds.quantile(p)),
        };
        let end = |end: Option<i64>| {
            let end = end.filter(|_| number);
            end.map(|outcome| Number::new(scale, outcome))
        };
        let outcomes = || {
            let outcomes = odds.outcomes().into_iter();
            outcomes
                .map(|outcome| OutcomeEntry::new(outcome, odds))
                .collect()
        };
        let quantiles = number && odds.has_outcomes();
        let chance = match odds.kind() {
            Kind::Number | Kind::Float | Kind::Label => None,
            Kind::Check | Kind::Test => Some(odds.at_least(1)),
            Kind::Degree(ladder) => Some(odds.at_least(ladder.success())),
            Kind::Level(success) => Some(odds.at_least(success)),
        };
        Self {
            kind: kind_word(odds.kind()),
            exact: odds.is_exact(),
            denominator: odds.denominator().map(ToString::to_string),
            outcomes: (odds.has_outcomes() && !asked.summary).then(outcomes),
            mean: number.then(|| odds.mean()),
            sd: odds.sd().filter(|_| number),
            min: end(odds.min()),
            max: end(odds.max()),
            unbounded: unbounded_word(odds.unbounded()),
            p: chance.as_ref().map(|chance| chance.p),
            rational: chance.as_ref().and_then(Rational::new),
            left_out: odds.left_out(),
            clamped: odds.clamped().map(|share| ClampedEntry {
                p: share.p,
                fraction: fraction_text(share),
                exact: share.interval.is_none(),
            }),
            error_bound: odds.error_bound().filter(|bound| bound.is_finite()),
            quantiles: quantiles.then(|| asked.quantiles().iter().map(quantile).collect()),
            at_least: tails(odds, asked, |range| match range {
                Range::AtLeast(total) => Some(total),
                _ => None,
            }),
            at_most: tails(odds, asked, |range| match range {
                Range::AtMost(total) => Some(total),
                _ => None,
            }),
            equal: tails(odds, asked, |range| match range {
                Range::Equal(total) => Some(total),
                _ => None,
            }),
            between: between(odds, asked),
            subtotals: Vec::new(),
            given: None,
            check: odds.checked(),
        }
    }

    /// As a part of an answer that has the check.
    pub(super) fn unchecked(self) -> Self {
        Self {
            check: None,
            ..self
        }
    }

    /// With the condition that the odds are given, if there is one.
    pub fn with_given(self, given: Option<&Given>) -> Self {
        let given = given.map(GivenEntry::new);
        Self { given, ..self }
    }

    /// With the odds of the subtotal of each label; `None` for the terms without one.
    pub fn with_subtotals(
        mut self,
        parts: impl IntoIterator<Item = (Option<String>, Distribution)>,
    ) -> Self {
        let parts = parts.into_iter().map(|(label, odds)| SubtotalOdds {
            label,
            odds: Self::new(&odds, &Questions::default()).unchecked(),
        });
        self.subtotals = parts.collect();
        self
    }
}

/// The word for the ends without a bound, if there are any.
fn unbounded_word(ends: Unbounded) -> Option<&'static str> {
    match (ends.below, ends.above) {
        (false, false) => None,
        (true, false) => Some("below"),
        (false, true) => Some("above"),
        (true, true) => Some("both"),
    }
}

fn fraction_text(share: &Share) -> Option<String> {
    let fraction = share.fraction.as_ref();
    fraction.map(|(above, below)| format!("{above}/{below}"))
}

/// The answers about the ranges of which `of` gives the end.
fn tails(
    odds: &Distribution,
    asked: &Questions,
    of: impl Fn(Range) -> Option<Total>,
) -> Vec<TailEntry> {
    let ranges = asked.ranges.iter().filter(|_| odds.kind().is_number());
    let tail = |&range: &Range| {
        Some(TailEntry {
            value: number(odds, of(range)?),
            chance: ChanceEntry::new(odds, range),
        })
    };
    ranges.filter_map(tail).collect()
}

fn between(odds: &Distribution, asked: &Questions) -> Vec<RangeEntry> {
    let ranges = asked.ranges.iter().filter(|_| odds.kind().is_number());
    let entry = |&range: &Range| match range {
        Range::Between(low, high) => Some(RangeEntry {
            from: number(odds, low),
            to: number(odds, high),
            chance: ChanceEntry::new(odds, range),
        }),
        _ => None,
    };
    ranges.filter_map(entry).collect()
}

/// A total as a number of these odds.
fn number(odds: &Distribution, total: Total) -> Number {
    match (total, odds.scale()) {
        (Total::Whole(value), Scale::Whole) => Number::Whole(value),
        _ => Number::Float(total.number()),
    }
}

impl ChanceEntry {
    fn new(odds: &Distribution, range: Range) -> Self {
        let share = odds.range_share(range);
        Self {
            p: share.p,
            rational: Rational::new(&share),
            fraction: fraction_text(&share),
        }
    }
}

impl OutcomeEntry {
    fn new(outcome: Outcome, odds: &Distribution) -> Self {
        Self {
            value: Value::new(odds, outcome.value),
            p: outcome.p,
            rational: Rational::new(&odds.share(&outcome)),
            weight: outcome.weight.map(|weight| weight.to_string()),
            count: outcome.count,
        }
    }
}
