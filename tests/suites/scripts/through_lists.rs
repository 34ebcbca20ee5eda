//! What goes through a list in one expression: sums, counts, the least element, new lists. Each is
//! the loop that one would write, on every engine.

use super::syntax::{formatted, in_roll};
use dicec_compiler::{Bound, Compiler, Simulation};
use dicec_lang::syntax::Code;
use dicec_runtime::limits::ScriptLimits;
use dicec_runtime::pmf::Limits;
use dicec_runtime::trap::TrapCode;
use dicec_tests::checked::{around, compile, wrong};
use dicec_tests::engines;
use dicec_tests::programs::{compiled, first, script};
use serde_json::json;

const TYPES: &str = "deftype foe { hp: int, ac: int = 12, name: string = \"orc\", luck: float = 0.5, alive: bool = true } \
     const FOES = [foe{ hp: 7 }, foe{ hp: 3, name: \"imp\", luck: 2.5 }, foe{ hp: 0, alive: false }, foe{ hp: 3, ac: 9 }];";

/// A roll with this body, in which there are some foes.
pub(crate) fn bound(body: &str) -> Bound {
    bound_within(body, ScriptLimits::default())
}

/// The same, within some limits.
pub(crate) fn bound_within(body: &str, limits: ScriptLimits) -> Bound {
    let text = format!("{TYPES} defroll \"R\" r() {{ {body} }}");
    let script = compiled(&text, Compiler::new().script_limits(limits).script(&text));
    first(&script, &json!({}))
}

/// The result of a roll without dice, which every engine agrees on.
pub(crate) fn value(body: &str) -> i64 {
    let outcome = engines::check(&bound(body), 1, 5, &body);
    assert_eq!(outcome.stopped, None, "{body}");
    outcome.results[0]
}

/// Statements with one mistake, whose help has these words.
#[track_caller]
pub(crate) fn mistake(statements: &str, code: Code, marked: &str, help: &str) {
    let found = [(code, marked.to_owned())];
    assert_eq!(wrong(statements), found, "{statements}");
    let found = compile(&around(statements)).expect_err("it is wrong");
    assert!(format!("{found:?}").contains(help), "{statements}: {found}");
}

/// What a body without dice traps with, on every engine.
pub(crate) fn trap(body: &str) -> (TrapCode, String) {
    let bound = bound(body);
    let outcome = engines::check(&bound, 1, 5, &body);
    let trap = outcome.stopped.expect("it traps").trap;
    let failure = bound.solve::<f64>(&Limits::default());
    assert!(failure.is_err(), "{body}");
    (
        trap.code,
        bound.program().text()[trap.span.range()].to_owned(),
    )
}

