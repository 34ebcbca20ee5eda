//! Compound rules: names for dice, conditions, calls of functions, named outcomes.

use dashu_int::UBig;
use dicec_compiler::{Compiler, Program};
use dicec_lang::front::notation::Dialect;
use dicec_lang::hir::Kind;
use dicec_lang::syntax::Code;
use dicec_runtime::pmf::Limits;
use dicec_tests::programs::{bare, notation, rule, table};
use dicec_tests::{engines, stages};
use std::collections::BTreeMap;

const SEED: u64 = 7;
const TRIALS: usize = 40;

/// The exact odds of a rule as weights out of their sum.
fn odds(program: &Program, resources: &[(&str, i64)]) -> (BTreeMap<i64, u64>, u64) {
    let bound = program.bind(&table(resources)).expect("all resources");
    engines::check(&bound, SEED, TRIALS, &program.text());
    let exact = stages::solve::<UBig>(&bound, &Limits::default()).expect("exact odds");
    let total: UBig = exact.pmf.iter().map(|(_, weight)| weight).sum();
    let number = |weight: &UBig| u64::try_from(weight).expect("a small weight");
    let weights = exact
        .pmf
        .iter()
        .map(|(value, weight)| (value, number(weight)));
    (weights.collect(), number(&total))
}

/// Counts what a rule written in Rust gives for all faces of its dice.
fn counted<const N: usize>(sides: [i64; N], rule: impl Fn([i64; N]) -> i64) -> BTreeMap<i64, u64> {
    let mut counts = BTreeMap::new();
    let all: i64 = sides.iter().product();
    for mut index in 0..all {
        let faces = sides.map(|sides| {
            let face = index % sides + 1;
            index /= sides;
            face
        });
        *counts.entry(rule(faces)).or_default() += 1;
    }
    counts
}

/// Holds a rule's odds to those of a rule written in Rust.
fn expect<const N: usize>(
    text: &str,
    resources: &[(&str, i64)],
    sides: [i64; N],
    counterpart: impl Fn([i64; N]) -> i64,
) {
    holds(&rule(text), resources, sides, counterpart);
}

/// Holds the odds of a program of either dialect to those of a rule written in Rust.
fn holds<const N: usize>(
    program: &Program,
    resources: &[(&str, i64)],
    sides: [i64; N],
    counterpart: impl Fn([i64; N]) -> i64,
) {
    let text = program.text();
    let (found, total) = odds(program, resources);
    let expected = counted(sides, counterpart);
    let all: u64 = expected.values().sum();
    let scale = |weights: BTreeMap<i64, u64>, by: u64| -> BTreeMap<i64, u128> {
        let scaled = weights.into_iter();
        scaled
            .map(|(value, weight)| (value, u128::from(weight) * u128::from(by)))
            .collect()
    };
    assert_eq!(scale(found, all), scale(expected, total), "{text}");
}

/// Seed 002, 3.3: expressions are dice, resources, numbers and arithmetic, and only they are at
/// least 0. Seed 003, "Degrees of Success / Failure": those of failure are below 0 here.
#[test]
fn what_a_library_gives_keeps_its_sign() {
    let signed = |[face]: [i64; 1]| match face <= 45 {
        true => (1 + 4 - face / 10).max(1),
        false => -(1 + face / 10 - 4).max(1),
    };
    for rule in [
        "dh2e.degrees(1d100, 45)",
        "(dh2e.degrees(1d100, 45))",
        "let d = dh2e.degrees(1d100, 45); d",
        "let t = 1d100 under 45; t.degrees",
    ] {
        expect(rule, &[], [100], signed);
    }
    for rule in [
        "let d = dh2e.degrees(1d100, 45); d >= -2 ? 1 : 0",
        "dh2e.degrees(1d100, 45) >= -2 ? 1 : 0",
        "-2 <= dh2e.degrees(1d100, 45) ? 1 : 0",
    ] {
        expect(rule, &[], [100], move |faces| {
            i64::from(signed(faces) >= -2)
        });
    }
    // Arithmetic makes an expression of it.
    expect("dh2e.degrees(1d100, 45) + 1", &[], [100], move |faces| {
        (signed(faces) + 1).max(0)
    });
    let program = rule("dh2e.degrees(67, -5)");
    assert_eq!(odds(&program, &[]), ([(-8, 1)].into(), 1));
}

