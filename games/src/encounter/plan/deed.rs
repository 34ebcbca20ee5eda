//! Deeds: attacks, actions with saves, and actions of features.

use super::aim::Aim;
use super::boon::Boon;
use super::damage::{By, DamagePart};
use super::effect::Hit;
use super::feet::{Feet, UNSTATED};
use super::grip::Grip;
use super::saving::blast;
use super::strike::Strike;
use crate::encounter::bestiary::Action;
use crate::encounter::feature::{Reach, Shape};
use crate::encounter::wrong::Wrong;
use crate::script_text::ScriptCode;

/// An action of a creature: an attack, or an action with saves.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Deed {
    pub(in crate::encounter) name: String,
    /// Its function in the script.
    pub(in crate::encounter) word: ScriptCode,
    pub(in crate::encounter) what: What,
    /// Its grip on creatures that it hits or that fail its save.
    pub(in crate::encounter) grip: Option<Grip>,
    /// How many attack rolls one use makes.
    pub(in crate::encounter) times: u32,
    /// The creatures that it may be done to.
    pub(in crate::encounter) aim: Aim,
    /// The range of an action on one creature that is not an attack, in feet.
    pub(super) range: Option<u32>,
    /// How it comes from the sight of its creature, if it does.
    pub(in crate::encounter) sight: Option<Sight>,
    /// Whether its effect lasts only while its creature concentrates.
    pub(in crate::encounter) needs_concentration: bool,
    /// The level of a spell as it is cast.
    pub(in crate::encounter) level: Option<u32>,
    /// Whether it is a reaction: to a hit that it turns into a miss, or to damage by a hit.
    pub(in crate::encounter) is_reaction: bool,
    /// The boon of its creature as long as which it is possible.
    pub(in crate::encounter) lasting_with: Option<usize>,
    /// Whether held creatures cannot do it.
    pub(in crate::encounter) is_unheld: bool,
    /// Whether it continues the previous deed, which has output its line.
    pub(in crate::encounter) is_sequel: bool,
    /// Whether it is a spell without effects of its own, for spell triggers of its targets.
    pub(in crate::encounter) is_idle_spell: bool,
}

/// A save that a creature asks of enemies whose turns start, unless it cannot act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum Sight {
    /// Of everybody.
    Aura,
    /// Of those who see it.
    Gaze,
}

#[derive(Clone, Debug)]
pub(in crate::encounter) enum What {
    Strike(Strike),
    /// Damage, a save or both, with the affected creatures.
    Blast(Hit, Reach),
    /// Its creature regains hit points.
    Mend(i64),
    /// It helps its creature or friends.
    Boon(Boon),
}

/// A deed by its index, and the number of repetitions: a number or dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::encounter) struct Todo {
    pub(in crate::encounter) deed: usize,
    pub(in crate::encounter) times: ScriptCode,
}

impl Todo {
    /// A deed that is done once.
    pub(in crate::encounter) fn once(deed: usize) -> Self {
        let times = "1".into();
        Self { deed, times }
    }
}

impl Deed {
    /// Twice its average damage to one target.
    pub(super) fn worth(&self) -> i64 {
        match &self.what {
            What::Strike(strike) => strike.double_average(),
            What::Mend(_) | What::Boon(_) => 0,
            // Only where there is nothing else: an attack comes first.
            What::Blast(hit, _) => {
                let all = hit.damage.iter().map(|part| part.dice.double_average());
                all.sum::<i64>() / 2
            }
        }
    }

    pub(super) fn does_damage(&self) -> bool {
        let grip = self.grip.as_ref();
        if grip.is_some_and(|grip| !grip.damage.is_empty()) {
            return true;
        }
        match &self.what {
            What::Strike(strike) => {
                !strike.damage.is_empty() || strike.rider.as_ref().is_some_and(Hit::does_damage)
            }
            What::Blast(hit, _) => hit.does_damage(),
            What::Mend(_) | What::Boon(_) => false,
        }
    }

    /// Whether it does less damage while its creature has at most half of its hit points.
    pub(in crate::encounter) fn weakens(&self) -> bool {
        self.strike()
            .is_some_and(|strike| !strike.at_half.is_empty())
    }

