//! Rules of characters that the format of features cannot express: further actions, rage, smites,
//! and reactions that soften a hit. They are traits and reactions of these names.

use super::dice::Dice;
use crate::encounter::bestiary::Trait;

/// Such rules of a kind of creatures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::encounter) struct Martial {
    /// Turns in which it takes its usual action twice (SRD 5.1, "Action Surge").
    pub(in crate::encounter) surges: u32,
    /// Its rages (SRD 5.1, "Rage").
    pub(in crate::encounter) rage: Option<Rage>,
    /// Spell slots that become damage (SRD 5.1, "Divine Smite").
    pub(in crate::encounter) smite: Option<Smite>,
    /// A reaction that softens a hit (SRD 5.1, "Uncanny Dodge").
    pub(in crate::encounter) softening: Option<Softening>,
}

/// Rages: resistance to the damage of weapons, and more damage in melee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) struct Rage {
    pub(in crate::encounter) uses: u32,
    /// What hits in melee add.
    pub(in crate::encounter) damage: i64,
}

/// Smites after hits in melee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) struct Smite {
    /// Whether it takes the bonus action of the turn (SRD 5.2).
    pub(in crate::encounter) is_bonus: bool,
    /// Smites without a slot, as with one of level 1.
    pub(in crate::encounter) free: u32,
}

/// A reaction to a hit: less damage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::encounter) struct Softening {
    /// The name of the reaction.
    pub(in crate::encounter) of: String,
    /// What is taken from the damage; without dice it is halved.
    pub(in crate::encounter) dice: Option<Dice>,
    /// Whether it softens ranged attacks with weapons only.
    pub(in crate::encounter) is_for_missiles: bool,
}

impl Smite {
    /// The number of its d8 with a slot of a level: at most five by the SRD 5.1.
    pub(in crate::encounter) fn dice(self, level: u32) -> u32 {
        match self.is_bonus {
            true => level + 1,
            false => (level + 1).min(5),
        }
    }
}

impl Softening {
    /// Whether it softens hits with damage of a type: those that take something from the damage
    /// do so only with weapons' damage.
    pub(in crate::encounter) fn covers(&self, damage_type: &str) -> bool {
        self.dice.is_none() || is_physical(damage_type)
    }
}

/// Whether rage gives resistance to a type of damage.
pub(in crate::encounter) fn is_physical(damage_type: &str) -> bool {
    matches!(damage_type, "bludgeoning" | "piercing" | "slashing")
}

impl Martial {
    /// Adds the rule of a trait or a reaction. Returns whether it is one of these, with the numbers
    /// that it needs.
    pub(super) fn add(&mut self, one: &Trait) -> bool {
        let uses = one.usage.as_ref().and_then(|usage| usage.per_day);
        let value = one.value.as_ref();
        match one.name.as_str() {
            "Action Surge" => self.surges = uses.unwrap_or(1),
            "Rage" => {
                let damage = value.and_then(serde_json::Value::as_i64);
                let Some(damage) = damage.filter(|damage| (0..=100).contains(damage)) else {
                    return false;
                };
                let uses = uses.unwrap_or(1);
                self.rage = Some(Rage { uses, damage });
            }
            "Divine Smite" => {
                self.smite = Some(Smite {
                    is_bonus: value.is_some_and(|value| value == "bonus action"),
                    free: uses.unwrap_or(0),
                });
            }
            "Uncanny Dodge" => {
                self.softening = Some(Softening {
                    of: one.name.clone(),
                    dice: None,
                    is_for_missiles: false,
                });
            }
            "Deflect Missiles" | "Deflect Attacks" => {
                let dice = value.and_then(serde_json::Value::as_str);
                let dice = dice.and_then(|dice| Dice::read(dice, "").ok());
                let Some(dice) = dice.filter(Dice::rolls) else {
                    return false;
                };
                self.softening = Some(Softening {
                    of: one.name.clone(),
                    dice: Some(dice),
                    is_for_missiles: one.name == "Deflect Missiles",
                });
            }
            _ => return false,
        }
        true
    }
}
