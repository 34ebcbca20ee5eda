//! The rows of `tests/conformance`, each on every engine: the interpreter gives the result and the
//! shown roll, the IR is evaluated on the same faces, and native code runs from a position in a
//! random stream whose dice show these faces, if there is one nearby.

use dicec_compiler::unstable::{BindError, Sampling};
use dicec_compiler::{Bound, Compiler, Failure, Program, Rolled, Session};
use dicec_lang::front::notation::{Dialect, parse};
use dicec_lang::hir::Kind;
use dicec_lang::interp::Interpreter;
use dicec_lang::syntax::{Code, Diagnostic, Diagnostics};
use dicec_native::eval::EvalKernel;
use dicec_native::ir::Module;
use dicec_native::jit::JitKernel;
use dicec_runtime::float;
use dicec_runtime::kernel::{Kernel, Sink};
use dicec_runtime::pmf::Limits;
use dicec_runtime::rng::{Dice, Given, Stream, draw};
use dicec_runtime::scale::Shortest;
use dicec_runtime::trap::{Trap, TrapCode};
use dicec_tests::conformance::{Row, rows};
use dicec_tests::engines;
use dicec_tests::stages;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Faces that occur less often than once in this many rolls are not searched for.
const MAX_SCRIPTS: u64 = 200_000;

/// The budget for the exact odds of a row.
const LIMITS: Limits = Limits {
    work: 1_000_000,
    outcomes: 100_000,
};

/// Trials per seed, and seeds per row, on which the engines are compared.
const TRIALS: usize = 12;
const SEEDS: [u64; 3] = [1, 0xD1CE, u64::MAX];

/// Checks a row: returns what is wrong, or whether native code ran it on exactly its faces.
type Verdict = Result<bool, String>;

#[test]
fn every_row_holds_on_every_engine() {
    let rows = rows();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let verdicts: Vec<Verdict> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let taken = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
                    let taken = taken.map_while(|index| rows.get(index));
                    taken.map(judge).collect::<Vec<Verdict>>()
                })
            })
            .collect();
        let finished = workers.into_iter().map(|worker| worker.join());
        finished
            .flat_map(|part| part.expect("no row may panic"))
            .collect()
    });
    let native = verdicts
        .iter()
        .filter(|verdict| **verdict == Ok(true))
        .count();
    println!("{} rows, {native} of them natively", rows.len());
    let wrong: Vec<String> = verdicts.into_iter().filter_map(Result::err).collect();
    let count = wrong.len();
    assert!(wrong.is_empty(), "{count} rows:\n{}", wrong.join("\n"));
    assert!(rows.len() >= 300, "{} rows are too few", rows.len());
    assert!(native >= 300, "{native} native rows are too few");
}

/// Of the rolls of the reference implementation, nearly all have the same total here; the guide to
/// the language says why the others do not.
#[test]
fn rolls_of_the_reference_implementation_have_their_totals() {
    let rows = rows();
    let of_reference = rows.iter().filter(|row| row.file == "reference.txt");
    let rolled = |row: &&Row| {
        let result = row.reference.as_ref().unwrap_or(&row.result);
        result != "refused"
    };
    let all: Vec<&Row> = of_reference.filter(rolled).collect();
    let same = all.iter().filter(|row| row.reference.is_none()).count();
    println!("{same} of {} totals are the same", all.len());
    assert!(all.len() >= 300, "{} rows are too few", all.len());
    assert!(
        same * 100 >= all.len() * 97,
        "only {same} of {} totals",
        all.len()
    );
}

/// A row in all its dialects.
fn judge(row: &Row) -> Verdict {
    let mut native = false;
    for &dialect in row.dialects {
        let verdict = in_dialect(row, dialect);
        native |= verdict.map_err(|wrong| format!("{row}, {dialect:?}: {wrong}"))?;
    }
    Ok(native)
}

