//! Veterans of the SRD 5.1: armour class 17, 58 hit points, two longswords and a shortsword.

use super::{Luck, weakest};

pub(super) const AC: i64 = 17;
pub(super) const HIT_POINTS: i64 = 58;
pub(super) const DEXTERITY: i64 = 1;
/// What a veteran adds to saves.
pub(super) const CONSTITUTION: i64 = 2;
pub(super) const WISDOM: i64 = 0;

/// The enemies of veterans.
pub(super) struct Foes {
    pub(super) hit_points: Vec<i64>,
    pub(super) ac: i64,
    /// Whether weapons do half of their damage.
    pub(super) resists: bool,
}

impl Foes {
    pub(super) fn new(count: usize, hit_points: i64, ac: i64) -> Self {
        Self {
            hit_points: vec![hit_points; count],
            ac,
            resists: false,
        }
    }

    pub(super) fn stand(&self) -> bool {
        weakest(&self.hit_points).is_some()
    }
}

/// A veteran's turn: three attacks on the weakest enemy, which is chosen again for each.
pub(super) fn turn(luck: &mut Luck, foes: &mut Foes, disadvantage: bool) {
    for sides in [8, 8, 6] {
        let Some(foe) = weakest(&foes.hit_points) else {
            return;
        };
        let times = luck.attack(5, foes.ac, false, disadvantage);
        if times > 0 {
            let damage = luck.dice(times, sides) + 3;
            let damage = if foes.resists { damage / 2 } else { damage };
            foes.hit_points[foe] = (foes.hit_points[foe] - damage).max(0);
        }
    }
}
