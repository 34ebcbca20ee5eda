//! The cookbook: each of its rules and scripts gives the answer that the page shows, and that of
//! a second computation.

mod answers;
mod known;

use answers::Answer;
use dicec_compiler::Bound;
use dicec_lang::hir::Kind;
use dicec_runtime::pmf::Limits;
use dicec_tests::programs::{bare, first, rule, script};
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A line of the page: what to type, and its answer.
struct Entry {
    /// The rule, or the name of the script's roll.
    key: String,
    bound: Bound,
    shown: String,
}

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/cookbook.md");
    fs::read_to_string(path).expect("docs/cookbook.md exists")
}

/// The rows of the tables.
fn rules(page: &str) -> Vec<Entry> {
    let rows = page.lines().filter(|line| line.contains(" | `"));
    let entry = |row: &str| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [_, _, text, shown] = cells[..] else {
            panic!("four columns: {row}");
        };
        let text = text.trim_matches('`');
        Entry {
            key: text.to_owned(),
            bound: bare(&rule(text)),
            shown: shown.to_owned(),
        }
    };
    rows.map(entry).collect()
}

/// The scripts, each with its answer below.
fn scripts(page: &str) -> Vec<Entry> {
    let blocks = page.split("```dice\n").skip(1);
    let entry = |block: &str| {
        let (text, below) = block.split_once("```").expect("the end of the script");
        let shown = below.trim_start().lines().next().expect("an answer");
        let key = text.split('"').nth(1).expect("a title");
        Entry {
            key: key.to_owned(),
            bound: first(&script(text), &json!({})),
            shown: shown.trim_start_matches("Answer: ").to_owned(),
        }
    };
    blocks.map(entry).collect()
}

/// The exact answer of a roll, and the names of its outcomes.
fn solved(bound: &Bound) -> (Answer, Vec<String>) {
    let roll = bound.program().only_roll().expect("one roll");
    let odds = bound.solve::<f64>(&Limits::default());
    let odds = odds.unwrap_or_else(|failure| panic!("{failure}\n{}", bound.program().text()));
    let pmf = odds.result.expect("it returns something");
    let each = |names: Vec<String>| {
        let outcomes = 0..names.len() as i64;
        let chances = outcomes.map(|outcome| pmf.probability(outcome));
        (Answer::Each(chances.collect()), names)
    };
    match roll.kind().expect("it returns something") {
        Kind::Number | Kind::Float => (Answer::Mean(pmf.mean()), Vec::new()),
        Kind::Check => (Answer::Chance(pmf.probability(1)), Vec::new()),
        Kind::Test => (Answer::Chance(pmf.at_least(1)), Vec::new()),
        Kind::Degree(ladder) => each(ladder.names().map(str::to_owned).collect()),
        Kind::Label | Kind::Level(_) => each(roll.labels().to_vec()),
    }
}

#[test]
fn the_cookbook_is_true() {
    let page = page();
    let mut entries = rules(&page);
    entries.extend(scripts(&page));
    assert!(entries.len() >= 50, "{} entries", entries.len());
    let mut wrong = Vec::new();
    for entry in &entries {
        let (answer, names) = solved(&entry.bound);
        let expected = known::answer(&entry.key);
        let expected = expected.unwrap_or_else(|| panic!("no second answer: {}", entry.key));
        expected.expect_near(&answer, &entry.key);
        let text = answer.text(&names);
        if text != entry.shown {
            wrong.push(format!("{}\t{text}", entry.key));
        }
    }
    assert!(
        wrong.is_empty(),
        "the page should say\n{}",
        wrong.join("\n")
    );
    let keys: BTreeSet<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
    assert_eq!(keys.len(), entries.len(), "an entry is on the page twice");
    for key in known::keys() {
        assert!(keys.contains(key), "not on the page: {key}");
    }
}
