//! Simulated AnyDice programs: the trials of each output fit its exact odds. Programs of which a
//! trial says nothing are refused, never sampled; the floors say how many there may be.

use crate::generated::{bytes, number};
use crate::programs::programs;
use arbitrary::Unstructured;
use dicec_anydice::{Failure, Options, Program, Sampled};
use dicec_lang::syntax::{Code, SourceLimits};
use dicec_runtime::pmf::{Budget, Limits, Pmf};
use dicec_runtime::stats::{Tally, chi_square};
use dicec_tests::anydice::text;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The budget of exact odds, and of a trial.
const LIMITS: Limits = Limits {
    work: 3_000_000,
    outcomes: 10_000,
};

/// Odds this unlikely are a fault: among all programs of a run, chance gives none.
const UNLIKELY: f64 = 1e-9;

/// What became of programs.
#[derive(Debug, Default)]
struct Counted {
    /// Those whose trials fit their odds.
    fitting: usize,
    /// Those whose odds or trials take too long, and texts that are refused.
    other: usize,
    /// Those that cannot be simulated, by the reason.
    refused: BTreeMap<String, usize>,
    faults: Vec<String>,
}

impl Counted {
    fn add(&mut self, text: &str, seed: u64) {
        let Ok(program) = Program::parse(text, SourceLimits::default()) else {
            self.other += 1;
            return;
        };
        let run = program.run::<f64>(&[], Options::default(), &mut Budget::new(LIMITS));
        let Ok(run) = run else {
            self.other += 1;
            return;
        };
        let outputs: Vec<(String, Option<Pmf<f64>>)> = run
            .outputs
            .into_iter()
            .map(|output| (output.name, output.odds.map(|odds| (*odds).clone())))
            .collect();
        let mut tallies = vec![Tally::sparse(); outputs.len()];
        let mut left = number("DICEC_TRIALS", 200);
        let mut fault = None;
        let each = |trial: &[Sampled], _| {
            left -= 1;
            fault = recorded(trial, &outputs, &mut tallies);
            fault.is_none() && left > 0
        };
        let ended = program.trials(&[], seed, &mut Budget::new(LIMITS), each);
        match ended {
            Err(Failure::Wrong(why)) if why.code == Code::AnyDiceUnsampled => {
                *self.refused.entry(why.message).or_default() += 1;
            }
            Err(Failure::Exhausted(_)) => self.other += 1,
            Err(why) => self.faults.push(format!("{why}\n{text}")),
            Ok(_) => match fault.or_else(|| unfit(&outputs, &tallies)) {
                Some(fault) => self.faults.push(format!("{fault}\n{text}")),
                None => self.fitting += 1,
            },
        }
    }

    /// Nothing is at fault, and at least this share of the programs is simulated.
    fn check(&self, share: f64) {
        let shown = &self.faults[..self.faults.len().min(20)];
        assert!(
            shown.is_empty(),
            "{} faults: {}",
            self.faults.len(),
            shown.join("\n\n")
        );
        println!("{self:#?}");
        let refused: usize = self.refused.values().sum();
        let found = self.fitting as f64 / (self.fitting + refused) as f64;
        assert!(found > share, "{self:#?}");
    }
}

/// Counts the results of a trial; the fault if they cannot be results of these outputs.
fn recorded(
    trial: &[Sampled],
    outputs: &[(String, Option<Pmf<f64>>)],
    tallies: &mut [Tally],
) -> Option<String> {
    if trial.len() != outputs.len() {
        return Some(format!(
            "{} outputs instead of {}",
            trial.len(),
            outputs.len()
        ));
    }
    for ((sampled, (name, odds)), tally) in trial.iter().zip(outputs).zip(tallies) {
        // The name of dice that were drawn has their structure in exact odds only.
        if sampled.name != *name && !sampled.name.contains("d{?}") {
            return Some(format!("{} instead of {name}", sampled.name));
        }
        match (sampled.result, odds) {
            (Some(result), Some(odds)) if odds.probability(result) > 0.0 => tally.record(result),
            (None, None) => {}
            (result, _) => return Some(format!("{name}: the result {result:?}")),
        }
    }
    None
}

/// The first output whose trials do not fit its odds.
fn unfit(outputs: &[(String, Option<Pmf<f64>>)], tallies: &[Tally]) -> Option<String> {
    outputs
        .iter()
        .zip(tallies)
        .find_map(|((name, odds), tally)| {
            let p = chi_square(tally, odds.as_ref()?).p_value;
            let mean = tally.mean().unwrap_or_default();
            let shown = format!("{name}: p = {p}, mean {mean} of the trials");
            (p < UNLIKELY).then_some(shown)
        })
}

#[test]
fn trials_of_written_programs_fit_their_odds() {
    let mut counted = Counted::default();
    for (seed, (_, text)) in programs().into_iter().enumerate() {
        counted.add(&text, seed as u64);
    }
    counted.check(0.9);
}

#[test]
fn trials_of_generated_programs_fit_their_odds() {
    let first = 1_000_000 * number("DICEC_SEED", 0);
    let cases = number("DICEC_CASES", 200);
    let mut counted = Counted::default();
    for seed in first..first + cases {
        let text = text(&mut Unstructured::new(&bytes(seed))).expect("bytes never run out");
        counted.add(&text, seed);
    }
    counted.check(0.5);
}

#[test]
fn trials_of_the_cases_of_the_language_fit_their_odds() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/anydice/cases.json");
    let Ok(text) = fs::read_to_string(&path) else {
        eprintln!("SKIPPED: {} is not here", path.display());
        return;
    };
    let document: Value = serde_json::from_str(&text).expect("valid JSON");
    let mut counted = Counted::default();
    for case in document["cases"].as_array().expect("a list of cases") {
        counted.add(case["program"].as_str().expect("a program"), 1);
    }
    counted.check(0.9);
}

/// Values that depend on the same draw, directly and over calls.
#[test]
fn a_draw_is_not_used_twice() {
    let texts = [
        "function: f N:n { result: N } X: [f d6] output X + X",
        "function: f N:n { result: N } X: [f d6] Y: X + 1 output X - Y",
        "function: f N:n { result: N } X: [f d6] output 2dX",
        "function: f N:n { result: N } output [explode [f d6]]",
        "function: f N:n { result: N } output [maximum of [f d6]]",
        "function: f N:n { result: N } X: [f d6] output {X}",
        "function: f N:n { result: N } function: g N:n { result: N + X } X: [f d6] output [g X]",
        "function: f N:n { result: N } function: g N:n D:d { result: N + D } \
         X: [f d6] output [g X X]",
        "function: f N:n { result: N } X: [f d6] output [highest of X and X]",
        "function: f N:n { C: C + N result: C } C: 0 output [f d6]",
    ];
    for text in texts {
        let program = Program::parse(text, SourceLimits::default()).expect("a program");
        let ended = program.trials(&[], 1, &mut Budget::new(LIMITS), |_, _| false);
        let is_refused =
            matches!(&ended, Err(Failure::Wrong(why)) if why.code == Code::AnyDiceUnsampled);
        assert!(is_refused, "{text}: {ended:?}");
    }
}
