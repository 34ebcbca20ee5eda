//! Cards, and dice in lists.

use super::super::{Tally, count};
use crate::fights::dice::Roller;
use serde_json::Value;

pub(in super::super) fn ace<R: Roller>(_: &Value, trials: u64) -> Tally {
    count(trials, |roller: &mut R| {
        let mut deck: [u8; 20] = std::array::from_fn(|card| card as u8 + 1);
        for last in (1..deck.len()).rev() {
            let other = roller.sum(1, last as i64 + 1) as usize - 1;
            deck.swap(last, other);
        }
        let place = deck.iter().position(|&card| card <= 4);
        place.map_or(0, |place| place as i64 + 1)
    })
}

pub(in super::super) fn cards<R: Roller>(_: &Value, trials: u64) -> Tally {
    count(trials, |roller: &mut R| {
        let mut deck: Vec<u8> = (0..52).collect();
        let mut ranks = [0_i64; 13];
        for _ in 0..5 {
            let place = roller.sum(1, deck.len() as i64) as usize - 1;
            ranks[usize::from(deck.swap_remove(place) % 13)] += 1;
        }
        ranks.into_iter().max().unwrap_or(0)
    })
}

pub(in super::super) fn risk<R: Roller>(_: &Value, trials: u64) -> Tally {
    count(trials, |roller: &mut R| {
        let mut attack: [i64; 3] = std::array::from_fn(|_| roller.die::<6>());
        let mut defence: [i64; 2] = std::array::from_fn(|_| roller.die::<6>());
        attack.sort_unstable_by(|a, b| b.cmp(a));
        defence.sort_unstable_by(|a, b| b.cmp(a));
        let pairs = attack.iter().zip(&defence);
        pairs.filter(|(attack, defence)| attack > defence).count() as i64
    })
}

fn commonest_face(dice: &[i64; 5]) -> i64 {
    let mut counts = [0_i64; 7];
    for &face in dice {
        counts[face as usize] += 1;
    }
    let mut best = 1;
    for face in 2..=6 {
        if counts[face] > counts[best] {
            best = face;
        }
    }
    best as i64
}

pub(in super::super) fn yahtzee<R: Roller>(_: &Value, trials: u64) -> Tally {
    count(trials, |roller: &mut R| {
        let mut dice: [i64; 5] = std::array::from_fn(|_| roller.die::<6>());
        for _ in 0..2 {
            let wanted = commonest_face(&dice);
            for die in &mut dice {
                if *die != wanted {
                    *die = roller.die::<6>();
                }
            }
        }
        let wanted = commonest_face(&dice);
        dice.iter().filter(|&&face| face == wanted).count() as i64
    })
}

pub(in super::super) fn pairs<R: Roller>(_: &Value, trials: u64) -> Tally {
    count(trials, |roller: &mut R| {
        let mut dice: [i64; 5] = std::array::from_fn(|_| roller.die::<6>());
        dice.sort_unstable();
        let equal = dice.windows(2).filter(|pair| pair[0] == pair[1]).count();
        i64::from(equal >= 2)
    })
}
