//! `std.dh2e` against the tables and formulas of seed 003, on every engine. The expected values are
//! written out or computed here, independently of the library.
//!
//! Where the sections of the seed are tested:
//!
//! | section | here | `dh2e_numbers` and others |
//! |---|---|---|
//! | Degrees of Success / Failure | `degrees` | the suite `under` |
//! | Check Flow, Check Result | `degrees_that_are_added` | `tests`, `automatic_options` |
//! | Modifier System, Stacking Rules | | `dh2e_synthetics`, `dh2e_items` |
//! | Predicate System, Synthetics Registry | | `dh2e_synthetics`, `dh2e_items` |
//! | Domains, Common Roll Options | | `dh2e_synthetics`, `automatic_options` |
//! | Attack Flow | `hits`, `attacks`, `ammunition` | `attacks`, `dh2e_fights::rounds_run_out` |
//! | Hit Locations | `locations` | `dh2e_scenarios::the_odds_of_a_burst` |
//! | Damage Calculation | `wounds`, `damage_dice` | `damage_dice_in_every_order`, `resistances` |
//! | Action Economy | | `dh2e_turns::actions` |
//! | Initiative | `initiative_and_order` | `dh2e_fights::ties_are_decided_by_agility_...` |
//! | Combat Turn Processing | | `dh2e_turns::turns`, `dh2e_fights` |
//! | Critical Injuries | `injuries` | `dh2e_fights::attacks_injure`, `fights_go_on_...` |
//! | Weapon Qualities, Craftsmanship Modifiers | `weapons` | `attacks`, `armour_and_felling` |
//! | Skill Checks, Fatigue | `skills_and_fatigue` | `tests`, `fatigue_counts_once` |
//! | Psychic Powers | `powers` | `tests`, `phenomena_and_perils` |
//! | Grapple System | `grapples` | `dh2e_grapples` |

use dicec_runtime::pmf::Limits;
use dicec_tests::engines;
use dicec_tests::programs::{first, script};
use dicec_tests::rows::hold;
use serde_json::json;
use std::collections::BTreeMap;

pub(crate) const DH2E: &str = "import std.dh2e;";

/// Rows for each pair of the numbers, with what a function gives for it.
fn pairs<const A: usize, const B: usize>(
    first: [i64; A],
    second: [i64; B],
    expected: impl Fn(i64, i64) -> i64,
) -> Vec<[i64; 3]> {
    let pairs = first.into_iter().flat_map(|a| second.map(|b| (a, b)));
    pairs.map(|(a, b)| [a, b, expected(a, b)]).collect()
}

/// "Degrees of Success / Failure".
#[test]
fn degrees() {
    let expected = |face: i64, target: i64| {
        let tens = |number: i64| number.div_euclid(10);
        match face == 1 || face <= target && face != 100 {
            true => (1 + tens(target) - tens(face)).max(1),
            false => -(1 + tens(face) - tens(target)).max(1),
        }
    };
    let faces = [1, 2, 9, 10, 35, 44, 45, 46, 67, 99, 100];
    let targets = [-25, -1, 0, 1, 44, 45, 46, 99, 100, 130];
    hold(
        DH2E,
        "degrees(r[0], r[1])",
        &pairs(faces, targets, expected),
    );
    let named = [
        [35, 45, 2],
        [67, 45, -3],
        [1, 0, 1],
        [100, 130, -1],
        [45, 45, 1],
    ];
    hold(DH2E, "degrees(face: r[0], target: r[1])", &named);
}

/// "Check Flow", 7, and "Check Result": a success stays one, with 1 degree at least.
#[test]
fn degrees_that_are_added() {
    let rows = [
        [3, 1, 4],
        [3, -1, 2],
        [1, -4, 1],
        [-2, 1, -1],
        [-1, 3, -1],
        [-2, -1, -3],
    ];
    hold(DH2E, "adjusted(r[0], r[1])", &rows);
}

