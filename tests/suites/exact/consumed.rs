//! Loops that consume their list: a state does not hold the elements that were read, unless
//! something else may read or change the list.

use crate::recognisers::taken;
use crate::scripts::{bound, check};
use dicec_exact::{Shortcuts, solve};
use dicec_runtime::pmf::Budget;
use serde_json::json;

const FRAME: &str = "deftype c { hp: int }
    deffun two() : int list { return [roll(d3), roll(d2)]; }
    deffun twice(n: int) : int { m = 2; return n * m + roll(d2); }
    deffun more(list: int list) : int { append(list, 1); return 1; }
    deffun noted(n: int) : int { output(\"noted \" + n); return n; }
    defroll \"R\" r() { n = 0; xs = [roll(d3) for i : 1..3]; BODY }";

const TAKEN: [&str; 11] = [
    "for (x : xs) { n = n * 4 + x; } return n;",
    "for (x : xs) { if (x == 2) { break; } n = n * 4 + x; } return n;",
    "for (x : xs) { if (x == 2) { continue; } n = n * 4 + x; } return n;",
    "for (x : xs) { n = n * 4 + twice(x); } return n;",
    "for (x : two()) { n = n * 4 + x; } return n + xs[0] * 100;",
    "return sum(x == 1 ? roll(d2) : x for x : xs);",
    "ys = [x == 1 ? roll(d2) : x for x : xs]; return ys[0] * 10 + ys[2];",
    "repeat (2) { for (x : two()) { n = n * 4 + x; } } return n;",
    "ys = xs; for (x : ys) { n = n * 4 + x; } return n + xs[0] * 100;",
    "for (x : xs) { for (y : two()) { n = n * 2 + x * y; } } return n;",
    "for (x : xs + two()) { n = n * 2 + x; } return n + xs[1];",
];

const NOT: [&str; 11] = [
    // It is read after the loop, or in another iteration of one around it.
    "for (x : xs) { n = n * 4 + x; } return n + xs[0];",
    "repeat (2) { for (x : xs) { n = n * 3 + x; } } return n;",
    "while (n < 9) { for (x : xs) { n += x; } } return n;",
    // It is read in three places, whichever is last.
    "repeat (2) { xs = [x == 1 ? roll(d2) : x for x : xs]; } return xs[0] * 10 + xs[1];",
    // The loop changes it, by this or another name.
    "for (x : xs) { n += x; if (n < 4) { append(xs, 1); } } return n;",
    "ys = xs; zs = xs; for (x : zs) { n += x; if (n < 4) { append(ys, 1); } } return n;",
    "ys = xs; zs = xs; for (x : zs) { n += x; ys[1] = 5; } return n;",
    "ys = xs; zs = xs; for (x : zs) { n += x; ys[2] += 5; } return n;",
    "ys = xs; zs = xs; for (x : zs) { n = n * 4 + x; if (len(ys) > 2) { pop(ys); } } return n;",
    "ys = xs; zs = xs; for (x : zs) { n = n * 4 + x; if (len(ys) < 4) { n += more(ys); } } return n;",
    // A function that may do anything.
    "for (x : xs) { n = n * 4 + noted(x); } return n;",
];

#[test]
fn a_list_is_consumed_by_its_last_loop() {
    for (fits, bodies) in [(true, &TAKEN[..]), (false, &NOT[..])] {
        for body in bodies {
            let text = FRAME.replace("BODY", body);
            check(&text, &json!({}));
            assert_eq!(taken("consumed", &text) > 0, fits, "{body}");
        }
    }
}

/// Without the faces that were read, few states are left.
#[test]
fn consumed_lists_are_few_states() {
    let text = "defroll \"R\" r() {
        xs = [d.face for d : dice(8d6)];
        ys = [x == 1 || x == 6 ? x : roll(d6) for x : xs];
        return count(y == 6 for y : ys);
    }";
    let roll = bound(text, &json!({}));
    let spent = |shortcuts| {
        let mut question = roll.question();
        question.shortcuts = shortcuts;
        let mut budget = Budget::default();
        solve::<f64>(&question, &mut budget).map(|_| budget.spent())
    };
    let all = spent(Shortcuts::all()).expect("few states");
    let without = spent(Shortcuts::all() - Shortcuts::CONSUMED);
    assert!(without.map_or(true, |without| without > 2 * all), "{all}");
}
