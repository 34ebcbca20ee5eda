//! A fight of the d100 rules of seed 003, written for just these fighters: what none of them has,
//! such as fatigue, is left out.

use super::super::{Tally, count, number};
use super::dh2e::{degrees, location};
use crate::fights::dice::Roller;
use serde_json::Value;
use std::cmp::Reverse;

/// How many fight, and where they are hit.
const FIGHTERS: usize = 6;
const PLACES: usize = 6;

/// Kind, wounds and agility bonus of each fighter. The first two kinds are on one side.
const BEGIN: [(usize, i64, i64); FIGHTERS] = [
    (0, 13, 4),
    (1, 15, 3),
    (2, 9, 3),
    (2, 9, 3),
    (2, 9, 3),
    (3, 18, 2),
];

#[derive(Clone, Copy)]
struct Fighter {
    name: usize,
    kind: usize,
    health: i64,
    reaction: bool,
}

impl Fighter {
    fn is_acolyte(&self) -> bool {
        self.kind < 2
    }

    fn stands(&self) -> bool {
        self.health > 0
    }
}

/// What is counted besides who wins.
#[derive(Default)]
struct Notes {
    attacks: [[u64; FIGHTERS]; FIGHTERS],
    hits: [[u64; PLACES]; FIGHTERS],
    rounds: Tally,
    left: [Tally; FIGHTERS],
}

/// How many hits somebody avoids.
fn avoided<R: Roller>(roller: &mut R, foe: &mut Fighter) -> i64 {
    let target = match foe.kind {
        0 => 51,
        2 => 30,
        _ => return 0,
    };
    if !std::mem::replace(&mut foe.reaction, false) {
        return 0;
    }
    degrees(roller.die::<100>(), target).max(0)
}

/// A hit by somebody of this kind.
fn suffer<R: Roller>(roller: &mut R, kind: usize, foe: &mut Fighter, face: i64, notes: &mut Notes) {
    let damage = match kind {
        0 => roller.die::<10>().max(roller.die::<10>()) + 3,
        1 => roller.die::<10>().max(3) + 11,
        2 => roller.die::<10>().min(7) + 1,
        _ => roller.die::<10>().max(roller.die::<10>()) + 8,
    };
    let penetration = [1, 3, 0, 2][kind];
    let place = location(face);
    let (armour, toughness): (i64, i64) = match foe.kind {
        0 => (if place == 0 { 6 } else { 3 }, 3),
        1 => (if place == 3 { 6 } else { 4 }, 4),
        2 => (if place == 3 { 2 } else { 0 }, 3),
        _ => (
            if place == 3 { 6 } else { 4 },
            if kind == 3 { 5 } else { 6 },
        ),
    };
    let raw = if foe.kind == 3 && kind == 1 {
        damage / 2
    } else {
        damage
    };
    foe.health -= (raw - (armour - penetration).max(0) - toughness).max(0);
    notes.hits[foe.name][place] += 1;
}

fn attack<R: Roller>(roller: &mut R, own: Fighter, foe: &mut Fighter, notes: &mut Notes) {
    let face = roller.die::<100>();
    let dos = degrees(face, [47, 66, 16, 44][own.kind]);
    let mut shots = match own.kind {
        _ if dos < 0 => 0,
        0 => (1 + dos / 2).min(3),
        _ => 1,
    };
    notes.attacks[own.name][foe.name] += 1;
    if shots > 0 {
        shots -= avoided(roller, foe);
    }
    for shot in 0..shots {
        let face = if shot == 0 { face } else { roller.die::<100>() };
        suffer(roller, own.kind, foe, face, notes);
    }
}

fn turn<R: Roller>(roller: &mut R, everyone: &mut [Fighter], at: usize, notes: &mut Notes) {
    if !everyone[at].stands() {
        return;
    }
    everyone[at].reaction = true;
    let own = everyone[at];
    let is_foe = |one: &Fighter| one.is_acolyte() != own.is_acolyte() && one.stands();
    let foes = everyone.iter().filter(|one| is_foe(one)).count();
    if foes == 0 {
        return;
    }
    let chosen = (roller.sum(1, foes as i64) - 1) as usize;
    if let Some(foe) = everyone.iter_mut().filter(|one| is_foe(one)).nth(chosen) {
        attack(roller, own, foe, notes);
    }
}

/// Who wins: the acolytes (0), the others (1) or nobody (2).
fn fight<R: Roller>(roller: &mut R, rounds: i64, notes: &mut Notes) -> i64 {
    let mut order = [(Reverse(0), 0); FIGHTERS];
    for (name, place) in order.iter_mut().enumerate() {
        *place = (Reverse(roller.die::<10>() + BEGIN[name].2), name);
    }
    // Of equal ones the first comes first, as the numbers of the fighters do.
    order.sort_unstable();
    let mut everyone = order.map(|(_, name)| Fighter {
        name,
        kind: BEGIN[name].0,
        health: BEGIN[name].1,
        reaction: true,
    });
    let (mut winner, mut ended) = (2, rounds);
    for round in 1..=rounds {
        for at in 0..FIGHTERS {
            turn(roller, &mut everyone, at, notes);
        }
        let stand = |acolytes| {
            let mut all = everyone.iter();
            all.any(|one| one.is_acolyte() == acolytes && one.stands())
        };
        if !stand(false) || !stand(true) {
            (winner, ended) = (i64::from(stand(false)), round);
            break;
        }
    }
    notes.rounds.add(ended);
    for one in everyone {
        notes.left[one.name].add(one.health.max(0));
    }
    winner
}

pub(in super::super) fn dh2e_fight<R: Roller>(sheet: &Value, trials: u64) -> Tally {
    let rounds = number(sheet, "rounds");
    let mut notes = Notes::default();
    let winners = count(trials, |roller: &mut R| fight(roller, rounds, &mut notes));
    std::hint::black_box(&notes.attacks);
    std::hint::black_box((&notes.hits, &notes.rounds, &notes.left));
    winners
}
