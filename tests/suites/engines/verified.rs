//! Each rewrite of generated programs by its contract: `Exact` ones trial by trial, `Redraw` ones
//! as fractions, lanes with the faces that they were served, native code bit for bit. Every pass
//! is among them.
//!
//! The number of programs of each generator is `DICEC_VERIFIED`, 24 if unset, and of rules six
//! times as many.

use arbitrary::Unstructured;
use dicec_compiler::Bound;
use dicec_compiler::verify::Checked;
use dicec_native::pass::Pass;
use dicec_runtime::rng::Stream;
use dicec_tests::answers::{Counts, Effort, REWRITES, bound, verified};
use dicec_tests::corpus::{mutant, sources};
use dicec_tests::generate::natural;
use dicec_tests::generate::script::script_case;
use dicec_tests::programs::{self, table};
use dicec_tests::{properties, script};

/// Passes that generated rules have to run.
const OF_RULES: [&str; 3] = ["bernoulli", "specialise", "usual_range"];

/// Of these files all scripts are verified, of the others of the corpus one in eight: in them
/// nearly every pass finds something.
const TAKEN: [&str; 3] = [
    "tests/faults/",
    "suites/engines/switches.rs",
    "scripts/bag.dice",
];

/// The number of rules that are verified for each script.
const RULES: u64 = 6;

/// A program of a generator, from its bytes.
type Generator = fn(&[u8]) -> Option<Bound>;

fn rule(bytes: &[u8]) -> Option<Bound> {
    let case = properties::case(bytes)?;
    let program = properties::compiler(&case).rule(&case.text).ok()?;
    program.bind(&case.resources).ok()
}

fn natural_rule(bytes: &[u8]) -> Option<Bound> {
    let text = natural::natural_rule(&mut Unstructured::new(bytes)).ok()?;
    let resources = table(&[("Strength", 3), ("Target Defense", 14)]);
    Some(programs::rule(&text).bind(&resources).expect("both names"))
}

fn random_script(bytes: &[u8]) -> Option<Bound> {
    let case = script_case(&mut Unstructured::new(bytes)).ok()?;
    let compiled = script::compile(&case)?;
    Some(script::bind(&compiled, &case))
}

fn natural_script(bytes: &[u8]) -> Option<Bound> {
    bound(&natural::natural(&mut Unstructured::new(bytes)).ok()?)
}

fn script_of_the_corpus(bytes: &[u8]) -> Option<Bound> {
    bound(&mutant(&mut Unstructured::new(bytes)).ok()?)
}

fn number() -> u64 {
    let wanted = std::env::var("DICEC_VERIFIED").ok();
    wanted.map_or(24, |text| text.parse().expect("a number"))
}

/// Verifies programs of a generator, and adds to `counts` what ran.
fn verify_all(generator: Generator, number: u64, first_seed: u64, counts: &mut Counts) {
    for seed in first_seed..first_seed + number {
        let mut stream = Stream::from_seed(seed);
        let bytes: Vec<u8> = (0..256).flat_map(|_| stream.word().to_le_bytes()).collect();
        let Some(roll) = generator(&bytes) else {
            continue;
        };
        verify(&roll, &format!("seed {seed}"), counts);
    }
}

/// Verifies a program, and adds to `counts` what ran.
fn verify(roll: &Bound, place: &str, counts: &mut Counts) {
    if let Err(fault) = verified(roll, &REWRITES, &Effort::QUICK, counts) {
        panic!("{place}: {fault}\n{}", roll.program().text());
    }
}

/// The passes without a rewrite that was checked.
fn unchecked<'c>(counts: &'c Counts) -> impl Fn(&&'static str) -> bool + 'c {
    |name| counts.passes.get(name).map_or(0, Checked::checked) == 0
}

#[test]
fn rewrites_of_rules_keep_their_contracts() {
    let mut counts = Counts::default();
    verify_all(rule, RULES * number(), 1, &mut counts);
    verify_all(natural_rule, RULES * number(), 1, &mut counts);
    let missing: Vec<&str> = OF_RULES.into_iter().filter(unchecked(&counts)).collect();
    assert!(missing.is_empty(), "{missing:?} of {:?}", counts.passes);
}

#[test]
fn rewrites_of_scripts_keep_their_contracts() {
    let mut counts = Counts::default();
    for generator in [random_script, natural_script, script_of_the_corpus] {
        verify_all(generator, number(), 1, &mut counts);
    }
    for (number, source) in sources().iter().enumerate() {
        let is_taken = TAKEN.iter().any(|file| source.file.contains(file));
        if !is_taken && !number.is_multiple_of(8) {
            continue;
        }
        if let Some(roll) = bound(&source.text) {
            verify(&roll, &source.file, &mut counts);
        }
    }
    let all = Pass::ALL.map(|pass| pass.name).into_iter();
    let of_scripts = all.filter(|name| !OF_RULES.contains(name));
    let missing: Vec<&str> = of_scripts.filter(unchecked(&counts)).collect();
    assert!(missing.is_empty(), "{missing:?} of {:?}", counts.passes);
}
