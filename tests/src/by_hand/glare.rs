//! Mummies against veterans: who fails against the glare is frightened, by 5 or more paralyzed as
//! well, until the end of that mummy's next turn; who saves is immune to all of them.

use super::veterans::{self, AC, DEXTERITY, Foes, HIT_POINTS, WISDOM};
use super::{Luck, order, weakest};

const VETERANS: usize = 3;
const MUMMIES: usize = 2;

/// What a veteran suffers from because of a mummy: with how many ends of turns of the mummy, its
/// present one included, it is over.
#[derive(Clone, Copy, Default)]
struct Glared {
    frightened: u32,
    paralyzed: u32,
}

impl Glared {
    /// What is left after the mummy's turn.
    fn after_turn(self) -> Self {
        Self {
            frightened: self.frightened.saturating_sub(1),
            paralyzed: self.paralyzed.saturating_sub(1),
        }
    }
}

/// Three veterans against two mummies. Whether veterans are left.
pub fn mummies(luck: &mut Luck) -> bool {
    let mut foes = Foes::new(MUMMIES, 58, 11);
    foes.resists = true;
    let mut veterans = [HIT_POINTS; VETERANS];
    let mut glared = [[Glared::default(); MUMMIES]; VETERANS];
    let mut immune = [false; VETERANS];
    let mut dexterity = vec![DEXTERITY; VETERANS];
    dexterity.resize(VETERANS + MUMMIES, -1);
    let order = order(luck, &dexterity);
    loop {
        for &one in &order {
            if one < VETERANS && veterans[one] > 0 {
                let own = &mut glared[one];
                if !own.iter().any(|by| by.paralyzed > 0) {
                    let is_frightened = own.iter().any(|by| by.frightened > 0);
                    veterans::turn(luck, &mut foes, is_frightened);
                }
                // The glare of those who have fallen ends.
                for (by, hit_points) in own.iter_mut().zip(&foes.hit_points) {
                    if *hit_points == 0 {
                        *by = Glared::default();
                    }
                }
            } else if one >= VETERANS && foes.hit_points[one - VETERANS] > 0 {
                let mummy = one - VETERANS;
                glare(luck, &veterans, &mut glared, &mut immune, mummy);
                strike(luck, &mut veterans, &glared);
                for own in &mut glared {
                    own[mummy] = own[mummy].after_turn();
                }
            }
            let is_left = weakest(&veterans).is_some();
            if !is_left || !foes.stand() {
                return is_left;
            }
        }
    }
}

fn glare(
    luck: &mut Luck,
    veterans: &[i64],
    glared: &mut [[Glared; MUMMIES]; VETERANS],
    immune: &mut [bool; VETERANS],
    mummy: usize,
) {
    let Some(foe) = weakest(veterans).filter(|&foe| !immune[foe]) else {
        return;
    };
    let total = luck.die(20) + WISDOM;
    if total >= 11 {
        immune[foe] = true;
        return;
    }
    let own = &mut glared[foe][mummy];
    own.frightened = 2;
    if total <= 11 - 5 {
        own.paralyzed = 2;
    }
}

fn strike(luck: &mut Luck, veterans: &mut [i64], glared: &[[Glared; MUMMIES]; VETERANS]) {
    let Some(foe) = weakest(veterans) else {
        return;
    };
    let is_helpless = glared[foe].iter().any(|by| by.paralyzed > 0);
    let times = luck.attack(5, AC, is_helpless, false);
    if times > 0 {
        let times = if is_helpless { 2 } else { times };
        veterans[foe] -= luck.dice(5 * times, 6) + 3;
    }
}
