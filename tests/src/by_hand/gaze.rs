//! A medusa and a basilisk against veterans that meet their gaze at the start of each turn: who
//! fails is restrained in that turn, and turns to stone if it fails again at the end of the turn.
//! Those who turn to stone are out.

use super::veterans::{self, AC, CONSTITUTION, DEXTERITY, Foes, HIT_POINTS};
use super::{Luck, order, weakest};

const VETERANS: usize = 3;

/// A creature with a gaze.
struct Gazer {
    hit_points: i64,
    ac: i64,
    dexterity: i64,
    dc: i64,
    /// Whether those who fail by 5 or more turn to stone at once.
    is_instant: bool,
    /// The damage of its attacks: dice, their sides, more dice, their sides, and a number.
    attacks: &'static [[i64; 5]],
}

/// Three veterans against a medusa. Whether veterans are left.
pub fn medusa(luck: &mut Luck) -> bool {
    let medusa = Gazer {
        hit_points: 127,
        ac: 15,
        dexterity: 2,
        dc: 14,
        is_instant: true,
        attacks: &[[1, 4, 4, 6, 2], [1, 6, 0, 6, 2], [1, 6, 0, 6, 2]],
    };
    fight(luck, &medusa)
}

/// Three veterans against a basilisk. Whether veterans are left.
pub fn basilisk(luck: &mut Luck) -> bool {
    let basilisk = Gazer {
        hit_points: 52,
        ac: 15,
        dexterity: -1,
        dc: 12,
        is_instant: false,
        attacks: &[[2, 6, 2, 6, 3]],
    };
    fight(luck, &basilisk)
}

fn fight(luck: &mut Luck, gazer: &Gazer) -> bool {
    let mut foes = Foes::new(1, gazer.hit_points, gazer.ac);
    let mut veterans = [HIT_POINTS; VETERANS];
    let mut dexterity = vec![DEXTERITY; VETERANS];
    dexterity.push(gazer.dexterity);
    let order = order(luck, &dexterity);
    loop {
        for &one in &order {
            match veterans.get(one).copied() {
                Some(hit_points) if hit_points > 0 => {
                    if !withstands(luck, &mut foes, gazer) {
                        veterans[one] = 0;
                    }
                }
                Some(_) => {}
                None => strike(luck, &mut veterans, gazer),
            }
            let is_left = weakest(&veterans).is_some();
            if !is_left || !foes.stand() {
                return is_left;
            }
        }
    }
}

/// A veteran's turn; whether it is still in the fight.
fn withstands(luck: &mut Luck, foes: &mut Foes, gazer: &Gazer) -> bool {
    let total = luck.die(20) + CONSTITUTION;
    if gazer.is_instant && total <= gazer.dc - 5 {
        return false;
    }
    let is_restrained = total < gazer.dc;
    veterans::turn(luck, foes, is_restrained);
    !is_restrained || luck.die(20) + CONSTITUTION >= gazer.dc
}

fn strike(luck: &mut Luck, veterans: &mut [i64], gazer: &Gazer) {
    for [count, sides, more, other_sides, bonus] in gazer.attacks {
        let Some(foe) = weakest(veterans) else {
            return;
        };
        let times = luck.attack(5, AC, false, false);
        if times > 0 {
            let own = luck.dice(times * *count as u32, *sides as u64);
            let others = luck.dice(times * *more as u32, *other_sides as u64);
            veterans[foe] -= own + others + bonus;
        }
    }
}
