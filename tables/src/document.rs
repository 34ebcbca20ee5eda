//! Answers as documents: the odds of `dicec batch --json`, and what a server can send. These types
//! are the documented format (`docs/json.md`): fields are only ever added.

use crate::answer::{Answer, Events, Odds, Spread, Stat};
use crate::field::Field;
use crate::figure::Figure;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// The odds of a question in one row.
#[derive(Clone, Debug, Serialize)]
pub struct AnswerDocument<'a> {
    /// `number`, `check`, `degree` or `label`; null for a roll that returns nothing, and
    /// for an AnyDice program with several outputs.
    kind: Option<&'static str>,
    /// Whether the odds are exact or sampled.
    exact: bool,
    /// A check's probability of being true, a degree's of being a success; null for a number.
    p: Option<f64>,
    /// The probability of each rung of a degree, by its name.
    degrees: Option<ByName<'a, f64>>,
    /// The probability of each label.
    labels: Option<ByName<'a, f64>>,
    /// A number's mean; null for a check, like the next four.
    mean: Option<f64>,
    /// The standard deviation; null also for a single trial.
    sd: Option<f64>,
    /// The quantiles: the smallest result that at least 5 % of all are not above,
    p5: Option<Figure>,
    /// the same for 50 %,
    p50: Option<Figure>,
    /// and for 95 %; null for [`Numbers::Ends`](crate::Numbers::Ends), which give the next two
    /// instead.
    p95: Option<Figure>,
    /// The lowest result.
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<Figure>,
    /// The highest result.
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<Figure>,
    /// What was asked of a number, by the names of the columns; absent if nothing was.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<ByName<'a, Figure>>,
    /// The standard error of `p` or `mean`; null if exact.
    stderr: Option<f64>,
    /// The share of all rolls that clamping at 0 changed; absent if it changed nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    clamped: Option<f64>,
    /// How many lines of each template a trial has on average; only rolls of scripts have this and
    /// the next two.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<ByName<'a, f64>>,
    /// The statistics, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<ByName<'a, StatEntry<'a>>>,
    /// A bound on the probability of the trials that exact odds leave out.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<f64>,
    /// The name that an AnyDice program gives its only output.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<&'a str>,
    /// The outputs of an AnyDice program that has several, by name; of one that is swept always.
    #[serde(skip_serializing_if = "Option::is_none")]
    outputs: Option<ByName<'a, StatEntry<'a>>>,
}

/// Values under names, each once, in order.
#[derive(Clone, Debug)]
struct ByName<'a, V>(Vec<(&'a str, V)>);

impl<V: Serialize> Serialize for ByName<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// The numbers noted under a name; null but for the first if nothing ever was.
#[derive(Clone, Debug, Serialize)]
struct StatEntry<'a> {
    /// How many a trial notes on average.
    per_trial: f64,
    mean: Option<f64>,
    /// Null also for a single number.
    sd: Option<f64>,
    p5: Option<Figure>,
    p50: Option<Figure>,
    p95: Option<Figure>,
    /// As for the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<ByName<'a, Figure>>,
    /// The standard error of the mean; null if exact.
    stderr: Option<f64>,
}

/// What was asked of a number, if anything was.
fn asked(spread: &Spread) -> Option<ByName<'_, Figure>> {
    let asked: Vec<(&str, Figure)> = spread.asked().collect();
    (!asked.is_empty()).then_some(ByName(asked))
}

impl<'a> StatEntry<'a> {
    fn new(stat: &'a Stat) -> Self {
        let known = stat.summary.as_ref();
        let quantile = |field| known?.spread.figure(field);
        Self {
            per_trial: stat.per_trial,
            mean: known.map(|known| known.mean),
            sd: known.and_then(|known| known.sd),
            p5: quantile(Field::P5),
            p50: quantile(Field::P50),
            p95: quantile(Field::P95),
            asked: known.and_then(|known| asked(&known.spread)),
            stderr: stat.se,
        }
    }
}

/// The figure itself.
impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Figure::Whole(value) => serializer.serialize_i64(value),
            Figure::Float(value) => serializer.serialize_f64(value),
        }
    }
}

impl<'a> AnswerDocument<'a> {
    /// The odds of an answer.
    pub fn new(answer: &'a Answer) -> Self {
        let figure = |field| answer.figure(field);
        let float = |field| match figure(field) {
            Some(Figure::Float(value)) => Some(value),
            Some(Figure::Whole(_)) | None => None,
        };
        let (kind, mut degrees, mut labels) = (kind_word(&answer.odds), None, None);
        match &answer.odds {
            Odds::Degree(ladder, shares) => {
                let names = ladder.rungs().iter().map(|rung| rung.slug);
                degrees = Some(ByName(names.zip(shares.iter().copied()).collect()));
            }
            Odds::Label(names, shares) | Odds::Level(names, shares, _) => {
                let names = names.iter().map(String::as_str);
                labels = Some(ByName(names.zip(shares.iter().copied()).collect()));
            }
            Odds::Check(_) | Odds::Number(_) | Odds::Test(..) => {}
            Odds::Outputs | Odds::Nothing => {}
        }
        let are_outputs = answer.odds == Odds::Outputs;
        let events = answer.events.as_deref().filter(|_| !are_outputs);
        let outputs = answer.events.as_deref().filter(|_| are_outputs);
        let stats = |events: &'a Events| {
            let stats = events.stats.iter();
            let stats = stats.map(|stat| (stat.name.as_str(), StatEntry::new(stat)));
            ByName(stats.collect())
        };
        Self {
            kind,
            exact: !answer.is_sampled,
            p: float(Field::P),
            degrees,
            labels,
            mean: float(Field::Mean),
            sd: float(Field::Sd),
            p5: figure(Field::P5),
            p50: figure(Field::P50),
            p95: figure(Field::P95),
            min: figure(Field::Min),
            max: figure(Field::Max),
            asked: match &answer.odds {
                Odds::Number(number) | Odds::Test(_, number) => asked(&number.spread),
                _ => None,
            },
            stderr: float(Field::Se),
            clamped: answer.clamped,
            lines: events.map(|events| {
                let lines = events.lines.iter();
                ByName(lines.map(|(line, times)| (line.as_str(), *times)).collect())
            }),
            stats: events.map(stats),
            output: answer.output.as_deref(),
            outputs: outputs.map(stats),
            left_out: events.map(|events| events.left_out),
        }
    }
}

fn kind_word(odds: &Odds) -> Option<&'static str> {
    match odds {
        Odds::Check(_) => Some("check"),
        Odds::Number(_) => Some("number"),
        Odds::Test(..) => Some("test"),
        Odds::Degree(..) => Some("degree"),
        Odds::Label(..) => Some("label"),
        Odds::Level(..) => Some("level"),
        Odds::Outputs | Odds::Nothing => None,
    }
}
