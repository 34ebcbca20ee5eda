//! The d100 rules of seed 003.

use super::super::{Tally, count, number};
use crate::fights::dice::Roller;
use serde_json::Value;

/// The degrees of a test (seed 003, "Degrees of Success / Failure").
pub(super) fn degrees(face: i64, target: i64) -> i64 {
    let tens = [target, face].map(|number| number.div_euclid(10));
    match face == 1 || face != 100 && face <= target {
        true => (1 + tens[0] - tens[1]).max(1),
        false => -(1 + tens[1] - tens[0]).max(1),
    }
}

/// Where a hit goes, as an index (seed 003, "Hit Locations").
pub(super) fn location(face: i64) -> usize {
    let reversed = match face {
        100 => 100,
        face => face % 10 * 10 + face / 10,
    };
    match reversed {
        ..=10 => 0,
        11..=20 => 1,
        21..=30 => 2,
        31..=70 => 3,
        71..=85 => 4,
        _ => 5,
    }
}

pub(in super::super) fn dh2e_attack<R: Roller>(sheet: &Value, trials: u64) -> Tally {
    let [skill, penetration] = ["skill", "penetration"].map(|name| number(sheet, name));
    let [toughness, health] = ["toughness", "health"].map(|name| number(sheet, name));
    let (mut hits, mut killed) = (Tally::default(), 0_u64);
    let mut places: [Tally; 6] = Default::default();
    let totals = count(trials, |roller: &mut R| {
        let face = roller.die::<100>();
        let dos = degrees(face, (skill + 25).max(1));
        let shots = if dos < 0 { 0 } else { (1 + dos).min(6) };
        let mut total = 0;
        for shot in 0..shots {
            let place = location(if shot == 0 { face } else { roller.die::<100>() });
            let armour: i64 = if place == 3 { 6 } else { 4 };
            let damage = roller.die::<10>().max(roller.die::<10>()) + 3;
            let hurt = (damage - (armour - penetration).max(0) - toughness).max(0);
            places[place].add(hurt);
            total += hurt;
        }
        hits.add(shots);
        killed += u64::from(total >= health);
        total
    });
    std::hint::black_box((&hits, &killed, &places));
    totals
}
