//! Four gladiators against an adult red dragon, who fights with its tail after their turns: its
//! wings, its legendary resistances and who lies on the ground never come up.

use super::{Notes, ROUNDS, Side, order, strikes};
use crate::fights::dice::Roller;

const GLADIATORS: usize = 4;
/// Everybody is numbered in the order of their Dexterity.
const DRAGON: usize = GLADIATORS;
pub(super) const SIZES: [usize; 2] = [GLADIATORS, 1];

/// The statistics of a fight. Damage by frightful presence and by wings is always 0.
pub(super) const STATS: usize = 10;
/// Their names in the script.
#[cfg(test)]
pub(super) const NAMES: [&str; STATS] = [
    "rounds",
    "Gladiator: standing",
    "Gladiator: hit points",
    "Gladiator: damage, Spear",
    "Adult Red Dragon: standing",
    "Adult Red Dragon: hit points",
    "Adult Red Dragon: damage, Bite",
    "Adult Red Dragon: damage, Claw",
    "Adult Red Dragon: damage, Tail",
    "Adult Red Dragon: damage, Fire Breath",
];
/// The lines of who fell first, by side.
#[cfg(test)]
pub(super) const FELL: [&[&str]; 2] = [
    &["Gladiator 1", "Gladiator 2", "Gladiator 3", "Gladiator 4"],
    &["Adult Red Dragon"],
];

struct Fight {
    gladiators: Side<GLADIATORS>,
    /// Which of them can still parry before their next turn.
    parry: [bool; GLADIATORS],
    /// For how many of their turns they are frightened, or [`STEADFAST`].
    frightened: [i64; GLADIATORS],
    dragon: Side<1>,
    has_breath: bool,
    legendary: i64,
    /// The damage done in each way.
    spear: i64,
    bite: i64,
    claw: i64,
    tail: i64,
    breath: i64,
}

/// Who has saved, or was frightened for long enough, is not frightened again.
const STEADFAST: i64 = -1;

/// A gladiator's save against being frightened: with advantage, as they are brave.
fn saves<R: Roller>(roller: &mut R) -> bool {
    roller.die::<20>().max(roller.die::<20>()) + 1 >= 19
}

/// Comes after the keys of all who stand.
const FALLEN: usize = usize::MAX;

/// Two dice; four for a critical hit.
#[inline(always)]
fn two<R: Roller, const SIDES: u64>(roller: &mut R, critical: bool) -> i64 {
    let mut sum = roller.die::<SIDES>() + roller.die::<SIDES>();
    if critical {
        sum += roller.die::<SIDES>() + roller.die::<SIDES>();
    }
    sum
}

impl Fight {
    fn new() -> Self {
        Self {
            gladiators: Side::new([112; GLADIATORS]),
            parry: [true; GLADIATORS],
            frightened: [0; GLADIATORS],
            dragon: Side::new([256]),
            has_breath: true,
            legendary: 3,
            spear: 0,
            bite: 0,
            claw: 0,
            tail: 0,
            breath: 0,
        }
    }

    fn gladiator<R: Roller>(&mut self, roller: &mut R, own: usize) {
        self.parry[own] = true;
        let is_frightened = self.frightened[own] > 0;
        for _ in 0..3 {
            if !self.dragon.stands() {
                break;
            }
            let mut face = roller.die::<20>();
            if is_frightened {
                face = face.min(roller.die::<20>());
            }
            if let Some(critical) = strikes(face, 7, 19) {
                let damage = two::<R, 6>(roller, critical) + 4;
                self.spear += damage;
                self.dragon.hurt(0, damage);
            }
        }
        if is_frightened {
            self.frightened[own] -= 1;
            if self.frightened[own] == 0 || saves(roller) {
                self.frightened[own] = STEADFAST;
            }
        }
    }