#[test]
fn values() {
    for (expression, expected) in [
        ("sum([4, 5, 6])", 15),
        ("floor(sum([0.5, 1.25, 1]) * 4)", 11),
        ("sum(f.hp for f : FOES)", 13),
        ("sum(f.hp for f : FOES if f.alive)", 13),
        ("sum(f.hp for f : FOES if f.hp > 9)", 0),
        ("round(sum(f.luck for f : FOES) * 10)", 40),
        ("sum(i * i for i : 1..4)", 30),
        ("sum(i for i : 4..1)", 0),
        ("sum(i for i : 1..9 if i % 2 == 1)", 25),
        ("sum(sum(i * j for j : 1..i) for i : 1..3)", 25),
        ("count(f.hp > 0 for f : FOES)", 3),
        ("count(f.alive for f : FOES if f.hp == 3)", 2),
        ("count([true, false, true])", 2),
        ("any(f.hp > 6 for f : FOES) ? 1 : 0", 1),
        ("any(f.hp > 7 for f : FOES) ? 1 : 0", 0),
        ("any([false,]) || all([false, true]) ? 1 : 0", 0),
        ("all(f.hp > 0 for f : FOES if f.alive) ? 1 : 0", 1),
        ("all(f.hp > 0 for f : FOES) ? 1 : 0", 0),
        ("all(false for i : 2..1) ? 1 : 0", 1),
        ("any(true for i : 2..1) ? 1 : 0", 0),
        ("max([3, 9, 4])", 9),
        ("min([3, 9, 4]) + max(5) + min(-2)", 6),
        ("floor(min([0.5, -2.5, 4]))", -3),
        ("max(f.hp for f : FOES)", 7),
        ("min(f.hp for f : FOES if f.alive)", 3),
        ("floor(max(f.luck for f : FOES) * 2)", 5),
        ("min(i - 3 for i : -2..2)", -5),
        ("least(f by f.hp for f : FOES).hp", 0),
        ("least(f by f.hp for f : FOES if f.hp > 0).ac", 12),
        ("least(f by f.ac for f : FOES).hp", 3),
        ("most(f by f.hp for f : FOES).ac", 12),
        ("most(f.hp by f.luck for f : FOES)", 3),
        ("least(i by (i - 5) * (i - 5) for i : 1..9)", 5),
        ("most(10 * i by i % 3 for i : 1..9 if i != 2)", 50),
        // Keys as far away as what a search begins with: the first of them.
        ("least(i by 9223372036854775807 for i : 3..5 if i > 3)", 4),
        (
            "most(i by -9223372036854775807 - (i == 3 ? 1 : 0) for i : 3..5)",
            4,
        ),
        (
            "max(-9223372036854775807 - 1 for i : 1..2) + 9223372036854775807",
            -1,
        ),
        ("[f.hp for f : FOES][1]", 3),
        ("len([f for f : FOES if f.hp > 0])", 3),
        ("[i * i for i : 1..5][4]", 25),
        ("sum([2 * x for x : [y + 1 for y : [1, 2, 3]]])", 18),
        ("len([[i for i : 1..n] for n : 1..3][2])", 3),
        ("max([5, 3] + [8,] + [])", 8),
        ("len([1, 2] + [3,])", 3),
        ("sum(count(g.hp == f.hp for g : FOES) for f : FOES)", 6),
    ] {
        assert_eq!(
            value(&format!("return {expression};")),
            expected,
            "{expression}"
        );
    }
}

#[test]
fn lists_stay_as_they_are() {
    let body = "xs = [1, 2]; ys = [x for x : xs]; zs = xs + xs; append(ys, 9); zs[0] = 8; return 100 * sum(xs) + 10 * len(ys) + len(zs);";
    assert_eq!(value(body), 334);
    // The record itself, not a copy.
    let body =
        "fs = [foe{ hp: 2 }, foe{ hp: 1 }]; least(f by f.hp for f : fs).hp = 7; return fs[1].hp;";
    assert!(
        Compiler::new()
            .script(&format!("{TYPES} defroll \"R\" r() {{ {body} }}"))
            .is_err()
    );
    let body = "fs = [foe{ hp: 2 }, foe{ hp: 1 }]; weakest = least(f by f.hp for f : fs); weakest.hp = 7; return fs[1].hp;";
    assert_eq!(value(body), 7);
}

#[test]
fn nothing_has_no_least_element() {
    for (body, marked) in [
        (
            "return min(f.hp for f : FOES if f.hp > 9);",
            "min(f.hp for f : FOES if f.hp > 9)",
        ),
        ("return max([x for x : 2..1]);", "max([x for x : 2..1])"),
        (
            "return least(i by -i for i : 1..0);",
            "least(i by -i for i : 1..0)",
        ),
        (
            "f = most(f by f.hp for f : FOES if f.hp > 9); return f.hp;",
            "most(f by f.hp for f : FOES if f.hp > 9)",
        ),
    ] {
        assert_eq!(
            trap(body),
            (TrapCode::NoElement, marked.to_owned()),
            "{body}"
        );
    }
}

