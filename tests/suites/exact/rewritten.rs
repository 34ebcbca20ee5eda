//! Lists of dice that are rolled later or face by face: it happens where it changes nothing but the
//! number of states, and not where one thing is changed so that it would. All programs are compared
//! with brute force.

use crate::recognisers::taken;
use crate::scripts::{bound, check};
use dicec_exact::{Shortcuts, solve, take_fired};
use dicec_runtime::pmf::Budget;
use dicec_tests::programs::{first, script};
use serde_json::json;

const FRAME: &str = "deffun of(xs: int list, f: int) : int { return count(x == f for x : xs); }
    deffun left(a: int list, b: int list) : int {
        j = 0; left = 0;
        for (x : a) {
            while (j < len(b) && b[j] < x) { j++; }
            if (j < len(b)) { j++; } else { left++; }
        }
        return left;
    }
    deffun more(xs: int list) : int { append(xs, 1); return 1; }
    defroll \"R\" r() { n = 0; BODY }";

const REWRITES: Shortcuts = Shortcuts::FACES
    .union(Shortcuts::LATE)
    .union(Shortcuts::DROPPED);

fn text(body: &str) -> String {
    FRAME.replace("BODY", body)
}

fn each(shortcut: &str, fits: bool, bodies: &[&str]) {
    for body in bodies {
        let text = text(body);
        check(&text, &json!({}));
        assert_eq!(taken(shortcut, &text) > 0, fits, "{shortcut}: {body}");
    }
}

#[test]
fn a_list_is_rolled_when_it_is_read() {
    each(
        "late",
        true,
        &[
            "a = dice(3d4); b = dice(2d4); return count(x.face > 2 for x : a) - count(y.face > 2 for y : b);",
            "a = [roll(d4) for i : 1..3]; b = [roll(d4) for i : 1..2]; return of(a, 1) * 10 + of(b, 2);",
            "a = dice(3d4); b = sorted(d.face for d : dice(2d4)); n = max(x.face for x : a); return n * 10 + b[1];",
            "a = dice(2d4); b = dice(2d4); if (any(x.face == 1 for x : a)) { n = 10; } return n + sum(y.face for y : b);",
            "a = dice(2d4); b = dice(2d4); output(\"a\"); return sum(x.face for x : a) > sum(y.face for y : b);",
            "repeat (2) { a = dice(2d3); b = dice(2d3); n += max(x.face for x : a) - max(y.face for y : b); } return n;",
        ],
    );
    each(
        "late",
        false,
        &[
            // There is one list.
            "a = dice(3d4); return count(x.face > 2 for x : a) - count(y.face > 1 for y : a);",
            // Something between them reads both.
            "a = dice(2d4); b = dice(2d4); return count(any(x.face == y.face for x : a) for y : b);",
            // The list is assigned twice.
            "a = [roll(d4) for i : 1..2]; b = [roll(d4) for i : 1..2]; n = sum(a); b = [roll(d3) for i : 1..2]; return n - sum(b);",
            // What it depends on changes.
            "a = [roll(d4) for i : 1..2]; n = 2; b = [roll(d4) for i : 1..n]; n = sum(a); return n - sum(b);",
            // The loop may end before.
            "m = 0; repeat (2) { a = [roll(d4) for i : 1..2]; b = [roll(d4) for i : 1..2]; if (a[0] > 2) { break; } m += sum(b); } return m;",
            // A call that may change anything.
            "a = [roll(d4) for i : 1..2]; b = [roll(d4) for i : 1..2]; n = more(a); return sum(a) - sum(b);",
        ],
    );
}

