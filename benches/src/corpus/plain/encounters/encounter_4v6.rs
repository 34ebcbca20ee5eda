//! Four veterans against six goblins and a hobgoblin.

use super::{Notes, ROUNDS, Side, order, strikes};
use crate::fights::dice::Roller;

const VETERANS: usize = 4;
const GOBLINS: usize = 6;
/// The hobgoblin is listed after the goblins.
const HOBGOBLIN: usize = GOBLINS;
const FOES: usize = GOBLINS + 1;
pub(super) const SIZES: [usize; 2] = [VETERANS, FOES];

/// The statistics of a fight.
pub(super) const STATS: usize = 11;
/// Their names in the script.
#[cfg(test)]
pub(super) const NAMES: [&str; STATS] = [
    "rounds",
    "Veteran: standing",
    "Veteran: hit points",
    "Veteran: damage, Longsword",
    "Veteran: damage, Shortsword",
    "Goblin: standing",
    "Goblin: hit points",
    "Goblin: damage, Scimitar",
    "Hobgoblin: standing",
    "Hobgoblin: hit points",
    "Hobgoblin: damage, Longsword",
];
/// The lines of who fell first, by side.
#[cfg(test)]
pub(super) const FELL: [&[&str]; 2] = [
    &["Veteran 1", "Veteran 2", "Veteran 3", "Veteran 4"],
    &[
        "Goblin 1",
        "Goblin 2",
        "Goblin 3",
        "Goblin 4",
        "Goblin 5",
        "Goblin 6",
        "Hobgoblin",
    ],
];

struct Fight {
    veterans: Side<VETERANS>,
    foes: Side<FOES>,
    /// The damage done with each weapon: how well one of a kind does is not counted.
    longsword: i64,
    shortsword: i64,
    scimitar: i64,
    hobgoblin: i64,
}

impl Fight {
    fn new() -> Self {
        Self {
            veterans: Side::new([58; VETERANS]),
            foes: Side::new([7, 7, 7, 7, 7, 7, 11]),
            longsword: 0,
            shortsword: 0,
            scimitar: 0,
            hobgoblin: 0,
        }
    }

    /// A veteran's attack on the weakest foe: what damage it does.
    #[inline(always)]
    fn cut<R: Roller, const SIDES: u64>(&mut self, roller: &mut R) -> i64 {
        let Some(foe) = self.foes.weakest else {
            return 0;
        };
        let armour = if foe == HOBGOBLIN { 18 } else { 15 };
        let Some(critical) = strikes(roller.die::<20>(), 5, armour) else {
            return 0;
        };
        let mut damage = roller.die::<SIDES>() + 3;
        if critical {
            damage += roller.die::<SIDES>();
        }
        self.foes.hurt(foe, damage);
        damage
    }

    fn veteran<R: Roller>(&mut self, roller: &mut R) {
        for _ in 0..2 {
            self.longsword += self.cut::<R, 8>(roller);
        }
        self.shortsword += self.cut::<R, 6>(roller);
    }

    fn goblin<R: Roller>(&mut self, roller: &mut R) {
        let Some(veteran) = self.veterans.weakest else {
            return;
        };
        if let Some(critical) = strikes(roller.die::<20>(), 4, 17) {
            let mut damage = roller.die::<6>() + 2;
            if critical {
                damage += roller.die::<6>();
            }
            self.scimitar += damage;
            self.veterans.hurt(veteran, damage);
        }
    }

    fn hobgoblin<R: Roller>(&mut self, roller: &mut R) {
        let Some(veteran) = self.veterans.weakest else {
            return;
        };
        if let Some(critical) = strikes(roller.die::<20>(), 3, 17) {
            let mut damage = roller.die::<8>() + 1;
            if critical {
                damage += roller.die::<8>();
            }
            // Martial Advantage, once a turn: it has one attack.
            if self.foes.hp[..GOBLINS] != [0; GOBLINS] {
                damage += roller.sum(if critical { 4 } else { 2 }, 6);
            }
            self.hobgoblin += damage;
            self.veterans.hurt(veteran, damage);
        }
    }

    fn note(&self, rounds: i64, notes: &mut Notes<STATS>) {
        let (veterans, goblins) = (&self.veterans.hp, &self.foes.hp[..GOBLINS]);
        let hobgoblin = self.foes.hp[HOBGOBLIN];
        let standing = |side: &[i64]| side.iter().map(|&hp| i64::from(hp > 0)).sum();
        let stats = [
            rounds,
            standing(veterans),
            veterans.iter().sum(),
            self.longsword,
            self.shortsword,
            standing(goblins),
            goblins.iter().sum(),
            self.scimitar,
            i64::from(hobgoblin > 0),
            hobgoblin,
            self.hobgoblin,
        ];
        notes.add(stats, [self.veterans.fell, self.foes.fell]);
    }
}

/// Everybody is numbered in the order of their Dexterity: goblins, veterans, the hobgoblin.
const LAST: usize = GOBLINS + VETERANS;

/// Who wins: the veterans (0), the others (1) or nobody (2).
pub(super) fn fight<R: Roller>(roller: &mut R, notes: &mut Notes<STATS>) -> i64 {
    let bonus = |who| if who < GOBLINS { 2 } else { 1 };
    let everyone = order(std::array::from_fn::<_, { LAST + 1 }, _>(|who| {
        roller.die::<20>() + bonus(who)
    }));
    let mut fight = Fight::new();
    let (mut winner, mut ended) = (2, ROUNDS);
    'fight: for round in 1..=ROUNDS {
        for &who in &everyone {
            if who < GOBLINS {
                if fight.foes.hp[who] > 0 {
                    fight.goblin(roller);
                }
            } else if who < LAST {
                if fight.veterans.hp[who - GOBLINS] > 0 {
                    fight.veteran(roller);
                }
            } else if fight.foes.hp[HOBGOBLIN] > 0 {
                fight.hobgoblin(roller);
            }
            // Those who are left have nobody to attack.
            if !fight.veterans.stands() || !fight.foes.stands() {
                (winner, ended) = (i64::from(fight.foes.stands()), round);
                break 'fight;
            }
        }
    }
    fight.note(ended, notes);
    winner
}
