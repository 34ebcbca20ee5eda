//! What exact odds of scripts cost, in operations and memory, and that what keeps them cheap
//! changes no odds.

use crate::scripts::{bound, check};
use dicec_compiler::Failure;
use dicec_exact::{Odds, solve};
use dicec_runtime::pmf::{Budget, Limits};
use dicec_runtime::trap::TrapCode;
use dicec_tests::programs::{bare, rule};
use serde_json::json;

/// The odds of a roll with this body, and the work that they took.
pub(super) fn odds_and_work(body: &str) -> (Odds, u64) {
    let roll = bound(&format!("defroll \"R\" r() {{ {body} }}"), &json!({}));
    let mut budget = Budget::default();
    let odds = solve(&roll.question(), &mut budget);
    let odds = odds.unwrap_or_else(|error| panic!("{error}\n{body}"));
    (odds, budget.spent())
}

/// A loop that only adds dice up is a convolution: it does not read the sum, nor its counter.
#[test]
fn sums_in_loops_cost_what_they_add() {
    let dice = bare(&rule("1000d6")).distribution(&Limits::default());
    let dice = dice.expect("small");
    for looped in [
        "x = 0; i = 0; while (i < 1000) { x += roll(d6); i++; } return x;",
        "x = 0; for (i : 1..1000) { x = x + roll(d6); } return x;",
        "x = 0; repeat (1000) { x += roll(d6); } return x;",
        "x = 0; repeat (1000) { x -= roll(d6); } return -x;",
    ] {
        let (odds, work) = odds_and_work(looped);
        let sum = odds.result.expect("a number");
        let bound = dice.error_bound() + sum.error_bound();
        assert_eq!(sum.len(), dice.len());
        // The least likely sums are smaller than any number.
        for (value, weight) in sum.iter().filter(|(_, weight)| **weight > 1e-200) {
            let error = (weight - dice.probability(value)).abs();
            assert!(
                error <= 2.0 * bound * weight,
                "{value}: {error} in {looped}"
            );
        }
        // 2.5 million states, each with six outcomes.
        assert!(work < 120_000_000, "{work} for {looped}");
    }
}

/// Counts of faces pass the words that a roll does not change on.
#[test]
fn counts_in_a_list_are_not_read() {
    let (odds, work) = odds_and_work(
        "counts = list(0, 0, 0, 0, 0, 0);
        repeat (12) { counts[roll(d6) - 1] += 1; }
        most = 0;
        for (count : counts) { most = max(most, count); }
        return most;",
    );
    let most = odds.result.expect("a number");
    assert_eq!((most.min(), most.max()), (2, 12));
    let all_equal = 12.0 * 11.0 * 10.0 * 9.0 * 8.0 * 7.0 * 6.0 * 5.0 * 4.0 * 3.0 * 2.0 / 64.0;
    let expected = all_equal / 6.0_f64.powi(12);
    assert!((most.probability(2) - expected).abs() < 1e-12 * expected);
    assert!(work < 3_000_000, "{work}");
}

/// Sums near the ends of the numbers trap where those of the interpreter do, and compare as they
/// do.
#[test]
fn large_sums_equal_brute_force() {
    for start in [
        0,
        (1 << 61) - 3,
        1 << 61,
        (1 << 61) + 1,
        -(1 << 61) + 3,
        -(1 << 61) - 1,
        i64::MAX - 7,
        i64::MIN + 8,
    ] {
        for body in [
            "x += roll(d6); y = x; x += roll(d1); return y < x;",
            "x -= roll(d6); if (x < a - 3) { return x - a; } x += 1; return x - a;",
            "y = x; x += roll(d6); return x - y + (x > y ? 10 : 0) + (y + 2 >= x ? 100 : 0);",
            "x += roll(d4); x -= roll(d4); return x == a ? 0 : x < a ? 1 : 2;",
            "x = x - roll(d3) + roll(d3); return max(a, x) - min(a, x);",
        ] {
            let text = format!("defroll \"R\" r(a: int) {{ x = a; {body} }}");
            check(&text, &json!({"a": start}));
        }
        for (op, far) in [("+=", i64::MAX), ("-=", i64::MIN)] {
            let text = format!("defroll \"R\" r(a: int) {{ x = a; x {op} roll(d6); return x; }}");
            let roll = bound(&text, &json!({"a": start}));
            let traps = far.abs_diff(start) < 6;
            match roll.solve::<f64>(&Limits::default()) {
                Ok(_) => assert!(!traps, "{start} {op}"),
                Err(Failure::Trap(trap)) => {
                    assert!(traps && trap.code == TrapCode::Overflow, "{start} {op}");
                }
                Err(failure) => panic!("{failure}"),
            }
        }
    }
}

