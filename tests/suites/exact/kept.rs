//! What questions about one program share changes neither their answers nor what they cost; what
//! calls cost is an estimate.

use crate::scripts::compile;
use arbitrary::Unstructured;
use dashu_int::UBig;
use dicec_compiler::{Bound, Compiler, Program};
use dicec_exact::{ExactError, Odds, Question, solve};
use dicec_runtime::pmf::{Budget, Limits, Weight};
use dicec_tests::generate::script::{ScriptCase, script_case};
use dicec_tests::programs::{given, table};
use dicec_tests::script;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

type Answer<W> = (Result<Odds<W>, ExactError>, u64);

/// The answer within these limits, and its work.
fn answer<W: Weight>(question: &Question<'_>, limits: Limits) -> Answer<W> {
    let mut budget = Budget::new(limits);
    let odds = solve(question, &mut budget);
    (odds, budget.spent())
}

/// Asks a question of a program that was asked others, and of one that was not.
fn compare<W: Weight>(bound: &Bound, limits: Limits, about: &str) {
    let question = bound.question();
    assert!(question.kept.is_some());
    let alone = Question {
        kept: None,
        ..question
    };
    let (with, without) = (answer::<W>(&question, limits), answer::<W>(&alone, limits));
    assert_eq!(with.0, without.0, "{about}");
    if question.module.functions.len() == 1 || with.0.is_err() {
        assert_eq!(with.1, without.1, "{about}");
    }
}

fn ask(program: &Program, args: &Value, limits: Limits) {
    let roll = program.rolls().next().expect("it has a roll");
    let bound = given(&roll, args, &table(&[("Level", 3)]));
    compare::<f64>(&bound, limits, &args.to_string());
    compare::<UBig>(&bound, limits, &args.to_string());
}

