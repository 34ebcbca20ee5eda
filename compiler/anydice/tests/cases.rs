//! The conformance cases of the description of the language, where they are at hand: small programs
//! with exact outputs, and programs that must be refused.

use dashu_int::UBig;
use dicec_anydice::{Options, Program};
use dicec_lang::syntax::SourceLimits;
use dicec_runtime::pmf::Budget;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Outputs with their names, values and probabilities in lowest terms.
type Outputs = Vec<(String, Vec<(i64, UBig, UBig)>)>;

fn outputs(text: &str, options: Options) -> Result<Outputs, String> {
    let program = Program::parse(text, SourceLimits::default()).map_err(|why| why.to_string())?;
    let run = program.run::<UBig>(&[], options, &mut Budget::default());
    let run = run.map_err(|why| why.to_string())?;
    let outputs = run.outputs.into_iter().map(|output| {
        let odds = output.odds.iter().flat_map(|odds| {
            let total = odds.total().clone();
            odds.iter()
                .map(move |(value, weight)| (value, weight.clone(), total.clone()))
        });
        (output.name, odds.collect())
    });
    Ok(outputs.collect())
}

fn fraction(text: &str) -> Option<(UBig, UBig)> {
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    Some((top.parse().ok()?, bottom.parse().ok()?))
}

/// The difference between the outputs of a program and those of its case.
fn difference(found: &Outputs, wanted: &Value) -> Option<String> {
    let wanted = wanted.as_array().expect("a list of outputs");
    if wanted.len() != found.len() {
        return Some(format!(
            "{} outputs instead of {}",
            found.len(),
            wanted.len()
        ));
    }
    for ((name, odds), wanted) in found.iter().zip(wanted) {
        if Some(name.as_str()) != wanted[0].as_str() {
            return Some(format!("{name:?} instead of {}", wanted[0]));
        }
        let outcomes = wanted[1].as_array().expect("a list of outcomes");
        let are_equal = outcomes.len() == odds.len()
            && outcomes
                .iter()
                .zip(odds)
                .all(|(wanted, (value, weight, total))| {
                    let (top, bottom) = wanted[1].as_str().and_then(fraction).expect("a fraction");
                    wanted[0].as_i64() == Some(*value) && weight * &bottom == total * &top
                });
        if !are_equal {
            return Some(format!("{name}: {odds:?} instead of {}", wanted[1]));
        }
    }
    None
}

#[test]
fn the_cases_of_the_language_are_equal() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/anydice/cases.json");
    let Ok(text) = fs::read_to_string(&path) else {
        eprintln!("SKIPPED: {} is not here", path.display());
        return;
    };
    let document: Value = serde_json::from_str(&text).expect("valid JSON");
    let cases = document["cases"].as_array().expect("a list of cases");
    let plain = Options {
        remember: false,
        observe: false,
    };
    let mut wrong = Vec::new();
    for case in cases {
        let program = case["program"].as_str().expect("a program");
        for options in [Options::default(), plain] {
            let found = outputs(program, options);
            let problem = match (&found, case.get("error")) {
                (Err(_), Some(_)) => None,
                (Ok(found), None) => difference(found, &case["outputs"]),
                (Ok(found), Some(_)) => Some(format!("not refused: {found:?}")),
                (Err(why), None) => Some(format!("refused: {why}")),
            };
            wrong.extend(problem.map(|why| format!("{}: {why}\n{program}", case["id"])));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
    assert!(cases.len() > 200, "{} cases", cases.len());
}
