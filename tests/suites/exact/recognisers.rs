//! Each shortcut is taken where its premise holds, and not where one thing is changed so that it
//! fails. All of these programs are compared with brute force, too.

use crate::scripts::{bound, check};
use dicec_compiler::Bound;
use dicec_exact::{SHORTCUTS, Shortcuts, solve, take_fired};
use dicec_runtime::pmf::Budget;
use dicec_tests::likely::{Compared, compare};
use dicec_tests::programs::{bare, notation};
use serde_json::json;

/// How often the answer to a roll took a shortcut.
pub(crate) fn taken(name: &str, text: &str) -> u64 {
    taken_by(name, &bound(text, &json!({})))
}

/// The same of a rule or roll.
fn taken_by(name: &str, roll: &Bound) -> u64 {
    take_fired();
    // Without the check of the answer, which takes some of them as well.
    let mut question = roll.question();
    question.shortcuts = Shortcuts::all();
    solve::<f64>(&question, &mut Budget::default()).expect("few states");
    let fired = take_fired();
    let times = fired.iter().find(|(known, _)| *known == name);
    times.expect("a shortcut").1
}

/// Programs in a frame; `BODY` is their place.
struct Recognised {
    shortcut: &'static str,
    frame: &'static str,
    taken: &'static [&'static str],
    not: &'static [&'static str],
}

const LISTS: Recognised = Recognised {
    shortcut: "lists",
    frame:
        "deffun two() { return [roll(d3), roll(d3)]; } deffun first(xs: int list) { return xs[0]; }
        deffun more(xs: int list) { append(xs, 1); }
        defroll \"R\" r() { n = 0; y = 0; xs = [roll(d3) for i : 1..3]; BODY }",
    taken: &[
        "return sum(xs);",
        "return sum(x * 2 for x : xs if x > 1);",
        "return count(x > 1 for x : xs);",
        "return any(x == 2 for x : xs);",
        "return all(x > 1 for x : xs);",
        "return max(xs) * 10 + min(xs);",
        "return max(0 - x for x : xs) + min(x + 1 for x : xs if x < 4) * 10;",
        "ys = sorted(xs); return ys[0];",
        "ys = sorted(x by x descending for x : xs); return ys[1];",
        "sort(xs); return xs[2];",
        "return sum(y + 1 for y : [x for x : xs if x > 1]);",
        "for (x : xs) { n += x; } return n;",
        "for (x : xs) { if (x == 2) { n++; } } return n;",
        "for (x : xs) { n = max(n, x); } return n;",
        "for (x : xs) { if (x == 2) { n = 5; break; } } return n;",
        "for (x : xs) { y = x * x; if (y > 2) { n -= y; } } return n;",
        "ys = []; for (x : xs) { append(ys, x + 1); } return sum(ys);",
        "return sum(xs + two());",
    ],
    not: &[
        // An element by its index, instead of each.
        "return sum(xs[i] for i : 0..0);",
        "return sum(x * xs[0] for x : xs if x > 1);",
        "return count(x > xs[1] for x : xs);",
        "return any(x == xs[2] for x : xs);",
        "return all(xs[0] > 1 for x : xs);",
        "return max(xs[i] for i : 0..1) * 10 + min(xs);",
        "return max(x - xs[0] for x : xs);",
        // The sorted list is not the one that is asked, or changed before.
        "sort(xs); append(xs, roll(d3)); return xs[2] * 10 + xs[3];",
        "sort(xs); more(xs); return xs[3];",
        "if (roll(d2) == 1) { sort(xs); } return xs[0];",
        "ys = xs; sort(x by -x for x : ys); return xs[0];",
        // The collected list is asked for its order.
        "ys = [x for x : xs if x > 1]; return len(ys) > 0 ? ys[0] : 0;",
        // An iteration depends on those before it.
        "for (x : xs) { n = n * 2 + x; } return n;",
        "for (x : xs) { if (n < 3) { n += x; } } return n;",
        "for (x : xs) { if (x == 2) { n++; } y = y + n; } return y;",
        "for (x : xs) { n = max(n, x) + 1; } return n;",
        "for (x : xs) { n = max(n, x - n); } return n;",
        "for (x : xs) { n = x; } return n;",
        "for (x : xs) { if (x == 2) { n = x; break; } n--; } return n;",
        "for (x : xs) { if (x == n) { break; } n++; } return n;",
        "for (x : xs) { if (x > 1) { n = x; break; } } return n;",
        "for (x : xs) { if (x == 2) { n = 5; } if (x == 3) { n = 4; } } return n;",
        "for (x : xs) { y = n; if (x > 1) { n = y + x * 2; } } return n;",
        "for (x : xs) { n += x; if (x == 3) { append(xs, 1); } } return n;",
        // The list has another name, in which it is asked.
        "ys = xs; return ys[0];",
        "return first(xs);",
        "n = 1; return pop(xs) * 10 + sum(xs);",
        "return indexOf(xs, 2);",
        "return pick(xs) + xs[0];",
    ],
};

