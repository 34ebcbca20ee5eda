//! Attacks of a stat block.

use super::damage::{By, DamagePart};
use super::effect::{Hit, rider};
use super::positions::Feet;
use crate::front::encounter::bestiary::{Action, Creature};
use crate::front::encounter::wrong::Wrong;

/// An attack.
#[derive(Clone, Debug)]
pub(in crate::front::encounter) struct Strike {
    /// Its name: `Bite`.
    pub(in crate::front::encounter) name: String,
    /// What is added to the d20.
    pub(in crate::front::encounter) bonus: i64,
    /// Whether it is made in melee; one for both is.
    pub(in crate::front::encounter) is_melee: bool,
    /// How far it reaches.
    pub(in crate::front::encounter) feet: Feet,
    pub(in crate::front::encounter) damage: Vec<DamagePart>,
    /// What those who are hit have to save against.
    pub(in crate::front::encounter) rider: Option<Hit>,
}

/// Traits that make all weapons of a creature magical.
const MAGIC: [&str; 3] = ["Magic Weapons", "Angelic Weapons", "Hellish Weapons"];

/// A name without what stands in parentheses: `Claw (Fiend Form Only)` is `Claw`.
pub(super) fn short(name: &str) -> &str {
    name.split(" (").next().unwrap_or(name)
}

impl Strike {
    /// The attack that an action is, if it is one that does damage, has a rider or holds somebody.
    pub(super) fn of(
        action: &Action,
        creature: &Creature,
        is_plain: bool,
        path: &str,
    ) -> Result<Option<Self>, Wrong> {
        let Some(bonus) = action.bonus else {
            return Ok(None);
        };
        let by = match action.spell {
            true => By::Spell,
            false if MAGIC.iter().any(|name| creature.has(name)) => By::MagicWeapon,
            false => By::Weapon,
        };
        let damage = DamagePart::all(&action.damage, by, path)?;
        let rider = match is_plain {
            true => None,
            false => rider(action, by, path)?,
        };
        let is_melee = action.kind.as_deref() != Some("ranged");
        let holds = !is_plain && action.grapples.is_some();
        let does_something = !damage.is_empty() || rider.is_some() || holds;
        Ok(does_something.then(|| Self {
            name: short(&action.name).to_owned(),
            bonus,
            is_melee,
            feet: Feet::of(action, is_melee),
            damage,
            rider,
        }))
    }

    /// Twice its average damage, of a hit that is not critical.
    pub(super) fn double_average(&self) -> i64 {
        self.damage
            .iter()
            .map(|part| part.dice.double_average())
            .sum()
    }
}
