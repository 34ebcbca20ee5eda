//! Rows as lines of JSON. [`RowJson`] is the documented format.

use super::{Layout, Sink};
use csv::ByteRecord;
use dicec_compiler::answer::document::Number;
use dicec_tables::{Answer, Field, Figure, Odds, Stat};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// Writes JSON lines.
pub(in crate::batch) struct JsonSink<'b, W: Write> {
    output: W,
    layout: Layout<'b>,
    /// The text of one row.
    line: Vec<u8>,
}

impl<'b, W: Write> JsonSink<'b, W> {
    pub(in crate::batch) fn new(output: W, layout: Layout<'b>) -> Self {
        Self {
            output,
            layout,
            line: Vec::new(),
        }
    }
}

impl<W: Write> Sink for JsonSink<'_, W> {
    fn row(&mut self, cells: &ByteRecord, answers: &[Option<Answer>]) -> io::Result<()> {
        let row = RowJson {
            layout: self.layout,
            cells,
            answers,
        };
        self.line.clear();
        serde_json::to_writer(&mut self.line, &row)?;
        self.line.push(b'\n');
        self.output.write_all(&self.line)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// What `dicec batch --json` prints for a row, on one line: an object with
///
/// * each column of the table under its name, as the text that the cell holds (null if the row ends
///   before it);
/// * the odds of each expression, or of the script's roll, under its name, as [`AnswerJson`]; null
///   if there are none (`--on-error null`).
struct RowJson<'r> {
    layout: Layout<'r>,
    cells: &'r ByteRecord,
    answers: &'r [Option<Answer>],
}

impl Serialize for RowJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_map(None)?;
        for (column, name) in self.layout.header.iter().enumerate() {
            let cell = self.cells.get(column).map(String::from_utf8_lossy);
            row.serialize_entry(name, &cell)?;
        }
        for (group, answer) in self.layout.groups.iter().zip(self.answers) {
            row.serialize_entry(&group.name, &answer.as_ref().map(AnswerJson::new))?;
        }
        row.end()
    }
}

/// Probabilities under names, in order.
type ByName = serde_json::Map<String, serde_json::Value>;

fn by_name<'n>(shares: impl Iterator<Item = (&'n str, f64)>) -> ByName {
    shares
        .map(|(name, p)| (name.to_owned(), p.into()))
        .collect()
}

/// The odds of an expression or a roll in one row. Fields are only ever added.
#[derive(Serialize)]
struct AnswerJson {
    /// `number`, `check`, `degree` or `label`; null for a roll that returns nothing.
    kind: Option<&'static str>,
    /// Whether the odds are exact or sampled.
    exact: bool,
    /// A check's probability of being true, a degree's of being a success; null for a number.
    p: Option<f64>,
    /// The probability of each rung of a degree, by its name.
    degrees: Option<ByName>,
    /// The probability of each label.
    labels: Option<ByName>,
    /// A number's mean; null for a check, like the next four.
    mean: Option<f64>,
    /// The standard deviation; null also for a single trial.
    sd: Option<f64>,
    /// The quantiles: the smallest result that at least 5 % of all are not above,
    p5: Option<Number>,
    /// the same for 50 %,
    p50: Option<Number>,
    /// and for 95 %; null with --summary, which gives the next two instead.
    p95: Option<Number>,
    /// The lowest result.
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<Number>,
    /// The highest result.
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<Number>,
    /// The standard error of `p` or `mean`; null if exact.
    stderr: Option<f64>,
    /// How many lines of each template a trial has on average; rolls of scripts alone have this and
    /// the next two.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<ByName>,
    /// The statistics, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<serde_json::Map<String, serde_json::Value>>,
    /// A bound on the probability of the trials that exact odds leave out.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<f64>,
}

/// The numbers noted under a name; null but for the first if nothing ever was.
#[derive(Serialize)]
struct StatJson {
    /// How many a trial notes on average.
    per_trial: f64,
    mean: Option<f64>,
    /// Null also for a single number.
    sd: Option<f64>,
    p5: Option<Number>,
    p50: Option<Number>,
    p95: Option<Number>,
    /// The standard error of the mean; null if exact.
    stderr: Option<f64>,
}

impl StatJson {
    fn new(stat: &Stat) -> Self {
        let known = stat.summary.as_ref();
        let quantile = |field| known?.spread.figure(field).map(number);
        Self {
            per_trial: stat.per_trial,
            mean: known.map(|known| known.mean),
            sd: known.and_then(|known| known.sd),
            p5: quantile(Field::P5),
            p50: quantile(Field::P50),
            p95: quantile(Field::P95),
            stderr: stat.se,
        }
    }
}

fn number(figure: Figure) -> Number {
    match figure {
        Figure::Whole(value) => Number::Whole(value),
        Figure::Float(value) => Number::Float(value),
    }
}

impl AnswerJson {
    fn new(answer: &Answer) -> Self {
        let real = |field| match answer.figure(field) {
            Some(Figure::Float(value)) => Some(value),
            _ => None,
        };
        let number = |field| answer.figure(field).map(number);
        let events = answer.events.as_deref();
        let stat = |stat: &Stat| {
            // Numbers and names always make JSON.
            let json = serde_json::to_value(StatJson::new(stat)).unwrap_or_default();
            (stat.name.clone(), json)
        };
        Self {
            kind: match answer.odds {
                Odds::Check(_) => Some("check"),
                Odds::Number(_) => Some("number"),
                Odds::Degree(..) => Some("degree"),
                Odds::Label(..) => Some("label"),
                Odds::Nothing => None,
            },
            exact: !answer.is_sampled,
            p: real(Field::P),
            degrees: match &answer.odds {
                Odds::Degree(ladder, shares) => {
                    let slugs = ladder.rungs().iter().map(|rung| rung.slug);
                    let named = slugs.zip(shares);
                    Some(by_name(named.map(|(name, p)| (name, *p))))
                }
                _ => None,
            },
            labels: match &answer.odds {
                Odds::Label(labels, shares) => {
                    let named = labels.iter().map(String::as_str);
                    Some(by_name(named.zip(shares.iter().copied())))
                }
                _ => None,
            },
            mean: real(Field::Mean),
            sd: real(Field::Sd),
            p5: number(Field::P5),
            p50: number(Field::P50),
            p95: number(Field::P95),
            min: number(Field::Min),
            max: number(Field::Max),
            stderr: real(Field::Se),
            lines: events.map(|events| {
                by_name(
                    events
                        .lines
                        .iter()
                        .map(|(line, times)| (line.as_str(), *times)),
                )
            }),
            stats: events.map(|events| events.stats.iter().map(stat).collect()),
            left_out: events.map(|events| events.left_out),
        }
    }
}
