//! The exact odds of scripts: compared with closed forms and brute force, and refusals.

use arbitrary::Unstructured;
use dashu_int::UBig;
use dicec_compiler::{Bound, Compiler, Failure, Program};
use dicec_exact::Odds;
use dicec_lang::hir::{CHANCE_SIDES, Policy};
use dicec_runtime::limits::ScriptLimits;
use dicec_runtime::pmf::{Limits, Pmf};
use dicec_runtime::trap::{Trap, TrapCode};
use dicec_tests::enumerate_script::ScriptEnumeration;
use dicec_tests::generate::script::script_case;
use dicec_tests::programs::{bare, compiled, given, rule, table};
use dicec_tests::script;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

/// Lower limits than usual, so that scripts reach them soon.
const LIMITS: ScriptLimits = ScriptLimits {
    fuel: 20_000,
    depth: 200,
    list: 100,
};

pub(crate) fn compile(text: &str) -> Program {
    compiled(text, Compiler::new().script_limits(LIMITS).script(text))
}

/// The only roll of a script.
pub(crate) fn bound(text: &str, args: &Value) -> Bound {
    let roll = compile(text).rolls().next().expect("it has a roll");
    given(&roll, args, &table(&[("Level", 3)]))
}

fn odds(text: &str) -> Odds {
    let odds = bound(text, &json!({})).solve(&Limits::default());
    odds.unwrap_or_else(|failure| panic!("{failure}\n{text}"))
}

/// The result of a roll with this body.
fn result(body: &str) -> Pmf {
    let odds = odds(&format!("defroll \"R\" r() {{ {body} }}"));
    odds.result.expect("it returns something")
}

/// Compares the odds of a roll with brute force, with both kinds of weights.
pub(crate) fn check(text: &str, args: &Value) {
    let roll = bound(text, args);
    let all = ScriptEnumeration::of(&roll.question(), 500_000).expect("few rolls");
    assert!(all.traps.is_empty(), "{:?}\n{text}", all.traps);
    let odds = roll.solve::<f64>(&Limits::default());
    all.expect(&odds.expect("small"), text);
    let odds = roll.solve::<UBig>(&Limits::default());
    all.expect(&odds.expect("small"), text);
}

#[test]
fn closed_forms() {
    let best = result("return max(roll(d20), roll(d20));");
    for value in 1..=20 {
        let expected = (2 * value - 1) as f64 / 400.0;
        assert!((best.probability(value) - expected).abs() < 1e-15);
    }
    let sum = result("total = 0; for (n : list(1, 2, 3)) { total += roll(d6); } return total;");
    assert_eq!(sum.len(), 16);
    assert!((sum.probability(10) - 27.0 / 216.0).abs() < 1e-15);
    let rounds = result("rounds = 1; while (roll(d6) < 5) { rounds++; } return rounds;");
    for value in 1..=60 {
        let expected = (2.0_f64 / 3.0).powi(value - 1) / 3.0;
        let probability = rounds.probability(value.into());
        assert!((probability - expected).abs() < 1e-14 * expected + 2e-15);
    }
    assert!((rounds.mean() - 3.0).abs() < 1e-12);
}

