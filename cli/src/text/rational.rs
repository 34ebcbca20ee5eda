//! `--rational`: every probability as a fraction in the table.

use super::chart::steps_note;
use dicec_compiler::answer::{Distribution, Outcome, Row, grouped, named_rows, rows};
use dicec_lang::hir::Kind;

/// Most results that a table lists one by one.
const MAX_LISTED: usize = 200;

/// The width of a line without its fraction: spaces, a result and a percentage.
const OTHER_PARTS: usize = 22;

/// A terminal narrower than this has to break lines.
const MIN_WIDTH: usize = 32;

/// The rows of the table, with the fractions as a part of their labels, and a line about the
/// fractions that are not there. If the fractions do not fit next to their results, the table is
/// the usual one.
pub(super) fn table(odds: &Distribution, width: usize, all: bool) -> (Vec<Row>, String) {
    let fractions = fractions(odds);
    let longest = fractions.iter().map(String::len).max().unwrap_or(0);
    let fits = longest + OTHER_PARTS <= width.max(MIN_WIDTH);
    let named = named_rows(&[odds]);
    if fits && (all || named.is_some() || fractions.len() <= MAX_LISTED) {
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
            let rows = rows(&[odds], all);
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

/// A row for each outcome.
fn listed(odds: &Distribution, fractions: &[String], longest: usize) -> Vec<Row> {
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
        p: vec![outcome.p],
    });
    match odds.kind() {
        // As in the usual table: the best first, or true.
        Kind::Check | Kind::Degree(_) | Kind::Level(_) => rows.rev().collect(),
        Kind::Label | Kind::Number | Kind::Float | Kind::Test => rows.collect(),
    }
}