fn in_dialect(row: &Row, dialect: Dialect) -> Verdict {
    let program = match Compiler::new().dialect(dialect).rule(&row.text) {
        Ok(program) => program,
        Err(found) => return refused(row, &found),
    };
    let bound = match program.bind(&row.resources) {
        Ok(bound) => bound,
        Err(BindError::Resources(found)) => return refused(row, &found),
        Err(other) => return Err(other.to_string()),
    };
    prints_back(&program)?;
    let mut session = Session::scripted(row.faces.clone());
    match bound.roll(&mut session) {
        Ok(roll) => {
            same("the result", &result_of(&roll), &row.result)?;
            if let Some(shown) = &row.shown {
                same("the shown roll", &roll.rendered, shown)?;
            }
            same("faces used", session.used(), row.faces.len())?;
        }
        Err(failure) => {
            let found = failure.diagnostic(row.text.len());
            fails(row, &found.ok_or("an error that is not of the rule")?)?;
        }
    }
    let optimised = bound.optimised(Sampling::Faithful);
    let native = JitKernel::compile(Arc::clone(optimised), Sink::Values).expect("native code");
    let ran = on_the_faces(row, &bound, optimised, &native)?;
    on_seeds(&bound, &native)?;
    Ok(ran)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, got: T, expected: T) -> Result<(), String> {
    if got == expected {
        return Ok(());
    }
    Err(format!(
        "{what}\n       got {got:?}\n  expected {expected:?}"
    ))
}

/// A compile error has to be the expected one.
fn refused(row: &Row, found: &Diagnostics) -> Verdict {
    let first = found.errors().next();
    fails(row, first.ok_or("an error without an error")?)?;
    Ok(false)
}

fn fails(row: &Row, found: &Diagnostic) -> Result<(), String> {
    let Some(code) = row.error() else {
        return Err(format!("an unexpected {}: {}", found.code, found.message));
    };
    if code.is_empty() {
        let ran_out = found.code == Code::FacesRanOut;
        return match ran_out {
            true => Err("faces are missing, which is not a refusal".to_owned()),
            false => Ok(()),
        };
    }
    same("the error", &found.code.to_string()[..], code)?;
    let words = format!(
        "{} {}",
        found.message,
        found.full_help().unwrap_or_default()
    );
    let expected = row.shown.as_deref().unwrap_or_default();
    if words.contains(expected) {
        return Ok(());
    }
    Err(format!(
        "the error says `{words}`, which lacks `{expected}`"
    ))
}

/// The normal form of a rule is the same rule.
fn prints_back(program: &Program) -> Result<(), String> {
    let text = program.normal_form();
    let parsed = parse(
        &text,
        program.dialect().expect("a rule"),
        Default::default(),
    );
    if Some(&parsed.ast) == program.ast() && !parsed.diagnostics.has_errors() {
        return Ok(());
    }
    Err(format!("the normal form `{text}` is another rule"))
}

/// A roll's result as rows write it.
fn result_of(roll: &Rolled) -> String {
    let total = match (roll.total, roll.float) {
        (Some(total), _) => total.to_string(),
        (None, Some(decimal)) => Shortest(decimal).to_string(),
        (None, None) => match (roll.check, &roll.label) {
            (Some(truth), _) => truth.to_string(),
            (None, label) => label.clone().unwrap_or_default(),
        },
    };
    let test = roll.test.map(|test| format!("{:+}", test.degrees));
    match (roll.degree.map(str::to_owned).or(test), roll.natural) {
        (Some(grade), Some(natural)) => format!("{total}, {grade}, natural {natural}"),
        (Some(grade), None) => format!("{total}, {grade}, no natural"),
        (None, _) => total,
    }
}

/// The same result as sinks hold it.
fn cell_of(result: &str, program: &Program) -> i64 {
    match program.kind().expect("a rule") {
        Kind::Number => result.parse().expect("a whole number"),
        Kind::Float => float::key(result.parse().expect("a decimal")),
        Kind::Check => i64::from(result == "true"),
        Kind::Degree(ladder) => {
            let Some(degree) = result.split(", ").nth(1) else {
                // The lowest rung means that there is no degree.
                return 0;
            };
            let rung = ladder.names().position(|rung| degree == rung);
            rung.expect("a degree of the ladder") as i64
        }
        Kind::Test => {
            let degrees = result.split(", ").nth(1);
            // 0 means that it was dropped.
            degrees.map_or(0, |degrees| degrees.parse().expect("a number"))
        }
        Kind::Label | Kind::Level(_) => {
            let mut labels = program.labels().iter();
            let place = labels.position(|label| label == result);
            place.expect("a label of the die") as i64
        }
    }
}