#[test]
fn small_scripts_equal_brute_force() {
    for text in [
        // An operand is read before the effects of later operands.
        "deftype c { hp: int } deffun hit(c: c) { c.hp -= roll(d4); return c.hp; }
         defroll \"R\" r() { c = c{hp: 9}; return c.hp * 100 + hit(c) * 10 + hit(c); }",
        // Two names of one record.
        "deftype c { hp: int }
         deffun hit(a: c, b: c) { a.hp -= roll(d4); b.hp -= roll(d3); return a.hp; }
         defroll \"R\" r() { c = c{hp: 9}; d = c; e = c{hp: 5}; x = hit(c, d); y = hit(d, e); return x * 100 + y * 10 + e.hp; }",
        // A record that a function keeps in another, and one that it makes.
        "deftype w { uses: int } deftype c { w: w, hp: int }
         deffun arm(c: c, w: w) { c.w = w; w.uses += roll(d2); return w{uses: roll(d3)}; }
         defroll \"R\" r() { c = c{}; w = w{uses: 1}; v = arm(c, w); w.uses += 10; c.w.uses += 100; if (roll(d2) == 1) { c.w = v; } v.uses += 1000; return c.w.uses; }",
        // Lists that grow, in their own function and in another.
        "deffun add(xs: int list, n: int) { while (n > 0) { append(xs, roll(d3)); n--; } }
         defroll \"R\" r() { xs = list(7); ys = xs; add(xs, roll(d3)); ys[0] += 1; t = 0; for (x : xs) { t = t * 10 + x; if (len(xs) < 3) { append(xs, 5); } } return t; }",
        // Lists of records.
        "deftype c { hp: int, name: string }
         deffun weakest(all: c list) { best = all[0]; for (one : all) { if (one.hp < best.hp) { best = one; } } return best; }
         defroll \"R\" r() { all = list(c{hp: 3, name: \"A\"}, c{hp: 4, name: \"B\"}); for (n : list(1, 2, 3)) { w = weakest(all); w.hp += roll(d4); output(w.name + \" is healed\"); } return all[0].hp * 100 + all[1].hp; }",
        // Recursion with an end, and the same input at every depth.
        "deffun sum(n: int) : int { return n <= 0 ? 0 : roll(d4) + sum(n - 1); }
         defroll \"R\" r() { return sum(4); }",
        // Texts: their numbers do not distinguish states.
        "deffun hit(n: int) { s = \"Hit\"; if (roll(d6) > 3) { s = \"Miss\"; n = 0; } output(s + \" \" + n); stat(\"n\", n); return s == \"Hit\"; }
         defroll \"R\" r() { a = hit(roll(d4)); b = hit(2); return a && b || roll(d3) == 1; }",
        // Outputs and statistics in loops that a break leaves.
        "defroll \"R\" r() { n = 0; for (x : list(1, 2, 3, 4)) { if (x == 3 && roll(d2) == 1) { break; } if (roll(d3) == 1) { continue; } n += x; output(\"n \" + n); stat(\"x\", x); } stat(\"n\", n); return n; }",
        // Degrees, words, resources, options.
        "defroll \"R\" r() { d = roll(d20 + [Level]) vs 15; output(\"That is a \" + d); if (userOption(\"Again?\") && d < success) { d = roll(d20 + 9) vs 15; } return d; }",
        "defroll \"R\" r() { w = d{hit, miss, hit}; output(w); return w == \"hit\" ? roll(d4) : 0; }",
        // Nothing returned.
        "defroll \"R\" r() { t = 0; t += roll(d4); t += roll(d4); stat(\"t\", t); output(\"Total \" + t); }",
        // Operands that act only sometimes.
        "deffun f(n: int) { stat(\"f\", n); return roll(d3) > n; }
         defroll \"R\" r() { x = f(1) && f(2) || f(1); y = x ? roll(d4) : roll(d6); return max(y, x ? 2 : roll(d3), 1) + (f(0) ? 10 : 0); }",
        // A nested loop that returns from within.
        "deffun find() { while (true) { for (x : list(1, 2, 3)) { if (roll(d2) == x) { return x; } if (x == 2) { return 9; } } } return 0; }
         defroll \"R\" r() { return find() + find(); }",
        // Keys of several words, with numbers of both signs; and states that are handed on while
        // others change.
        "defroll \"R\" r() { a = roll(d3) * 3000000000000000000; b = -a / 3; c = a / 7 + roll(d2); d = b * 2 - roll(d3); e = roll(d2) * -1000000007; if (b < e && roll(d2) == 1) { b = e; } return a / 1000 + b % 1000 + c % 10 + d % 10; }",
        "deftype c { hp: int, big: int } deffun hit(c: c) { c.hp -= roll(d3); }
         defroll \"R\" r() { a = c{hp: 4, big: roll(d2) * 4611686018427387903}; b = c{hp: 3, big: -roll(d3)}; while (a.hp > 0 && b.hp > 0) { hit(a); if (a.hp < b.hp) { hit(b); a.big = b.big; } } return a.hp * 100 + b.hp * 10 + a.big % 7; }",
        // Values that are equal in all states of one iteration, but different in the next; lists
        // with several lengths.
        "defroll \"R\" r() { n = 0; xs = list(5); while (n < 3) { n += 1; if (roll(d2) == 1) { append(xs, n * 100 - roll(d2)); } } return n * 1000 + len(xs) * 10 + xs[len(xs) - 1]; }",
        // Values that are only used in comparisons.
        "defroll \"R\" r() { a = roll(d4); b = roll(d4); low = a; if (b < low) { low = b; } high = max(a, b, 2); swap = a; if (a > b) { a = b; b = swap; } return low * 1000 + high * 100 + a * 10 + b; }",
        // Loops that count.
        "defroll \"R\" r() { t = 0; for (i : roll(d2)..roll(d3)) { t = t * 10 + i; i = 7; if (t > 12 && roll(d2) == 1) { break; } } repeat (roll(d2)) { t += 100 * roll(d2); } return t; }",
        // Pools with computed holes.
        "defroll \"R\" r() { n = roll(d3); a = d(n, n + 1); b = roll(d4 - n); return a * 10 + b; }",
    ] {
        check(text, &json!({}));
    }
}

