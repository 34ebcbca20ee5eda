//! Giant spiders, an assassin, a giant elk and ghouls against veterans.

use super::veterans::{self, AC, CONSTITUTION, DEXTERITY, Foes, HIT_POINTS};
use super::{Luck, order, weakest};

/// The turns of everybody until a side has fallen: `act` is a monster's turn, `is_kept` whether a
/// veteran loses its turn, and `end` the end of a veteran's turn. Gives whether veterans are left.
fn fight<S>(
    luck: &mut Luck,
    (count, dexterity): (usize, i64),
    foes: &mut Foes,
    state: &mut S,
    act: impl Fn(&mut Luck, &mut Vec<i64>, &mut S),
    turn: impl Fn(&mut Luck, &mut Foes, usize, &mut S),
) -> bool {
    let mut veterans = vec![HIT_POINTS; count];
    let mut all = vec![DEXTERITY; count];
    all.resize(count + foes.hit_points.len(), dexterity);
    let order = order(luck, &all);
    loop {
        for &one in &order {
            if one < count && veterans[one] > 0 {
                turn(luck, foes, one, state);
            } else if one >= count && foes.hit_points[one - count] > 0 {
                act(luck, &mut veterans, state);
            }
            if weakest(&veterans).is_none() || !foes.stand() {
                return weakest(&veterans).is_some();
            }
        }
    }
}

/// Damage of a hit with poison: a save halves the poison, whose dice are not doubled.
fn poison(luck: &mut Luck, count: u32, sides: u64, dc: i64) -> i64 {
    let poison = luck.dice(count, sides);
    let saved = luck.die(20) + CONSTITUTION >= dc;
    if saved { poison / 2 } else { poison }
}

/// Two veterans against three giant spiders without webs. Whoever is paralyzed by the poison has 0
/// hit points.
pub fn spiders(luck: &mut Luck) -> bool {
    let mut foes = Foes::new(3, 26, 14);
    let act = |luck: &mut Luck, veterans: &mut Vec<i64>, (): &mut ()| {
        let Some(foe) = weakest(veterans) else {
            return;
        };
        let times = luck.attack(5, AC, false, false);
        if times > 0 {
            let damage = luck.dice(times, 8) + 3 + poison(luck, 2, 8, 11);
            veterans[foe] -= damage;
        }
    };
    let turn = |luck: &mut Luck, foes: &mut Foes, _: usize, (): &mut ()| {
        veterans::turn(luck, foes, false);
    };
    fight(luck, (2, 3), &mut foes, &mut (), act, turn)
}

/// Two veterans against an assassin: advantage in its first turn against those who have not had
/// one, 4d6 more once a turn with advantage, and 7d6 poison that a save halves.
pub fn assassin(luck: &mut Luck) -> bool {
    let mut foes = Foes::new(1, 78, 15);
    // Which veterans have acted, and whether the assassin has.
    let mut state = ([false; 2], false);
    let act = |luck: &mut Luck, veterans: &mut Vec<i64>, state: &mut ([bool; 2], bool)| {
        let mut has_sneaked = false;
        for _ in 0..2 {
            let Some(foe) = weakest(veterans) else {
                return;
            };
            let advantage = !state.1 && !state.0[foe];
            let times = luck.attack(6, AC, advantage, false);
            if times > 0 {
                let mut damage = luck.dice(times, 6) + 3;
                if advantage && !has_sneaked {
                    has_sneaked = true;
                    damage += luck.dice(4 * times, 6);
                }
                veterans[foe] -= damage;
                if veterans[foe] > 0 {
                    veterans[foe] -= poison(luck, 7, 6, 15);
                }
            }
        }
        state.1 = true;
    };
    let turn = |luck: &mut Luck, foes: &mut Foes, one: usize, state: &mut ([bool; 2], bool)| {
        veterans::turn(luck, foes, false);
        state.0[one] = true;
    };
    fight(luck, (2, 3), &mut foes, &mut state, act, turn)
}

/// A veteran against a giant elk, which never has a prone target for its hooves and rams.
pub fn elk(luck: &mut Luck) -> bool {
    let mut foes = Foes::new(1, 42, 14);
    let act = |luck: &mut Luck, veterans: &mut Vec<i64>, (): &mut ()| {
        let times = luck.attack(6, AC, false, false);
        if times > 0 {
            veterans[0] -= luck.dice(2 * times, 6) + 4;
        }
    };
    let turn = |luck: &mut Luck, foes: &mut Foes, _: usize, (): &mut ()| {
        veterans::turn(luck, foes, false);
    };
    fight(luck, (1, 3), &mut foes, &mut (), act, turn)
}

/// Two veterans against six ghouls that use their claws: paralyzed creatures lose their turns,
/// attacks on them have advantage, hits are critical, and they save again when their turns end.
pub fn ghouls(luck: &mut Luck) -> bool {
    let mut foes = Foes::new(6, 22, 12);
    // For how many turns veterans are paralyzed.
    let mut state = [0; 2];
    let act = |luck: &mut Luck, veterans: &mut Vec<i64>, state: &mut [i32; 2]| {
        let Some(foe) = weakest(veterans) else {
            return;
        };
        let is_helpless = state[foe] > 0;
        let times = luck.attack(4, AC, is_helpless, false);
        if times > 0 {
            let times = if is_helpless { 2 } else { times };
            veterans[foe] -= luck.dice(2 * times, 4) + 2;
            let is_standing = veterans[foe] > 0;
            if is_standing && luck.die(20) + CONSTITUTION < 10 {
                state[foe] = 10;
            }
        }
    };
    let turn = |luck: &mut Luck, foes: &mut Foes, one: usize, state: &mut [i32; 2]| {
        if state[one] == 0 {
            return veterans::turn(luck, foes, false);
        }
        state[one] -= 1;
        if state[one] > 0 && luck.die(20) + CONSTITUTION >= 10 {
            state[one] = 0;
        }
    };
    fight(luck, (2, 2), &mut foes, &mut state, act, turn)
}
