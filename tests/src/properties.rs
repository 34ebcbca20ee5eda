//! The properties that fuzzing checks, each a function of bytes that panics if the property fails.
//! The fuzz targets and the stable smoke test call only these functions.

use crate::answers::{Counts, Effort, check_text};
use crate::corpus::mutant;
use crate::engines::{self, Wanted, after_passes, expect_round_trip};
use crate::enumerate::Enumeration;
use crate::generate::compound::compound_case;
use crate::generate::natural::natural;
use crate::generate::script::script_case;
use crate::generate::{self, Case, LIMITS};
use crate::metamorphic::pair;
use crate::programs;
use crate::script;
use crate::stages;
use crate::syntax;
use arbitrary::Unstructured;
use dashu_int::UBig;
use dicec_compiler::{Bound, Compiler, Failure};
use dicec_exact::Exact;
use dicec_lang::front::notation::{self, Ast, Dialect};
use dicec_lang::syntax::{Code, Diagnostics, SourceLimits};
use dicec_native::{ir, ir_text};
use dicec_runtime::pmf::{Limits, Pmf};
use dicec_runtime::trap::{Trap, TrapCode};

/// Trials per rule and per script: enough to reach rare branches, few enough for many cases.
const TRIALS: usize = 24;
const SCRIPT_TRIALS: usize = 12;

/// The case that some bytes encode, if there are enough.
pub fn case(bytes: &[u8]) -> Option<Case> {
    generate::case(&mut Unstructured::new(bytes)).ok()
}

/// The compiler of a case.
pub fn compiler(case: &Case) -> Compiler {
    Compiler::new().dialect(case.dialect).roll_limits(LIMITS)
}

/// Any text parses to a tree or to errors with spans inside the text; a tree prints to text that
/// parses back to it.
pub fn parse_print(bytes: &[u8]) {
    for dialect in Dialect::ALL {
        parse_any(&String::from_utf8_lossy(bytes), dialect);
        if let Ok(text) = syntax::damaged(&mut Unstructured::new(bytes), dialect) {
            parse_any(&text, dialect);
        }
        if let Ok(tree) = syntax::tree(&mut Unstructured::new(bytes), dialect) {
            parses_back(&tree, dialect);
        }
    }
    if let Some(case) = case(bytes) {
        parses_back(&case.ast, case.dialect);
    }
}

/// Parsing any text as a script never panics, nor does parsing a damaged script; a script that
/// parses has a normal layout.
pub fn script_text(bytes: &[u8]) {
    script::read_any(&String::from_utf8_lossy(bytes));
    let mut bytes = Unstructured::new(bytes);
    let Ok(case) = script_case(&mut bytes) else {
        return;
    };
    script::read_any(&case.text);
    if let Ok(text) = script::damaged(&case.text, &mut bytes) {
        script::read_any(&text);
    }
}

/// Every answer about a program as people write them is right.
pub fn natural_programs(bytes: &[u8]) {
    answered(bytes, natural);
}

/// Every answer about a program that is like one of the project's own scripts is right.
pub fn corpus_programs(bytes: &[u8]) {
    answered(bytes, mutant);
}

/// Two scripts that say the same in other words have equal odds.
pub fn same_odds(bytes: &[u8]) {
    if let Ok(Some((_, Err(found)))) = pair(&mut Unstructured::new(bytes)) {
        panic!("{found}");
    }
}

/// The first byte says how much is compared.
fn answered(bytes: &[u8], program: impl Fn(&mut Unstructured<'_>) -> arbitrary::Result<String>) {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let Ok(text) = program(&mut Unstructured::new(rest)) else {
        return;
    };
    let effort = Effort::of(u64::from(*first));
    if let Err((fault, small)) = check_text(&text, &effort, &mut Counts::default()) {
        panic!("{fault}\n{small}");
    }
}

