//! Programs whose exact odds were wrong once. Each is the smallest that shows its fault.

use crate::scripts::{bound, check};
use dicec_compiler::Failure;
use dicec_runtime::pmf::Limits;
use dicec_tests::enumerate_script::ScriptEnumeration;
use serde_json::json;

/// The order of a list is observed, and was not noticed to be.
const ORDERS: [&str; 12] = [
    // An index in an aggregate: any element was taken for the one that `min` and `max` begin with.
    "defroll \"R\" r() { xs = [roll(d6) for i : 1..4]; return sum(xs[i] for i : 0..0); }",
    "defroll \"R\" r() { xs = [roll(d4) for i : 1..3]; sort(x by x descending for x : xs); return sum(xs[i] for i : 0..1); }",
    "defroll \"R\" r() { xs = [roll(d4) for i : 1..3]; return max(xs[i] * i for i : 0..2); }",
    "defroll \"R\" r() { xs = [roll(d4), roll(d4)]; return count(xs[0] > x for x : xs) + sum(xs[0] for x : xs); }",
    "import std.pools; defroll \"A\" a() { return keepHighest(rollDice(4, 6), 3); }",
    "import std.pools; defroll \"A\" a() { return keepLowest(rollDice(3, 4), 2); }",
    // The list that a call gives.
    "import std.pools; defroll \"A\" a() { return rollDice(2, 6)[0]; }",
    "deffun two() { return [roll(d4), roll(d4)]; } defroll \"A\" a() { return two()[1] * 10 + pop(two()); }",
    "deffun two() { return [roll(d4), roll(d4)]; } defroll \"A\" a() { n = 0; for (x : two()) { n = n * 10 + x; } return n; }",
    "deftype bag { xs: int list } deffun two() { return [roll(d4), roll(d4)]; } defroll \"A\" a() { b = bag{xs: two()}; return b.xs[0]; }",
    // A loop that appends to its own list comes to what is appended.
    "defroll \"R\" r() { n = 0; xs = [roll(d3), roll(d3)]; for (x : xs) { n += x; if (x == 3) { append(xs, roll(d2)); } } return n; }",
    "defroll \"R\" r() { n = 0; xs = [roll(d3), roll(d3)]; ys = xs; for (x : xs) { n += x; if (x == 3) { append(ys, 1); } } return n; }",
];

#[test]
fn orders_are_observed() {
    for text in ORDERS {
        check(text, &json!({}));
    }
}

/// What a caller had burnt was mixed up with what its call burnt last: fuel ran out too early.
#[test]
fn calls_burn_what_they_burn() {
    check(
        "deffun f(n: int) { x = 0; repeat (6000) { x += n; } return n + roll(d4); }
         defroll \"R\" r() { a = f(1); b = f(2); c = f(3); return a * 100 + b * 10 + c; }",
        &json!({}),
    );
}

/// A call that runs out of fuel does so where its trial does, which had burnt some before: also for
/// the call that returns the parts of a result.
#[test]
fn fuel_runs_out_at_its_place() {
    let text = "deffun f(n: int) { while (n > 0) { if (any(x > 9 for x : [n, 2, 3])) { n--; } } return 0; }
        defroll \"R\" r() { xs = [BEFORE]; return RESULT; }";
    let befores = ["1, 2", "1, 2, 3", "1, 2, 3, 4", "roll(d2), 2, 3, 4, 5"];
    let number = befores.map(|before| (before, "f(5) + len(xs)"));
    let parts = befores.map(|before| (before, "{ all: f(5), count: len(xs) }"));
    for (before, result) in number.into_iter().chain(parts) {
        let text = text.replace("BEFORE", before).replace("RESULT", result);
        let roll = bound(&text, &json!({}));
        let all = ScriptEnumeration::of(&roll.question(), 10).expect("few rolls");
        let Err(Failure::Trap(trap)) = roll.solve::<f64>(&Limits::default()) else {
            panic!("it goes on without end: {text}");
        };
        assert!(
            all.traps.contains(&trap),
            "{trap:?}, {:?}\n{text}",
            all.traps
        );
    }
}