/// Dice in a list that only counts them are the same states in any order.
#[test]
fn dice_that_are_counted_have_no_order() {
    let (odds, work) = odds_and_work(
        "dice = list();
        repeat (7) { append(dice, roll(d6)); }
        best = 0;
        face = 0;
        for (f : 1..6) {
            n = 0;
            for (d : dice) { if (d == f) { n++; } }
            if (n > best) { best = n; face = f; }
        }
        return face;",
    );
    assert!(work < 5_000_000, "{work}");
    let faces = odds.result.expect("a number");
    let mut wins = [0_u64; 6];
    for roll in 0..6_u32.pow(7) {
        let mut counts = [0; 6];
        (0..7).for_each(|die| counts[(roll / 6_u32.pow(die) % 6) as usize] += 1);
        let most = counts.iter().max().expect("six counts");
        let face = counts.iter().position(|count| count == most);
        wins[face.expect("one of them")] += 1;
    }
    for (face, wins) in (1..).zip(wins) {
        let expected = wins as f64 / 6.0_f64.powi(7);
        assert!((faces.probability(face) - expected).abs() < 1e-12, "{face}");
    }
}

/// Dice whose order is observed are too many states, which is found out in little memory.
#[test]
fn a_refusal_takes_bounded_memory() {
    let text = "defroll \"R\" r() {
        dice = list();
        repeat (7) { append(dice, roll(d6)); }
        best = 0;
        face = 0;
        for (i : 0..6) {
            n = 0;
            for (j : 0..6) { if (dice[i] == dice[j]) { n++; } }
            if (n > best) { best = n; face = dice[i]; }
        }
        return face;
    }";
    let roll = bound(text, &json!({}));
    let allocated = allocation_counter::measure(|| {
        let refused = roll.solve::<f64>(&Limits::default());
        assert!(matches!(refused, Err(Failure::Exhausted(_))), "{refused:?}");
    });
    assert!(allocated.bytes_max < 256 << 20, "{allocated:?}");
}

/// Every order counts where something observes it.
#[test]
fn observed_orders_are_kept() {
    for body in [
        "n = 0; for (d : dice) { if (d == 2) { n++; } } return n * 10 + len(dice);",
        "m = 0; for (d : dice) { m = max(m, d * 2); } return m;",
        "m = 9; n = 0; for (d : dice) { m = min(m, d); n -= 2; } return m * 10 + n;",
        "n = 0; for (d : dice) { n = n * 4 + d; } return n;",
        "last = 0; for (d : dice) { last = d; } return last;",
        "n = 0; for (d : dice) { n++; if (d == 2) { break; } } return n;",
        "n = 0; for (d : dice) { if (n < d) { n += 2; } } return n;",
        "n = 0; for (d : dice) { n++; if (d == 2) { n -= 3; } n = max(n, 0); } return n;",
        "n = 0; for (d : dice) { if (roll(d2) == d) { n++; } } return n;",
        "other = dice; return other[0] * 10 + other[1];",
        "dice[0] = 7; n = 0; for (d : dice) { n += 1; } return dice[1] * 10 + n;",
        "n = 0; for (d : dice) { for (e : dice) { if (d == e) { n++; } } } return n;",
    ] {
        for made in [
            "dice = list(); repeat (3) { append(dice, roll(d3)); }",
            "dice = list(roll(d3), roll(d2) + 1, roll(d3));",
        ] {
            let text = format!("defroll \"R\" r() {{ {made} {body} }}");
            check(&text, &json!({}));
        }
    }
}