#[test]
fn dice_are_rolled_face_by_face() {
    each(
        "faces",
        true,
        &[
            // A loop through faces.
            "a = dice(5d6); return max(count(x.face == f for x : a) for f : 1..6);",
            "a = dice(5d6); return sum(count(x.face == f for x : a) / 2 * f for f : 1..6);",
            "a = dice(5d6); return count(any(x.face == f for x : a) for f : 2..4);",
            "a = dice(5d6); return sum(count(x.face > f for x : a) * count(x.face >= f for x : a) for f : 0..8);",
            "a = dice(5d6); return sum(count(x.face < f for x : a) - count(f >= x.face for x : a) * f for f : 1..6);",
            "a = dice(5d6); return count(all(x.face != f for x : a) for f : 1..6);",
            "a = dice(5d6); return max(sum(x.face for x : a if x.face == f) for f : 1..6);",
            "a = dice(5d6); return max(count(x.face == f + 1 for x : a) for f : 1..6);",
            "a = dice(3d4); b = dice(2d6); left = 0; for (i : 0..5) { left += count(y.face == 6 - i for y : b); n += min(left, count(x.face >= 6 - i for x : a)); } return n;",
            "a = dice(3d4); b = dice(2d6); for (i : 0..5) { f = 6 - i; n = n * 2 + (count(y.face < f for y : b) > count(x.face > f for x : a) ? 1 : 0); } return n;",
            "a = dice(5d6); for (i : 3..4) { n = n * 5 + count(x.face <= 6 - i for x : a); } return n;",
            "a = dice(3d4); b = dice(2d6); for (x : sorted(d.face by d.face descending for d : a)) { n = (n * 3 + x + count(y.face > x for y : b)) % 50; } return n;",
            "a = [roll(d6) for i : 1..5]; for (f : 1..6) { n = n * 2 + (of(a, f) > 1 ? 1 : 0); } return n;",
            // A loop through the dice.
            "a = dice(5d6); return max(count(x.face == y.face for x : a) for y : a);",
            "a = dice(5d6); return count(all(x.face <= y.face for x : a) for y : a);",
            "a = dice(5d6); return sum(y.face == y.sides ? 10 : y.value for y : a);",
            "return count(x.face > 4 for x : dice(5d6));",
            "for (x : sorted(roll(d6) for i : 1..5)) { n = (n * 3 + x) % 100; } return n;",
            "for (x : sorted(d.face by d.face descending for d : dice(5d6))) { if (x == 3) { continue; } n = (n * 3 + x) % 100; } return n;",
            "for (x : sorted(roll(d6) for i : 1..5)) { n += x; if (n > 9) { return n; } } return 0;",
            // Two lists.
            "a = dice(3d4); b = dice(3d4); return sum(min(count(x.face == f for x : a), count(y.face == f for y : b)) for f : 1..4);",
            "a = dice(3d4); b = dice(2d6); return count(any(x.face == y.face for x : a) for y : b);",
            "a = dice(3d4); b = dice(2d6); return count(all(x.face < y.face for x : b) for y : a);",
            "a = dice(3d4); b = dice(2d6); return max(count(x.face == f for x : a) > count(y.face == f for y : b) ? f : 0 for f : 1..6);",
            // Single elements of a sorted list.
            "return sorted(roll(d6) for i : 1..5)[3];",
            "s = sorted(d.face for d : dice(5d6)); return s[0] * 100 + s[2] * 10 + s[len(s) - 5];",
            "s = sorted(d.face by d.face descending for d : dice(5d6)); return s[0] * 10 + s[1];",
            "return sum(sorted(roll(d15) for j : 1..2)[i] for i : 0..1);",
            // Elements of a sorted list, one after another.
            "s = sorted(d.face by d.face descending for d : dice(5d6)); j = 0; while (j < len(s) && s[j] > 3) { j++; } return j;",
            "s = sorted(roll(d6) for i : 1..5); j = 0; for (x : sorted(roll(d4) for i : 1..2)) { while (j < len(s) && s[j] < x) { j++; } if (j < len(s)) { j++; } else { n++; } } return n;",
            "s = sorted(roll(d6) for i : 1..5); return sum(s[k] for k : 1..3);",
            "s = sorted(d.face by d.face descending for d : dice(5d6)); for (i : 0..2) { if (s[i] == 5) { continue; } n = n * 7 + s[i] * s[i]; } return n + len(s);",
            "s = sorted(roll(d6) for i : 1..5); j = 0; while (s[j] < 3 && j < 4) { j++; if (j == 2) { continue; } n++; } return n;",
            "a = sorted(roll(d4) for i : 1..3); b = sorted(roll(d6) for i : 1..4); return count(a[i] > b[i] for i : 0..2);",
            "a = sorted(roll(d6) for i : 1..4); if (roll(d2) == 1) { n = max(a[i] for i : 1..2); } return n;",
            "s = sorted(roll(d6) for i : 1..5); k = 0; if (s[k] > 1) { k++; n = s[k]; } return n;",
            "return sum(x.value * x.value for x : dice(4d8));",
            // Cards that are drawn.
            "all = [1 + i % 8 for i : 0..9]; hand = [draw(all) for i : 1..3]; return max(count(x == y for x : hand) for y : hand);",
            "all = [i < 4 ? 1 : i for i : 0..9]; hand = [draw(all) for i : 1..3]; return count(x == 1 for x : hand) * 10 + 0;",
            "all = [min(7, 1 + i) for i : 0..8]; hand = [draw(all) for i : 1..4]; return sum(count(x >= f for x : hand) * f for f : 2..9);",
            "all = list(9, 9, 1, 2, 3, 5, 5, 5); hand = [draw(all) for i : 1..3]; return max(x for x : hand);",
            "all = [1 + i % 8 for i : 0..9]; hand = sorted([draw(all) for i : 1..3]); for (x : hand) { n = n * 9 + x; } return n;",
            "all = [1 + i % 8 for i : 0..9]; hand = [draw(all) for i : 1..3]; d = dice(2d6); return count(any(x.face == y for x : d) for y : hand);",
            // In a function.
            "return left(sorted(roll(d6) for i : 1..2), sorted(roll(d6) for i : 1..5));",
        ],
    );
    each(
        "faces",
        false,
        &[
            // Few states.
            "a = dice(2d6); return max(count(x.face == y.face for x : a) for y : a);",
            // Two loops.
            "a = dice(5d6); return max(count(x.face == f for x : a) for f : 1..6) * 10 + count(any(x.face == f for x : a) for f : 1..6);",
            // Another comparison than with the face.
            "a = dice(5d6); return sum(count(x.face == f for x : a) * count(x.face == 7 - f for x : a) for f : 1..6);",
            "a = dice(5d6); for (f : 1..6) { g = 2; n += count(x.face == g for x : a); g = f; n += count(x.face == g for x : a); } return n;",
            "a = dice(5d6); return max(count(x.face == 2 * f for x : a) for f : 1..3);",
            "a = dice(5d6); return max(count(x.face % 2 == f for x : a) for f : 0..1);",
            "a = dice(5d6); return sum(sum(x.face for x : a if x.face > f) for f : 1..6);",
            // The loop changes its number.
            "a = dice(4d8); for (f : 1..8) { f = 2; n += count(x.face == f for x : a); } return n;",
            // An iteration depends on those before it.
            "for (x : [roll(d6) for i : 1..5]) { n = (n * 3 + x) % 100; } return n;",
            // It leaves the loop.
            "for (x : sorted(roll(d6) for i : 1..5)) { if (x == 4) { break; } n = (n * 3 + x) % 100; } return n;",
            // Another index, another order, a changed list.
            "s = [roll(d6) for i : 1..5]; return s[3];",
            "s = sorted(roll(d6) for i : 1..5); s[1] = 3; return s[1] + s[2];",
            "s = sorted(roll(d6) for i : 1..5); k = roll(d2); return s[k] * 10 + s[k + 1];",
            "s = sorted(roll(d6) for i : 1..5); j = 1; while (j < 5 && s[j] < 4) { j++; } return j;",
            "s = sorted(roll(d6) for i : 1..5); j = 0; while (j < 5 && s[j] < 4) { j += 2; } return j;",
            "s = sorted(roll(d6) for i : 1..5); j = 0; while (j < 5 && s[j] < 4) { j++; } j = 0; return s[j];",
            "s = sorted(roll(d6) for i : 1..5); for (i : 0..4) { n = n * 2 + (s[i] > s[4 - i] ? 1 : 0); } return n;",
            "s = sorted(roll(d6) for i : 1..5); repeat (2) { for (i : 0..1) { n = n * 6 + s[i]; } } return n;",
            "s = sorted(roll(d6) for i : 1..5); t = s; k = roll(d2); return s[k] + t[1];",
            "a = [roll(d6) for i : 1..5]; append(a, 3); return max(of(a, f) for f : 1..6);",
            "a = [roll(d6) for i : 1..5]; b = a; b[0] = 1; return max(of(a, f) for f : 1..6);",
            // The deck is read again, changed, or too small.
            "all = [1 + i % 8 for i : 0..9]; hand = [draw(all) for i : 1..3]; return max(x for x : hand) * 10 + draw(all);",
            "all = [1 + i % 8 for i : 0..9]; hand = [draw(all) for i : 1..3]; return max(x for x : hand) * 10 + len(all);",
            "all = [1 + i % 8 for i : 0..9]; append(all, 3); hand = [draw(all) for i : 1..3]; return max(x for x : hand);",
            "all = [i % 8 for i : 0..9]; hand = [draw(all) for i : 1..3]; return max(x for x : hand);",
            "all = [1 + i % 8 for i : 0..9]; hand = [draw(all) + i for i : 1..3]; return max(x for x : hand);",
            // Dice that differ.
            "a = dice(2d6 + 2d8); return max(count(x.face == y.face for x : a) for y : a);",
            "a = [roll(d6) + i for i : 1..5]; return max(of(a, f) for f : 1..6);",
            // Records that are compared as records.
            "a = dice(5d6); return sum(count(x == y for x : a) for y : a);",
        ],
    );
}