/// One of the engines' comparisons, and the bytes of what is compared.
fn wanted(bytes: &[u8]) -> Option<(Wanted, Unstructured<'_>)> {
    let (first, rest) = bytes.split_first_chunk()?;
    let wanted = Wanted::one(u16::from_le_bytes(*first));
    Some((wanted, Unstructured::new(rest)))
}

/// The interpreter and another engine agree about a script.
pub fn script_differential(bytes: &[u8]) {
    let Some((wanted, mut bytes)) = wanted(bytes) else {
        return;
    };
    let Ok(case) = script_case(&mut bytes) else {
        return;
    };
    if let Some(compiled) = script::compile(&case) {
        let bound = script::bind(&compiled, &case);
        engines::check_some(&bound, wanted, case.seed, SCRIPT_TRIALS, &case.text);
    }
}

/// The interpreter and another engine agree about a compound rule, and its normal form gives the
/// same.
pub fn compound_differential(bytes: &[u8]) {
    let Some((wanted, mut bytes)) = wanted(bytes) else {
        return;
    };
    let Ok(case) = compound_case(&mut bytes) else {
        return;
    };
    let compiler = Compiler::new().dialect(case.dialect).roll_limits(LIMITS);
    let program = match compiler.rule(&case.text) {
        Ok(program) => program,
        Err(found) => return expect_refused(&found, &case.text),
    };
    assert!(program.is_rule(), "{}", case.text);
    let text = program.normal_form();
    let again = compiler.rule(&text);
    let again = again.unwrap_or_else(|found| panic!("{} as {text}: {found}", case.text));
    assert_eq!(again.normal_form(), text, "{}", case.text);
    let [first, second] = [&program, &again].map(|program| {
        let bound = program.bind(&case.resources);
        bound.expect("the case gives every name")
    });
    let expected = engines::check_some(&first, wanted, case.seed, SCRIPT_TRIALS, &case);
    let found = engines::interpreted(&second, case.seed, SCRIPT_TRIALS);
    assert_eq!(found.results, expected.results, "{} as {text}", case.text);
}

/// What the generator does not avoid: dice that never stop, or that are too many, and values of
/// different types.
fn expect_refused(found: &Diagnostics, text: &str) {
    let known = [
        Code::EndlessDice,
        Code::TooManyDice,
        Code::NoSides,
        Code::NotWhole,
        Code::WrongType,
    ];
    let other = found.errors().find(|error| !known.contains(&error.code));
    assert!(other.is_none(), "{text}: {other:?}");
}

/// A player's choice only changes dice and choices that depend on it.
pub fn script_sessions(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    let Ok(case) = script_case(&mut bytes) else {
        return;
    };
    if let Some(compiled) = script::compile(&case) {
        script::check_sessions(&script::bind(&compiled, &case), case.seed, &mut bytes);
    }
}

fn parses_back(tree: &Ast, dialect: Dialect) {
    let text = notation::print(tree, dialect);
    let parsed = notation::parse(&text, dialect, SourceLimits::default());
    let found = parsed.diagnostics;
    assert!(found.is_empty(), "{dialect}: {text}: {found}");
    assert_eq!(parsed.ast, *tree, "{dialect}: {text}");
}

fn parse_any(text: &str, dialect: Dialect) {
    let parsed = notation::parse(text, dialect, SourceLimits::default());
    for found in parsed.diagnostics.iter() {
        assert!(
            text.get(found.span.range()).is_some(),
            "{found:?} in {text:?}"
        );
    }
    if parsed.diagnostics.has_errors() {
        return;
    }
    parses_back(&parsed.ast, dialect);
}

