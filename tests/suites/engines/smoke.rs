//! The fuzz targets' properties on stable Rust: a few hundred random inputs each, and the inputs
//! that once failed.

use arbtest::arbtest;
use dicec_runtime::rng::Stream;
use dicec_tests::{properties, strangers};

/// Milliseconds that each property gets.
const BUDGET: u64 = 3_000;

/// Runs a property on random bytes for as long as its budget lasts.
fn smoke(property: impl Fn(&[u8])) {
    smoke_from(16, property);
}

/// [`smoke`] on at least this many bytes.
fn smoke_from(least: u32, property: impl Fn(&[u8])) {
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
fn known(property: impl Fn(&[u8])) {
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
    smoke(properties::parse_print);
}

#[test]
fn ir_roundtrip() {
    smoke(properties::ir_roundtrip);
}

#[test]
fn differential() {
    smoke(properties::differential);
}

#[test]
fn script_text() {
    smoke(properties::script_text);
}

#[test]
fn request() {
    smoke(strangers::request);
}

#[test]
fn table() {
    known(strangers::table);
}

#[test]
fn stat_block() {
    known(strangers::stat_block);
}

#[test]
fn encounter() {
    known(strangers::encounter);
}

#[test]
fn session() {
    known(strangers::session);
}

#[test]
fn script_sessions() {
    smoke(properties::script_sessions);
}

#[test]
fn script_differential() {
    smoke(properties::script_differential);
}

#[test]
fn compound_differential() {
    // With fewer, most choices would be the first ones.
    smoke_from(300, properties::compound_differential);
}
