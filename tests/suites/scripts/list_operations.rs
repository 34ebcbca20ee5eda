//! What changes lists, copies parts of them or takes something from them by chance, on every
//! engine.

use super::syntax::{formatted, in_roll};
use super::through_lists::{bound, bound_within, mistake, trap, value};
use dicec_lang::syntax::Code;
use dicec_runtime::limits::ScriptLimits;
use dicec_runtime::pmf::Limits;
use dicec_runtime::trap::TrapCode;
use dicec_tests::checked::found;
use dicec_tests::engines;
use dicec_tests::enumerate_script::ScriptEnumeration;
use serde_json::json;

/// A list of digits as a number.
const DIGITS: &str = "n = 0; for (x : xs) { n = 10 * n + x; } return n;";

#[test]
fn values() {
    for (statements, expected) in [
        ("xs = [1, 2]; append(xs, pop(xs) + pop(xs));", 3),
        ("xs = [1, 2, 3]; pop(xs); pop(xs); append(xs, 7);", 17),
        ("xs = [1, 2, 3]; insert(xs, 0, 9);", 9123),
        ("xs = [1, 2, 3]; insert(xs, 3, 9);", 1239),
        (
            "xs = []; insert(xs, 0, 9); insert(xs, 1, 8); insert(xs, 1, 7);",
            978,
        ),
        ("xs = [1, 2, 3]; append(xs, remove(xs, 0));", 231),
        ("xs = [1, 2, 3]; remove(xs, 1);", 13),
        ("xs = [1, 2, 3]; x = remove(xs, 2); xs[0] += x;", 42),
        ("xs = [1, 2, 3, 4, 5][1..3];", 234),
        (
            "xs = [1, 2, 3]; xs = xs[0..0] + xs[2..len(xs) - 1] + xs[2..1];",
            13,
        ),
        ("xs = [7; 4]; xs[1] = 8;", 7877),
        ("n = 4; xs = [7; n]; xs[n - 3] = 8;", 7877),
        (
            "ys = [[sum([1, 2]); 2]; 2]; ys[0][1] = 4; xs = ys[0] + ys[1];",
            3433,
        ),
        ("xs = [7; 0] + [1,] + [2; -3];", 1),
        (
            "xs = [contains([3, 4], 4) ? 1 : 2, contains([3, 4], 5) ? 1 : 2];",
            12,
        ),
        (
            "xs = [contains([\"a\", \"b\"], \"b\") ? 1 : 2, contains([0.5, 1], 1) ? 1 : 2];",
            11,
        ),
        ("xs = [3, 1, 2, 1]; sort(xs);", 1123),
        (
            "xs = []; sort(xs); append(xs, 1); ys = [x for x : 2..1]; sort(ys);",
            1,
        ),
        ("ys = [3, 1, 2]; xs = sorted(ys) + ys;", 123_312),
        ("xs = sorted(x by -x for x : [3, 1, 2] if x != 2);", 31),
        ("xs = sorted(x by x descending for x : [3, 1, 2]);", 321),
        ("xs = sorted(10 - x for x : [3, 1, 2]);", 789),
        // 9 and 6 are 0 by 3, 4 and 1 are 1: equal ones keep their order.
        ("xs = [4, 9, 1, 6]; sort(x by x % 3 for x : xs);", 9641),
        (
            "fs = [f for f : FOES]; sort(f by f.hp for f : fs); xs = [1,] + [f.hp for f : fs];",
            10_337,
        ),
        (
            "fs = [f for f : FOES]; sort(f by f.hp descending for f : fs); xs = [f.ac % 10 for f : fs];",
            2292,
        ),
        ("xs = sorted(f.hp by f.luck for f : FOES);", 7033),
        ("xs = [pick([5,]), draw([6,])];", 56),
        ("xs = [4,]; shuffle(xs); ys = [0; 0]; shuffle(ys);", 4),
        (
            "fs = [foe{ hp: 1 }; 2]; fs[0].hp = 5; xs = [f.hp for f : fs];",
            51,
        ),
    ] {
        let body = format!("{statements} {DIGITS}");
        assert_eq!(value(&body), expected, "{statements}");
    }
}

#[test]
fn what_is_not_there() {
    for (body, marked) in [
        ("xs = [1,]; pop(xs); return pop(xs);", "pop(xs)"),
        ("xs = [1,]; insert(xs, 2, 3); return 0;", "insert(xs, 2, 3)"),
        (
            "xs = [1,]; insert(xs, -1, 3); return 0;",
            "insert(xs, -1, 3)",
        ),
        ("xs = [1,]; return remove(xs, 1);", "remove(xs, 1)"),
        ("xs = [1,]; return remove(xs, -1);", "remove(xs, -1)"),
        ("xs = [1, 2]; return len(xs[1..2]);", "xs[1..2]"),
        ("xs = [1, 2]; return len(xs[-1..1]);", "xs[-1..1]"),
        ("return pick([x for x : 1..0]);", "pick([x for x : 1..0])"),
        (
            "return pick(x for x : 1..9 if x > 9);",
            "pick(x for x : 1..9 if x > 9)",
        ),
        ("return draw([x for x : 1..0]);", "draw([x for x : 1..0])"),
    ] {
        assert_eq!(
            trap(body),
            (TrapCode::NoElement, marked.to_owned()),
            "{body}"
        );
    }
}

