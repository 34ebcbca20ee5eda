//! Resistances: a creature takes none, half, all or twice the damage.

use super::dice::Dice;
use crate::encounter::bestiary::{Creature, Damage, Part};
use crate::encounter::wrong::Wrong;

/// The types of damage (SRD 5.1, "Damage Types").
pub(crate) const ALL_DAMAGE: [&str; 13] = [
    "acid",
    "bludgeoning",
    "cold",
    "fire",
    "force",
    "lightning",
    "necrotic",
    "piercing",
    "poison",
    "psychic",
    "radiant",
    "slashing",
    "thunder",
];

/// A part of damage.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct DamagePart {
    pub(in crate::encounter) dice: Dice,
    pub(in crate::encounter) kind: DamageType,
}

/// A type of damage, and how it is dealt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::encounter) struct DamageType {
    /// `fire`.
    pub(in crate::encounter) name: String,
    pub(in crate::encounter) by: By,
}

/// The source of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum By {
    /// A weapon, claws and teeth included.
    Weapon,
    /// A magical weapon.
    MagicWeapon,
    /// A spell.
    Spell,
    /// Another source, such as a breath.
    Effect,
}

/// How much of some damage a creature takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum Share {
    None,
    /// Half, rounded down.
    Half,
    All,
    Double,
}

impl DamagePart {
    /// The parts of damage of an action that is at a path; of several grips the first.
    pub(super) fn all(damage: &[Damage], by: By, path: &str) -> Result<Vec<Self>, Wrong> {
        let first = |one: &Damage| match one {
            Damage::Part(part) => Some(part.clone()),
            Damage::Choice { from, .. } => from.first().cloned(),
        };
        let parts = damage.iter().filter_map(first);
        parts.map(|part: Part| Self::of(&part, by, path)).collect()
    }

    /// Some d8 of radiant damage by a spell.
    pub(in crate::encounter) fn radiant(count: i64) -> Self {
        Self {
            dice: Dice::eights(count),
            kind: DamageType {
                name: "radiant".to_owned(),
                by: By::Spell,
            },
        }
    }

    fn of(part: &Part, by: By, path: &str) -> Result<Self, Wrong> {
        Self::new(&part.dice, &part.damage_type, by, &format!("{path}.damage"))
    }

    /// Dice of a type of damage, at a path.
    ///
    /// # Errors
    /// The text is not that of dice.
    pub(in crate::encounter) fn new(
        dice: &str,
        damage_type: &str,
        by: By,
        path: &str,
    ) -> Result<Self, Wrong> {
        let name = damage_type.to_lowercase();
        Ok(Self {
            dice: Dice::read(dice, path)?,
            kind: DamageType { name, by },
        })
    }
}

/// How much of damage of a type a creature takes. Immunity counts before resistance; resistance and
/// vulnerability cancel each other.
pub(in crate::encounter) fn share(creature: &Creature, kind: &DamageType) -> Share {
    let any = |entries: &[String]| entries.iter().any(|entry| covers(entry, kind));
    if any(&creature.immune) {
        return Share::None;
    }
    match (any(&creature.resists), any(&creature.vulnerable)) {
        (true, false) => Share::Half,
        (false, true) => Share::Double,
        _ => Share::All,
    }
}

/// Whether an entry of a stat block such as `fire`, or `bludgeoning, piercing, and slashing from
/// nonmagical weapons that aren't silvered`, covers a type of damage. No weapon is silvered or of
/// adamantine.
fn covers(entry: &str, kind: &DamageType) -> bool {
    let entry = entry.to_lowercase();
    if entry == "damage from spells" {
        return kind.by == By::Spell;
    }
    let (types, from) = match entry.split_once(" from ") {
        Some((types, from)) => (types, Some(from)),
        None => (&*entry, None),
    };
    let words = types.split(|c: char| !c.is_alphabetic());
    let is_it = |word: &str| !word.is_empty() && word == kind.name;
    if !words.into_iter().any(is_it) {
        return false;
    }
    match from {
        None => true,
        Some(from) if from.starts_with("nonmagical") => kind.by == By::Weapon,
        // Magic weapons of the good: nobody says who is good.
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encounter::bestiary::Bestiary;

    fn taken(name: &str, damage: &str, by: By) -> Share {
        let creature = Bestiary::srd().find(name).expect("it is in the SRD");
        let name = damage.to_owned();
        share(&creature, &DamageType { name, by })
    }

    #[test]
    fn entries_of_stat_blocks_are_read_by_their_words() {
        assert_eq!(taken("Adult Red Dragon", "fire", By::Effect), Share::None);
        assert_eq!(taken("Skeleton", "bludgeoning", By::Weapon), Share::Double);
        // SRD 5.1, Werewolf: nonmagical weapons that aren't silvered.
        assert_eq!(
            taken("Werewolf, Hybrid Form", "slashing", By::Weapon),
            Share::None
        );
        assert_eq!(
            taken("Werewolf, Hybrid Form", "slashing", By::MagicWeapon),
            Share::All
        );
        assert_eq!(taken("Imp", "piercing", By::Weapon), Share::Half);
        assert_eq!(taken("Imp", "cold", By::Effect), Share::Half);
        assert_eq!(taken("Goblin", "fire", By::Effect), Share::All);
    }
}