/// Types and functions for [`calls_do_not_read_what_they_move`].
const STRIKES: &str = "deftype c { hp: int, ac: int = 12, hits: int = 0 }
    deffun hurt(one: c, by: int) { one.hp -= by; one.hits += 1; }
    deffun strike(from: c, to: c) {
        die = roll(d20);
        if (die == 20) { hurt(to, roll(2d4)); }
        else if (die >= to.ac) { hurt(to, roll(d4)); from.hits -= 3; }
    }
    deffun drain(from: c, to: c) { n = roll(d3); to.hp -= n; from.hp += n; }
    deffun heal(one: c) { if (one.hp < 3) { one.hp += roll(d2); } }
    deffun both(one: c, two: c) { one.hp -= roll(d2); two.hp = two.hp * 2; }";

/// A function that only adds to a field is computed once for all that is in it, unless the field is
/// read under another name, or sums are too large.
#[test]
fn calls_do_not_read_what_they_move() {
    for body in [
        "strike(a, b); strike(b, a); return a.hp * 100 + b.hp + a.hits - b.hits;",
        "strike(a, a); return a.hp * 10 + a.hits;",
        "drain(a, b); drain(b, a); drain(a, a); return a.hp * 100 + b.hp;",
        "drain(a, b); heal(b); hurt(b, 2); heal(b); return b.hp;",
        "both(a, a); both(a, b); both(b, a); return a.hp * 100 + b.hp;",
        "t = a; drain(t, a); strike(t, b); return t.hp * 100 + a.hp * 10 + b.hp;",
    ] {
        let text = format!("{STRIKES} defroll \"R\" r(a: c, b: c) {{ {body} }}");
        check(&text, &json!({"a": {"hp": 5, "ac": 19}, "b": {"hp": 4}}));
    }
    for (hp, by, traps) in [
        (i64::MIN + 9, "roll(2d4)", false),
        (i64::MIN + 7, "roll(2d4)", true),
        (-5, "9223372036854775807 - roll(d4) + 1", true),
        (5, "9223372036854775807 - roll(d4)", false),
    ] {
        let text = format!("{STRIKES} defroll \"R\" r(a: c) {{ hurt(a, {by}); return a.hits; }}");
        match bound(&text, &json!({"a": {"hp": hp}})).solve::<f64>(&Limits::default()) {
            Ok(_) => assert!(!traps, "{hp} {by}"),
            Err(Failure::Trap(trap)) => {
                assert!(traps && trap.code == TrapCode::Overflow, "{hp} {by}");
            }
            Err(failure) => panic!("{failure}"),
        }
    }
    let text = format!(
        "{STRIKES} defroll \"R\" r(a: c, b: c) {{
            b.hp = roll(d1000);
            strike(a, b);
            return b.hp <= 0;
        }}"
    );
    let args = json!({"a": {"hp": 50}, "b": {"hp": 40}});
    let mut budget = Budget::default();
    let roll = bound(&text, &args);
    solve::<f64>(&roll.question(), &mut budget).expect("small");
    assert!(budget.spent() < 200_000, "{}", budget.spent());
}

/// What is decided with a roll needs no states in between.
#[test]
fn branches_are_decided_with_their_roll() {
    let attack = "left = 4; hits = 0;
        repeat (2) {
            die = roll(d20);
            if (die == 20) {
                hits++;
                left -= roll(2d3);
            } else if (die == 1) {
            } else if (die + 4 >= 15) {
                left -= roll(d3);
                hits += 1;
            }
            if (left <= 0) { break; }
        }
        return left <= 0 ? hits : -1;";
    check(&format!("defroll \"R\" r() {{ {attack} }}"), &json!({}));
    let (_, work) = odds_and_work(attack);
    assert!(work < 10_000, "{work}");
}