/// The dice of a pool, which are records that nothing changes.
const DICE_LISTS: Recognised = Recognised {
    shortcut: "lists",
    frame: "defroll \"R\" r() { n = 0; ds = dice(3d3); BODY }",
    taken: &[
        "return sum(d.value for d : ds);",
        "return count(d.face > 1 for d : ds) * 10 + max(d.value for d : ds);",
        "return any(d.face == 2 for d : ds);",
        "for (d : ds) { if (d.face == 2) { n = 5; break; } } return n;",
        "xs = sorted(d.face by d.face descending for d : ds); return xs[0] * 10 + xs[1];",
        "return sorted(d.face for d : ds)[1] * 10 + len(ds);",
        "return sum(d.value for d : [d for d : ds if d.face > 1]);",
        "return max(count(e.face == d.face for e : ds) for d : ds);",
    ],
    not: &[
        "return ds[0].value;",
        "return sum(ds[i].value for i : 0..1);",
        "for (d : ds) { n = n * 4 + d.face; } return n;",
        "for (d : ds) { n = d.face; } return n;",
        "last = ds[2]; return last.face * 10 + count(d.face == 1 for d : ds);",
        "es = ds; return sum(d.face for d : ds) + es[1].face;",
        "return [d.face for d : ds][0];",
        "return least(d by d.face % 2 for d : ds).face;",
        // They are written to, so that two of them that are equal can be told apart.
        "for (d : ds) { d.value = 1; } return sum(d.value for d : ds);",
        "return count(d == ds[0] for d : ds);",
    ],
};

/// Rules of the notation that keep some dice before others change; and some that do not, or where
/// it matters which of equal dice is kept.
const MULTISETS: [&[&str]; 2] = [
    &[
        "3d4kh2ro<3",
        "3d4kl2ro<3kh1",
        "3d3kh2ro=1kl1ro=3",
        "4d3dl1ro=2min2",
        "3d4min2kh2max3",
        "3d3kh2ro=1>=3",
        "(1d2 + 1)d4kh1ro<3",
        "2d4kh1!",
        // Nothing reads the faces of the dice with equal values.
        "3d4min4kh2min1",
    ],
    &[
        "3d4kh2",
        "3d4ro<3kh2",
        "3d4min2kh2",
        // One of the dice with the value 3 is kept, and its face decides whether it is rerolled.
        "3d4min3kh1ro=1",
        // The dice that explosions add follow those that added them.
        "2d4!kh1ro=4",
    ],
];

#[test]
fn pools_are_walked_where_it_does_not_matter_which_die_is_kept() {
    for (fits, rules) in [true, false].into_iter().zip(MULTISETS) {
        for text in rules {
            let rule = bare(&notation(text));
            assert_eq!(compare(&rule, 100_000), Compared::Equal, "{text}");
            assert_eq!(taken_by("multisets", &rule) > 0, fits, "{text}");
        }
    }
}

const ORDERS: Recognised = Recognised {
    shortcut: "orders",
    frame: "deftype c { hp: int, ac: int = 1 }
        deffun stands(side: c list) { return any(one.hp > 0 for one : side); }
        deffun turn(who: c, foes: c list) {
            if (who.hp > 0 && stands(foes)) { y = pick(one for one : foes if one.hp > 0); y.hp -= roll(d2); }
        }
        defroll \"R\" r() {
            us = [c{hp: 2}; 2]; them = [c{hp: 2}, c{hp: 3}]; n = 0;
            repeat (3) { BODY }
            // In the order of the others.
            return them[0].ac * (stands(us) ? n : -1);
        }",
    taken: &[
        "for (x : them) { turn(x, us); }",
        "if (stands(us)) { y = pick(one for one : us if one.hp > 0); y.hp -= roll(d2); }",
        "for (i : 1..2) { y = most(one by one.hp for one : us); y.hp -= roll(d3) - 1; }",
        "for (x : us) { x.hp -= roll(d2) - 1; }",
        "for (x : them) { turn(x, us); } n += count(one.hp > 1 for one : us);",
        "for (x : them) { turn(x, us); } n += sum(one.hp for one : us);",
    ],
    not: &[
        "for (x : them) { turn(x, us); } n += us[0].hp;",
        "for (x : them) { turn(x, us); } n += sum(us[i].hp for i : 0..0);",
        "for (x : them) { turn(x, us); } n += max(us[i].hp - i for i : 0..1);",
        "for (x : them) { turn(x, us); } n = count(one.hp > us[0].hp for one : us);",
        "y = us[roll(d2) - 1]; y.hp -= roll(d2); n = us[1].hp;",
        "y = least(one by one.hp + one.ac for one : us); y.hp -= 1; y.ac += roll(d2);",
        "for (x : us) { x.hp -= roll(d2) - 1; n = n * 2 + x.hp; }",
        "for (x : us) { x.hp -= roll(d2) - 1; if (x.hp > 1) { break; } }",
        "for (x : us) { turn(us[0], them); x.hp -= n; n++; }",
        "for (x : them) { turn(x, us); } side = us; n += side[0].hp;",
        "for (x : them) { turn(x, us); } for (x : us) { n = x.hp; }",
        "for (x : us) { x.hp -= roll(d2) - 1; } z = [one for one : us]; n = z[0].hp;",
    ],
};

