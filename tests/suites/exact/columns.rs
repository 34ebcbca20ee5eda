//! States that differ in one number are columns of weights: that changes no odds.

use crate::script_costs::odds_and_work;
use crate::scripts::{bound, check, fails};
use dashu_int::UBig;
use dicec_compiler::Failure;
use dicec_runtime::pmf::Limits;
use dicec_runtime::trap::TrapCode;
use serde_json::json;

#[test]
fn columns_equal_brute_force() {
    for body in [
        // Attacks on hit points that stay above a floor, and on those that do not.
        "hp = 9; repeat (3) { n = roll(d4); if (n == 4) { hp -= roll(2d3); } else if (n > 1) { hp -= roll(d3); } } return hp <= 0;",
        "hp = 9; repeat (3) { n = roll(d4); if (n == 4) { hp -= roll(2d3); } else if (n > 1) { hp -= roll(d3); } } return hp;",
        "hp = 5; repeat (4) { if (hp > 0) { hp -= roll(d4) - 1; } } return hp > 0;",
        // What falls is healed, so that its floor is dropped.
        "hp = 5; repeat (3) { hp -= roll(d4); if (hp <= 0) { hp += roll(d3); } } return hp;",
        // Conditions that part a column in several places.
        "x = 0; repeat (4) { x += roll(d4); if (x == 3 || x == 6 || x > 9) { x -= 2; } } return x;",
        "x = roll(d6); if (x < 3) { return 10; } if (x == 5) { x = 4; } return x + roll(d2);",
        // Numbers that are far apart, and close ones among them.
        "x = 0; repeat (3) { x += roll(d3) * 100000; } return x + roll(d4);",
        "x = 0; repeat (3) { x = x * 10 + roll(d3); } return x;",
        "x = roll(d2) == 1 ? -9223372036854775807 : 9223372036854775805; return x + roll(d2) - 1;",
        // Two numbers at once, that become one again.
        "x = 0; repeat (3) { a = roll(d4); b = roll(d3); x += a * b; } return x;",
        "x = 0; y = 0; repeat (3) { x += roll(d3); y += roll(d2); } return x - y;",
        "x = roll(d4); y = x; x += roll(d2); return x * 10 + y;",
        // Exits that meet: those of loops, of branches, of the body.
        "x = 0; while (x < 5) { x += roll(d3); if (x == 4) { break; } if (x == 2) { continue; } x += roll(d2); } return x;",
        "x = 0; repeat (3) { a = roll(d4); if (a == 1) { continue; } if (a == 4) { return -x; } x += a; } return x;",
        "x = roll(d2) == 1 ? 0 : 7; y = 1; repeat (2) { y += roll(d2); x += y; } return x;",
        // Lists keep a number in a word of an object.
        "xs = [3, 4]; repeat (3) { xs[0] += roll(d2); } return xs[0] * 10 + xs[1];",
        "xs = [0, 0, 0]; repeat (3) { xs[roll(d3) - 1] += 1; } return xs[0] * 16 + xs[1] * 4 + xs[2];",
        // Statistics and lines.
        "hp = 6; repeat (3) { hp -= roll(d3); stat(\"hp\", hp); if (hp < 2) { output(\"hurt: \" + hp); } } return hp;",
    ] {
        check(&format!("defroll \"R\" r() {{ {body} }}"), &json!({}));
    }
}

#[test]
fn columns_of_calls_equal_brute_force() {
    check(
        "deftype fighter { name: string, hp: int, ac: int = 3 }
        deffun strike(a: fighter, bonus: int): int {
            n = roll(d4);
            if (n == 4) { a.hp -= roll(2d2); return 2; }
            if (n + bonus >= a.ac) { a.hp -= roll(d3); return 1; }
            return 0;
        }
        defroll \"R\" r(a: fighter, b: fighter) {
            hits = 0;
            repeat (2) { hits += strike(a, 1); }
            if (a.hp > 0) { strike(b, 0); }
            return a.hp * 100 + b.hp * 10 + hits;
        }",
        &json!({ "a": { "name": "A", "hp": 5 }, "b": { "name": "B", "hp": 4 } }),
    );
}