#[test]
fn dice_are_dropped_in_order() {
    each(
        "dropped",
        true,
        &[
            "d = dice(5d6kh3); return sum(x.value for x : d if x.kept) * 100 + count(x.face == 6 for x : d);",
            "d = dice(4d4dl1); return max(count(x.face == y.face for x : d if x.kept) for y : d);",
            "d = dice(4d4kl2dh1); return sum(x.value for x : d if x.kept);",
            "return sum(x.value for x : dice(4d4dh2) if x.kept);",
            "d = dice(5d4km3); return sum(x.value for x : d if x.kept);",
            "a = dice(3d4kh2); b = dice(3d4kl2); return sum(x.value for x : a if x.kept) - sum(y.value for y : b if y.kept);",
        ],
    );
    each(
        "dropped",
        false,
        &[
            // All are kept.
            "d = dice(4d4); return sum(x.value for x : d if x.kept);",
            // The order of the dice.
            "d = dice(4d4kh2); return d[0].kept ? d[0].value : 0;",
            "d = dice(4d4kh2); for (x : d) { n = n * 2 + (x.kept ? 1 : 0); } return n;",
            "d = dice(4d4kh2); e = dice(2d4kh1); return e[0].kept ? sum(x.value for x : d if x.kept) : 0;",
            // A record changes.
            "d = dice(4d4kh2); for (x : d) { if (x.kept) { x.kept = false; n += x.value; } } return n + count(x.kept for x : d);",
            // The dice change before.
            "d = dice(3d4ro=1kh2); return sum(x.value for x : d if x.kept);",
        ],
    );
}