#[test]
fn conditions_choose_what_happens_next() {
    expect("1d20 + 5 >= 15 ? 1d8 + 3 : 0", &[], [20, 8], |[d20, d8]| {
        if d20 + 5 >= 15 { d8 + 3 } else { 0 }
    });
    expect("if(1d20 = 20, 2d6, 1)", &[], [20, 6, 6], |[d20, a, b]| {
        if d20 == 20 { a + b } else { 1 }
    });
    expect(
        "1d4 > 2 and not 1d6 = 1 ? 5 : 1",
        &[],
        [4, 6],
        |[d4, d6]| {
            if d4 > 2 && d6 != 1 { 5 } else { 1 }
        },
    );
    expect("1d4 > 3 || !(1d6 < 6) ? 5 : 1", &[], [4, 6], |[d4, d6]| {
        if d4 > 3 || d6 == 6 { 5 } else { 1 }
    });
}

/// Braces at the beginning of an operand are a group.
#[test]
fn a_group_can_begin_a_rule() {
    expect("{1d4, 1d6}kh1 > 3 ? 1 : 0", &[], [4, 6], |[a, b]| {
        i64::from(a.max(b) > 3)
    });
    expect(
        "let x = 1d4; {1d4, 1d6}kh1 + x > 5 ? 1 : 0",
        &[],
        [4, 4, 6],
        |[x, a, b]| i64::from(a.max(b) + x > 5),
    );
}

#[test]
fn a_name_stands_for_one_roll() {
    let resources = [("Attack", 5), ("Target AC", 15)];
    let text = "let r = 1d20; r == 20 ? 2d6+3 : r != 1 && r + [Attack] >= [Target AC] ? 1d6+3 : 0";
    expect(text, &resources, [20, 6, 6], |[r, a, b]| match r {
        20 => a + b + 3,
        r if r != 1 && r + 5 >= 15 => a + 3,
        _ => 0,
    });
    expect(
        "let a = 1d6; let b = a + 1d4; a * b",
        &[],
        [6, 4],
        |[a, b]| a * (a + b),
    );
}

#[test]
fn a_check_counts_as_one_or_nothing() {
    expect("(1d20 >= 10) + (1d20 >= 12)", &[], [20, 20], |[a, b]| {
        i64::from(a >= 10) + i64::from(b >= 12)
    });
    expect(
        "let hit = 1d20 >= 11; hit * (1d8 + 3)",
        &[],
        [20, 8],
        |[a, b]| {
            if a >= 11 { b + 3 } else { 0 }
        },
    );
    expect("max(1d4, (1d6 > 2) * 3)", &[], [4, 6], |[a, b]| {
        a.max(i64::from(b > 2) * 3)
    });
    expect("-(1d6 > 3) + 2", &[], [6], |[a]| 2 - i64::from(a > 3));
    let hit = rule("let hit = 1d20 >= 11; hit");
    assert_eq!(hit.kind(), Some(Kind::Check));
}

/// Seed 002, 3.5.3 and 3.7.2: the result and the sides of a check are at least 0.
#[test]
fn the_rule_books_dialect_clamps() {
    expect("1d4 - 3 + (1d6 > 3 ? 1 : 0)", &[], [4, 6], |[a, b]| {
        (a - 3 + i64::from(b > 3)).max(0)
    });
    expect("(1d4 - 5) * (1d6 > 3)", &[], [4, 6], |_| 0);
    expect("1d4 - 5 >= 0 and true", &[], [4], |_| 1);
    expect("let x = 1d4 - 3; x + 3", &[], [4], |[a]| a);
    let notation = Compiler::new().dialect(Dialect::Notation);
    let program = notation.rule("(1d4) > 2 ? 0 - 1d4 : 1").expect("a rule");
    let (odds, total) = odds(&program, &[]);
    assert_eq!((odds.get(&-4), total), (Some(&2), 16));
    let halves = notation.rule("(1d4) > 2 ? 1 / 2 : 1").expect("a rule");
    assert_eq!(halves.kind(), Some(Kind::Float));
}

