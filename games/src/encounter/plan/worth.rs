//! The estimate by which creatures choose among attacks and actions: the damage of one use that
//! they may expect, against these enemies.
//!
//! ```text
//! attack     = chance to hit * (damage + save)
//! save       = chance to fail * (damage + conditions) + chance to save * half of the damage
//! conditions = turns * part of a turn that they cost * damage of a turn of the enemy
//! ```
//!
//! It is the average over the enemies; an area counts for as many as it reaches, three at most.
//! Conditions last three turns at most. Attacks at a distance count with disadvantage. Turns are
//! counted in thousandths, parts of a turn in hundredths, chances in twentieths, and damage twice,
//! so that all numbers are whole.

use super::condition::Condition;
use super::damage::{DamagePart, Share, share};
use super::deed::{Deed, What};
use super::dice::Dice;
use super::effect::{Ends, Hit, Part};
use super::kind::Kind;
use super::steps::{alternatives, double_count, is_multiattack};
use crate::encounter::bestiary::{Action, Creature, Damage, Step};
use crate::encounter::feature::Reach;

/// Faces of a d20.
pub(super) const FACES: i64 = 20;

/// A turn, in thousandths, and the greatest number of turns that count.
pub(super) const TURN: i64 = 1000;
pub(super) const MAX_TURNS: i64 = 3;

/// All of a turn, in hundredths.
pub(super) const WHOLE: i64 = 100;

/// The greatest number of creatures in an area that count.
pub(super) const MAX_TARGETS: i64 = 3;

/// Greater numbers decide nothing more: no stat block has them, and no product of them overflows.
const LARGE: i64 = 100_000;

pub(super) fn bounded(number: i64) -> i64 {
    number.clamp(-LARGE, LARGE)
}

/// The kinds of a fight, as a creature sees them.
#[derive(Clone, Debug)]
pub(super) struct Sides {
    /// Those of its side, its own included.
    pub(super) friends: Vec<Foe>,
    pub(super) enemies: Vec<Foe>,
}

/// A kind of enemies or friends.
#[derive(Clone, Debug)]
pub(super) struct Foe {
    pub(super) side: usize,
    /// The number of the kind.
    pub(super) number: usize,
    pub(super) count: i64,
    creature: Creature,
    /// Twice the damage of one of its turns, if everything hits.
    pub(super) power: i64,
    /// The greatest number of its attacks with weapons in a turn, and with spells, too.
    pub(super) swings: i64,
    pub(super) attacks: i64,
}

impl Foe {
    pub(super) fn of(kind: &Kind) -> Self {
        Self {
            side: kind.side,
            number: kind.number,
            count: i64::from(kind.count),
            creature: kind.creature.clone(),
            power: power(&kind.creature),
            swings: swings(&kind.creature, false),
            attacks: swings(&kind.creature, true),
        }
    }

    /// How many turns it needs to fell one of these enemies if everything hits, on average.
    pub(super) fn turns_to_fell(&self, foes: &[Self]) -> i64 {
        let count: i64 = foes.iter().map(|foe| foe.count).sum();
        let all = foes.iter();
        let hit_points: i64 = all.map(|foe| foe.count * bounded(foe.creature.hp)).sum();
        match self.power {
            0 => MAX_TURNS,
            power => 2 * hit_points / count.max(1) / power,
        }
    }

    /// Twice the damage that it takes of this.
    fn taken(&self, damage: &[DamagePart]) -> i64 {
        let each = damage.iter().map(|part| {
            let amount = bounded(part.dice.double_average()).max(0);
            match share(&self.creature, &part.kind) {
                Share::None => 0,
                Share::Half => amount / 2,
                Share::All => amount,
                Share::Double => 2 * amount,
            }
        });
        bounded(each.sum())
    }

    /// The part of a turn that conditions cost it.
    fn loses(&self, conditions: &[Condition]) -> i64 {
        let suffers = |one: &&Condition| !self.creature.is_immune_to(one.name());
        let costs = conditions.iter().filter(suffers).map(|one| match one {
            // Those who lie stand up when their turn starts, and one attack ends the other one.
            Condition::Prone | Condition::Lit => 0,
            one if one.incapacitates() => WHOLE,
            one if one.hinders() && one.exposes() => WHOLE / 2,
            one if one.hinders() || one.exposes() => WHOLE / 4,
            _ => 0,
        });
        costs.max().unwrap_or(0)
    }