/// Each is the loop that one would write by hand: the same dice, and the same vector form.
#[test]
fn they_are_loops() {
    for (short, long) in [
        (
            "return sum(roll(d6) for i : 1..5 if roll(d4) > 1);",
            "t = 0; for (i : 1..5) { if (roll(d4) > 1) { v = roll(d6); t += v; } } return t;",
        ),
        (
            "return any(roll(d6) == 6 for i : 1..4);",
            "r = false; for (i : 1..4) { if (roll(d6) == 6) { r = true; break; } } return r;",
        ),
        (
            "return count(roll(d20) + f.hp > 10 for f : FOES if f.alive);",
            "n = 0; for (f : FOES) { if (f.alive) { if (roll(d20) + f.hp > 10) { n++; } } } return n;",
        ),
        (
            "return max(roll(d6) for i : 1..3);",
            "b = 0; found = false; for (i : 1..3) { v = roll(d6); if (!found || v > b) { b = v; found = true; } } return b;",
        ),
        (
            "xs = [roll(d6) for i : 1..3]; return xs[0] * xs[2];",
            "xs = []; for (i : 1..3) { append(xs, roll(d6)); } return xs[0] * xs[2];",
        ),
    ] {
        let [short, long] = [short, long].map(bound);
        for roll in [&short, &long] {
            engines::check(roll, 4, 60, &roll.program().text());
        }
        let outcomes = [&short, &long].map(|roll| {
            let report = roll.simulate(&Simulation::trials(5_000).seed(7));
            report.expect("no trap").summary()
        });
        assert_eq!(outcomes[0], outcomes[1], "{}", short.program().text());
    }
}

/// By hand: P(the least of three d4 is at least 3) = 1/8, and so on.
#[test]
fn exact_odds() {
    for (body, value, expected) in [
        ("return min(roll(d4) for i : 1..3) >= 3;", 1, 1.0 / 8.0),
        ("return any(roll(d6) == 6 for i : 1..2);", 1, 11.0 / 36.0),
        ("return all(roll(d6) > 1 for i : 1..2);", 1, 25.0 / 36.0),
        ("return count(roll(d2) == 1 for i : 1..4);", 2, 6.0 / 16.0),
        ("return sum(roll(d2) for i : 1..3);", 4, 3.0 / 8.0),
        ("return sum([roll(d2) for i : 1..3]);", 6, 1.0 / 8.0),
        ("return least(i by roll(d2) for i : 1..2);", 2, 1.0 / 4.0),
        ("return max([roll(d6), roll(d6)]);", 6, 11.0 / 36.0),
        (
            "fs = [foe{ hp: roll(d2) }, foe{ hp: roll(d2) }]; f = least(f by f.hp for f : fs); return f.hp;",
            2,
            1.0 / 4.0,
        ),
    ] {
        let odds = bound(body).solve::<f64>(&Limits::default()).expect("small");
        let found = odds
            .result
            .expect("it returns something")
            .probability(value);
        assert!((found - expected).abs() < 1e-12, "{body}: {found}");
    }
}

#[test]
fn layout() {
    for (text, expected) in [
        (
            "x=sum( f.hp  for f:foes if f.hp>0 );",
            "x = sum(f.hp for f : foes if f.hp > 0);",
        ),
        ("x=[ i*i for i : 1 .. 5 ];", "x = [i * i for i : 1..5];"),
        (
            "f = least(f by -f.hp for f : foes);",
            "f = least(f by -f.hp for f : foes);",
        ),
        ("x = [\n x for x : xs ];", "x = [x for x : xs];"),
        ("x = [y for y : [1, 2]];", "x = [y for y : [1, 2]];"),
        ("x = [f(a, b) for b : bs];", "x = [f(a, b) for b : bs];"),
        // Still resources.
        (
            "x = [Level for Hero] + [by];",
            "x = [Level for Hero] + [by];",
        ),
    ] {
        assert_eq!(formatted(&in_roll(text)), in_roll(expected));
        assert_eq!(formatted(&in_roll(expected)), in_roll(expected));
    }
}