#[test]
fn arguments_are_the_same_in_every_trial() {
    let text = "deftype c { hp: int, xs: int list, name: string }
        defroll \"R\" r(a: c, all: c list, n: int, yes: bool) {
            a.hp -= roll(d4);
            append(a.xs, roll(d3));
            for (one : all) { one.hp += len(a.xs); append(one.xs, a.hp); }
            if (yes) { all[n] = a; }
            stat(\"hp\", a.hp);
            return all[0].hp * 10 + all[1].xs[len(all[1].xs) - 1];
        }";
    let creature = |hp: i64| json!({"hp": hp, "xs": [1, 2], "name": "Ayla"});
    for n in [0, 1] {
        for yes in [false, true] {
            let args =
                json!({"a": creature(7), "all": [creature(3), creature(4)], "n": n, "yes": yes});
            check(text, &args);
        }
    }
}

/// Endless calls with the same input are cut like loops.
#[test]
fn exploding_by_recursion() {
    let text = "deffun explode() : int { x = roll(d6); if (x == 6) { x += explode(); } return x; }
        defroll \"R\" r() { return explode() + explode(); }";
    let odds = odds(text);
    let pmf = odds.result.expect("a number");
    let rule = bare(&rule("2d6!"))
        .distribution(&Limits::default())
        .expect("small");
    for value in 2..100 {
        let (left, right) = (pmf.probability(value), rule.probability(value));
        assert!((left - right).abs() < 1e-14, "{value}: {left}, {right}");
    }
    assert!(odds.residual > 0.0 && odds.residual < 1e-14);
}

