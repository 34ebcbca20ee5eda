//! Fighters as they enter a fight, with their weapons.

use crate::dh2e::combatant::Combatant;
use crate::dh2e::json::{Notes, Wrong};
use crate::dh2e::model::{Fighter, Tactic, Weapon};
use crate::dh2e::script::assault::{is_melee, weapon};

/// A fighter of a scenario, before the possible events of the fight are known.
pub(super) struct Entrant<'a> {
    /// The side that it is on.
    pub(super) side: usize,
    /// Where it is in the scenario.
    pub(super) path: String,
    pub(super) fighter: &'a Fighter,
    pub(super) who: Combatant<'a>,
    /// The weapons that it may use: its own choice, and those that it falls back to when the ones
    /// before them have too few rounds.
    pub(super) weapons: Vec<&'a Weapon>,
}

impl<'a> Entrant<'a> {
    /// The fighter at a path of its scenario.
    ///
    /// # Errors
    /// The errors in it.
    pub(super) fn new(
        side: usize,
        fighter: &'a Fighter,
        path: String,
        notes: &mut Notes,
    ) -> Result<Self, Wrong> {
        let who = Combatant::new(&fighter.actor, &format!("{path}.actor"), notes)?;
        let chosen = weapon(&who, fighter.weapon.as_deref(), &format!("{path}.weapon"))?;
        if fighter.tactic == Tactic::Overwatch && is_melee(chosen) {
            let what = format!("is `overwatch`, and `{}` is a melee weapon", chosen.name);
            let wrong = Wrong::new(format!("{path}.tactic"), what);
            return Err(wrong.help("choose a ranged weapon with `weapon`, or another tactic"));
        }
        Ok(Self {
            path,
            side,
            fighter,
            weapons: fallbacks(&fighter.actor.weapons, chosen),
            who,
        })
    }

    /// Whether it has more fatigue at the beginning than it can bear (seed 003, "Fatigue").
    pub(super) fn is_exhausted(&self) -> Result<bool, Wrong> {
        match self.who.actor.fatigue {
            0 => Ok(false),
            fatigue => Ok(fatigue > self.who.bonus("t")? + self.who.bonus("wp")?),
        }
    }
}

/// A weapon, and those after it, up to the first one that needs no rounds. After the last one comes
/// the first one.
fn fallbacks<'a>(all: &'a [Weapon], chosen: &'a Weapon) -> Vec<&'a Weapon> {
    let at = all.iter().position(|one| std::ptr::eq(one, chosen));
    let (before, after) = all.split_at(at.unwrap_or_default());
    let mut weapons = Vec::new();
    for weapon in after.iter().chain(before) {
        weapons.push(weapon);
        if weapon.loaded.is_none() {
            break;
        }
    }
    weapons
}
