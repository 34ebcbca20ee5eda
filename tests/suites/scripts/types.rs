//! The types of the rolling language: the typed trees of correct scripts.

use dicec_lang::hir;
use dicec_lang::hir::{ExprKind, StmtKind, Type, each_expr, each_stmt};
use dicec_tests::checked::{EVERYTHING, around, compile, file, script};

#[test]
fn everything_has_its_type() {
    let script = script(EVERYTHING);
    assert!(script.field_names.is_empty());
    for function in &script.functions {
        assert_ne!(function.result, Type::Unknown);
        for local in &function.locals {
            assert!(!is_open(&local.ty), "{local:?}");
        }
        each_expr(&function.body, &mut |expr| {
            assert!(!is_open(&expr.ty), "{expr:?}")
        });
    }
    let results = script
        .functions
        .iter()
        .map(|function| function.result.clone());
    let results: Vec<Type> = results.collect();
    assert_eq!(
        results,
        [Type::Int, Type::Bool, Type::Bool, Type::Unit, Type::Int]
    );
    let rolls: Vec<bool> = script
        .functions
        .iter()
        .map(|function| function.rolls)
        .collect();
    assert_eq!(rolls, [false, false, false, false, true]);
    assert_eq!(script.options, ["Again?", "Force?", "x"]);
    assert_eq!(script.stats, ["hits", "z"]);
    assert_eq!(script.resources.len(), 3);
}

fn is_open(ty: &Type) -> bool {
    match ty {
        Type::Unknown => true,
        Type::List(element) => is_open(element),
        _ => false,
    }
}

/// The rolls of statements: their types, and the places of their holes.
fn rolls(statements: &str) -> Vec<(Type, Vec<String>)> {
    let text = around(statements);
    let script = script(&text);
    let mut rolls = Vec::new();
    let roll = script.functions.last().expect("the roll");
    each_expr(&roll.body, &mut |expr| {
        if let ExprKind::Roll(roll) = &expr.kind {
            let holes = roll.holes.iter();
            let holes = holes.map(|hole| text[hole.value.span.range()].to_owned());
            rolls.push((expr.ty.clone(), holes.collect()));
        }
    });
    rolls
}

#[test]
fn dice_become_rolls() {
    let degree = Type::Degree(dicec_runtime::degree::Ladder::PATHFINDER);
    for (statement, expected) in [
        // One roll, however many dice it holds; constants are part of the rule.
        (
            "return roll(2d6 + d8 * 3 - max(d4, 2));",
            vec![(Type::Int, vec![])],
        ),
        // A pool outside is a roll of its own.
        (
            "return 2d6 + d8;",
            vec![(Type::Int, vec![]), (Type::Int, vec![])],
        ),
        // The largest parts without dice are holes, but for resources, which no trial changes.
        (
            "return roll(d20 + (n + 1) * 2 - [Strength]);",
            vec![(Type::Int, vec!["(n + 1) * 2"])],
        ),
        (
            "return roll(roll(d6) + d(n, d(2, 4)));",
            vec![(Type::Int, vec!["n"])],
        ),
        (
            "return roll(d20) + n vs 10 + len(xs);",
            vec![(degree, vec!["n", "10 + len(xs)"])],
        ),
        (
            "return roll(who.hp + \"d\" + n + \"+1\");",
            vec![(Type::Int, vec!["who.hp", "n"])],
        ),
        ("output(roll(d{hit,miss}));", vec![(Type::Text, vec![])]),
        (
            "return roll([Level]d6 + [Level]);",
            vec![(Type::Int, vec![])],
        ),
    ] {
        let expected: Vec<(Type, Vec<String>)> = expected
            .into_iter()
            .map(|(kind, holes): (_, Vec<&str>)| {
                (kind, holes.into_iter().map(String::from).collect())
            })
            .collect();
        assert_eq!(rolls(statement), expected, "{statement}");
    }
}

#[test]
fn totals_keep_their_sign() {
    let script = script("defroll \"R\" r() { return roll(1d4 - 5); }");
    each_expr(&script.functions[0].body, &mut |expr| {
        if let ExprKind::Roll(roll) = &expr.kind {
            assert!(matches!(roll.body.kind, hir::ExprKind::Arith(..)));
        }
    });
}

/// A trap names its location in the script, even if dice are built from texts.
#[test]
fn dice_in_texts_have_places() {
    let text = "defroll \"R\" r(n: int) { return roll(\"2d6 + \" + n + \"d8\"); }";
    let script = script(text);
    let mut places = Vec::new();
    each_expr(&script.functions[0].body, &mut |expr| {
        if let ExprKind::Roll(roll) = &expr.kind
            && let hir::ExprKind::Arith(_, left, right) = &roll.body.kind
        {
            places = vec![&text[left.span.range()], &text[right.span.range()]];
        }
    });
    assert_eq!(places, ["2d6", "n + \"d8"]);
}

#[test]
fn texts_are_joined_and_compared_as_what_they_are() {
    let script = script(&around(
        "x = t + n + b; y = t == \"a\"; z = b != true; w = n == 1; x += 1; output(n); stat(\"s\", y || z || w);",
    ));
    let body = &script.functions.last().expect("the roll").body;
    let mut kinds = Vec::new();
    each_stmt(body, &mut |stmt| match &stmt.kind {
        StmtKind::Assign(_, value) | StmtKind::Output(value) | StmtKind::Stat(_, value) => {
            kinds.push(match &value.kind {
                ExprKind::Join(parts) => format!("join {}", parts.len()),
                ExprKind::Same(wanted, ..) => format!("same {wanted}"),
                ExprKind::Compare(..) => "compare".to_owned(),
                ExprKind::Choose(_) => "choose".to_owned(),
                other => format!("{other:?}"),
            });
        }
        _ => {}
    });
    let expected = [
        "join 3",
        "same true",
        "same false",
        "compare",
        "join 2",
        "join 1",
        "choose",
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn a_function_and_a_type_may_share_a_name() {
    script(
        "deftype a { x: int } deffun a(y: a) { return y.x; } defroll \"R\" r(y: a) { return a(y); }",
    );
}

#[test]
fn recursion_tells_its_type() {
    let script = script(
        "deffun f(n: int) { if (n > 0) { return g(n - 1); } return \"end\"; }\n\
         deffun g(n: int) { return f(n - 1); }",
    );
    assert!(
        script
            .functions
            .iter()
            .all(|function| function.result == Type::Text)
    );
}

#[test]
fn the_examples_compile_without_a_note() {
    let names = [
        "attack",
        "duel",
        "party",
        "ability_scores",
        "burst",
        "delve",
    ];
    for name in names {
        let text = file(&format!("examples/{name}.dice"));
        let (_, notes) = compile(&text).unwrap_or_else(|found| panic!("{name}: {found:#?}"));
        assert!(notes.is_empty(), "{name}: {notes:#?}");
    }
}
