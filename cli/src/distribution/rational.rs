//! `--rational`: every probability as a fraction, in the table and in JSON.

use super::rows::{Row, rows};
use super::summary::{named_rows, steps_note};
use super::{Distribution, Outcome, Share};
use crate::number::grouped;
use dicec_compiler::hir::Kind;
use serde::Serialize;

/// Most results that a table lists one by one.
const MOST_LISTED: usize = 200;

/// What a line has beside its fraction: blanks, a result and a percentage.
const BESIDE: usize = 22;

/// A terminal narrower than this has to break lines.
const NARROWEST: usize = 32;

/// A fraction in lowest terms, its parts in decimal digits.
#[derive(Serialize)]
pub(super) struct RationalJson {
    numerator: String,
    denominator: String,
}

impl RationalJson {
    /// A probability, if it is to be shown as a fraction.
    pub(super) fn new(share: &Share) -> Option<Self> {
        let (above, below) = share.fraction.as_ref().filter(|_| share.in_full)?;
        Some(Self {
            numerator: above.to_string(),
            denominator: below.to_string(),
        })
    }
}

/// The rows of the table, with the fractions as a part of their labels, and a line about what is not there. Fractions that do not fit
/// beside their results would say nothing to a reader: the table is the usual one then.
pub(super) fn table(odds: &Distribution, width: usize) -> (Vec<Row<1>>, String) {
    let fractions = fractions(odds);
    let longest = fractions.iter().map(String::len).max().unwrap_or(0);
    let fits = longest + BESIDE <= width.max(NARROWEST);
    let named = named_rows([odds]);
    if fits && (named.is_some() || fractions.len() <= MOST_LISTED) {
        return (listed(odds, &fractions, longest), String::new());
    }
    let why = if fits {
        format!(
            "{} results are too many to list their fractions",
            grouped(fractions.len() as u64)
        )
    } else {
        "the fractions are too long to list them".to_owned()
    };
    let note = format!("  ({why}: --json has them all)\n");
    match named {
        Some(rows) => (rows, note),
        None => {
            let rows = rows([odds]);
            let steps = steps_note(&rows);
            (rows.rows, steps + &note)
        }
    }
}

/// The probabilities of all outcomes.
fn fractions(odds: &Distribution) -> Vec<String> {
    let text = |outcome: &Outcome| match odds.share(outcome).fraction {
        Some((above, below)) if below == 1_u32.into() => above.to_string(),
        Some((above, below)) => format!("{above}/{below}"),
        None => String::new(),
    };
    odds.outcomes().iter().map(text).collect()
}

/// A row an outcome.
fn listed(odds: &Distribution, fractions: &[String], longest: usize) -> Vec<Row<1>> {
    let outcomes = odds.outcomes();
    let label = |value| match odds.name(value) {
        Some(name) => name.to_owned(),
        None => odds.show(value).to_string(),
    };
    let labels: Vec<_> = outcomes
        .iter()
        .map(|outcome| label(outcome.value))
        .collect();
    let widest = labels.iter().map(|label| label.chars().count()).max();
    let widest = widest.unwrap_or(0);
    let lines = labels.iter().zip(fractions).zip(&outcomes);
    let rows = lines.map(|((label, fraction), outcome)| Row {
        label: format!("{label:>widest$}  {fraction:>longest$}"),
        p: [outcome.p],
    });
    match odds.kind() {
        // As in the usual table: the best first, or true.
        Kind::Check | Kind::Degree(_) => rows.rev().collect(),
        Kind::Label | Kind::Number | Kind::Float => rows.collect(),
    }
}
