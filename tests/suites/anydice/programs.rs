//! Written programs, one for each rule and each mechanic of known games: the compiler and the naive
//! evaluator have the odds of `odds.txt`. `UPDATE_ODDS=1` writes it, from the naive evaluator.

use dicec_runtime::pmf::Limits;
use dicec_tests::anydice::compare::{Compared, compare};
use dicec_tests::anydice::naive::{self, Odds};
use dicec_tests::anydice::read::read;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The steps of the naive evaluator for one program.
const STEPS: u64 = 3_000_000;

/// The sections of the description of the language, of which each has rules.
const SECTIONS: std::ops::RangeInclusive<u32> = 1..=12;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("suites/anydice/programs")
}

/// The names and texts of all programs, by name.
pub(crate) fn programs() -> Vec<(String, String)> {
    let found = fs::read_dir(folder()).expect("the folder of programs");
    let paths = found.map(|entry| entry.expect("an entry").path());
    let mut programs: Vec<(String, String)> = paths
        .filter(|path| path.extension().is_some_and(|of| of == "anydice"))
        .map(|path| {
            let name = path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (name, fs::read_to_string(&path).expect("a text"))
        })
        .collect();
    programs.sort_unstable();
    programs
}

/// A line for each output: its name, and its values with their weights.
fn shown(text: &str) -> String {
    let Ok(tree) = read(text) else {
        return "  refused: not a program\n".to_owned();
    };
    match naive::run(&tree, STEPS) {
        Ok(outputs) => {
            let lines = outputs
                .iter()
                .map(|(name, odds)| format!("  {name}: {}\n", line(odds)));
            lines.collect()
        }
        Err(why) => format!("  refused: {why:?}\n"),
    }
}

fn line(odds: &Odds) -> String {
    let total: u128 = odds.0.iter().map(|(_, weight)| weight).sum();
    let pairs = odds
        .0
        .iter()
        .map(|(value, weight)| format!("{value} {weight}/{total}"));
    pairs.collect::<Vec<_>>().join(", ")
}

#[test]
fn the_odds_are_those_of_the_file() {
    let mut odds = String::new();
    for (name, text) in programs() {
        let written = write!(odds, "{name}\n{}", shown(&text));
        written.expect("texts can be written to");
    }
    let path = folder().join("odds.txt");
    if std::env::var_os("UPDATE_ODDS").is_some() {
        fs::write(&path, &odds).expect("the file can be written to");
    }
    let known = fs::read_to_string(&path).expect("the file of odds");
    assert_eq!(known, odds, "UPDATE_ODDS=1 writes the file");
}

#[test]
fn the_compiler_has_the_same_odds() {
    let programs = programs();
    for (name, text) in &programs {
        let compared = compare(text, Limits::default(), STEPS);
        let compared = compared.unwrap_or_else(|difference| panic!("{name}: {difference}\n{text}"));
        assert_ne!(compared, Compared::TooLong, "{name}");
    }
    assert!(programs.len() >= 200, "{} programs", programs.len());
}

/// Each program begins with a comment that has the sections that it is about.
#[test]
fn each_section_has_programs() {
    let mut cited = BTreeSet::new();
    for (name, text) in programs() {
        let comment = text.split('\\').nth(1).expect("it begins with a comment");
        let numbers = comment.split(|c: char| !c.is_ascii_digit());
        let sections: Vec<u32> = numbers.filter_map(|number| number.parse().ok()).collect();
        assert!(!sections.is_empty(), "{name} has no section");
        cited.extend(sections);
    }
    assert_eq!(
        cited,
        SECTIONS.collect(),
        "the sections that programs are about"
    );
}