/// The fuel of a column is a bound. If it is too high, it is computed of each state.
#[test]
fn bounds_on_fuel_trap_nobody() {
    // Each half burns more than half of the fuel, but none of both.
    let halves = "x = roll(d2);
        if (x == 1) { repeat (12000) { x = 1; } }
        if (x == 2) { repeat (12000) { x = 2; } }";
    let (odds, _) = odds_and_work(&format!("{halves} return x;"));
    let result = odds.result.expect("a number");
    assert_eq!((result.min(), result.max(), result.len()), (1, 2, 2));
    let both = format!("{halves} if (x == 1) {{ repeat (12000) {{ x = 1; }} }} return x;");
    let failure = fails(&format!("defroll \"R\" r() {{ {both} }}"));
    let Failure::Trap(trap) = failure else {
        panic!("{failure:?}");
    };
    assert_eq!(trap.code, TrapCode::OutOfFuel);
}

/// What is added to a column costs a multiplication for each pair of a number and an outcome.
#[test]
fn attacks_are_convolutions() {
    let (odds, work) = odds_and_work(
        "hp = 400;
        repeat (40) {
            n = roll(d20);
            if (n == 20) { hp -= roll(8d6); } else if (n > 7) { hp -= roll(4d6); }
        }
        return hp;",
    );
    let result = odds.result.expect("a number");
    // 40 times 12 in 20 hits of 14, and a critical one in 20 of 28.
    let mean = 400.0 - 40.0 * (0.6 * 14.0 + 0.05 * 28.0);
    assert!((result.mean() - mean).abs() < 1e-9, "{}", result.mean());
    assert!(result.error_bound() < 1e-11, "{}", result.error_bound());
    assert!(work < 5_000_000, "{work}");
    let small = Limits {
        work: 1_000_000,
        ..Limits::default()
    };
    let endless = bound(
        "defroll \"R\" r() { x = 0; repeat (1000) { x += roll(d6); } return x; }",
        &json!({}),
    );
    assert!(endless.solve::<f64>(&small).is_err());
}

/// Attacks whose damage is in a variable, in a helper's result or halved by a save are one
/// distribution of what is taken away.
#[test]
fn segments_at_once_equal_brute_force() {
    for body in [
        "hp = 9; repeat (2) { d = 0; n = roll(d4); if (n == 4) { d = roll(2d3); } else if (n > 1) { d = roll(d3); } hp -= d; } return hp <= 0;",
        "hp = 9; repeat (2) { d = roll(2d3); if (roll(d4) > 2) { d = d / 2; } hp -= d; } return hp;",
        "hp = 9; repeat (2) { d = roll(2d3); if (roll(d4) > 2) { d = d / 2; } hp = max(0, hp - d); } return hp;",
        // Below the floor from the beginning, and healed up to a number.
        "hp = -3; repeat (2) { d = 0; if (roll(d2) == 1) { d = roll(d3); } hp -= d; } return hp > 0;",
        "hp = 2; repeat (2) { d = roll(d4) - 2; hp -= d; if (hp < 0) { hp = 4; } } return hp;",
        "hp = 4; repeat (2) { d = roll(d4); if (d == 2) { hp += 1; } else { hp -= d; } } return hp > 1;",
        // The number that is added to is asked about, before or after.
        "hp = 6; repeat (3) { d = roll(d3); if (hp > 3) { d += roll(d2); } hp -= d; } return hp;",
        "hp = 6; rounds = 0; while (hp > 0) { rounds += 1; d = roll(d3); if (d > 1) { d += 1; } hp -= d; } return rounds;",
        // Exits from the middle.
        "x = 0; repeat (3) { d = roll(d4); if (d == 1) { continue; } if (d == 4) { return x; } if (d == 3) { break; } x += d; } return x + 10;",
        // Two numbers that vary, one that is used twice, and one that is taken away from a number.
        "x = 0; y = 0; repeat (2) { d = roll(d3); e = roll(d2); x += d; y += e; } return x * 10 + y;",
        "x = 0; y = 0; repeat (2) { d = roll(d3); x += d; y -= d; } return x * 10 + y;",
        "x = 0; repeat (2) { d = 5 - roll(d3); if (roll(d2) == 1) { d = 7 - d; } x += d; } return x;",
        // The counter is part of what is added.
        "x = 0; for (i : 1..3) { d = roll(d3); if (d > i) { d += i; } x += d; } return x;",
        // Lines and statistics of branches.
        "hp = 5; repeat (2) { d = roll(d3); if (roll(d2) == 1) { output(\"saved\"); d = d / 2; } stat(\"d\", d); hp -= d; } return hp;",
    ] {
        check(&format!("defroll \"R\" r() {{ {body} }}"), &json!({}));
    }
    check(
        "deffun blow(bonus: int): int {
            n = roll(d4);
            if (n == 4) { return roll(2d3) + bonus; }
            if (n == 1) { return 0; }
            return roll(d3) + bonus;
        }
        defroll \"R\" r(hp: int) {
            repeat (2) { hp -= blow(1); }
            return hp <= 0;
        }",
        &json!({ "hp": 9 }),
    );
}