#[test]
fn functions_of_libraries_need_no_import() {
    let resources = [("Attack", 4), ("Target AC", 13)];
    let damage = |face: i64, a: i64, b: i64| match face {
        20 => a + b + 2,
        face if face != 1 && face + 4 >= 13 => a + 2,
        _ => 0,
    };
    let text = "dnd.attack([Attack], [Target AC], 1d6 + 2)";
    expect(text, &resources, [20, 6, 6], |[d20, a, b]| {
        damage(d20, a, b)
    });
    let text = "dnd.attack([Attack], [Target AC], 1d6 + 2, edge{ advantage: true })";
    expect(text, &resources, [20, 20, 6, 6], |[x, y, a, b]| {
        damage(x.max(y), a, b)
    });
    let text = "dnd.attack(4, 13, 1d6 + 2, critical: 19)";
    expect(text, &[], [20, 6, 6], |[d20, a, b]| match d20 {
        19 | 20 => a + b + 2,
        d20 if d20 != 1 && d20 + 4 >= 13 => a + 2,
        _ => 0,
    });
    expect("dnd.save(2, 12, 2d6)", &[], [20, 6, 6], |[d20, a, b]| {
        if d20 + 2 >= 12 { (a + b) / 2 } else { a + b }
    });
    let text = "pathfinder.strike(8, 16, 1d8, number: 2, agile: true)";
    expect(text, &[], [20, 8], |[d20, d8]| {
        let total = d20 + 4;
        let degree = i64::from(total >= 16) + i64::from(total >= 26) - i64::from(total <= 6);
        let degree = degree + i64::from(d20 == 20) - i64::from(d20 == 1);
        match degree.clamp(-1, 2) {
            2 => 2 * d8,
            1 => d8,
            _ => 0,
        }
    });
}

#[test]
fn texts_are_named_outcomes_in_written_order() {
    let text = "match (2d6 + [Stat]) { ..6: \"miss\", 7-9: \"weak hit\", 10+: \"strong hit\" }";
    let program = rule(text);
    let roll = program.only_roll().expect("one roll");
    assert_eq!(*roll.labels(), ["miss", "weak hit", "strong hit"]);
    assert_eq!(program.kind(), Some(Kind::Label));
    expect(text, &[("Stat", 1)], [6, 6], |[a, b]| match a + b + 1 {
        ..7 => 0,
        7..10 => 1,
        _ => 2,
    });
    let blades = "let p = dice(2d6); count(d.face = 6 for d : p) >= 2 ? \"critical\" \
                  : max(d.face for d : p) = 6 ? \"full\" : max(d.face for d : p) >= 4 ? \"partial\" : \"bad\"";
    let roll = rule(blades).only_roll().expect("one roll");
    assert_eq!(*roll.labels(), ["critical", "full", "partial", "bad"]);
    expect(blades, &[], [6, 6], |[a, b]| match (a.max(b), a.min(b)) {
        (6, 6) => 0,
        (6, _) => 1,
        (4 | 5, _) => 2,
        _ => 3,
    });
}

#[test]
fn normal_forms_keep_what_is_written_and_drop_what_stands_around_it() {
    for text in [
        "/r 1d6 > 3 ? 2 : 1 # bonus",
        "output 1d6 > 3 ? 2 : 1",
        "1d6 > 3 ? 2 : 1 #",
    ] {
        let program = rule(text);
        assert_eq!(program.normal_form(), "1d6 > 3 ? 2 : 1");
    }
    assert_eq!(rule("1d20+5 # longsword").comment(), Some("longsword"));
    assert_eq!(rule("/roll 1d20+5 # longsword").normal_form(), "1d20 + 5");
}

