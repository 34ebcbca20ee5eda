//! Lists of numbers.

use super::super::{Tally, count, members, number};
use crate::fights::dice::Roller;
use serde_json::Value;

pub(in super::super) fn abilities<R: Roller>(_: &Value, trials: u64) -> Tally {
    count(trials, |roller: &mut R| {
        let mut scores: [i64; 6] = std::array::from_fn(|_| {
            let dice: [i64; 4] = std::array::from_fn(|_| roller.die::<6>());
            dice.iter().sum::<i64>() - dice.into_iter().fold(6, i64::min)
        });
        scores.sort_unstable_by(|a, b| b.cmp(a));
        scores[..4]
            .iter()
            .map(|score| (score - 10).div_euclid(2))
            .sum()
    })
}

pub(in super::super) fn grid<R: Roller>(_: &Value, trials: u64) -> Tally {
    count(trials, |roller: &mut R| {
        let mut visited = [[0_i64; 5]; 5];
        let (mut x, mut y) = (2_usize, 2_usize);
        visited[y][x] = 1;
        for _ in 0..20 {
            match roller.die::<4>() {
                1 => x = (x + 1).min(4),
                2 => x = x.saturating_sub(1),
                3 => y = (y + 1).min(4),
                _ => y = y.saturating_sub(1),
            }
            visited[y][x] = 1;
        }
        visited.iter().flatten().sum()
    })
}

pub(in super::super) fn loot<R: Roller>(sheet: &Value, trials: u64) -> Tally {
    let items = members(sheet, "items", |item| {
        (number(item, "weight"), number(item, "price"))
    });
    let monsters = number(sheet, "monsters");
    let weights: i64 = items.iter().map(|item| item.0).sum();
    count(trials, |roller: &mut R| {
        let mut total = 0;
        for _ in 0..monsters {
            total += roller.sum(2, 6);
            if roller.die::<100>() <= 35 {
                let mut face = roller.sum(1, weights);
                for &(weight, price) in &items {
                    face -= weight;
                    if face <= 0 {
                        total += price;
                        break;
                    }
                }
            }
        }
        total
    })
}

pub(in super::super) fn pool<R: Roller>(sheet: &Value, trials: u64) -> Tally {
    let size = number(sheet, "size");
    count(trials, |roller: &mut R| {
        let successes: i64 = (0..size)
            .map(|_| match roller.die::<10>() {
                1 => -1,
                10 => 2,
                8 | 9 => 1,
                _ => 0,
            })
            .sum();
        successes.max(0)
    })
}

pub(in super::super) fn stack<R: Roller>(sheet: &Value, trials: u64) -> Tally {
    let spells = members(sheet, "spells", |spell| spell.as_i64().unwrap_or_default());
    let mut stack = Vec::new();
    count(trials, |roller: &mut R| {
        stack.clear();
        stack.extend_from_slice(&spells);
        let mut damage = 0;
        let mut steps = 0;
        while steps < 40
            && let Some(power) = stack.pop()
        {
            steps += 1;
            damage += roller.sum(power, 4);
            if power > 1 && roller.die::<6>() >= 5 {
                stack.push(power - 1);
                stack.push(1);
            }
        }
        damage
    })
}

pub(in super::super) fn straights<R: Roller>(_: &Value, trials: u64) -> Tally {
    count(trials, |roller: &mut R| {
        let mut seen = [0; 7];
        for _ in 0..6 {
            seen[roller.die::<6>() as usize] += 1;
        }
        let (mut longest, mut length) = (0, 0);
        for &count in &seen[1..] {
            length = if count > 0 { length + 1 } else { 0 };
            longest = longest.max(length);
        }
        longest
    })
}
