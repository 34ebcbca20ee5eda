//! Premises about creatures: whom a deed may be done to, and of whom a save is asked.

use super::condition::Condition;
use crate::encounter::bestiary::{Creature, Premise, Size};
use crate::encounter::wrong::Wrong;

/// The creatures that something may affect: everybody, unless stated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::encounter) struct Aim {
    types: Vec<String>,
    not_types: Vec<String>,
    max_size: Option<Size>,
    /// Whether only creatures in some state fit: with one of the conditions, held, or grappled.
    pub(in crate::encounter) has_state: bool,
    pub(in crate::encounter) conditions: Vec<Condition>,
    /// Whether those that the creature itself holds fit.
    pub(in crate::encounter) held: bool,
    /// Whether those that anybody holds fit.
    pub(in crate::encounter) grappled: bool,
}

impl Aim {
    /// A premise at a path.
    ///
    /// # Errors
    /// A condition that nobody knows.
    pub(super) fn of(premise: Option<&Premise>, path: &str) -> Result<Self, Wrong> {
        let Some(premise) = premise else {
            return Ok(Self::default());
        };
        let lower = |words: &[String]| words.iter().map(|word| word.to_lowercase()).collect();
        let mut aim = Self {
            types: lower(&premise.types),
            not_types: lower(&premise.not_types),
            max_size: premise.max_size,
            has_state: premise.held || !premise.conditions.is_empty(),
            held: premise.held,
            ..Self::default()
        };
        for name in &premise.conditions {
            let name = name.to_lowercase();
            let known = Condition::ALL.into_iter().find(|one| one.name() == name);
            match (known, name.as_str()) {
                (Some(condition), _) => aim.conditions.push(condition),
                (None, "grappled") => aim.grappled = true,
                // Nobody ever has them.
                (None, "charmed" | "deafened") => {}
                (None, _) => {
                    let what = format!("has `{name}`, which is not a condition");
                    return Err(Wrong::new(format!("{path}.conditions"), what));
                }
            }
        }
        Ok(aim)
    }

    /// Whether creatures with a stat block may fit.
    pub(in crate::encounter) fn admits(&self, creature: &Creature) -> bool {
        let what = creature
            .what
            .as_deref()
            .unwrap_or("humanoid")
            .to_lowercase();
        let words: Vec<&str> = what.split(|c: char| !c.is_alphabetic()).collect();
        let is = |word: &String| words.contains(&word.as_str());
        (self.types.is_empty() || self.types.iter().any(is))
            && !self.not_types.iter().any(is)
            && self.max_size.is_none_or(|max| creature.size <= max)
    }
}
