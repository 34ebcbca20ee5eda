//! Attacks on sheets: a draw for each.

use super::super::{Tally, count, members, number};
use crate::fights::dice::Batched;
use crate::hand::cells::{Together, fewest, sums};
use serde_json::Value;

/// A hit, above the damage.
const HIT: i64 = 1 << 32;

pub(in super::super) fn sheet(sheet: &Value, trials: u64) -> Tally {
    let ac = number(sheet, "ac");
    let mut attacks = Vec::new();
    for who in sheet["party"].as_array().into_iter().flatten() {
        let strength = number(who, "strength");
        for weapon in who["weapons"].as_array().into_iter().flatten() {
            let modifiers = members(weapon, "modifiers", |one| number(one, "value"));
            let bonus = strength + modifiers.into_iter().sum::<i64>();
            let damage = sums(number(weapon, "dice"), number(weapon, "sides"));
            let cells = (1..=20).flat_map(|die| {
                let hits = die + bonus >= ac;
                let damage = damage.iter().map(|dice| HIT + dice + strength);
                damage.map(move |dealt| if hits { dealt } else { 0 })
            });
            attacks.push(fewest(cells.collect()));
        }
    }
    let attacks = Together::new(attacks);
    let mut shown = Tally::default();
    count(trials, |Batched(generator): &mut Batched| {
        let drawn = attacks.draw(generator);
        let damage = i64::from(drawn as i32);
        shown.add((drawn - damage) / HIT);
        damage
    })
}

/// A model down, above the first cell of the wounds that the next one has left.
const DOWN: u64 = 1 << 32;

/// How many draws share a word if their table has at most this many cells; a shot has up to 648.
const DRAWS: usize = 5;
const CELLS: usize = 776;

/// Shots are drawn in pairs, or one by one if their number is odd: hit, wound, save and damage of a
/// draw are a table for each number of wounds left.
pub(in super::super) fn wounds(sheet: &Value, trials: u64) -> Tally {
    let [shots, hit, wound] = ["shots", "hit", "wound"].map(|name| number(sheet, name));
    let [save, health] = ["save", "health"].map(|name| number(sheet, name));
    let dealt = (0..6 * 6 * 6 * 3).map(|roll| {
        let [hits, wounds, saved] = [1, 6, 36].map(|below| roll / below % 6 + 1);
        let through = hits >= hit && wounds >= wound && saved < save;
        if through { roll / 216 + 1 } else { 0 }
    });
    let dealt = fewest(dealt.collect());
    let pairs = shots % 2 == 0 && dealt.len().pow(2) <= CELLS;
    let draws: Vec<Vec<i64>> = match pairs {
        true => (dealt.iter())
            .flat_map(|&first| dealt.iter().map(move |&second| vec![first, second]))
            .collect(),
        false => dealt.iter().map(|&one| vec![one]).collect(),
    };
    let end = draws.len() as u64;
    let after = |mut left: i64, draw: &Vec<i64>| {
        let mut down = 0;
        for damage in draw {
            left -= damage;
            if left <= 0 {
                (left, down) = (health, down + DOWN);
            }
        }
        down + left as u64 * end
    };
    let cells = (0..=health).flat_map(|left| draws.iter().map(move |draw| after(left, draw)));
    let cells: Vec<u64> = cells.collect();
    let times = shots as usize / draws[0].len();
    count(trials, |Batched(generator): &mut Batched| {
        let (mut key, mut left) = (health as u64 * end, times);
        while left > 0 {
            let draws = left.min(DRAWS);
            key = generator.shared(|word| {
                (0..draws).fold(key, |key, _| {
                    let cell = key % DOWN + word.below(end);
                    key / DOWN * DOWN + cells[cell as usize]
                })
            });
            left -= draws;
        }
        (key / DOWN) as i64
    })
}