#[test]
fn mistakes_have_their_codes() {
    for (text, code) in [
        ("1d20 ? 3 : 4", Code::WrongType),
        ("1d6 && 3", Code::WrongType),
        ("dnf.attack(3)", Code::UnknownLibrary),
        ("dnd.atack(3, 4, 1d6)", Code::NoSuchFunction),
        ("let x = 1d6 x + 2", Code::Trailing),
        ("let x = 1d6;", Code::ExpectedOperand),
        ("1d6 > 3 ? \"hit\" : 2", Code::WrongType),
        ("if(1d6 > 3, 2)", Code::WrongArguments),
        ("let d6 = 3; d6", Code::Expected),
        ("1d6 > 3 ? 2", Code::Expected),
        ("let x = 1; y > 2 ? 1 : 0", Code::UnknownName),
        ("1d6 < 2 < 3 ? 1 : 0", Code::ChainedComparison),
    ] {
        let found = Compiler::new().rule(text).expect_err("an error");
        let codes: Vec<Code> = found.errors().map(|error| error.code).collect();
        assert!(codes.contains(&code), "{text}: {found:?}");
        for error in found.errors() {
            assert!(error.span.end as usize <= text.len(), "{text}: {error:?}");
        }
    }
}

fn sorted<const N: usize>(mut dice: [i64; N]) -> [i64; N] {
    dice.sort_unstable();
    dice
}

fn number(dice: &[i64], is_counted: impl Fn(i64) -> bool) -> i64 {
    dice.iter().filter(|die| is_counted(**die)).count() as i64
}

/// The greatest and the least of several rolls, as sums of several rolls.
#[test]
fn extremes_go_through_rolls() {
    expect("max(d6 for i : 1..3)", &[], [6; 3], |dice| sorted(dice)[2]);
    expect("min(d6 for i : 1..3) + 1", &[], [6; 3], |dice| {
        sorted(dice)[0] + 1
    });
}

/// `d(count, sides)` has the modifiers of dice.
#[test]
fn called_dice_have_modifiers() {
    let first = |number: i64, dice: &[i64]| dice[..number as usize].to_vec();
    expect(
        "let n = 1d2 + 1; d(n, 4) count>=3",
        &[],
        [2, 4, 4, 4],
        |dice| number(&first(dice[0] + 1, &dice[1..]), |die| die >= 3),
    );
    expect(
        "let n = [Level]; d(n, n + 1)kh2 + 1",
        &[("Level", 3)],
        [4; 3],
        |dice| {
            let [_, low, high] = sorted(dice);
            low + high + 1
        },
    );
    expect(
        "let n = 2; d(n, 6) min 2 keep lowest",
        &[],
        [6; 2],
        |dice| sorted(dice.map(|die| die.max(2)))[0],
    );
    let counted = notation("let n = 2; d(n, 6)ro=1 >=5f1");
    holds(&counted, &[], [6; 4], |[a, b, c, d]| {
        let dice = [if a == 1 { c } else { a }, if b == 1 { d } else { b }];
        number(&dice, |die| die >= 5) - number(&dice, |die| die == 1)
    });
    for (rule, code) in [
        ("let n = 3; d(n, 6)km1", Code::UnknownMiddle),
        ("let n = 3; d(n, 6) fail=1", Code::BadCount),
        ("let n = 3; d(n)kh1", Code::WrongCount),
    ] {
        let found = Compiler::new().rule(rule).expect_err(rule);
        let codes: Vec<Code> = found.errors().map(|found| found.code).collect();
        assert!(codes.contains(&code), "{rule}: {found}");
    }
}

#[test]
fn the_middle_is_kept() {
    expect("5d4km2", &[], [4; 5], |dice| {
        let dice = sorted(dice);
        dice[2] + dice[3]
    });
    expect("[Level]d6 keep middle", &[("Level", 3)], [6; 3], |dice| {
        sorted(dice)[1]
    });
    expect("4d4r=1km1", &[], [3; 4], |dice| sorted(dice)[2] + 1);
    expect("{1d4, 1d6, 1d8}km1", &[], [4, 6, 8], |dice| sorted(dice)[1]);
}

