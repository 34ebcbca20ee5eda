//! Rows as lines of JSON. [`RowJson`] is the documented format.

use super::{Layout, Sink};
use crate::batch::answer::{Answer, Field, Figure, Odds};
use crate::distribution::NumberJson;
use csv::ByteRecord;
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
/// * each column of the table under its name, as the text that the cell holds (null if the row ends before it);
/// * each expression's odds under its name, as [`AnswerJson`]; null if there are none (`--on-error null`).
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

/// An expression's odds in one row. Fields are only ever added.
#[derive(Serialize)]
struct AnswerJson {
    /// `number`, `check`, `degree` or `label`.
    kind: &'static str,
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
    p5: Option<NumberJson>,
    /// the same for 50 %,
    p50: Option<NumberJson>,
    /// and for 95 %.
    p95: Option<NumberJson>,
    /// The standard error of `p` or `mean`; null if exact.
    stderr: Option<f64>,
}

impl AnswerJson {
    fn new(answer: &Answer) -> Self {
        let real = |field| match answer.figure(field) {
            Some(Figure::Real(value)) => Some(value),
            _ => None,
        };
        let number = |field| match answer.figure(field)? {
            Figure::Whole(value) => Some(NumberJson::Whole(value)),
            Figure::Real(value) => Some(NumberJson::Real(value)),
        };
        Self {
            kind: match answer.odds {
                Odds::Check(_) => "check",
                Odds::Number(_) => "number",
                Odds::Degree(..) => "degree",
                Odds::Label(..) => "label",
            },
            exact: !answer.is_sampled,
            p: real(Field::P),
            degrees: match &answer.odds {
                Odds::Degree(ladder, shares) => {
                    let named = ladder.slugs().iter().zip(shares);
                    Some(by_name(named.map(|(name, p)| (*name, *p))))
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
            stderr: real(Field::Se),
        }
    }
}