/// Damage that waits in a variable is not kept for each number of hit points.
#[test]
fn damage_in_a_variable_costs_as_much_as_without() {
    let attacks = |critical: &str, hit: &str, end: &str| {
        odds_and_work(&format!(
            "hp = 60; repeat (3) {{
                d = 0; n = roll(d20);
                if (n == 20) {{ {critical} }} else if (n > 7) {{ {hit} }}
                {end}
            }} return hp;"
        ))
    };
    let (direct, cheap) = attacks("hp -= roll(8d6);", "hp -= roll(4d6);", "");
    let (kept, work) = attacks("d = roll(8d6);", "d = roll(4d6);", "hp -= d;");
    let [direct, kept] = [direct, kept].map(|odds| odds.result.expect("a number"));
    assert_eq!(direct.len(), kept.len());
    let bound = direct.error_bound() + kept.error_bound();
    for (value, weight) in kept.iter() {
        let error = (weight - direct.probability(value)).abs();
        assert!(error <= bound * weight, "{value}: {error}");
    }
    assert!(work < 2 * cheap, "{work}, {cheap} without");
}

/// The odds of attacks on a column, whose outcomes are convolved with it, are as close to the
/// fractions as their bound says.
#[test]
fn bounds_on_errors_hold() {
    for body in [
        "hp = 40; repeat (4) { n = roll(d20); if (n == 20) { hp -= roll(4d6) + 3; } else if (n + 5 >= 14) { hp -= roll(2d6) + 3; } } return hp;",
        "hp = 40; repeat (4) { n = roll(d20); if (n == 20) { hp -= roll(4d6) + 3; } else if (n + 5 >= 14) { hp -= roll(2d6) + 3; } } return hp <= 0;",
        "hp = 30; repeat (5) { hp -= max(roll(3d8) - 4, 0); hp = min(hp + roll(d4), 30); } return hp;",
        "x = 0; repeat (6) { x += roll(d6) * 100 + roll(3d4); if (x > 900) { x -= roll(d10); } } return x;",
        "hp = 50; repeat (3) { dealt = roll(8d6); if (roll(d20) > 11) { dealt /= 2; } hp -= dealt; } return hp > 0;",
    ] {
        let roll = bound(&format!("defroll \"R\" r() {{ {body} }}"), &json!({}));
        let limits = Limits::default();
        let exact = roll.solve::<UBig>(&limits).expect("small").result;
        let close = roll.solve::<f64>(&limits).expect("small").result;
        let (exact, close) = exact.zip(close).expect("numbers");
        assert_eq!(exact.len(), close.len(), "{body}");
        // The probability is rounded once more where it is shown.
        let most = close.error_bound() + f64::EPSILON;
        for ((value, wanted), (same, p)) in exact.probabilities().zip(close.probabilities()) {
            assert_eq!(value, same, "{body}");
            let error = (p - wanted).abs();
            assert!(error <= most * wanted, "{body} {value}: {error}");
        }
    }
}

/// A column whose words are small in some states and huge in others: some sums leave the numbers.
#[test]
fn words_of_a_column_may_be_huge() {
    let failure = fails(
        "defroll \"R\" r() {
            x = roll(d2) == 1 ? 3 : 9223372036854775000; y = roll(d6);
            if (y > 3) { x = x + roll(d20) * 100; }
            return x > 100 ? 1 : 0;
        }",
    );
    let Failure::Trap(trap) = failure else {
        panic!("{failure}");
    };
    assert_eq!(trap.code, TrapCode::Overflow);
}