    /// The dragon's attack with two dice on the weakest gladiator, who may parry: what damage it
    /// does. A bite burns as well.
    #[inline(always)]
    fn attack<R: Roller, const SIDES: u64, const BURNS: bool>(&mut self, roller: &mut R) -> i64 {
        let Some(foe) = self.gladiators.weakest else {
            return 0;
        };
        let face = roller.die::<20>();
        let Some(critical) = strikes(face, 14, 16) else {
            return 0;
        };
        // A parry adds 3 to the armour class.
        if self.parry[foe] && strikes(face, 14, 19).is_none() {
            self.parry[foe] = false;
            return 0;
        }
        let mut damage = two::<R, SIDES>(roller, critical) + 8;
        if BURNS {
            damage += two::<R, 6>(roller, critical);
        }
        self.gladiators.hurt(foe, damage);
        damage
    }

    /// Whom an area reaches: the three weakest, the weakest first, equal ones as they are listed.
    fn reached(&self) -> impl Iterator<Item = usize> + use<> {
        let hp = self.gladiators.hp;
        let mut keys = [0, 1, 2, 3].map(|at| match hp[at] {
            0 => FALLEN,
            left => left as usize * GLADIATORS + at,
        });
        keys.sort_unstable();
        let standing = keys.into_iter().take(3).filter(|&key| key != FALLEN);
        standing.map(|key| key % GLADIATORS)
    }

    fn breathe<R: Roller>(&mut self, roller: &mut R) {
        let rolled = roller.sum(18, 6);
        for foe in self.reached() {
            let is_saved = roller.die::<20>() + 5 >= 21;
            let damage = if is_saved { rolled / 2 } else { rolled };
            self.breath += damage;
            self.gladiators.hurt(foe, damage);
        }
        self.gladiators.find_weakest();
    }

    fn frighten<R: Roller>(&mut self, roller: &mut R) {
        for foe in self.reached() {
            if self.frightened[foe] == 0 {
                self.frightened[foe] = if saves(roller) { STEADFAST } else { 10 };
            }
        }
    }

    fn dragon<R: Roller>(&mut self, roller: &mut R) {
        self.legendary = 3;
        self.has_breath = self.has_breath || roller.die::<6>() >= 5;
        if std::mem::replace(&mut self.has_breath, false) {
            self.breathe(roller);
        } else {
            self.frighten(roller);
            self.bite += self.attack::<R, 10, true>(roller);
            for _ in 0..2 {
                self.claw += self.attack::<R, 6, false>(roller);
            }
        }
    }

    /// The dragon after the turn of a gladiator.
    fn lash<R: Roller>(&mut self, roller: &mut R) {
        if self.legendary > 0 && self.dragon.stands() && self.gladiators.stands() {
            self.legendary -= 1;
            self.tail += self.attack::<R, 8, false>(roller);
        }
    }

    fn note(&self, rounds: i64, notes: &mut Notes<STATS>) {
        let (gladiators, dragon) = (self.gladiators.hp, self.dragon.hp[0]);
        let stats = [
            rounds,
            gladiators.iter().map(|&hp| i64::from(hp > 0)).sum(),
            gladiators.iter().sum(),
            self.spear,
            i64::from(dragon > 0),
            dragon,
            self.bite,
            self.claw,
            self.tail,
            self.breath,
        ];
        notes.add(stats, [self.gladiators.fell, self.dragon.fell]);
    }
}

/// Who wins: the gladiators (0), the dragon (1) or nobody (2).
pub(super) fn fight<R: Roller>(roller: &mut R, notes: &mut Notes<STATS>) -> i64 {
    let bonus = |who| if who == DRAGON { 0 } else { 2 };
    let everyone = order(std::array::from_fn::<_, { DRAGON + 1 }, _>(|who| {
        roller.die::<20>() + bonus(who)
    }));
    let mut fight = Fight::new();
    let (mut winner, mut ended) = (2, ROUNDS);
    'fight: for round in 1..=ROUNDS {
        for &who in &everyone {
            if who == DRAGON {
                fight.dragon(roller);
            } else if fight.gladiators.hp[who] > 0 {
                fight.gladiator(roller, who);
                fight.lash(roller);
            }
            // Those who are left have nobody to attack.
            if !fight.gladiators.stands() || !fight.dragon.stands() {
                (winner, ended) = (i64::from(fight.dragon.stands()), round);
                break 'fight;
            }
        }
    }
    fight.note(ended, notes);
    winner
}