    /// The worth of an effect on it after a save.
    fn suffers(&self, hit: &Hit) -> i64 {
        if !hit.aim.admits(&self.creature) {
            return 0;
        }
        let ask = hit.ask.as_ref();
        let fails_by = |margin: i64| {
            ask.map_or(FACES, |ask| {
                let bonus = self.creature.save(&ask.ability).unwrap_or(0);
                (bounded(ask.dc) - margin - bounded(bonus)).clamp(0, FACES)
            })
        };
        let fails = fails_by(1);
        let damage = self.taken(&hit.damage) * TURN * WHOLE;
        let on_save = if hit.is_halved { damage / 2 } else { 0 };
        let mut all = fails * damage + (FACES - fails) * on_save;
        for (part, effect) in hit.parts() {
            let chance = match part {
                Part::Fails => fails,
                Part::FailsBy5 => fails_by(5),
                Part::FailsTwice => fails * fails / FACES,
                Part::Drops => 0,
            };
            let turns = match effect.ends {
                _ if effect.repeats.is_some() => FACES * TURN / (FACES - fails).max(1),
                Ends::OwnEnd => i64::from(effect.turns) * TURN,
                _ => TURN,
            };
            let each = self.taken(&effect.each_turn) * WHOLE;
            let loses = self.power * self.loses(&effect.conditions);
            all += chance * turns.min(MAX_TURNS * TURN) * (each + loses);
        }
        all
    }

    /// The worth of one use of a deed on it.
    fn worth(&self, deed: &Deed) -> i64 {
        if !deed.aim.admits(&self.creature) {
            return 0;
        }
        match &deed.what {
            What::Strike(strike) => {
                let needed = bounded(self.creature.ac) - bounded(strike.bonus);
                let hits = (FACES + 1 - needed).clamp(1, FACES - 1);
                // SRD 5.1, "Ranged Attacks in Close Combat": enemies are close, or will be.
                let hits = match strike.is_melee {
                    true => hits * FACES,
                    false => hits * hits,
                };
                let rider = strike.rider.as_ref().map_or(0, |hit| self.suffers(hit));
                let grip = deed.grip.as_ref().filter(|grip| {
                    let fits = grip.max_size.is_none_or(|max| self.creature.size <= max);
                    grip.restrains && fits && !self.creature.is_immune_to("grappled")
                });
                let held = grip.map_or(0, |_| {
                    FACES * TURN * self.power * self.loses(&[Condition::Restrained])
                });
                hits * (FACES * self.taken(&strike.damage) * TURN * WHOLE + rider + held)
            }
            What::Blast(hit, _) => FACES * FACES * self.suffers(hit),
            What::Mend(_) | What::Boon(_) => 0,
        }
    }
}

/// The worth of one use of a deed against enemies.
pub(super) fn worth(deed: &Deed, foes: &[Foe]) -> i64 {
    let count: i64 = foes.iter().map(|foe| foe.count).sum();
    let all: i64 = foes.iter().map(|foe| foe.count * foe.worth(deed)).sum();
    let reached = match &deed.what {
        What::Blast(_, Reach::Area(_)) => count.min(MAX_TARGETS),
        _ => 1,
    };
    all / count.max(1) * reached * i64::from(deed.times)
}

/// Twice the damage of a turn of a creature in which everything hits: its best multiattack, or its
/// best action without limited uses.
fn power(creature: &Creature) -> i64 {
    let actions = creature.actions.iter();
    let free = actions.clone().filter(|action| action.usage.is_none());
    let single = free.map(double_damage).max();
    let of_step = |step: &Step| {
        let mut named = creature.actions.iter();
        let action = named.find(|action| action.name == step.action);
        action.map_or(0, double_damage) * bounded(double_count(step)) / 2
    };
    let multiattacks = actions.filter(|action| is_multiattack(action));
    let multiattacks = multiattacks.flat_map(alternatives);
    let several = multiattacks
        .map(|steps| steps.iter().map(of_step).sum())
        .max();
    bounded(single.unwrap_or(0).max(several.unwrap_or(0)))
}

/// The greatest number of attacks in a turn, with weapons or also with spells: those of a
/// multiattack, or one.
fn swings(creature: &Creature, has_spells: bool) -> i64 {
    let actions = &creature.actions;
    let is_weapon = |action: &&Action| {
        let is_free = action.bonus.is_some() && action.usage.is_none();
        is_free && (has_spells || !action.spell)
    };
    let single = actions.iter().filter(is_weapon);
    let single = single.map(|action| i64::from(action.times.unwrap_or(1)));
    let of_step = |step: &Step| {
        let mut named = actions.iter().filter(is_weapon);
        let action = named.find(|action| action.name == step.action);
        let times = action.map_or(0, |action| i64::from(action.times.unwrap_or(1)));
        times * bounded(double_count(step)) / 2
    };
    let multiattacks = actions.iter().filter(|action| is_multiattack(action));
    let several = multiattacks.flat_map(alternatives);
    let several = several.map(|steps| steps.iter().map(of_step).sum());
    bounded(single.chain(several).max().unwrap_or(0))
}

/// Twice the average damage of an action, of its save as well.
fn double_damage(action: &Action) -> i64 {
    let of_save = action.save.as_ref().map_or(&[][..], |save| &save.damage);
    let all = action.damage.iter().chain(of_save);
    let dice = all.filter_map(|damage| match damage {
        Damage::Part(part) => Some(&part.dice),
        Damage::Choice { from, .. } => from.first().map(|part| &part.dice),
    });
    let all = dice.map(|dice| Dice::read(dice, "").map_or(0, |dice| dice.double_average()));
    let once = bounded(all.map(bounded).sum());
    bounded(once * i64::from(action.times.unwrap_or(1)))
}
