//! Checks in lanes: native code leaves a group in which one fails to the evaluator. So its results,
//! its traps and its words are the evaluator's, however often that happens.

use dicec_native::ir::{Module, verify};
use dicec_native::ir_text::parse;
use dicec_native::pass::VectorForm;
use dicec_runtime::rng::lanes::LaneWidth;
use dicec_runtime::trap::TrapCode;
use dicec_tests::engines::{Outcome, check_form};
use dicec_tests::stages;

fn form(function: &str) -> VectorForm {
    let text = format!(
        "module fuel 10000 depth 4 list 10\nsite \"\" \"\"\nstat \"face\"\nknown 2, 0\n\nfunction i64\n\n{function}"
    );
    let module: Module = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(verify(&module), Ok(()), "{text}");
    stages::lanes(&module).expect("a vector form")
}

fn run(form: &VectorForm, trials: usize) -> Outcome {
    let arguments = form.module.tables.known.clone();
    check_form(form, &arguments.expect("a script's"), 7, trials, &trials)
}

/// The trap of 80 trials, of which one in six fails.
fn trap(function: &str) -> TrapCode {
    let form = form(function);
    assert_eq!(form.width, LaneWidth::V16);
    let stopped = run(&form, 80).stopped.expect("one of the trials traps");
    stopped.trap.code
}

/// A 6 on a d6 is not an index of a list of six elements. Lanes that do not get there hold others.
#[test]
fn indices() {
    let code = trap(
        "block0:
    v0 = pool 1 6
    v1 = iconst 6
    v2 = pool 1 2
    v3 = iconst 1
    v4 = ieq v2, v3
    branch v4, block1, block2

block1:
    v5 = index v0, v1
    return v5

block2:
    return v3
",
    );
    assert_eq!(code, TrapCode::NoElement);
}

#[test]
fn sides_and_counts() {
    let sides = "block0:
    v0 = pool 1 6
    v1 = iconst 1
    v2 = isub_wrap v0, v1
    v3 = die_sides v2
    return v3
";
    assert_eq!(trap(sides), TrapCode::NoSides);
    let count = "block0:
    v0 = pool 1 6
    v1 = dice_count 5 v0
    return v1
";
    assert_eq!(trap(count), TrapCode::TooManyDice);
}

/// A die that is rolled again as long as it shows at least `least`, at most three times.
fn chain(op: &str, least: i64) -> String {
    format!(
        "block0:
    v0 = pool 1 6
    v1 = iconst {least}
    v2 = iconst 3
    v3 = ige v0, v1
    branch v3, block1(v2, v0), block2(v0)

block1(v4: i64, v5: i64):
    v6 = {op} v4
    v7 = pool 1 6
    v8 = iadd_wrap v5, v7
    v9 = ige v7, v1
    branch v9, block1(v6, v8), block2(v8)

block2(v10: i64):
    return v10
"
    )
}

#[test]
fn further_dice() {
    for (op, code) in [
        ("explosions_left", TrapCode::TooManyExplosions),
        ("rerolls_left", TrapCode::TooManyRerolls),
        ("dice_left", TrapCode::TooManyDice),
    ] {
        let often = chain(op, 3);
        assert_eq!(trap(&often), code);
        assert_eq!(form(&often).function().blocks.len(), 3);
        // With one chance in six to go on, two iterations are written out before the loop.
        let seldom = form(&chain(op, 6));
        assert_eq!(seldom.function().blocks.len(), 3 + 2, "{}", seldom.module);
        run(&seldom, 4000);
    }
}

/// A negative count is 0.
#[test]
fn no_dice() {
    let form = form(
        "block0:
    v0 = pool 1 6
    v1 = iconst 3
    v2 = isub_wrap v0, v1
    v3 = dice_count 100 v2
    return v3
",
    );
    let results = run(&form, 400).results;
    assert!(results.iter().all(|result| (0..=3).contains(result)));
}

/// Adds 100 until a d200 shows 1: usually less than 16,384, but seldom a multiple of it.
const GROWS: &str = "block0:
    v0 = iconst 0
    v1 = iconst 100
    v2 = iconst 1
    jump block1(v0)

block1(v3: i64):
    v4 = fuel 1
    v5 = iadd_wrap v3, v1
    v6 = pool 1 200
    v7 = stat 0 v2
    v8 = ieq v6, v2
    branch v8, block2, block1(v5)

block2:
    return v5
";

/// Numbers that leave their lanes are watched: nothing wraps, and nothing is noted twice.
#[test]
fn numbers_that_leave_lanes() {
    let form = form(GROWS);
    assert_eq!(form.width, LaneWidth::V16);
    assert_eq!(form.watched.0.len(), 1);
    let outcome = run(&form, 400);
    assert_eq!(outcome.stopped, None);
    let greatest = outcome.results.iter().max().copied();
    assert!(greatest > Some(1 << 16), "{greatest:?}");
    let noted: u64 = outcome.stats[0].iter().map(|&(_, times)| times).sum();
    let sum: i64 = outcome.results.iter().sum();
    assert_eq!(noted * 100, sum.unsigned_abs());
}