/// Both miss for ever with a probability that halves each round.
#[test]
fn an_endless_fight_is_cut() {
    let text = "deffun hits() { return roll(d20) > 15; }
        defroll \"R\" r() {
            a = 3; b = 3; rounds = 0;
            while (a > 0 && b > 0) { rounds++; if (hits()) { a--; } if (hits()) { b--; } }
            stat(\"rounds\", rounds);
            output(a > 0 ? \"A\" : b > 0 ? \"B\" : \"nobody\");
            return a - b;
        }";
    let odds = odds(text);
    assert!(
        odds.residual > 0.0 && odds.residual < 1e-14,
        "{}",
        odds.residual
    );
    let pmf = odds.result.expect("a number");
    assert!((pmf.mean()).abs() < 1e-12);
    assert!((pmf.probability(2) - pmf.probability(-2)).abs() < 1e-15);
    let lines: f64 = odds.lines.iter().map(|(_, times)| times).sum();
    assert!((lines - 1.0).abs() < 1e-12);
    let rounds = odds.stats[0].pmf.as_ref().expect("noted");
    assert!((odds.stats[0].times - 1.0).abs() < 1e-12);
    // The least of two sums of three geometric numbers.
    assert_eq!(rounds.min(), 3);
    assert!((rounds.probability(3) - (2.0 / 64.0 - 1.0 / 4096.0)).abs() < 1e-15);
}

pub(crate) fn fails(text: &str) -> Failure {
    let roll = bound(text, &json!({}));
    roll.solve::<f64>(&Limits::default()).expect_err(text)
}

#[test]
fn traps_that_can_happen_are_the_answer() {
    for (body, code, place) in [
        (
            "xs = list(1, 2); return xs[roll(d3) - 1];",
            TrapCode::NoElement,
            "xs[roll(d3) - 1]",
        ),
        (
            "x = 9223372036854775800; return x + roll(d20);",
            TrapCode::Overflow,
            "x + roll(d20)",
        ),
        (
            "return d(2, roll(d4) - 1);",
            TrapCode::NoSides,
            "roll(d4) - 1",
        ),
        (
            "return 10.0 % (roll(d4) - 2);",
            TrapCode::DivisionByZero,
            "10.0 % (roll(d4) - 2)",
        ),
        (
            "n = 0; while (n < 30000) { n++; } return n + roll(d4);",
            TrapCode::OutOfFuel,
            "while",
        ),
        (
            "while (roll(d2) > 0) { } return 1;",
            TrapCode::OutOfFuel,
            "while",
        ),
        (
            "xs = list(1); while (roll(d6) < 10) { append(xs, 1); } return 1;",
            TrapCode::ListTooLong,
            "append(xs, 1)",
        ),
        (
            "s = \"x\"; for (n : list(1,2,3,4,5,6,7,8,9,10,11,12,13)) { s = s + s; } output(s); return roll(d4);",
            TrapCode::TextTooLong,
            "s + s",
        ),
    ] {
        let text = format!("defroll \"R\" r() {{ {body} }}");
        let failure = fails(&text);
        let Failure::Trap(trap) = failure else {
            panic!("{failure:?}\n{text}");
        };
        assert_eq!(trap.code, code, "{text}");
        let there = &text[trap.span.range()];
        assert!(
            there.contains(place) || place.contains(there),
            "{there}\n{text}"
        );
    }
}

/// What native code and the interpreter pay for texts and dice, odds pay too.
#[test]
fn texts_and_dice_cost_fuel() {
    for (body, fuel) in [
        (
            "t = roll(d2) > 1 ? \"ab\" : \"c\"; s = t + \"de\" + t; output(s);",
            8,
        ),
        ("t = roll(d2) > 1 ? \"ab\" : \"c\"; output(t + \"!\");", 0),
        ("x = roll(64d6) + roll(100d6 + 40d8);", 3),
    ] {
        let text = format!("defroll \"R\" r() {{ {body} }}");
        let solve = |fuel| {
            let limits = ScriptLimits { fuel, ..LIMITS };
            let program = compiled(&text, Compiler::new().script_limits(limits).script(&text));
            let roll = program.rolls().next().expect("it has a roll");
            given(&roll, &json!({}), &table(&[])).solve::<f64>(&Limits::default())
        };
        assert!(solve(fuel).is_ok(), "{text}");
        if fuel > 0 {
            let Err(Failure::Trap(trap)) = solve(fuel - 1) else {
                panic!("{text} needs less than {fuel}");
            };
            assert_eq!(trap.code, TrapCode::OutOfFuel, "{text}");
        }
    }
}

#[test]
fn too_deep_calls_are_the_answer() {
    let text = |depth: u32| {
        format!(
            "deffun f(n: int) : int {{ return n <= 1 ? roll(d2) : f(n - 1); }} defroll \"R\" r() {{ return f({depth}); }}"
        )
    };
    let depth = LIMITS.depth;
    assert_eq!(odds(&text(depth)).result.expect("a number").len(), 2);
    assert!(
        matches!(fails(&text(depth + 1)), Failure::Trap(trap) if trap.code == TrapCode::TooDeep)
    );
    let endless = "deffun f(n: int) : int { return n > 9 ? 0 : f(n) + roll(d2); }
        defroll \"R\" r() { return f(0); }";
    assert!(matches!(fails(endless), Failure::Trap(trap) if trap.code == TrapCode::TooDeep));
    // Fuel that runs out before is the answer, although no call burns all of it.
    let each = 2 * LIMITS.fuel / LIMITS.depth;
    let slow = format!(
        "deffun f(n: int) : int {{ x = 0; repeat ({each}) {{ x += n; }} return n > 9 ? x : f(n) + roll(d2); }}
         defroll \"R\" r() {{ return f(0); }}"
    );
    assert!(matches!(fails(&slow), Failure::Trap(trap) if trap.code == TrapCode::OutOfFuel));
    // A result that was remembered at a lower depth is not used if it would be too deep.
    let text = format!(
        "deffun g(n: int) : int {{ return n <= 1 ? roll(d2) : g(n - 1); }} deffun f(n: int) : int {{ return n <= 1 ? g(10) : f(n - 1); }}
         defroll \"R\" r() {{ x = g(10); return x + f({}); }}",
        depth - 5
    );
    assert!(matches!(fails(&text), Failure::Trap(trap) if trap.code == TrapCode::TooDeep));
}

#[test]
fn a_budget_refuses() {
    let text = "defroll \"R\" r() { xs = list(0); while (len(xs) < 30) { append(xs, roll(d20)); } t = 0; for (x : xs) { t = t * 7 + x; } return t; }";
    assert!(matches!(fails(text), Failure::Exhausted(_)));
    let text = "defroll \"R\" r() { a = roll(d1000000); b = roll(d1000000); return a * b; }";
    assert!(matches!(fails(text), Failure::Exhausted(_)));
}

/// A refusal names the statement with the most states, and the variables that distinguish them.
#[test]
fn a_refusal_says_what_is_too_much() {
    let text = "deftype c { hp: int, order: int = 0, name: string = \"c\" }
        defroll \"R\" r(all: c list) {
            for (one : all) { one.order = roll(d20); }
            first = all[0];
            for (one : all) { if (one.order > first.order) { first = one; } }
            return first.hp;
        }";
    let args = json!({"all": vec![json!({"hp": 3}); 6]});
    let limits = Limits {
        outcomes: 20_000,
        ..Limits::default()
    };
    let roll = bound(text, &args);
    let Err(Failure::Exhausted(refusal)) = roll.solve::<f64>(&limits) else {
        panic!("20^6 orders fit in 20,000 states");
    };
    let state_explosion = refusal.state_explosion.expect("it comes from states");
    assert_eq!(
        &text[state_explosion.span.range()],
        "one.order = roll(d20);"
    );
    // Three dice make 8,000 orders; the fourth is too many.
    assert!(state_explosion.states > 8_000, "{state_explosion:?}");
    let [order] = &state_explosion.parts[..] else {
        panic!("{state_explosion:?}");
    };
    assert_eq!((order.name.as_str(), order.values), ("c.order", 20));
    assert_eq!(order.instances, 4);
}