const FLOORS: Recognised = Recognised {
    shortcut: "floors",
    frame: "defroll \"R\" r() { hp = 5; n = 0; repeat (2) { hp -= roll(d4); } BODY }",
    taken: &[
        "return hp > 0;",
        "if (hp <= 0) { n = 1; } return n;",
        "return hp > 0 ? hp : 0;",
    ],
    not: &["return hp;", "return hp == 0 ? 1 : hp;"],
};

const DICE_VALUES: Recognised = Recognised {
    shortcut: "dice_values",
    frame: "deftype c { blow: dice = 2d4 + 1 } defroll \"R\" r() { x = c{}; BODY }",
    taken: &[
        "return roll(x.blow);",
        "y = roll(d2) == 1 ? x.blow : 1d6; return roll(y);",
    ],
    not: &["return roll(2d4 + 1);", "return maximum(x.blow);"],
};

/// What is asked of one list does not depend on another, whose order nothing observes.
const TWO_LISTS: [&str; 4] = [
    "ys = sorted(xs); return xs[0] * 10 + ys[0];",
    "ys = []; for (x : xs) { append(ys, x + 1); n += len(ys) * x; } return n;",
    "return two()[0] * 10 + max(xs);",
    "ys = two(); for (x : xs) { for (y : ys) { n = n + x; } n += ys[0]; } return n;",
];

#[test]
fn lists_are_asked_apart() {
    for program in TWO_LISTS {
        check(&LISTS.frame.replace("BODY", program), &json!({}));
    }
}

#[test]
fn shortcuts_are_taken_where_their_premises_hold() {
    let mut wrong = Vec::new();
    for Recognised {
        shortcut,
        frame,
        taken: fits,
        not,
    } in [LISTS, DICE_LISTS, ORDERS, FLOORS, DICE_VALUES]
    {
        let programs = fits.iter().map(|program| (program, true));
        for (program, fits) in programs.chain(not.iter().map(|program| (program, false))) {
            let text = frame.replace("BODY", program);
            check(&text, &json!({}));
            // A number whose floor is refuted got it before.
            let is_known = fits || shortcut != "floors";
            if is_known && (taken(shortcut, &text) > 0) != fits {
                wrong.push(format!("{shortcut}, {fits}: {program}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Whatever is switched off, the answers are the same.
#[test]
fn no_answer_depends_on_a_switch() {
    let text = ORDERS.frame.replace("BODY", ORDERS.taken[0]);
    let roll = bound(&text, &json!({}));
    let solved = |shortcuts| {
        let mut question = roll.question();
        question.shortcuts = shortcuts;
        let odds = solve::<dashu_int::UBig>(&question, &mut Budget::default());
        odds.expect("few states").result.expect("a number")
    };
    let all = solved(Shortcuts::all());
    for shortcut in SHORTCUTS {
        let without = solved(Shortcuts::all() - shortcut.flag);
        let values = |pmf: &dicec_runtime::pmf::Pmf<dashu_int::UBig>| {
            let all = pmf.probabilities();
            all.collect::<Vec<(i64, f64)>>()
        };
        assert_eq!(values(&all), values(&without), "{}", shortcut.name);
    }
}

#[test]
fn switches_have_names() {
    let parsed = |text| Shortcuts::parse(text);
    assert_eq!(parsed(""), Ok(Shortcuts::all()));
    let without = Shortcuts::all() - Shortcuts::ORDERS - Shortcuts::COLUMNS;
    assert_eq!(parsed("-orders,-columns"), Ok(without));
    assert_eq!(parsed("-all,+equal"), Ok(Shortcuts::EQUAL));
    for wrong in ["orders", "-order", "--orders", "-", "-orders;"] {
        let unknown = parsed(wrong).expect_err("no name");
        assert_eq!(unknown.word, wrong);
    }
    let names: std::collections::BTreeSet<_> = SHORTCUTS.iter().map(|known| known.name).collect();
    assert_eq!(names.len(), SHORTCUTS.len());
    let mut known = Shortcuts::empty();
    for shortcut in SHORTCUTS {
        assert!(known.contains(shortcut.needs), "{}", shortcut.name);
        known |= shortcut.flag;
    }
    let flags = SHORTCUTS.iter().map(|known| known.flag);
    assert_eq!(
        flags.fold(Shortcuts::empty(), |all, flag| all | flag),
        Shortcuts::all()
    );
}