/// The engines agree on dice, on lists of arguments, and on the fuel that each operation costs.
#[test]
fn with_dice() {
    for body in [
        "xs = [roll(d6) for i : 1..6]; sort(xs); return xs[0] + 10 * xs[5];",
        "xs = [i for i : 1..6]; shuffle(xs); n = 0; for (x : xs) { n = 10 * n + x; } return n;",
        "deck = [i for i : 1..20]; n = 0; repeat (5) { n += draw(deck); } stat(\"left\", sum(deck)); return n;",
        "n = 0; repeat (8) { f = pick(f for f : FOES if f.alive); n += f.hp; } return n;",
        "xs = []; while (len(xs) < 9) { x = roll(d4); if (x == 1 && len(xs) > 0) { pop(xs); } else { insert(xs, roll(d(1, len(xs) + 1)) - 1, x); } } return sum(xs) + 100 * xs[0];",
        "fs = [foe{ hp: roll(d6) }; 5]; sort(f by f.hp for f : fs); remove(fs, roll(d5) - 1); return fs[0].hp * 10 + fs[3].hp;",
        "xs = [roll(d6); 4]; ys = sorted(x by x descending for x : xs)[0..2]; return sum(ys);",
        "xs = [1, 2, 3]; while (len(xs) > 0) { append(xs, pop(xs)); sort(xs); shuffle(xs); insert(xs, 1, remove(xs, 0)); }",
    ] {
        // The last body never ends.
        let limits = ScriptLimits {
            fuel: 20_000,
            ..ScriptLimits::default()
        };
        let outcome = engines::check(&bound_within(body, limits), 6, 40, &body);
        assert_eq!(
            outcome.stopped.is_some(),
            body.contains("while (len(xs) > 0)"),
            "{body}"
        );
    }
}

/// Lists of the arguments are as given at the beginning of every trial.
#[test]
fn arguments_begin_again() {
    let text = "deftype hand { cards: int list } defroll \"R\" r(deck: int list, hands: hand list) { \
         for (h : hands) { append(h.cards, draw(deck)); } x = pop(deck); sort(deck); append(deck, x); append(deck, 9); insert(hands[0].cards, 0, 7); \
         return 1000 * sum(deck) + 100 * len(deck) + 10 * len(hands[0].cards) + hands[1].cards[0]; }";
    let args = json!({"deck": [5, 3, 8, 1], "hands": [{"cards": [2]}, {"cards": []}]});
    let roll = dicec_tests::programs::first(&dicec_tests::programs::script(text), &args);
    let outcome = engines::check(&roll, 3, 200, &text);
    assert_eq!(outcome.stopped, None);
    assert!(
        outcome
            .results
            .iter()
            .all(|result| result / 10 % 100 == 33 || result / 10 % 10 == 3)
    );
    let all = ScriptEnumeration::of(&roll.question(), 1_000).expect("few rolls");
    all.expect(&roll.solve::<f64>(&Limits::default()).expect("small"), text);
}

/// By hand: each order of three is as likely as the others, and so on.
#[test]
fn exact_odds() {
    let orders = "xs = [1, 2, 3]; shuffle(xs); n = 0; for (x : xs) { n = 10 * n + x; } return n;";
    let odds = bound(orders)
        .solve::<f64>(&Limits::default())
        .expect("small");
    let orders = odds.result.expect("a number");
    for order in [123, 132, 213, 231, 312, 321] {
        assert!((orders.probability(order) - 1.0 / 6.0).abs() < 1e-12);
    }
    for (body, value, expected) in [
        ("return pick([1, 1, 2]);", 1, 2.0 / 3.0),
        ("d = [1, 2, 3]; return draw(d) + draw(d);", 5, 1.0 / 3.0),
        (
            "d = [i for i : 1..10]; return sum(draw(d) for i : 1..9);",
            45,
            1.0 / 10.0,
        ),
        (
            "xs = [roll(d2) for i : 1..3]; sort(xs); return xs[1];",
            1,
            1.0 / 2.0,
        ),
        (
            "f = pick(f for f : FOES if f.hp > 0); return f.hp;",
            3,
            2.0 / 3.0,
        ),
        // The value is that of the element which is picked, and of no other.
        ("return pick(f.hp + roll(d2) for f : FOES);", 8, 1.0 / 8.0),
        ("return pick(10 * i for i : 1..4);", 30, 1.0 / 4.0),
        ("return pick(i for i : 1..9 if i % 2 == 0);", 6, 1.0 / 4.0),
        // One of those that show a 2: both, each alone, or else the roll is not made.
        (
            "if (roll(d2) == 1) { return 0; } return pick(i for i : 1..3 if i == 3 || roll(d2) == 2);",
            3,
            0.5 * (1.0 / 4.0 + 2.0 / 4.0 / 2.0 + 1.0 / 4.0 / 3.0),
        ),
        // The best three of four d6: 18 in 21 of 1296 rolls.
        (
            "return sum(sorted(x by x descending for x : [roll(d6); 4])[0..2]);",
            18,
            21.0 / 1296.0,
        ),
    ] {
        let odds = bound(body).solve::<f64>(&Limits::default()).expect("small");
        let found = odds.result.expect("a number").probability(value);
        assert!((found - expected).abs() < 1e-12, "{body}: {found}");
    }
}

