//! The fuzz targets' properties on stable Rust: a few hundred random inputs each, and the inputs
//! that fuzzing left in `fuzz/seeds`.

use arbtest::arbtest;
use dicec_runtime::rng::Stream;
use dicec_tests::{properties, strangers};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Milliseconds that each property gets.
const BUDGET: u64 = 3_000;

/// A folder of the repository.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

/// Runs a property on the inputs of its fuzz target that are in the repository.
fn seeds(target: &str, property: impl Fn(&[u8])) {
    let found = fs::read_dir(folder("fuzz/seeds").join(target)).expect("each target has seeds");
    let mut tried = 0;
    for entry in found {
        let bytes = fs::read(entry.expect("an entry").path()).expect("a file");
        property(&bytes);
        tried += 1;
    }
    assert!(tried > 0, "{target} has no seeds");
}

/// Runs a property on the seeds of its fuzz target, and on random bytes for as long as its budget
/// lasts.
fn smoke(target: &str, property: impl Fn(&[u8])) {
    smoke_from(16, target, property);
}

/// [`smoke`] on at least this many bytes.
fn smoke_from(least: u32, target: &str, property: impl Fn(&[u8])) {
    seeds(target, &property);
    arbtest(|bytes| {
        property(bytes.peek_bytes(bytes.len()).unwrap_or_default());
        Ok(())
    })
    .budget_ms(BUDGET)
    .size_min(least)
    .size_max(4096);
}

/// The same bytes each time, for properties that have not been fuzzed for long; `DICEC_CASES` says
/// how many inputs.
fn known(target: &str, property: impl Fn(&[u8])) {
    seeds(target, &property);
    let cases = std::env::var("DICEC_CASES").ok();
    let cases = cases.map_or(150, |text| text.parse().expect("a number"));
    for seed in 0..cases {
        let mut stream = Stream::from_seed(seed);
        let words = 4 + stream.word() % 60;
        let bytes: Vec<u8> = (0..words)
            .flat_map(|_| stream.word().to_le_bytes())
            .collect();
        property(&bytes);
    }
}

#[test]
fn parse_print() {
    smoke("parse_print", properties::parse_print);
}

#[test]
fn ir_roundtrip() {
    smoke("ir_roundtrip", properties::ir_roundtrip);
}

#[test]
fn differential() {
    smoke("differential", properties::differential);
}

#[test]
fn script_text() {
    smoke("script_text", properties::script_text);
}

#[test]
fn request() {
    smoke("request", strangers::request);
}

#[test]
fn table() {
    known("table", strangers::table);
}

#[test]
fn stat_block() {
    known("stat_block", strangers::stat_block);
}

#[test]
fn pasted() {
    known("pasted", strangers::pasted);
}

#[test]
fn encounter() {
    known("encounter", strangers::encounter);
}

#[test]
fn anydice() {
    known("anydice", dicec_tests::anydice::any);
}

#[test]
fn session() {
    known("session", strangers::session);
}

#[test]
fn script_sessions() {
    smoke("script_sessions", properties::script_sessions);
}

#[test]
fn script_differential() {
    smoke("script_differential", properties::script_differential);
}

#[test]
fn compound_differential() {
    // With fewer, most choices would be the first ones.
    let property = properties::compound_differential;
    smoke_from(300, "compound_differential", property);
}

/// Other suites try programs of the same generators.
#[test]
fn programs() {
    seeds("natural_programs", properties::natural_programs);
    seeds("corpus_programs", properties::corpus_programs);
    seeds("same_odds", properties::same_odds);
}

#[test]
fn each_fuzz_target_has_seeds_and_is_tried_here() {
    let names = |name: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(folder(name)).expect("a folder of the repository");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let stems = paths.map(|path| path.file_stem().expect("a name").to_owned());
        stems
            .map(|stem| stem.to_string_lossy().into_owned())
            .collect()
    };
    let targets = names("fuzz/fuzz_targets");
    assert_eq!(names("fuzz/seeds"), targets);
    let here = include_str!("smoke.rs");
    for target in targets {
        assert!(here.contains(&format!("\"{target}\"")), "{target}");
    }
}