/// Faces from a script, each noted with the sides of its die.
struct Noted<'a> {
    given: Given<'a>,
    draws: Vec<(u64, u64)>,
}

impl Dice for Noted<'_> {
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode> {
        let face = self.given.roll(sides)?;
        self.draws.push((sides, face));
        Ok(face)
    }

    fn face_of(&mut self, faces: &[i64]) -> Result<u64, TrapCode> {
        let face = self.given.face_of(faces)?;
        self.draws.push((faces.len() as u64, face));
        Ok(face)
    }
}

/// The interpreter that watches nothing, the IR as lowered and optimised, and native code on the
/// faces of the row. Whether the last was possible.
fn on_the_faces(row: &Row, bound: &Bound, optimised: &Module, native: &JitKernel) -> Verdict {
    let program = bound.program();
    let mut noted = Noted {
        given: Given::new(&row.faces, 0),
        draws: Vec::new(),
    };
    let interpreter = Interpreter::of_rule(program.hir(), program.limits().roll);
    let outcome = interpreter.roll(bound.resources(), &mut noted, &mut ());
    let outcome = outcome.map(|outcome| outcome.value.to_cell());
    if row.error().is_none() {
        let expected = Ok(cell_of(&row.result, program));
        same("the interpreter, not watched,", outcome, expected)?;
    }
    if let Ok(cell) = outcome {
        possible(bound, cell)?;
    }
    let specialised = stages::module(bound, true, Sampling::Faithful);
    for (name, function) in [
        ("the IR as lowered", &**bound.lowered()),
        ("the IR, optimised,", optimised),
        ("the IR, specialised,", &specialised),
    ] {
        let evaluated = evaluate(function, bound.resources(), &row.faces);
        same(name, evaluated, outcome)?;
    }
    let (Ok(expected), Some(start)) = (outcome, stream_of(&noted.draws)) else {
        return Ok(false);
    };
    let run = engines::run_from(native, bound.resources(), start, 1);
    same("native code", run.results, vec![expected])?;
    Ok(true)
}

/// The result of a roll has a positive probability, if its exact odds are cheap.
fn possible(bound: &Bound, cell: i64) -> Result<(), String> {
    match bound.distribution(&LIMITS) {
        Ok(odds) if odds.probability(cell) > 0.0 => Ok(()),
        Ok(_) => Err("exact odds say that this roll cannot be".to_owned()),
        // Too much work; or other dice than these lead to an error.
        Err(Failure::Exhausted(_) | Failure::Trap(_)) => Ok(()),
        Err(other) => Err(format!("exact odds: {other}")),
    }
}

fn evaluate(module: &Module, resources: &[i64], faces: &[i64]) -> Result<i64, Trap> {
    let kernel = EvalKernel::new(module.clone(), Sink::Values);
    let value = kernel.trial(&mut Given::new(faces, 0), resources)?;
    Ok(value.to_cell())
}

/// A position in a stream from which dice show these faces.
fn stream_of(draws: &[(u64, u64)]) -> Option<Stream> {
    let mut scripts = 1_u64;
    for (sides, _) in draws {
        scripts = scripts.checked_mul(*sides)?;
    }
    if scripts > MAX_SCRIPTS {
        return None;
    }
    let mut stream = Stream::from_seed(scripts);
    // One place in `scripts` will do.
    for _ in 0..scripts.saturating_mul(20) {
        let mut ahead = stream.clone();
        let mut draws = draws.iter();
        if draws.all(|&(sides, face)| draw::die(&mut ahead, sides) == face) {
            return Some(stream);
        }
        stream.word();
    }
    None
}

/// Interpreter, evaluator and native code on random dice: results, traps and the generator's end
/// state.
fn on_seeds(bound: &Bound, native: &JitKernel) -> Result<(), String> {
    let lowered = EvalKernel::new(Arc::clone(bound.lowered()), Sink::Values);
    let kernels: [(&str, &dyn Kernel); 2] =
        [("the IR as lowered", &lowered), ("native code", native)];
    for seed in SEEDS {
        let expected = engines::interpreted(bound, seed, TRIALS);
        for (name, kernel) in kernels {
            let outcome = engines::run(kernel, bound.resources(), seed, TRIALS);
            same(&format!("{name} on seed {seed}"), &outcome, &expected)?;
        }
    }
    Ok(())
}