/// A script's own functions win, but no function of a script goes through a list.
#[test]
fn own_names_win() {
    let text = "import std.pools; deffun count(n: int) { return n + 1; } deffun any(a: int, b: int) { return a * b; } \
         defroll \"R\" r() { sum = 0; least = sum([1, 2]); most = count(4); all = any(2, 3); return 1000 * sum(x for x : [7, 8]) + 100 * least + 10 * most + all + sum; }";
    let bound = first(&script(text), &json!({}));
    let outcome = engines::check(&bound, 1, 3, &text);
    assert_eq!(outcome.results[0], 15_356);
}

#[test]
fn mistakes() {
    for (statements, code, marked, help) in [
        ("n = sum(t);", Code::WrongType, "t", "a list is written"),
        ("n = sum([t,]);", Code::WrongType, "[t,]", "such as a field"),
        (
            "n = sum(who for x : xs);",
            Code::WrongType,
            "who",
            "such as a field",
        ),
        (
            "n = count(x for x : xs);",
            Code::WrongType,
            "x",
            "compare the number",
        ),
        ("b = any(xs);", Code::WrongType, "xs", "compare the number"),
        (
            "n = min([who,]);",
            Code::WrongType,
            "[who,]",
            "min(x.hp for x : list)",
        ),
        (
            "n = least(x by t for x : xs);",
            Code::WrongType,
            "t",
            "such as a field",
        ),
        ("n = least(xs);", Code::Expected, "least(xs)", "min(list)"),
        (
            "n = most(x for x : xs);",
            Code::Expected,
            "most(x for x : xs)",
            "max(list)",
        ),
        (
            "n = least(x by x descending for x : xs);",
            Code::Misplaced,
            "x",
            "write `most`",
        ),
        (
            "n = sum(x by x for x : xs);",
            Code::Misplaced,
            "x",
            "remove `by`",
        ),
        (
            "n = len(x for x : xs);",
            Code::NoSuchFunction,
            "len",
            "len([x for x : ...])",
        ),
        (
            "n = double(x for x : xs);",
            Code::NoSuchFunction,
            "double",
            "double([x for x : ...])",
        ),
        ("n = least(x by x);", Code::Expected, ")", "for x : list"),
        ("n = sum(x in xs);", Code::Misspelt, "in", "for x : list"),
        (
            "n = sum(x for x in xs);",
            Code::Misspelt,
            "in",
            "for x : list",
        ),
        (
            "for (x in xs) { n = x; }",
            Code::Misspelt,
            "x in",
            "for (x : xs)",
        ),
        ("sum(xs);", Code::Unused, "sum(xs);", "assign it"),
        ("n = x + sum(x for x : xs);", Code::UnknownName, "x", ""),
        (
            "xs = xs + [t,];",
            Code::WrongType,
            "xs + [t,]",
            "one by one",
        ),
    ] {
        mistake(statements, code, marked, help);
    }
}

/// Loops in a condition are not taken for endless ones.
#[test]
fn conditions_read_lists() {
    let body = "xs = [3, 1]; n = 0; while (any(x > 0 for x : xs)) { xs[0] -= 1; xs[1] -= 1; n++; } return n;";
    assert_eq!(value(body), 3);
    let found = wrong("while (any(x > 0 for x : xs)) { n++; }");
    assert_eq!(found[0].0, Code::EndlessLoop, "{found:?}");
    let text = "deffun f(n: int) { return n <= 0 ? 0 : sum(f(n - i) for i : 1..2); } defroll \"R\" r() { return f(4) + sum(g() for i : 1..0); } deffun g() : int { return sum(g() for i : 1..0) + 1; }";
    let found = compile(text);
    assert!(found.is_ok(), "{found:?}");
}

/// Loops in loops run on a small stack, on every engine.
#[test]
fn nested_as_deeply_as_they_may_be() {
    // `sum(sum(i2 for i2 : i1..1) for i1 : 1..1)`, deeper.
    let depth = 100;
    let inner: String = (1..depth)
        .rev()
        .map(|level| format!(" for i{} : i{level}..1)", level + 1))
        .collect();
    let body = format!(
        "return {}i{depth}{inner} for i1 : 1..1);",
        "sum(".repeat(depth)
    );
    assert_eq!(value(&body), 1);
}
