//! AnyDice programs as scripts of the rolling language: each script has the exact odds of its
//! program, output by output. Programs without a translation are refused, never changed; the
//! floors say how many there may be.

use crate::generated::{bytes, number};
use crate::programs::programs;
use arbitrary::Unstructured;
use dashu_int::UBig;
use dicec_anydice::Options;
use dicec_compiler::{AnyDice, Compiler, Control, Failure, Program, ResourceTable};
use dicec_lang::syntax::{Code, SourceLimits};
use dicec_runtime::pmf::{Budget, Limits, Pmf};
use dicec_tests::anydice::text;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The budget of a program and of a roll.
const LIMITS: Limits = Limits {
    work: 3_000_000,
    outcomes: 10_000,
};

/// What became of programs.
#[derive(Debug, Default)]
struct Counted {
    /// Those whose scripts have the same odds.
    equal: usize,
    /// Texts that AnyDice refuses, too.
    wrong: usize,
    /// Those whose odds, or those of a roll, take too long.
    too_long: usize,
    /// Those without a translation, by the reason.
    refused: BTreeMap<String, usize>,
    /// Faults.
    faults: Vec<String>,
}

impl Counted {
    fn add(&mut self, text: &str) {
        let Ok(program) = Compiler::new().anydice(text) else {
            self.wrong += 1;
            return;
        };
        self.add_with(&program, &[]);
        // The same with another value of a variable.
        if let Some(variable) = program.settable().first() {
            self.add_with(&program, &[(variable, 2)]);
        }
    }

    fn add_with(&mut self, program: &AnyDice, given: &[(&str, i64)]) {
        match program.script(given, &LIMITS, &Control::default()) {
            Ok(script) if script.rolls.is_empty() => self.wrong += 1,
            Ok(script) => match compared(program, given, &script.text, &script.rolls) {
                Ok(true) => self.equal += 1,
                Ok(false) => self.too_long += 1,
                Err(fault) => self.faults.push(fault),
            },
            Err(Failure::Exhausted(_)) => self.too_long += 1,
            Err(Failure::AnyDice(why)) if why.code == Code::AnyDiceUntranslated => {
                *self.refused.entry(why.message).or_default() += 1;
            }
            Err(Failure::AnyDice(_)) => self.wrong += 1,
            Err(why) => self.faults.push(why.to_string()),
        }
    }

    /// Nothing is at fault, and at least this share of the programs is translated.
    fn check(&self, share: f64) {
        let shown = &self.faults[..self.faults.len().min(20)];
        assert!(
            shown.is_empty(),
            "{} faults: {}",
            self.faults.len(),
            shown.join("\n\n")
        );
        println!("{self:#?}");
        assert!(self.share() > share, "{self:#?}");
    }

    /// The share of the translated programs among those that run.
    fn share(&self) -> f64 {
        let refused: usize = self.refused.values().sum();
        self.equal as f64 / (self.equal + refused) as f64
    }
}

/// Whether all odds could be compared, as fractions.
///
/// # Errors
/// They differ.
fn compared(
    program: &AnyDice,
    given: &[(&str, i64)],
    text: &str,
    rolls: &[String],
) -> Result<bool, String> {
    let script = Compiler::new().script(text).expect("a script");
    let parsed = dicec_anydice::Program::parse(program.text(), SourceLimits::default());
    let parsed = parsed.expect("a program");
    let run = parsed.run::<UBig>(given, Options::default(), &mut Budget::new(LIMITS));
    let Ok(run) = run else { return Ok(false) };
    assert_eq!(rolls.len(), run.outputs.len(), "{}\n{text}", program.text());
    for (name, output) in rolls.iter().zip(&run.outputs) {
        let Some(found) = odds(&script, name) else {
            return Ok(false);
        };
        let wanted = output.odds.as_ref().expect("it has outcomes");
        if !same(&found, wanted) {
            let difference = format!("{name}: {found:?}\ninstead of {wanted:?}");
            return Err(format!("{difference}\n{}\n{text}", program.text()));
        }
    }
    Ok(true)
}

fn odds(script: &Program, name: &str) -> Option<Pmf<UBig>> {
    let roll = script.roll(name).expect("a roll for each output");
    let arguments = roll.arguments(&json!({})).expect("it has no parameters");
    let bound = roll.bind(arguments, &ResourceTable::new());
    let odds = bound.expect("no resources").fractions(&LIMITS);
    match odds {
        Ok(odds) => Some(odds),
        Err(Failure::Exhausted(_)) => None,
        Err(why) => panic!("{name}: {why}"),
    }
}

fn same(one: &Pmf<UBig>, two: &Pmf<UBig>) -> bool {
    let (first, second) = (one.total(), two.total());
    let mut pairs = one.iter().zip(two.iter());
    one.len() == two.len()
        && pairs.all(|((a, weight), (b, other))| a == b && weight * second == other * first)
}

#[test]
fn written_programs_become_scripts_with_their_odds() {
    let mut counted = Counted::default();
    for (_, text) in programs() {
        counted.add(&text);
    }
    counted.check(0.8);
}

#[test]
fn generated_programs_become_scripts_with_their_odds() {
    let first = 1_000_000 * number("DICEC_SEED", 0);
    let cases = number("DICEC_CASES", 300);
    let mut counted = Counted::default();
    for seed in first..first + cases {
        let text = text(&mut Unstructured::new(&bytes(seed))).expect("bytes never run out");
        counted.add(&text);
    }
    counted.check(0.3);
}

#[test]
fn the_cases_of_the_language_become_scripts_with_their_odds() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/anydice/cases.json");
    let Ok(text) = fs::read_to_string(&path) else {
        eprintln!("SKIPPED: {} is not here", path.display());
        return;
    };
    let document: Value = serde_json::from_str(&text).expect("valid JSON");
    let mut counted = Counted::default();
    for case in document["cases"].as_array().expect("a list of cases") {
        counted.add(case["program"].as_str().expect("a program"));
    }
    counted.check(0.8);
}