/// The lists of four dice, each with the expression of a face.
const MADE: [(&str, &str); 5] = [
    ("a = dice(4d6);", "x.face"),
    ("a = [roll(d6) for i : 1..4];", "x"),
    ("a = [d.face for d : dice(4d6)];", "x"),
    ("a = sorted(roll(d6) for i : 1..4);", "x"),
    (
        "a = sorted(d.face by d.face descending for d : dice(4d6));",
        "x",
    ),
];

/// The questions about a list at a face, and the loops through faces.
const ASKED: [&str; 3] = [
    "count(X OP f for x : a)",
    "(any(X OP f for x : a) ? 3 : 1)",
    "(all(f OP X for x : a) ? 1 : 2)",
];
const LOOPS: [&str; 4] = [
    "for (f : 0..7) { n = (n * 5 + ASKED) % 997; }",
    "for (i : 2..6) { f = 7 - i; n = (n * 5 + ASKED) % 997; }",
    "n = max((ASKED) * 7 + f for f : 3..5);",
    "n = sum((ASKED) * f * f for f : 1..6);",
];

/// All forms of the same question have the odds of the lists themselves.
#[test]
fn each_form_has_the_odds_of_the_list() {
    let mut fired = 0;
    for (made, face) in MADE {
        for op in ["==", "!=", "<", "<=", ">", ">="] {
            for (asked, each) in ASKED
                .iter()
                .flat_map(|asked| LOOPS.map(|each| (asked, each)))
            {
                let asked = asked.replace('X', face).replace("OP", op);
                let body = format!("{made} {} return n;", each.replace("ASKED", &asked));
                let roll = first(&script(&text(&body)), &json!({}));
                let solved = |shortcuts| {
                    let mut question = roll.question();
                    question.shortcuts = shortcuts;
                    take_fired();
                    let odds = solve::<f64>(&question, &mut Budget::default());
                    let fired = take_fired();
                    let faces = fired
                        .iter()
                        .any(|(name, times)| *name == "faces" && *times > 0);
                    (odds.expect("few states").result.expect("a number"), faces)
                };
                let ((with, walks), (without, _)) = (
                    solved(Shortcuts::all()),
                    solved(Shortcuts::all() - REWRITES),
                );
                fired += u32::from(walks);
                for (number, _) in with.iter().chain(without.iter()) {
                    let (p, q) = (with.probability(number), without.probability(number));
                    assert!((p - q).abs() < 1e-12, "{body}: P({number}) is {p}, not {q}");
                }
            }
        }
    }
    assert_eq!(fired, 5 * 6 * 3 * 4);
}