/// A roll that is never read again does not distinguish states.
#[test]
fn long_sums_stay_small() {
    let text = "defroll \"R\" r() { t = 0; n = 0; while (n < 300) { n++; a = roll(d20); t += a >= 11 ? 1 : 0; } return t; }";
    let pmf = odds(text).result.expect("a number");
    let mut ways = vec![1.0_f64];
    for _ in 0..300 {
        let shifted = std::iter::once(0.0).chain(ways.iter().copied());
        let same = ways.iter().copied().chain([0.0]);
        ways = shifted.zip(same).map(|(a, b)| (a + b) / 2.0).collect();
    }
    assert_eq!(pmf.len(), 301);
    for (value, expected) in (0..).zip(ways) {
        let error = (pmf.probability(value) - expected).abs();
        assert!(error <= 2.0 * pmf.error_bound() * expected, "{value}");
    }
}

/// What a roll was compared in.
pub(crate) enum Compared {
    Odds,
    Trap,
}

/// Compares a roll with brute force; `None` if it has more than `most` rolls of its dice.
pub(crate) fn compare(roll: &Bound, text: &str, most: usize) -> Option<Compared> {
    let all = ScriptEnumeration::of(&roll.question(), most)?;
    match roll.solve::<f64>(&Limits::default()) {
        Ok(odds) => {
            assert!(all.traps.is_empty(), "{:?}\n{text}", all.traps);
            all.expect(&odds, text);
            Some(Compared::Odds)
        }
        Err(Failure::Trap(trap)) => {
            // Engines know no tables.
            let raw = Trap {
                code: match trap.code {
                    TrapCode::NoRow => TrapCode::NoElement,
                    code => code,
                },
                ..trap
            };
            assert!(
                all.traps.contains(&raw),
                "{trap:?}, {:?}\n{text}",
                all.traps
            );
            Some(Compared::Trap)
        }
        Err(failure) => panic!("{failure}\n{text}"),
    }
}

#[test]
fn generated_scripts_equal_brute_force() {
    let mut runner = TestRunner::deterministic();
    let bytes = proptest::collection::vec(any::<u8>(), 0..600);
    let (mut compared, mut trapped) = (0, 0);
    let cases = std::env::var("DICEC_CASES").ok();
    let cases = cases.map_or(1_500, |cases| cases.parse().expect("a number"));
    for _ in 0..cases {
        let tree = bytes
            .new_tree(&mut runner)
            .expect("bytes are always possible");
        let bytes = tree.current();
        let mut case = script_case(&mut Unstructured::new(&bytes)).expect("bytes never run out");
        for (_, policy) in &mut case.policies {
            if matches!(policy, Policy::Chance(_)) {
                *policy = Policy::Chance(CHANCE_SIDES / 2);
            }
        }
        let Some(script) = script::compile(&case) else {
            continue;
        };
        let roll = script::bind(&script, &case);
        match compare(&roll, &case.text, 1_000) {
            Some(Compared::Odds) => compared += 1,
            Some(Compared::Trap) => trapped += 1,
            None => {}
        }
    }
    assert!(compared > 400 && trapped > 100, "{compared}, {trapped}");
}