#[test]
fn layout() {
    for (text, expected) in [
        ("x=xs[ 1 .. 2 ];", "x = xs[1..2];"),
        ("x = [ 0 ;n ];", "x = [0; n];"),
        ("x = [[1,2];3][0];", "x = [[1, 2]; 3][0];"),
        (
            "sort( c  by -c.order for c:all );",
            "sort(c by -c.order for c : all);",
        ),
        (
            "x = sorted(c by c.order descending for c : all);",
            "x = sorted(c by c.order descending for c : all);",
        ),
        (
            "x = sorted(x by [1, 2][0] for x : xs);",
            "x = sorted(x by [1, 2][0] for x : xs);",
        ),
    ] {
        assert_eq!(formatted(&in_roll(text)), in_roll(expected));
        assert_eq!(formatted(&in_roll(expected)), in_roll(expected));
    }
}

#[test]
fn mistakes() {
    for (statements, code, marked, help) in [
        ("n = xs.length;", Code::WrongType, "xs", "len(list)"),
        (
            "xs.append(1);",
            Code::Trailing,
            "xs.append",
            "append(xs, 1)",
        ),
        ("xs.sort();", Code::Trailing, "xs.sort", "sort(xs)"),
        (
            "n = sort(xs);",
            Code::NoValue,
            "sort(xs)",
            "statement of its own",
        ),
        ("sorted(xs);", Code::Unused, "sorted(xs);", "assign it"),
        ("pick(xs);", Code::Unused, "pick(xs);", "assign it"),
        ("sort(who);", Code::WrongType, "who", "a list is written"),
        (
            "ys = [who,]; sort(ys);",
            Code::WrongType,
            "sort(ys)",
            "sort(x by x.hp for x : list)",
        ),
        (
            "sort(x + 1 for x : xs);",
            Code::Misplaced,
            "sort(x + 1 for x : xs)",
            "sorted(...)",
        ),
        (
            "sort(x by x for x : xs if x > 1);",
            Code::Misplaced,
            "sort(x by x for x : xs if x > 1)",
            "sorted(...)",
        ),
        (
            "n = pick(x by x for x : xs);",
            Code::Misplaced,
            "x",
            "remove `by`",
        ),
        (
            "b = contains(xs, t);",
            Code::WrongType,
            "contains(xs, t)",
            "",
        ),
        ("insert(xs, 0, t);", Code::WrongType, "t", ""),
        ("insert(xs, t, 0);", Code::WrongType, "t", ""),
        ("xs = xs[t..2];", Code::WrongType, "t", ""),
        ("xs = [1; t];", Code::WrongType, "t", ""),
        ("xs = [-t; 3];", Code::WrongType, "t", ""),
        ("xs = [-t; n];", Code::WrongType, "t", ""),
        ("n = pop(n);", Code::WrongType, "n", "to count, write"),
        (
            "n = draw(xs, 1);",
            Code::WrongCount,
            "draw(xs, 1)",
            "draw(list)",
        ),
    ] {
        mistake(statements, code, marked, help);
    }
}

#[test]
fn constants_stay() {
    for statement in [
        "pop(XS);",
        "sort(XS);",
        "shuffle(XS);",
        "insert(XS, 0, 1);",
        "remove(XS, 0);",
        "ys = XS; sort(y by -y for y : ys);",
        "n = draw(XS);",
    ] {
        let text = format!("const XS = [1, 2]; defroll \"R\" r() {{ {statement} }}");
        let found = found(&text);
        assert_eq!(found[0].0, Code::ChangedConstant, "{found:?}");
    }
    let body =
        "n = pick(FOES).hp; return n + len(sorted(f by f.hp for f : FOES)) + len(FOES[0..1]);";
    engines::check(&bound(body), 1, 5, &body);
}

/// A thousand elements are sorted within the fuel of a trial.
#[test]
fn long_lists() {
    let body = "xs = [roll(d1000); 1000]; sort(xs); return xs[0];";
    let report = bound(body).simulate(&dicec_compiler::Simulation::trials(3).seed(2));
    assert!(report.is_ok());
}