/// An index that is out of range is an error, as it was.
#[test]
fn indices_out_of_range_are_errors() {
    for body in [
        "return sorted(roll(d6) for i : 1..5)[5];",
        "k = roll(d6); return sorted(roll(d6) for i : 1..5)[k - 1];",
        "k = 5; return sorted(roll(d6) for i : 1..5)[k];",
        "s = sorted(roll(d6) for i : 1..5); return s[0] + s[5];",
    ] {
        let roll = bound(&text(body), &json!({}));
        let all = [Shortcuts::all(), Shortcuts::all() - Shortcuts::FACES];
        let answers = all.map(|shortcuts| {
            let mut question = roll.question();
            question.shortcuts = shortcuts;
            solve::<f64>(&question, &mut Budget::default()).map(|odds| odds.result)
        });
        assert!(answers[0].is_err(), "{body}");
        assert_eq!(answers[0], answers[1], "{body}");
    }
}

/// A roll may not hide that the fuel runs out without the rewrite.
#[test]
fn fuel_runs_out_as_it_did() {
    let body = "a = [roll(d6) for i : 1..90]; for (f : 1..200) { n += count(x == f for x : a); } return n;";
    let roll = bound(&text(body), &json!({}));
    let failure = solve::<f64>(&roll.question(), &mut Budget::default());
    let without = {
        let mut question = roll.question();
        question.shortcuts = Shortcuts::all() - Shortcuts::FACES;
        solve::<f64>(&question, &mut Budget::default())
    };
    assert!(
        failure.is_err() && without.is_err(),
        "{failure:?} {without:?}"
    );
}

/// Pools of any size have few states.
#[test]
fn large_pools_are_few_states() {
    for body in [
        "a = dice(10d6); b = dice(8d6); return sum(min(count(x.face == f for x : a), count(y.face == f for y : b)) for f : 1..6);",
        "a = dice(12d20); return max(count(x.face == y.face for x : a) for y : a);",
        "return sorted(roll(d20) for i : 1..12)[6];",
        "a = dice(14d10); b = dice(12d10); return max(x.face for x : a) > max(y.face for y : b);",
        "return left(sorted(roll(d6) for i : 1..10), sorted(roll(d6) for i : 1..8));",
        "d = dice(9d6kh3); return max(count(x.face == y.face for x : d if x.kept) for y : d if y.kept);",
        "a = dice(12d10); b = dice(9d10); return count(x.face >= 8 for x : a) - count(y.face >= 8 for y : b);",
    ] {
        let roll = first(&script(&text(body)), &json!({}));
        let spent = |shortcuts| {
            let mut question = roll.question();
            question.shortcuts = shortcuts;
            let mut budget = Budget::default();
            solve::<f64>(&question, &mut budget).map(|_| budget.spent())
        };
        let all = spent(Shortcuts::all()).expect("few states");
        let without = spent(Shortcuts::all() - REWRITES);
        assert!(
            without.map_or(true, |without| without > 10 * all),
            "{all}: {body}"
        );
    }
}