/// "Hit Locations".
#[test]
fn locations() {
    let number = "match (location(face: r[0])) \
                  { head: 0, rightArm: 1, leftArm: 2, body: 3, rightLeg: 4, leftLeg: 5 }";
    let rows: Vec<[i64; 2]> = (1..=100)
        .map(|face: i64| {
            let digits: String = format!("{face:02}").chars().rev().collect();
            let reversed: i64 = match face {
                100 => 100,
                _ => digits.parse().expect("two digits"),
            };
            let place = match reversed {
                ..=10 => 0,
                11..=20 => 1,
                21..=30 => 2,
                31..=70 => 3,
                71..=85 => 4,
                _ => 5,
            };
            [face, place]
        })
        .collect();
    hold(DH2E, number, &rows);
    // 05 is read as 50, 50 as 05.
    hold(
        DH2E,
        number,
        &[[5, 3], [50, 0], [100, 5], [1, 0], [11, 1], [58, 4], [68, 5]],
    );
}

/// "Attack Flow", 8: a single shot hits once, a burst once more for every two degrees, automatic
/// fire for every one, up to the rate of fire.
#[test]
fn hits() {
    let call = "hits(r[0] == 0 ? single : r[0] == 1 ? semi : full, r[1], r[2])";
    let mut rows = Vec::new();
    for mode in 0..3 {
        for dos in [-3, -1, 0, 1, 2, 3, 4, 5, 9] {
            for rate in [1, 3, 4, 6, 10] {
                let hits = match (mode, dos) {
                    (_, ..0) => 0,
                    (0, _) => 1,
                    (1, _) => rate.min(1 + dos / 2),
                    _ => rate.min(1 + dos),
                };
                rows.push([mode, dos, rate, hits]);
            }
        }
    }
    hold(DH2E, call, &rows);
    hold(
        DH2E,
        "hits(mode: full, dos: r[0], rate: r[1])",
        &[[3, 10, 4], [3, 2, 2]],
    );
}

/// "Damage Calculation".
#[test]
fn wounds() {
    let mut rows = Vec::new();
    for raw in [0, 3, 9, 14] {
        for ap in [0, 4, 8] {
            for penetration in [0, 3, 6] {
                for tb in [0, 4] {
                    let armour = if ap > penetration {
                        ap - penetration
                    } else {
                        0
                    };
                    let wounds = raw - armour - tb;
                    rows.push([raw, ap, penetration, tb, wounds.max(0)]);
                }
            }
        }
    }
    hold(
        DH2E,
        "wounds(raw: r[0], ap: r[1], penetration: r[2], tb: r[3])",
        &rows,
    );
}

/// "Damage Calculation": resistances, then armour, then toughness after its adjustments.
#[test]
fn wounds_with_resistances_and_toughness() {
    let call = "woundsAfter(r[0], r[1], r[2], r[3], \
                [resistance{ kind: half }, resistance{ kind: flat, value: r[4] }], \
                [toughnessAdjustment{ kind: add, value: r[5] }, \
                 toughnessAdjustment{ kind: multiply, value: r[6] }])";
    let rows = [
        // Half of 15 is 7, less 2 is 5; armour 4 - 3; (1 + 1) * 1.
        [15, 4, 3, 1, 2, 1, 1, 2],
        [40, 4, 6, 3, 3, 1, 2, 9],
        [40, 10, 6, 3, 3, 0, 2, 7],
        [5, 0, 0, 0, 4, 0, 1, 0],
    ];
    hold(DH2E, call, &rows);
    let reordered = "woundsAfter(r[0], 0, 0, r[1], \
                     [resistance{ kind: flat, value: 1 }, resistance{ kind: half }], \
                     [toughnessAdjustment{ kind: multiply, value: 2 }, \
                      toughnessAdjustment{ kind: add, value: 1 }])";
    hold(DH2E, reordered, &[[15, 3, 0], [20, 3, 2], [21, 3, 3]]);
    hold(
        DH2E,
        "woundsAfter(r[0], 2, 1, 3, [], [])",
        &[[9, 5], [4, 0]],
    );
}

