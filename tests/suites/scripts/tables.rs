//! Look-up tables.

use dicec_compiler::{Bound, Failure, ScriptSession, Simulation};
use dicec_lang::syntax::Code;
use dicec_runtime::trap::{Trap, TrapCode};
use dicec_tests::checked::found;
use dicec_tests::programs::{first, script};
use dicec_tests::stages;
use serde_json::json;

fn bound(tables: &str, body: &str, n: i64) -> Bound {
    let text = format!("{tables} defroll \"R\" r(n: int) {{ {body} }}");
    first(&script(&text), &json!({ "n": n }))
}

fn result(tables: &str, n: i64) -> Result<i64, Failure> {
    let played = bound(tables, "return t(n);", n).play(&mut ScriptSession::new(1));
    played.map(|played| played.result.expect("it returns").to_cell())
}

#[test]
fn a_number_finds_its_row() {
    for (rows, expected) in [
        (
            "1-40: 7, 41-100: 8",
            &[(1, 7), (40, 7), (41, 8), (100, 8)][..],
        ),
        (
            "41..100: 8, 1..40: 7,",
            &[(1, 7), (40, 7), (41, 8), (100, 8)],
        ),
        (
            "..0: 1, 1: 2, 2, 4: 3, 3: 4, 5+: 5",
            &[
                (i64::MIN, 1),
                (0, 1),
                (1, 2),
                (2, 3),
                (3, 4),
                (4, 3),
                (5, 5),
                (i64::MAX, 5),
            ],
        ),
        (
            "-5..-1: 1, 0: 2, 1..: 3",
            &[(-5, 1), (-1, 1), (0, 2), (9, 3)],
        ),
        (
            "1-3: 1, 5-9: 2, else: 3",
            &[(0, 3), (1, 1), (3, 1), (4, 3), (5, 2), (9, 2), (10, 3)],
        ),
        ("else: 3", &[(0, 3)]),
        ("1-LAST: 1", &[(1, 1), (6, 1)]),
        ("1-10: t(number: 11), 11: 4", &[(3, 4)]),
        ("1: 1, 2: u(7), 3-4: 2", &[(1, 1), (2, 14), (4, 2)]),
    ] {
        let tables = format!("const LAST = 6; table t {{ {rows} }} table u {{ 1-9: 14 }}");
        for (n, row) in expected {
            assert_eq!(result(&tables, *n), Ok(*row), "{rows}: {n}");
        }
    }
}

/// A number without a row ends the trial, on all engines, at the table.
#[test]
fn outside_of_the_table() {
    let tables = "table wound { 1-40: 1, 41-100: 2 }";
    for n in [0, 101, i64::MIN, i64::MAX] {
        let roll = bound(tables, "return wound(n);", n);
        let span = roll.program().text().find("wound").expect("it is there") as u32;
        let wanted = TrapCode::NoRow;
        let is_it = |trap: &Trap| trap.code == wanted && trap.span.start == span;
        let played = roll.play(&mut ScriptSession::new(1));
        assert!(
            matches!(&played, Err(Failure::Trap(trap)) if is_it(trap)),
            "{played:?}"
        );
        let simulated = roll.simulate(&Simulation::trials(100).seed(1));
        let shown = simulated.expect_err("it traps").to_string();
        assert!(shown.contains("no row"), "{shown}");
    }
}

/// Rows are evaluated when they are reached: dice, other tables, the table itself.
#[test]
fn rows_may_roll_and_lead_to_tables() {
    let tables = "table loot { 1-50: roll(d6), 51-90: 10 + gems(roll(d20)), 91-100: loot(roll(d100)) + loot(roll(d100)) } \
                  table gems { 1-19: 50, 20: 500 }";
    let roll = bound(tables, "return loot(roll(d100));", 0);
    for seed in 0..50 {
        let played = roll.play(&mut ScriptSession::new(seed)).expect("no trap");
        let total = played.result.expect("it returns").to_cell();
        assert!(total >= 1 && !played.rolls.is_empty());
    }
    let report = roll.simulate(&Simulation::trials(10_000).seed(3));
    assert!(report.is_ok());
}

/// A table of constants is selects, in lanes.
#[test]
fn constants_run_in_lanes() {
    let roll = bound(
        "enum part { head, arm, body, leg } table hit { 1-10: part.head, 11-30: arm, 31-70: body, 71-100: leg }",
        "return hit(roll(d100)) == head ? roll(2d6) : 1;",
        0,
    );
    assert!(stages::form(&roll, true).is_some());
}

#[test]
fn the_word_is_a_name() {
    let tables = "deffun table(table: int) { return table + 1; }";
    let roll = bound(tables, "table = table(n); table++; return table;", 3);
    let played = roll.play(&mut ScriptSession::new(1)).expect("no trap");
    assert_eq!(played.result.expect("it returns").to_cell(), 5);
}

#[test]
fn mistakes() {
    for (table, expected) in [
        (
            "table t { 1-40: 1, 42-50: 2 }",
            vec![(Code::MissingArm, "42-50")],
        ),
        (
            "table t { 1-40: 1, 40-50: 2 }",
            vec![(Code::SecondArm, "40-50")],
        ),
        (
            "table t { 40-50: 2, 1-45: 1 }",
            vec![(Code::SecondArm, "1-45")],
        ),
        (
            "table t { 1-2: 1, 2: 2, 4: 3 }",
            vec![(Code::SecondArm, "2"), (Code::MissingArm, "4")],
        ),
        ("table t { 5-1: 1 }", vec![(Code::MissingArm, "5-1")]),
        (
            "table t { 1-2: 1, 3: \"a\" }",
            vec![(Code::WrongType, "\"a\"")],
        ),
        (
            "table t : string { 1-2: 1, 3: \"a\" }",
            vec![(Code::WrongType, "1")],
        ),
        (
            "table t { else: 1, 3: 2 }",
            vec![(Code::Misplaced, "else: 1")],
        ),
        ("table t { }", vec![(Code::MissingArm, "t")]),
        ("table t { \"a\": 1 }", vec![(Code::WrongType, "\"a\"")]),
        (
            "table t { 1: 1 } table t { 1: 1 }",
            vec![(Code::DefinedTwice, "t")],
        ),
        ("table max { 1: 1 }", vec![(Code::DefinedTwice, "max")]),
        ("table t { 1: t(1) }", vec![(Code::EndlessRecursion, "t")]),
        ("table t { 1: 1 2: 2 }", vec![(Code::MissingSeparator, "")]),
        ("tabel t { 1: 1 }", vec![(Code::Misspelt, "tabel")]),
    ] {
        let text = format!("{table} deffun u() {{ return 1; }}");
        assert_eq!(found(&text), expected, "{table}");
    }
    let calls = "table t { 1: 1 } defroll \"R\" r() { return t() + t(1, 2) + t(true) + tt(1); }";
    let expected = [
        (Code::WrongCount, "t()"),
        (Code::WrongCount, "t(1, 2)"),
        (Code::WrongType, "true"),
        (Code::NoSuchFunction, "tt"),
    ];
    assert_eq!(found(calls), expected);
}