    /// The effect of its save.
    pub(in crate::encounter) fn hit(&self) -> Option<&Hit> {
        match &self.what {
            What::Strike(strike) => strike.rider.as_ref(),
            What::Blast(hit, _) => Some(hit),
            What::Mend(_) | What::Boon(_) => None,
        }
    }

    /// The attack that it is.
    pub(in crate::encounter) fn strike(&self) -> Option<&Strike> {
        match &self.what {
            What::Strike(strike) => Some(strike),
            What::Blast(..) | What::Mend(_) | What::Boon(_) => None,
        }
    }

    /// What it does for its creature or friends.
    pub(in crate::encounter) fn boon(&self) -> Option<&Boon> {
        match &self.what {
            What::Boon(boon) => Some(boon),
            What::Strike(_) | What::Blast(..) | What::Mend(_) => None,
        }
    }

    /// All parts of the damage that it may do at once.
    pub(super) fn damage_parts(&self) -> impl Iterator<Item = &DamagePart> {
        let own = self.strike().map_or(&[][..], |strike| &strike.damage);
        let of_save = self.hit().map_or(&[][..], |hit| &hit.damage);
        own.iter().chain(of_save)
    }

    /// Whether it is a spell.
    pub(super) fn is_spell(&self) -> bool {
        match &self.what {
            What::Strike(strike) => {
                let mut parts = strike.damage.iter();
                parts.any(|part| part.kind.by == By::Spell)
            }
            What::Blast(hit, _) => hit.is_magical,
            What::Mend(_) | What::Boon(_) => false,
        }
    }

    /// Its range.
    pub(in crate::encounter) fn feet(&self) -> Feet {
        let same = |feet| Feet {
            usual: feet,
            max: feet,
        };
        match &self.what {
            What::Strike(strike) => strike.feet,
            What::Blast(_, Reach::Area(shape)) => same(shape.feet()),
            What::Blast(_, Reach::Chosen | Reach::Given) => same(self.range.unwrap_or(UNSTATED)),
            What::Boon(_) => same(self.range.unwrap_or(UNSTATED)),
            What::Mend(_) => same(0),
        }
    }

    /// Whether an attack is made in melee; `None` if it is none.
    pub(in crate::encounter) fn is_melee(&self) -> Option<bool> {
        match &self.what {
            What::Strike(strike) => Some(strike.is_melee),
            What::Blast(..) | What::Mend(_) | What::Boon(_) => None,
        }
    }
}

/// The greatest number of attack rolls of one use.
const MAX_TIMES: u32 = 20;

/// How many attack rolls one use of an action at a path makes.
///
/// # Errors
/// None or too many, or several of an action that is not an attack.
pub(super) fn times(action: &Action, what: &What, path: &str) -> Result<u32, Wrong> {
    let times = action.times.unwrap_or(1);
    let wrong = |what: String| Err(Wrong::new(format!("{path}.times"), what));
    match what {
        _ if !(1..=MAX_TIMES).contains(&times) => {
            wrong(format!("is {times}, not in 1 to {MAX_TIMES}"))
        }
        What::Blast(..) | What::Mend(_) | What::Boon(_) if times > 1 => {
            wrong(format!("is {times}, and the action is not an attack"))
        }
        _ => Ok(times),
    }
}

/// The deed of an action; `None` if it is not modelled.
pub(super) fn what(action: &Action, is_plain: bool, path: &str) -> Result<Option<What>, Wrong> {
    if let Some(strike) = Strike::of(action, is_plain, path)? {
        return Ok(Some(What::Strike(strike)));
    }
    if is_plain {
        return Ok(None);
    }
    if let Some(boon) = Boon::of(action, path)? {
        return Ok(Some(What::Boon(boon)));
    }
    let hit = blast(action, path)?;
    let reach = match &action.area {
        Some(area) => Reach::Area(Shape::of(area, path)?),
        None => Reach::Chosen,
    };
    Ok(hit.map(|hit| What::Blast(hit, reach)))
}