/// What a script without parameters that imports the library returns, on every engine.
pub(crate) fn expect(body: &str, result: &str, expected: &BTreeMap<i64, u32>) {
    let text = format!("{DH2E} defroll \"T\" t() {{ {body} return {result}; }}");
    let bound = first(&script(&text), &json!({}));
    let pmf = bound.fractions(&Limits::default()).expect("small");
    let all: u32 = expected.values().sum();
    for (outcome, count) in expected {
        let weight = pmf.weight(*outcome).cloned().unwrap_or_default();
        assert_eq!(
            weight * all,
            pmf.total() * count,
            "{body} {result}: {outcome}"
        );
    }
    assert_eq!(
        pmf.probabilities().count(),
        expected.len(),
        "{body} {result}"
    );
    engines::check(&bound, 3, 60, &body);
}

pub(crate) fn counted(outcomes: impl Iterator<Item = i64>) -> BTreeMap<i64, u32> {
    let mut counts = BTreeMap::new();
    for outcome in outcomes {
        *counts.entry(outcome).or_default() += 1;
    }
    counts
}

/// "Damage Calculation" and "Weapon Qualities": overrides of damage dice, in their order.
#[test]
fn damage_dice() {
    let of = |kind: &str, value: i64| format!("diceOverride{{ kind: {kind}, value: {value} }},");
    let faces = || (1..=10_i64).flat_map(|a| (1..=10).map(move |b| (a, b)));
    let call = |overrides: &str| format!("damage(1, 10, 3, 2, [{overrides}])");
    let one = |change: fn(i64) -> i64| counted((1..=10).map(move |face| change(face) + 5));
    expect("", "damage(1, 10, 3, 2, [])", &one(|face| face));
    expect("", &call(&of("proven", 4)), &one(|face| face.max(4)));
    expect("", &call(&of("primitive", 7)), &one(|face| face.min(7)));
    let both = of("proven", 8) + &of("primitive", 7);
    expect("", &call(&both), &one(|_| 7));
    let both = of("primitive", 7) + &of("proven", 8);
    expect("", &call(&both), &one(|_| 8));
    let tearing = counted(faces().map(|(a, b)| a.max(b) + 5));
    expect("", &call(&of("tearing", 0)), &tearing);
    // What is lowered before it tears is lowered in the first die only.
    let torn = of("primitive", 3) + &of("tearing", 0);
    expect(
        "",
        &call(&torn),
        &counted(faces().map(|(a, b)| a.min(3).max(b) + 5)),
    );
    let two = "damageDice(2, 10, [diceOverride{ kind: tearing },])";
    let three = faces().flat_map(|(a, b)| (1..=10).map(move |c| a + b + c - a.min(b).min(c)));
    expect("", two, &counted(three));
}

/// "Weapon Qualities" and "Craftsmanship Modifiers".
#[test]
fn weapons() {
    let razor = "penetrationAt(r[0], r[2] == 1 ? [razorSharp, reliable] : [reliable, flame], r[1])";
    let rows = [[4, 2, 1, 4], [4, 3, 1, 8], [4, 5, 1, 8], [4, 5, 0, 4]];
    hold(DH2E, razor, &rows);
    hold(DH2E, "felled(r[0], r[1])", &[[4, 3, 1], [2, 3, 0]]);
    let aim = "r[0] == 0 ? none : r[0] == 1 ? half : aiming.full";
    let bonus = format!("accurateBonus(accurate, {aim})");
    hold(DH2E, &bonus, &[[0, 0], [1, 10], [2, 10]]);
    hold(
        DH2E,
        "accurateBonus(spray, r[0] == 0 ? none : half)",
        &[[0, 0], [1, 0]],
    );
    let dos = format!("accurateDegrees(r[1], accurate, {aim})");
    hold(DH2E, &dos, &[[0, 2, 2], [1, 2, 2], [2, 2, 3], [2, -2, -2]]);
    let flames = "contains(struck(prone, r[0] == 1 ? [flame, spray] : reliable), onFire) ? 1 : 0";
    hold(DH2E, flames, &[[1, 1], [0, 0]]);
    hold(
        DH2E,
        "parryBonus(r[0] == 1 ? balanced : spray)",
        &[[1, 10], [0, 0]],
    );
    let made = "r[0] == 0 ? poor : r[0] == 1 ? common : r[0] == 2 ? good : best";
    let attack = format!("craftsmanship({made})");
    hold(DH2E, &attack, &[[0, -10], [1, 0], [2, 5], [3, 10]]);
    let armour = format!("craftsmanshipArmour({made})");
    hold(DH2E, &armour, &[[0, -1], [1, 0], [2, 0], [3, 1]]);
}

