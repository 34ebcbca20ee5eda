//! Generated programs. `DICEC_CASES` is their number, and `DICEC_SEED` where they begin.

use arbitrary::Unstructured;
use dicec_runtime::rng::Stream;
use dicec_tests::anydice::compare::Compared;
use dicec_tests::anydice::{check, text};
use std::collections::BTreeMap;

pub(crate) fn number(name: &str, usual: u64) -> u64 {
    let wanted = std::env::var(name).ok();
    wanted.map_or(usual, |wanted| wanted.parse().expect("a number"))
}

/// The bytes of which a program is made.
pub(crate) fn bytes(seed: u64) -> Vec<u8> {
    let mut stream = Stream::from_seed(seed);
    (0..128).flat_map(|_| stream.word().to_le_bytes()).collect()
}

#[test]
fn generated_programs_are_equal() {
    let first = 1_000_000 * number("DICEC_SEED", 0);
    let cases = number("DICEC_CASES", 2_000);
    let mut compared: BTreeMap<Compared, u64> = BTreeMap::new();
    let mut wrong = Vec::new();
    for seed in first..first + cases {
        let text = text(&mut Unstructured::new(&bytes(seed))).expect("bytes never run out");
        match check(&text) {
            Ok(found) => *compared.entry(found).or_default() += 1,
            Err((difference, small)) => {
                wrong.push(format!("{seed}: {difference}\n{small}\n{text}"))
            }
        }
    }
    println!("{compared:?}");
    let shown = &wrong[..wrong.len().min(20)];
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        shown.join("\n\n")
    );
    let equal = compared.get(&Compared::Equal).copied().unwrap_or(0);
    assert!(2 * equal > cases, "{compared:?}");
}
