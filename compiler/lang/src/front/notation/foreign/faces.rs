//! Dice whose explosions end: as dice that list their faces, with the same odds.

use std::collections::BTreeMap;
use std::fmt::Write;

/// A die lists at most this many faces, the weights included: less than the notation allows, so
/// that a suggestion can be read.
const MAX_FACES: u64 = 1_000;

/// The weights of the totals of dice.
pub(super) type Weights = BTreeMap<u64, u64>;

/// The weights of the totals of `count` dice of `sides` sides; none if there are too many.
pub(super) fn totals(count: u32, sides: u64) -> Option<Weights> {
    let all = sides.checked_pow(count)?;
    if count == 0 || sides == 0 || all > MAX_FACES {
        return None;
    }
    let mut totals = Weights::from([(0, 1)]);
    for _ in 0..count {
        let mut more = Weights::new();
        for (total, weight) in totals {
            for face in 1..=sides {
                *more.entry(total + face).or_default() += weight;
            }
        }
        totals = more;
    }
    Some(totals)
}

/// The same dice with as many extra rolls as `depth`, each if the one before it `explodes`.
pub(super) fn exploded(
    dice: &Weights,
    depth: u32,
    explodes: &dyn Fn(u64) -> bool,
) -> Option<Weights> {
    let all = dice.values().sum::<u64>();
    if all.checked_pow(depth + 1)? > MAX_FACES {
        return None;
    }
    let Some(deeper) = depth.checked_sub(1) else {
        return Some(dice.clone());
    };
    let again = exploded(dice, deeper, explodes)?;
    let scale = all.pow(depth);
    let mut sums = Weights::new();
    for (&total, &weight) in dice {
        if explodes(total) {
            for (&more, &times) in &again {
                *sums.entry(total + more).or_default() += weight * times;
            }
        } else {
            *sums.entry(total).or_default() += weight * scale;
        }
    }
    Some(sums)
}

/// The faces of a die with these weights, in braces.
pub(super) fn written(weights: &Weights) -> String {
    let mut parts: Vec<(u64, u64, u64)> = Vec::new();
    for (&total, &weight) in weights {
        match parts.last_mut() {
            Some((_, last, same)) if *last + 1 == total && *same == weight => *last = total,
            _ => parts.push((total, total, weight)),
        }
    }
    let mut text = String::from("{");
    for (index, (first, last, weight)) in parts.into_iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        // Writing to a String cannot fail.
        let _ = match first == last {
            true => write!(text, "{comma}{first}"),
            false => write!(text, "{comma}{first}..{last}"),
        };
        if weight != 1 {
            let _ = write!(text, ":{weight}");
        }
    }
    text + "}"
}