/// Parsing any text as IR never panics; text that parses prints to itself, and so does every stage
/// of a program.
pub fn ir_roundtrip(bytes: &[u8]) {
    if let Ok(function) = ir_text::parse(&String::from_utf8_lossy(bytes)) {
        // The verifier may refuse the text, but must not panic.
        let _ = ir::verify(&function);
        let text = function.to_string();
        let again = ir_text::parse(&text).expect("printed IR reads");
        assert_eq!(again.to_string(), text);
    }
    let Some(case) = case(bytes) else { return };
    let Ok(program) = compiler(&case).rule(&case.text) else {
        return;
    };
    let bound = programs::bare(&program);
    for stage in after_passes(bound.lowered(), &[]) {
        expect_round_trip(&stage.module);
    }
}

/// The interpreter and another engine agree about a rule.
pub fn differential(bytes: &[u8]) {
    if let Some((wanted, mut bytes)) = wanted(bytes)
        && let Ok(case) = generate::case(&mut bytes)
    {
        some_agree(&case, wanted);
    }
}

/// Runs a case on every engine; the interpreter's outcome. Constant folding in the type checker may
/// still find a die without sides; that is a valid answer.
///
/// # Panics
/// If two engines disagree.
pub fn engines_agree(case: &Case) -> Option<engines::Outcome> {
    some_agree(case, Wanted::ALL)
}

fn some_agree(case: &Case, wanted: Wanted) -> Option<engines::Outcome> {
    let program = compiler(case).rule(&case.text).ok()?;
    let bound = program
        .bind(&case.resources)
        .expect("the case gives every name");
    let what = (&case.text, bound.resources());
    Some(engines::check_some(
        &bound, wanted, case.seed, TRIALS, &what,
    ))
}

/// The exact engine agrees with brute force on programs that have at most this many rolls.
pub const MAX_ROLLS: usize = 2_000;

/// The exact distribution equals the enumeration of all rolls, weight for weight, or both find a
/// trap. Returns whether the case was small enough to be enumerated.
pub fn exactness(bytes: &[u8]) -> bool {
    let Some(case) = case(bytes) else {
        return false;
    };
    let Ok(program) = compiler(&case).rule(&case.text) else {
        return false;
    };
    let bound = program
        .bind(&case.resources)
        .expect("the case gives every name");
    let Some(all) = Enumeration::of(&bound, MAX_ROLLS) else {
        return false;
    };
    expect_exact(&bound, &all);
    true
}

/// Compares the exact engine's answer with an enumeration: weight for weight, or, if the answer
/// leaves out long rolls, probability for probability.
///
/// # Panics
/// If they differ.
pub fn expect_exact(bound: &Bound, all: &Enumeration) {
    let text = bound.program().text();
    match stages::solve::<UBig>(bound, &Limits::default()) {
        Ok(exact) if exact.residual > 0.0 => expect_near(text, &exact, all),
        Ok(Exact { pmf, .. }) => all.expect(&pmf, &(text, bound.resources())),
        Err(Failure::Trap(trap)) => assert!(all.traps.contains(&trap), "`{text}`: {trap:?}"),
        // A rule without a closed form is enumerated roll by roll, within a budget.
        Err(Failure::Exhausted(_)) => {}
        Err(other) => panic!("`{text}`: {other}"),
    }
}

fn expect_near(text: &str, exact: &Exact<UBig>, all: &Enumeration) {
    let endless = |trap: &Trap| {
        let code = trap.code;
        code == TrapCode::TooManyExplosions
            || code == TrapCode::TooManyRerolls
            || code == TrapCode::TooManyDice
    };
    assert!(all.traps.iter().all(endless), "`{text}`: {:?}", all.traps);
    let (weights, common) = all.weights();
    let slack = exact.residual + 1e-12;
    for (value, weight) in weights {
        // Both are counts of rolls; a table computes the ratio of long numbers.
        let brute = Pmf::from_weights([(0, &common - &weight), (1, weight)]);
        let (p, q) = (
            brute.map_or(0.0, |table| table.probability(1)),
            exact.pmf.probability(value),
        );
        assert!(
            (p - q).abs() <= slack,
            "`{text}`: P({value}) is {p}, not {q}"
        );
    }
}