const DROP: &str = "defroll \"Drop\" drop(bonus: int, ac: int, hp: int, dice: int, sides: int) {
    left = hp;
    repeat (3) {
        natural = roll(d20);
        if (natural == 20) {
            left -= roll((2 * dice) + \"d\" + sides);
        } else if (natural != 1 && natural + bonus >= ac) {
            left -= roll(dice + \"d\" + sides);
        }
    }
    return left <= 0;
}";

const FIGHT: &str = "deftype fighter { name: string, hp: int, bonus: int, ac: int }
deffun strike(a: fighter, b: fighter): int {
    if (roll(d20) + a.bonus >= b.ac) {
        b.hp -= roll(d6) + 1;
        output(a.name + \" hits\");
        return 1;
    }
    stat(\"misses\", 1);
    return 0;
}
defroll \"Fight\" fight(a: fighter, b: fighter, rounds: int) {
    hits = 0;
    while (a.hp > 0 && b.hp > 0 && rounds != 0) {
        hits += strike(a, b);
        if (b.hp > 0) { strike(b, a); }
        rounds--;
    }
    return a.hp * 1000 + hits;
}";

/// Rows that have something in common, and rows that trap or are refused among them.
#[test]
fn rows_are_answered_as_if_alone() {
    let program = compile(DROP);
    for row in 0..60 {
        let args = json!({
            "bonus": row % 7, "ac": 10 + row % 5, "hp": 4 + row * 7 % 23,
            "dice": row % 4 - i64::from(row == 30), "sides": 4 + row % 3 * 2,
        });
        ask(&program, &args, Limits::default());
    }
    let program = compile(FIGHT);
    let small = Limits {
        work: 30_000,
        outcomes: 500,
    };
    for row in 0..24 {
        let fighter = |hp: i64, name: &str| json!({ "name": name, "hp": hp, "bonus": 4 + row % 3, "ac": 12 + row % 2 });
        let rounds = if row == 13 { -1 } else { 1 + row % 4 };
        let args = json!({
            "a": fighter(6 + row % 5, "A"), "b": fighter(3 + row % 4, ["B", "C"][row as usize % 2]),
            "rounds": rounds,
        });
        let limits = if row % 6 == 5 {
            small
        } else {
            Limits::default()
        };
        ask(&program, &args, limits);
    }
}

/// Resources that change between rows: some are arguments of functions, some are read by dice, by a
/// function and in comparisons, and some rows are those of an earlier one.
#[test]
fn rows_with_other_resources_are_answered_as_if_alone() {
    let strikes = "dnd.attack([Attack], [AC], 1d8 + [Strength]) + dnd.attack([Attack], [AC], 2d6)";
    let script = "deffun reach(): int { return [Attack] + roll([Strength] + \"d4\"); }
        defroll \"Reach\" reached() { a = reach(); return a >= [AC] ? roll(d6) + [HP] : a; }";
    let compiler = Compiler::new();
    let rules = [
        compiler.rule(&format!("{strikes} >= [HP]")),
        compiler.rule(&format!("let r = {strikes}; max(r, [HP])")),
        compiler.rule("let r = [Strength]d4; r > [HP] ? r + [AC] : (1d6 + [Attack]) * 2"),
        compiler.script(script),
    ];
    for program in rules.map(|program| program.expect("it compiles")) {
        for row in 0..40_i64 {
            let row = if row % 7 == 6 { row - 3 } else { row };
            let resources = [
                ("Attack", 3 + row % 4),
                ("AC", 12 + row % 3),
                ("HP", 5 + row * 5 % 11),
                ("Strength", row % 5),
            ];
            let roll = program.only_roll().expect("one roll");
            let bound = given(&roll, &json!({}), &table(&resources));
            compare::<f64>(&bound, Limits::default(), &format!("{resources:?}"));
            compare::<UBig>(&bound, Limits::default(), &format!("{resources:?}"));
        }
    }
}

/// Limits at which one row is answered and the next one is refused, whatever the rows before them
/// found out.
#[test]
fn rows_are_refused_as_if_alone() {
    let script = "import std.dnd;
        deffun wound(bonus: int, ac: int, dice: int): int {
            hurt = dnd.attackDamage(bonus, ac, dice, 6);
            return hurt > 9 ? hurt + roll(d4) : hurt;
        }
        defroll \"Wounds\" wounds(bonus: int, ac: int, dice: int) {
            all = [wound(bonus, ac, dice), wound(bonus, ac, dice), wound(bonus, ac, 1)];
            return sum(all) >= [Level];
        }";
    let program = compile(script);
    for row in 0..24_u64 {
        let args = json!({ "bonus": row % 3, "ac": 9 + row % 4, "dice": 1 + row % 2 });
        let work = match row % 3 {
            0 => 200_000_000,
            _ => 1_000 << (row / 2),
        };
        let outcomes = if row % 5 == 0 {
            8 << (row / 3)
        } else {
            1_000_000
        };
        ask(&program, &args, Limits { work, outcomes });
    }
}

/// The arguments of one script are those of the next one, too.
#[test]
fn generated_scripts_are_answered_as_if_alone() {
    let mut runner = TestRunner::deterministic();
    let bytes = proptest::collection::vec(any::<u8>(), 0..600);
    let limits = Limits {
        work: 2_000_000,
        outcomes: 20_000,
    };
    let mut before: Option<ScriptCase> = None;
    let mut compared = 0;
    for _ in 0..400 {
        let tree = bytes.new_tree(&mut runner);
        let bytes = tree.expect("bytes are always possible").current();
        let case = script_case(&mut Unstructured::new(&bytes)).expect("bytes never run out");
        let Some(program) = script::compile(&case) else {
            continue;
        };
        let other = before.as_ref().map(|before| ScriptCase {
            args: before.args.clone(),
            ..case.clone()
        });
        for case in [Some(&case), other.as_ref(), Some(&case)]
            .into_iter()
            .flatten()
        {
            compare::<f64>(&script::bind(&program, case), limits, &case.text);
            compared += 1;
        }
        before = Some(case);
    }
    assert!(compared > 600, "only {compared}");
}
