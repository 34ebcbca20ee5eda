//! The worth of boons, by which they compete with attacks and saves: docs/encounters.md,
//! "Choices".
//!
//! ```text
//! boon = turns * (what it adds to the damage of a friend's turn
//!                 + what it takes from the damage of the enemies' turns, per friend
//!                 + the worth of the deeds that last with it)
//! ```

use super::boon::Boon;
use super::deed::{Deed, What};
use super::worth::{
    FACES, Foe, MAX_TARGETS, MAX_TURNS, Sides, TURN, WHOLE, bounded, worth as deed_worth,
};

/// The part of hits with weapons that a boon counts, in hundredths: most attacks hit about so
/// often.
const HITS: i64 = 65;

/// Greater numbers decide nothing more, and no product of them overflows.
const MOST: i64 = 10_000_000;

/// The number of turns that count.
pub(super) fn turns(boon: &Boon) -> i64 {
    i64::from(boon.turns).min(MAX_TURNS)
}

/// What a boon is worth to a creature of these friends against these enemies.
fn worth_to(boon: &Boon, friend: &Foe, friends: i64, foes: &[Foe]) -> i64 {
    let attack_dice = boon.attack_dice.as_ref();
    let attack_dice = attack_dice.map_or(0, |dice| bounded(dice.double_average()));
    let unseen = if boon.is_invisible { WHOLE / 4 } else { 0 };
    // Twice the average of dice, of 20 faces.
    let gain = friend.power * (attack_dice * WHOLE / (2 * FACES) + unseen);
    let hits = boon.hits.as_ref();
    let hits = hits.map_or(0, |part| bounded(part.dice.double_average()));
    let attacks = match boon.is_of_spells {
        true => friend.attacks,
        false => friend.swings,
    };
    let gain = gain + attacks * hits * HITS;
    let one_more = match boon.has_attack && friend.swings > 0 {
        true => friend.power / friend.swings * HITS,
        false => 0,
    };
    let gain = gain + one_more;
    let power: i64 = foes.iter().map(|foe| foe.count * foe.power).sum();
    let blurred = if boon.is_blurred { WHOLE / 4 } else { 0 };
    let images = if boon.images > 0 { WHOLE / 2 } else { 0 };
    let loss = power * (boon.armour * WHOLE / FACES + blurred + images) / friends.max(1);
    let turns = match boon.marks {
        true => turns(boon).min(friend.turns_to_fell(foes)),
        false => turns(boon),
    };
    let turns = turns * TURN;
    (gain + loss).clamp(0, MOST) * turns
}

/// What a boon is worth to each of these kinds of friends, in their order.
pub(super) fn worths(boon: &Boon, friends: &[Foe], foes: &[Foe]) -> Vec<i64> {
    let count = friends.iter().map(|friend| friend.count).sum();
    let each = friends.iter();
    each.map(|friend| worth_to(boon, friend, count, foes))
        .collect()
}

/// The worth of one use of a deed that is a boon of a creature whose kind has this number: to those
/// to whom it is worth most.
pub(super) fn worth(boon: &Boon, own: usize, sides: &Sides) -> i64 {
    let friends = &sides.friends;
    let all = worths(boon, friends, &sides.enemies);
    if boon.is_own {
        let index = friends.iter().position(|friend| friend.number == own);
        let worth = index.and_then(|index| all.get(index)).copied();
        return FACES * FACES * FACES * worth.unwrap_or(0);
    }
    let counts = friends.iter().map(|friend| friend.count);
    let mut each: Vec<(i64, i64)> = all.into_iter().zip(counts).collect();
    each.sort_by_key(|one| std::cmp::Reverse(one.0));
    let mut left = i64::from(boon.targets);
    let mut sum = 0;
    for (worth, count) in each {
        sum += worth * count.min(left);
        left -= count.min(left);
    }
    FACES * FACES * FACES * sum
}

/// The worth of a deed that lasts with a boon: an aura counts for as many enemies as an area.
pub(super) fn lasting(boon: &Boon, deed: &Deed, foes: &[Foe]) -> i64 {
    let count: i64 = foes.iter().map(|foe| foe.count).sum();
    let reached = match &deed.what {
        What::Blast(..) => count.min(MAX_TARGETS),
        _ => 1,
    };
    deed_worth(deed, foes) * reached * turns(boon)
}
