//! Lists whose order nothing observes have the same odds in any order: what is merged for that
//! changes none, whatever else is done with the lists.

use crate::interchange::least_fuel;
use crate::scripts::{bound, check};
use dicec_exact::solve;
use dicec_runtime::pmf::Budget;
use serde_json::json;

const FUNCTIONS: &str = "
    deffun pool(n: int) { return [roll(d3) for i : 1..n]; }
    deffun most(xs: int list) { return max(count(x == y for x : xs) for y : 1..3); }
    deffun more(xs: int list) { append(xs, roll(d2)); }
    deffun first(xs: int list) { return xs[0]; }
    deffun same(xs: int list) { return xs; }
    ";

/// How the list `xs` of rolled numbers is made.
const MADE: [&str; 10] = [
    "xs = [roll(d3) for i : 1..3];",
    "xs = []; repeat (3) { append(xs, roll(d3)); }",
    "xs = [roll(d3), 2, roll(d2)];",
    "xs = pool(3);",
    "xs = sorted([roll(d3) for i : 1..3]);",
    "xs = sorted(-x by x descending for x : pool(3));",
    "xs = [roll(d2), roll(d2)] + [roll(d3),];",
    "xs = pool(2); more(xs);",
    "ys = pool(3); xs = [x == 1 ? roll(d3) : x for x : ys];",
    "xs = roll(d2) == 1 ? pool(2) : [1, roll(d3)];",
];

/// What is done with it next; in some of these, the order is observed.
const DONE: [&str; 23] = [
    "",
    "for (x : xs) { if (x == 2) { n++; } }",
    "for (x : xs) { if (x == 1) { n += roll(d2); } }",
    "for (x : xs) { n = max(n, x); }",
    "for (x : xs) { y = x * 2; if (y > 2) { n += y; } }",
    "for (x : xs) { if (x == 3) { n = 7; } }",
    "for (x : xs) { if (x == 3) { n = 7; break; } }",
    "for (x : xs) { if (x == 1) { continue; } n -= x; }",
    "n = sum(xs) - min(xs);",
    "ys = [x for x : xs if x > 1]; n = len(ys) * 10 + (contains(ys, 3) ? 1 : 0);",
    "sort(xs); n = xs[0] * 10 + xs[1];",
    "xs = sorted(x by x descending for x : xs); n = xs[0] * 10 + xs[1];",
    "sort(x by x descending for x : xs); for (x : xs) { n = n * 4 + x; }",
    "n = most(xs) * 10 + count(y == x for y : xs for x : xs);",
    "n = (any(x == 3 for x : xs) ? 1 : 0) + (all(x > 1 for x : xs) ? 2 : 0);",
    // The order is observed.
    "for (x : xs) { n = n * 4 + x; }",
    "for (x : xs) { if (n == 0) { n = x; } }",
    "for (x : xs) { n = x; }",
    "n = first(xs);",
    "ys = same(xs); n = ys[0];",
    "ys = xs; append(ys, roll(d2)); n = xs[len(xs) - 1];",
    "sort(xs); append(xs, roll(d3)); n = xs[0] * 4 + xs[len(xs) - 1];",
    "ys = []; for (x : xs) { append(ys, x); n = n * 4 + ys[0]; }",
];

/// What is asked at the end.
const RESULTS: [&str; 4] = [
    "n",
    "n * 100 + sum(xs)",
    "n * 100 + most(xs)",
    "n * 100 + xs[0]",
];

#[test]
fn any_order_has_the_same_odds() {
    for (place, made) in MADE.iter().enumerate() {
        for (at, done) in DONE.iter().enumerate() {
            let done = done.replace(
                "count(y == x for y : xs for x : xs)",
                "sum(count(y == x for y : xs) for x : xs)",
            );
            let result = RESULTS[(place + at) % RESULTS.len()];
            let text = format!(
                "{FUNCTIONS} defroll \"R\" r() {{ n = 0; {made} {done} return {result}; }}"
            );
            check(&text, &json!({}));
        }
    }
}

/// How a list `ds` of dice is made, whose records nothing changes.
const DICE: [&str; 7] = [
    "ds = dice(3d3);",
    "ds = dice(2d3 + d2);",
    "ds = dice(d(roll(d2) + 1, 3));",
    "ds = dice(d(2, roll(d3)));",
    "ds = [d for d : dice(2d3) if d.face > 1] + dice(d2);",
    "ds = dice(2d3) + dice(d2);",
    "ds = dice(3d{1,1,4});",
];

/// What is done with it; in the last of these, the order is observed.
const ASKED: [&str; 12] = [
    "n = sum(d.value for d : ds) * 10 + len(ds);",
    "n = max(count(e.face == d.face for e : ds) for d : ds);",
    "for (d : ds) { if (d.face == d.sides) { n += roll(d2); } }",
    "for (d : ds) { if (d.face == 3) { n = 7; break; } }",
    "n = (any(d.face == 3 for d : ds) ? 1 : 0) + (all(d.kept for d : ds) ? 2 : 0);",
    "xs = sorted(d.face by d.face descending for d : ds); for (x : xs) { n = n * 5 + x; }",
    "for (x : sorted(d.face for d : ds)) { n = n * 5 + x; }",
    "es = [d for d : ds if d.value > 1]; n = len(es) * 10 + sum(e.value for e : es);",
    "for (d : ds) { n = n * 5 + d.face; }",
    "for (d : ds) { n = d.value; }",
    "n = len(ds) > 1 ? ds[1].face : 0;",
    "es = ds; append(es, ds[0]); n = ds[len(ds) - 1].face;",
];

