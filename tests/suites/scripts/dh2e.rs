//! `std.dh2e` against the tables and formulas of seed 003, on every engine. The expected values are
//! written out or computed here, independently of the library.

use dicec_tests::rows::hold;

const DH2E: &str = "import std.dh2e;";

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
