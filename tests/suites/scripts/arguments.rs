//! Arguments: by order, by name, or left to their defaults.

use dicec_compiler::ScriptSession;
use dicec_lang::syntax::Code;
use dicec_tests::checked::found;
use dicec_tests::programs::{first, script};
use serde_json::json;

/// The result of the roll of a script without dice.
fn result(text: &str) -> i64 {
    let roll = first(&script(text), &json!({}));
    let played = roll.play(&mut ScriptSession::new(1)).expect("no trap");
    played.result.expect("it returns a number").to_cell()
}

#[test]
fn a_call_is_that_with_all_arguments_in_order() {
    for (call, full) in [
        ("f(1)", "f(1, 2, 3)"),
        ("f(1, 5)", "f(1, 5, 3)"),
        ("f(1, c: 7)", "f(1, 2, 7)"),
        ("f(b: 4, a: 1)", "f(1, 4, 3)"),
        ("f(c: 9, b: 4, a: 1,)", "f(1, 4, 9)"),
    ] {
        let text = |call: &str| {
            format!(
                "const TWO = 2; deffun f(a: int, b: int = TWO, c: int = TWO + 1) {{ return 100 * a + 10 * b + c; }} \
                 defroll \"R\" r() {{ return {call}; }}"
            )
        };
        assert_eq!(result(&text(call)), result(&text(full)), "{call}");
    }
}

/// Records and lists are new ones in each call, also in one that leaves out more than they do.
#[test]
fn defaults_are_new_in_each_call() {
    let text = "deftype pos { x: int = 1, steps: int list } \
                deffun f(by: int, p: pos = pos{ x: 5 }, xs: int list = [7, 8]) { \
                    p.x += by; append(p.steps, by); append(xs, by); return 100 * p.x + 10 * len(p.steps) + len(xs); } \
                defroll \"R\" r() { f(2); return f(1); }";
    assert_eq!(result(text), 613);
}

/// Named arguments are evaluated as they are written, with the dice in that order.
#[test]
fn named_arguments_are_evaluated_in_written_order() {
    let text = "deffun f(a: int, b: int, c: int) { return 100 * a + 10 * b + c; } \
                defroll \"R\" r() { return f(c: roll(d20), b: 3, a: roll(d6)); }";
    let roll = first(&script(text), &json!({}));
    let played = roll.play(&mut ScriptSession::new(1)).expect("no trap");
    let sides: Vec<u32> = played.rolls.iter().map(|roll| roll.dice[0].0).collect();
    assert_eq!(sides, [20, 6]);
    let faces: Vec<u32> = played.rolls.iter().map(|roll| roll.dice[0].1).collect();
    let expected = 100 * i64::from(faces[1]) + 30 + i64::from(faces[0]);
    assert_eq!(played.result.expect("it returns").to_cell(), expected);
}

#[test]
fn a_roll_takes_its_defaults() {
    let text = "deftype pos { x: int, y: int = 4 } \
                defroll \"R\" r(n: int, m: int = 3, p: pos = pos{ x: 9 }, f: float = 2) { return 100 * n + 10 * m + p.x; }";
    let program = script(text);
    for (args, expected) in [
        (json!({"n": 1}), 139),
        (json!({"n": 1, "m": 5}), 159),
        (json!({"n": 1, "p": {"x": 2}}), 132),
    ] {
        let played = first(&program, &args).play(&mut ScriptSession::new(1));
        let result = played.expect("no trap").result.expect("it returns");
        assert_eq!(result.to_cell(), expected, "{args}");
    }
    let roll = program.roll("r").expect("it is there");
    assert!(roll.arguments(&json!({"m": 3})).is_err());
    let shown = [
        ("n", "int"),
        ("m", "int = 3"),
        ("p", "pos = {\"x\":9,\"y\":4}"),
        ("f", "float = 2.0"),
    ];
    let shown = shown.map(|(name, ty)| (name.to_owned(), ty.to_owned()));
    assert_eq!(roll.parameters(), shown);
    let described = serde_json::to_value(program.describe()).expect("it is JSON");
    let arguments = &described["rolls"][0]["arguments"];
    assert_eq!(arguments["required"], json!(["n"]));
    assert_eq!(
        arguments["properties"]["m"],
        json!({"type": "integer", "default": 3})
    );
}

#[test]
fn mistakes() {
    for (call, code, marked) in [
        ("f()", Code::WrongCount, "f()"),
        ("f(1, 2, 3)", Code::WrongCount, "f(1, 2, 3)"),
        ("f(b: 1)", Code::WrongCount, "f(b: 1)"),
        ("f(1, bb: 1)", Code::UnknownName, "bb"),
        ("f(1, a: 1)", Code::DefinedTwice, "a"),
        ("f(a: 1, a: 2)", Code::DefinedTwice, "a"),
        ("f(b: 1, 2)", Code::Misplaced, "2"),
        ("f(a: true)", Code::WrongType, "true"),
        ("max(1, b: 2)", Code::Misplaced, "b"),
    ] {
        let text = format!(
            "deffun f(a: int, b: int = 2) {{ return a + b; }} defroll \"R\" r() {{ return {call}; }}"
        );
        assert_eq!(found(&text), [(code, marked)], "{call}");
    }
    for (params, code, marked) in [
        ("a: int = true", Code::WrongType, "true"),
        ("a: int = roll(d6)", Code::NotConstant, "roll(d6)"),
        ("a: int = b, b: int = 1", Code::NotConstant, "b"),
    ] {
        let text = format!("defroll \"R\" r({params}) {{ return 1; }}");
        assert_eq!(found(&text), [(code, marked)], "{params}");
    }
}