#[test]
fn several_numbers_count_and_some_count_twice() {
    expect("4d6 count=2,5", &[], [6; 4], |dice| {
        number(&dice, |die| [2, 5].contains(&die))
    });
    expect(
        "4d6 count={2,5} double=5 fail={1,6} + 4",
        &[],
        [6; 4],
        |dice| {
            let [fives, successes] = [5, 2].map(|face| number(&dice, |die| die == face));
            2 * fives + successes - number(&dice, |die| [1, 6].contains(&die)) + 4
        },
    );
    expect("2d4 count>=3 double=1 + 1", &[], [4; 2], |dice| {
        number(&dice, |die| die >= 3) + 2 * number(&dice, |die| die == 1) + 1
    });
    expect(
        "{2d4, 2d4} count>=6 double=8",
        &[],
        [4; 4],
        |[a, b, c, d]| {
            let totals = [a + b, c + d];
            number(&totals, |total| total >= 6) + number(&totals, |total| total == 8)
        },
    );
}

/// A condition of `ro` that is written again rerolls once more; different ones are one reroll.
#[test]
fn rerolls_of_one_die_add_up() {
    let stays = |face: &i64| *face >= 5;
    expect("1d6ro<5ro<5", &[], [6; 3], |faces| {
        faces.into_iter().find(stays).unwrap_or(faces[2])
    });
    for text in ["1d6ro<3ro<5", "1d6ro<5ro=2", "{1d6}ro<3ro<5"] {
        expect(text, &[], [6; 2], |faces| {
            faces.into_iter().find(stays).unwrap_or(faces[1])
        });
    }
    expect("{1d6}ro<5ro<5", &[], [6; 3], |faces| {
        faces.into_iter().find(stays).unwrap_or(faces[2])
    });
}

/// A group is rolled again until its total stays.
#[test]
fn groups_are_rolled_again() {
    let low = |a: i64, b: i64| a.max(b) < 3;
    expect("{2d4kh1}ro<3 + 1", &[], [4; 4], |[a, b, c, d]| {
        match low(a, b) {
            true => c.max(d) + 1,
            false => a.max(b) + 1,
        }
    });
    expect(
        "{2d4, 1d4}kh1ro=[Level]",
        &[("Level", 2)],
        [4; 6],
        |[a, b, c, d, e, f]| match (a + b).max(c) {
            2 => (d + e).max(f),
            total => total,
        },
    );
    let program = rule("{4d6kh3}r<8r=9");
    let bound = bare(&program);
    engines::check(&bound, SEED, TRIALS, &program.text());
    let odds = bound.distribution(&Limits::default()).expect("odds");
    let all = counted([6; 4], |dice| {
        let [_, a, b, c] = sorted(dice);
        a + b + c
    });
    let stays = |total: i64| total >= 8 && total != 9;
    let left: u64 = all
        .iter()
        .filter(|(total, _)| stays(**total))
        .map(|(_, n)| n)
        .sum();
    for (total, count) in all {
        let expected = if stays(total) {
            count as f64 / left as f64
        } else {
            0.0
        };
        assert!((odds.probability(total) - expected).abs() < 1e-9, "{total}");
    }
}

/// With spaces, a comparison with dice on its right compares totals in the notation dialect, too.
#[test]
fn contests_compare_totals() {
    let contest = |[a, b, c, d]: [i64; 4]| i64::from(6 - a - b > 5 - c - d);
    for text in [
        "6-2d4 > 5-2d4",
        "6-2d4>5-2d4",
        "(6-2d4)>5-2d4",
        "(6 - 2d4) > (5 - 2d4)",
    ] {
        holds(&notation(text), &[], [4; 4], contest);
    }
    holds(&notation("2d4 >= 2d4"), &[], [4; 4], |[a, b, c, d]| {
        i64::from(a + b >= c + d)
    });
    // A threshold that is rolled, and a count of failures.
    holds(&notation("2d4 >= (1d4)"), &[], [4; 3], |[a, b, least]| {
        number(&[a, b], |die| die >= least)
    });
    holds(&notation("2d4 >= 3 f1"), &[], [4; 2], |dice| {
        number(&dice, |die| die >= 3) - number(&dice, |die| die == 1)
    });
}