/// "Attack Flow", 5, 6 and 9.
#[test]
fn attacks() {
    let target = "targetModifier(r[0] == 0 ? [] : r[0] == 1 ? stunned : r[0] == 2 ? prone \
                  : [stunned, prone], r[1] == 1)";
    let rows = [
        [0, 1, 0],
        [1, 0, 20],
        [1, 1, 20],
        [2, 1, 10],
        [2, 0, -10],
        [3, 0, 10],
        [3, 1, 30],
    ];
    hold(DH2E, target, &rows);
    let degrees = "attackDegrees(r[0], r[1], 47, r[2] == 1 ? helpless : prone, r[3] == 1)";
    let rows = [[100, 30, 1, 1, 4], [100, 30, 1, 0, -8], [35, 45, 0, 1, 2]];
    hold(DH2E, degrees, &rows);
    // A CheckResult has 1 degree at least.
    hold(
        DH2E,
        "automaticDegrees(r[0])",
        &[[47, 4], [10, 1], [9, 1], [-30, 1]],
    );
    let heads = "count(place == head for place : hitLocations(1, r[0]))";
    hold(DH2E, heads, &[[0, 0]]);
    // 35 is read as 53; the second hit is at a random place.
    let body = "places = hitLocations(35, 2);";
    let second = counted((1..=100).map(|face: i64| i64::from(face <= 10)));
    expect(
        body,
        "places[0] == body && places[1] == head ? 1 : 0",
        &second,
    );
    let body = "places = calledShot(leftArm, 2);";
    expect(
        body,
        "places[0] == leftArm && places[1] == head ? 1 : 0",
        &second,
    );
}

/// "Attack Flow", 1 and 10: rounds leave in the reverse of the order in which they were loaded.
#[test]
fn ammunition() {
    let body = "rounds = [\"a\", \"b\", \"c\"]; fired = fire(rounds, 2);";
    let result = "fired[0] == \"c\" && fired[1] == \"b\" && len(rounds) == 1 ? 1 : 0";
    expect(body, result, &counted([1].into_iter()));
    let text = format!(
        "{DH2E} defroll \"T\" t() {{ rounds = [\"a\", \"b\"]; x = fire(rounds, 3); return len(x) + roll(d6); }}"
    );
    let outcome = engines::check(&first(&script(&text), &json!({})), 1, 3, &text);
    assert!(outcome.stopped.is_some() && outcome.results.is_empty());
}

/// "Skill Checks" and "Fatigue".
#[test]
fn skills_and_fatigue() {
    hold(
        DH2E,
        "skillBonus(r[0])",
        &[[0, 0], [1, 0], [2, 10], [3, 20], [4, 30]],
    );
    hold(DH2E, "skillTarget(r[0], r[1])", &[[35, 0, 35], [35, 3, 55]]);
    hold(DH2E, "fatiguePenalty(r[0])", &[[0, 0], [3, -30]]);
    let exhausted = "isExhausted(r[0], r[1], r[2]) ? 1 : 0";
    hold(DH2E, exhausted, &[[7, 3, 4, 0], [8, 3, 4, 1]]);
}

