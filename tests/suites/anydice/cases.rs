//! The naive evaluator against the cases of the description of the language, where they are at
//! hand: an independent interpreter and enumerations in another language made them.

use dicec_tests::anydice::naive::{self, Odds};
use dicec_tests::anydice::read::read;
use serde_json::Value;
use std::fs;
use std::path::Path;

const STEPS: u64 = 5_000_000;

fn fraction(text: &str) -> (u128, u128) {
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    let number = |text: &str| text.parse().expect("a number");
    (number(top), number(bottom))
}

fn is_equal(odds: &Odds, wanted: &Value) -> bool {
    let wanted = wanted.as_array().expect("a list of outcomes");
    let total: u128 = odds.0.iter().map(|(_, weight)| weight).sum();
    wanted.len() == odds.0.len()
        && wanted.iter().zip(&odds.0).all(|(wanted, (value, weight))| {
            let (top, bottom) = fraction(wanted[1].as_str().expect("a fraction"));
            wanted[0].as_i64() == Some(*value) && weight * bottom == top * total
        })
}

#[test]
fn the_naive_evaluator_has_the_numbers_of_the_cases() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/anydice/cases.json");
    let Ok(text) = fs::read_to_string(&path) else {
        eprintln!("SKIPPED: {} is not here", path.display());
        return;
    };
    let document: Value = serde_json::from_str(&text).expect("valid JSON");
    let cases = document["cases"].as_array().expect("a list of cases");
    let mut compared = 0;
    for case in cases {
        let program = case["program"].as_str().expect("a program");
        let found = read(program).map(|tree| naive::run(&tree, STEPS));
        let is_refused = case.get("error").is_some();
        match found {
            Ok(Err(naive::Stop::TooLong)) => continue,
            Ok(Ok(outputs)) if !is_refused => {
                let wanted = case["outputs"].as_array().expect("a list of outputs");
                let are_equal = outputs.len() == wanted.len()
                    && outputs.iter().zip(wanted).all(|((name, odds), wanted)| {
                        wanted[0].as_str() == Some(name) && is_equal(odds, &wanted[1])
                    });
                assert!(are_equal, "{}: {outputs:?}", case["id"]);
            }
            Ok(Err(_)) | Err(_) if is_refused => {}
            found => panic!("{}: {found:?}", case["id"]),
        }
        compared += 1;
    }
    assert!(compared > 200, "{compared} of {}", cases.len());
}