#[test]
fn dice_in_any_order_have_the_same_odds() {
    for (place, made) in DICE.iter().enumerate() {
        for (at, asked) in ASKED.iter().enumerate() {
            let result = match (place + at) % 2 {
                0 => "n",
                _ => "n * 100 + sum(d.face * d.sides for d : ds)",
            };
            let text = format!("defroll \"R\" r() {{ n = 0; {made} {asked} return {result}; }}");
            check(&text, &json!({}));
        }
    }
}

/// Sums that overflow if the list is sorted, and not in its own order.
#[test]
fn sums_overflow_in_their_own_order() {
    for asked in [
        "n = 0; for (x : xs) { n += x; } return n;",
        "return sum(xs) + a;",
    ] {
        let text = format!("defroll \"R\" r(a: int) {{ xs = [a, -a, a - roll(d2), -a]; {asked} }}");
        check(&text, &json!({"a": 8_000_000_000_000_000_000_i64}));
    }
}

/// What is asked of many dice, and how many dice of six sides.
const MERGED: [(&str, u32); 10] = [
    ("return max(count(x == f for x : xs) for f : 1..6);", 12),
    (
        "return most(f by count(x == f for x : xs) for f : 1..6);",
        12,
    ),
    ("return max(count(y == x for y : xs) for x : xs);", 12),
    ("return sum(xs) - min(xs) - max(xs);", 12),
    ("xs = sorted(xs); return xs[0] + xs[11];", 12),
    ("sort(xs); return xs[3] * 10 + xs[8];", 12),
    (
        "xs = sorted(x by x descending for x : xs); n = 0; for (x : xs) { n = n > 10 ? n - x : n * 2 + x; } return n;",
        9,
    ),
    (
        "ys = [x < 3 ? roll(d6) : x for x : xs]; return max(count(x == f for x : ys) for f : 1..6);",
        8,
    ),
    ("return contains(xs, 6) ? sum(xs) : max(xs);", 12),
    ("return sorted(xs)[3] * 10 + sorted(x for x : xs)[8];", 12),
];

/// The same of the records of dice, which are merged while they are rolled, too.
const MERGED_DICE: [&str; 9] = [
    "ds = dice(12d6); return max(count(d.face == f for d : ds) for f : 1..6);",
    "ds = dice(12d6); return sum(d.value for d : ds) - max(d.value for d : ds);",
    "ds = dice(12d6); return max(count(e.face == d.face for e : ds) for d : ds);",
    "return sorted(d.face for d : dice(12d6))[4];",
    "xs = sorted(d.face by d.face descending for d : dice(12d6)); return xs[0] + xs[3];",
    "ds = dice(20d4); return max(count(d.face == f for d : ds) for f : 1..4);",
    "ds = dice(5d6 + 5d8); return max(count(d.face == f for d : ds) for f : 1..8);",
    "ds = dice(d(roll(d3) + 9, 6)); return max(count(d.face == f for d : ds) for f : 1..6);",
    "return sorted(roll(d6) for i : 1..12)[4];",
];

#[test]
fn many_dice_of_pools_are_few_states() {
    for asked in MERGED_DICE {
        let text = format!("defroll \"R\" r() {{ {asked} }}");
        let roll = bound(&text, &json!({}));
        let odds = solve::<f64>(&roll.question(), &mut Budget::default()).expect("few states");
        assert!(odds.result.expect("a number").len() > 1, "{asked}");
    }
}

/// Twelve dice have 6^12 orders, and 6,188 multisets.
#[test]
fn many_dice_are_few_states() {
    for (asked, dice) in MERGED {
        let text = format!("defroll \"R\" r() {{ xs = [roll(d6) for i : 1..{dice}]; {asked} }}");
        let roll = bound(&text, &json!({}));
        let mut budget = Budget::default();
        let odds = solve::<f64>(&roll.question(), &mut budget).expect("within the budget");
        assert!(odds.result.expect("a number").len() > 1, "{asked}");
    }
}

/// Five dice, of which those that are not like the most frequent one are rolled again, twice: five
/// alike have a chance of 347897/7558272.
#[test]
fn five_alike_in_three_rolls() {
    let most = "max(count(x == f for x : xs) for f : 1..6)";
    let text = format!(
        "defroll \"R\" r() {{
            xs = [roll(d6) for i : 1..5];
            repeat (2) {{
                best = most(f by count(x == f for x : xs) for f : 1..6);
                xs = [x == best ? x : roll(d6) for x : xs];
            }}
            return {most};
        }}"
    );
    let roll = bound(&text, &json!({}));
    let odds = solve::<f64>(&roll.question(), &mut Budget::default()).expect("few states");
    let five = odds.result.expect("a number").probability(5);
    assert!((five - 347_897.0 / 7_558_272.0).abs() < 1e-14, "{five}");
}

/// A search ends with what it finds, so that the fuel it burns depends on the order; the answer
/// never needs more of it than some order does.
#[test]
fn fuel_is_that_of_any_order() {
    let needs = |asked: &str| {
        let text = format!("defroll \"R\" r() {{ xs = [roll(d3) for i : 1..4]; {asked} }}");
        least_fuel(&bound(&text, &json!({})))
    };
    let search = "any(x == 1 for x : xs)";
    let merged = needs(&format!("return {search};"));
    let observed = needs(&format!("return {search} && xs[0] > 0;"));
    assert_eq!(merged, observed);
}
