//! Whether two records are the same one, on every engine.

use super::through_lists::{bound, mistake, value};
use dicec_compiler::unstable::Sampling;
use dicec_lang::syntax::Code;
use dicec_runtime::pmf::Limits;
use dicec_tests::engines;
use dicec_tests::enumerate_script::ScriptEnumeration;
use dicec_tests::programs::{first, script};
use serde_json::json;

#[test]
fn values() {
    for (statements, expected) in [
        ("a = foe{}; b = foe{}; same = a == b;", 0),
        ("a = foe{}; b = a; same = a == b;", 1),
        ("a = foe{}; b = a; b.hp = 9; same = a == b && a.hp == 9;", 1),
        ("a = foe{}; same = a != foe{};", 1),
        ("a = FOES[1]; b = FOES[1]; same = a == b;", 1),
        ("same = FOES[1] == FOES[3];", 0),
        (
            "same = FOES[1] == foe{ hp: 3, name: \"imp\", luck: 2.5 };",
            0,
        ),
        ("fs = [foe{}; 3]; same = contains(fs, fs[2]);", 1),
        ("fs = [foe{}; 3]; same = contains(fs, foe{});", 0),
        (
            "same = contains(FOES, FOES[2]) && !contains(FOES, foe{});",
            1,
        ),
        ("f = FOES[2]; same = indexOf(FOES, f) == 2;", 1),
        (
            "same = indexOf([5, 6, 6], 6) == 1 && indexOf([5,], 6) == -1;",
            1,
        ),
        (
            "fs = [foe{ hp: i } for i : 1..4]; f = fs[1]; remove(fs, indexOf(fs, f)); same = fs[1].hp == 3 && !contains(fs, f);",
            1,
        ),
        (
            "fs = [foe{ hp: i } for i : 1..4]; f = fs[1]; fs = [g for g : fs if g != f]; same = sum(g.hp for g : fs) == 8;",
            1,
        ),
        (
            "fs = [foe{}; 3]; n = 0; for (f : fs) { for (g : fs) { if (f != g) { n++; } } } same = n == 6;",
            1,
        ),
        (
            "last = foe{}; n = 0; repeat (4) { now = foe{}; if (now != last) { n++; } if (now == now) { n += 10; } last = now; } same = n == 44;",
            1,
        ),
        ("f = least(f by f.hp for f : FOES); same = f == FOES[2];", 1),
    ] {
        let body = format!("{statements} return same ? 1 : 0;");
        assert_eq!(value(&body), expected, "{statements}");
    }
}

/// The odds equal brute force: states whose records have the same contents keep them apart.
#[test]
fn with_dice() {
    for body in [
        // Nothing is ever written to them.
        "a = foe{}; b = foe{}; c = roll(d4) == 1 ? a : b; d = roll(d3) == 1 ? a : b; return c == d ? 1 : 0;",
        "fs = [foe{}; 4]; a = pick(fs); b = pick(fs); return a == b ? 10 : indexOf(fs, b);",
        "fs = [f for f : FOES]; a = draw(fs); return contains(fs, a) ? 1 : indexOf(FOES, a);",
        // With equal hit points after some of the rolls.
        "a = foe{ hp: 2 }; b = foe{ hp: 3 }; t = roll(d2) == 1 ? a : b; t.hp += roll(d2); return (t == b ? 10 : 0) + a.hp + b.hp;",
        "fs = [foe{ hp: 1 }; 3]; n = 0; repeat (2) { f = fs[roll(d3) - 1]; for (g : fs) { if (g != f) { g.hp += 1; } } } for (g : fs) { n = 10 * n + g.hp; } return n;",
        "last = FOES[0]; n = 0; repeat (3) { now = pick(FOES); if (now == last) { n++; } last = now; } return n;",
    ] {
        let bound = bound(body);
        let outcome = engines::check(&bound, 5, 60, &body);
        assert_eq!(outcome.stopped, None, "{body}");
        let all = ScriptEnumeration::of(&bound.question(), 100_000).expect("few rolls");
        let odds = bound.solve::<f64>(&Limits::default()).expect("few states");
        all.expect(&odds, body);
    }
}

/// Records of arguments, of constants and of functions, in fields and lists.
#[test]
fn wherever_they_come_from() {
    let text = "deftype item { name: string }
        deftype hero { hp: int, held: item, bag: item list }
        const RING = item{ name: \"ring\" };
        deffun same(a: item, b: item) { return a == b; }
        deffun chosen(h: hero, n: int) { return n == 1 ? h.held : RING; }
        defroll \"R\" r(heroes: hero list, h: hero) {
            a = pick(heroes);
            b = pick(heroes);
            a.held = chosen(b, roll(d2));
            append(b.bag, a.held);
            if (a == b) { a.hp += 10; }
            if (a == h) { a.hp += 1000; }
            if (same(a.held, b.held)) { a.hp += 100; }
            if (same(a.held, RING)) { stat(\"ring\", count(same(i, RING) for i : b.bag)); }
            return a.hp;
        }";
    let held = json!({"name": "ring"});
    let hero = json!({"hp": 1, "held": held, "bag": [held, held]});
    let args = json!({"heroes": [hero, hero, hero], "h": hero});
    let bound = first(&script(text), &args);
    let outcome = engines::check(&bound, 5, 60, &text);
    assert_eq!(outcome.stopped, None);
    let all = ScriptEnumeration::of(&bound.question(), 1000).expect("few rolls");
    let odds = bound.solve::<f64>(&Limits::default()).expect("few states");
    all.expect(&odds, text);
}

/// A record that is only compared needs no memory, and the comparison no instruction.
#[test]
fn what_is_known_is_a_constant() {
    for body in [
        "a = foe{ hp: roll(d6) }; b = foe{ hp: roll(d6) }; c = a; return (a == b ? 100 : 0) + (c == a ? 10 : 0) + a.hp - b.hp;",
        "fs = [foe{ hp: roll(d6) }, foe{}]; f = fs[1]; g = fs[0]; return (f == fs[1] ? 10 : 0) + (f == g ? 100 : 0) + g.hp;",
    ] {
        let bound = bound(body);
        engines::check(&bound, 5, 60, &body);
        let specialised = bound.specialised(Sampling::Faithful).expect("it fits");
        let module = specialised.0.to_string();
        for op in ["alloc", "new_list", "ieq", "ine"] {
            assert!(!module.contains(op), "{op} in\n{module}");
        }
    }
}

#[test]
fn mistakes() {
    for (statements, marked, help) in [
        ("b = who < who;", "who < who", "compare their fields"),
        ("b = who == xs;", "who == xs", "values of one type"),
        ("b = xs == xs;", "xs == xs", "compare their lengths"),
    ] {
        mistake(statements, Code::WrongType, marked, help);
    }
}