/// "Focus Power Flow".
#[test]
fn powers() {
    let target = "focusTarget(r[0], r[1], r[2] == 1 ? pushed : unfettered)";
    hold(DH2E, target, &[[40, -10, 0, 55], [40, -10, 1, 80]]);
    let called = "phenomena(r[0], r[1] == 1 ? pushed : unfettered) ? 1 : 0";
    let expected = |face: i64, pushed: i64| {
        let digits = format!("{:02}", face % 100);
        let mut digits = digits.chars();
        i64::from(pushed == 1 || digits.next() == digits.next())
    };
    let faces: [i64; 100] = std::array::from_fn(|index| index as i64 + 1);
    hold(DH2E, called, &pairs(faces, [0, 1], expected));
    let rows = "phenomenonAt([phenomenon{ from: 1 }, phenomenon{ from: 31 }, \
                phenomenon{ from: 76 }], r[0]).from";
    hold(
        DH2E,
        rows,
        &[[1, 1], [30, 1], [31, 31], [75, 31], [76, 76], [120, 76]],
    );
}

/// "Critical Injuries": damage type, location and severity.
#[test]
fn injuries() {
    hold(
        DH2E,
        "severity(r[0], r[1])",
        &[[5, 4, 0], [5, 5, 0], [5, 8, 3], [0, 4, 4], [-2, 4, 4]],
    );
    let found = "criticalInjury([\
                 injury{ damage: impact, location: head, severity: 1, rounds: 1 }, \
                 injury{ damage: impact, location: head, severity: 4, rounds: 2 }, \
                 injury{ damage: impact, location: body, severity: 1, rounds: 3 }, \
                 injury{ damage: energy, location: head, severity: 1, rounds: 4 }], \
                 r[0] == 0 ? impact : energy, r[1] == 0 ? head : body, r[2]).rounds";
    hold(
        DH2E,
        found,
        &[
            [0, 0, 1, 1],
            [0, 0, 3, 1],
            [0, 0, 9, 2],
            [0, 1, 5, 3],
            [1, 0, 4, 4],
        ],
    );
}

/// How often the first of two opposed tests wins.
pub(crate) fn opposed(mine: i64, theirs: i64) -> BTreeMap<i64, u32> {
    let degrees = |face: i64, target: i64| match face == 1 || face <= target && face != 100 {
        true => (1 + target / 10 - face / 10).max(1),
        false => -(1 + face / 10 - target / 10).max(1),
    };
    let faces = (1..=100).flat_map(|a| (1..=100).map(move |b| (a, b)));
    counted(faces.map(|(a, b)| {
        let (a, b) = (degrees(a, mine), degrees(b, theirs));
        i64::from(a > 0 && a > b)
    }))
}

/// "Grapple System".
#[test]
fn grapples() {
    expect("", "grapple(42, 35) ? 1 : 0", &opposed(42, 35));
    expect("", "keepsHold(30, 51) ? 1 : 0", &opposed(30, 51));
    expect("", "grappleDamage(4)", &counted(5..=9));
    hold(DH2E, "throwDistance(r[0]) + PUSH", &[[4, 5]]);
}

/// "Initiative": a d10 and the bonus; ties by the bonus, then by name.
#[test]
fn initiative_and_order() {
    expect("", "initiative(bonus: 4)", &counted(5..=14));
    let body = "all = order([turn{ name: \"a\", bonus: 3, initiative: 9 }, \
                turn{ name: \"b\", bonus: 4, initiative: 9 }, \
                turn{ name: \"c\", bonus: 4, initiative: 9 }, \
                turn{ name: \"d\", bonus: 1, initiative: 12 }]);";
    let result = "all[0].name == \"d\" && all[1].name == \"b\" && all[2].name == \"c\" \
                  && all[3].name == \"a\" ? 1 : 0";
    expect(body, result, &counted([1].into_iter()));
}
