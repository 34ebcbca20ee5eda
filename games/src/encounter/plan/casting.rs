//! Spell slots and lists of spells of a creature.

use super::kind::Kind;
use crate::encounter::bestiary::Usage;
use crate::encounter::spells::{MAX_LEVEL, MAX_SPELLS};
use crate::encounter::wrong::Wrong;

impl Kind {
    /// The levels of the spell slots that it uses, each once, in order.
    pub(in crate::encounter) fn slots(&self) -> Vec<u32> {
        let limited = self.limited.iter().filter_map(|rare| rare.slot);
        let healing = self.healing.iter().filter_map(|one| one.slot);
        let smites = self.traits.martial.smite.is_some();
        let slots = self.creature.spellcasting.iter().filter(|_| smites);
        let slots = slots.flat_map(|own| (1..).zip(&own.slots));
        let of_smites = slots
            .filter(|(_, count)| **count > 0)
            .map(|(level, _)| level);
        let mut all: Vec<u32> = limited.chain(healing).chain(of_smites).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Checks the lists of its spells.
    ///
    /// # Errors
    /// More spells or levels than there can be, or another key than a number of times a day.
    pub(super) fn check_spells(&self) -> Result<(), Wrong> {
        let Some(casting) = &self.creature.spellcasting else {
            return Ok(());
        };
        let wrong = |member: &str, what: String| {
            let path = format!("{}: $.spellcasting.{member}", self.creature.name);
            Err(Wrong::new(path, what))
        };
        let by_day = casting.per_day.values().map(Vec::len);
        let count = casting.spells.len() + casting.at_will.len() + by_day.sum::<usize>();
        if count > MAX_SPELLS {
            return wrong(
                "spells",
                format!("has {count} spells; at most {MAX_SPELLS} are read"),
            );
        }
        let levels = casting.slots.len();
        if levels > MAX_LEVEL {
            return wrong(
                "slots",
                format!("has {levels} levels; there are {MAX_LEVEL}"),
            );
        }
        let is_number = |times: &&String| times.parse::<u32>().is_ok_and(|times| times > 0);
        match casting.per_day.keys().find(|times| !is_number(times)) {
            Some(times) => wrong(
                "per day",
                format!("has `{times}` where the number of times a day belongs"),
            ),
            None => Ok(()),
        }
    }

    /// Checks that it has slots of the level that an action at a path uses up.
    ///
    /// # Errors
    /// It has none.
    pub(super) fn check_slot(&self, usage: &Usage, path: &str) -> Result<(), Wrong> {
        let Some(level) = usage.slot else {
            return Ok(());
        };
        let slots = self
            .creature
            .spellcasting
            .as_ref()
            .map_or(&[][..], |own| &own.slots);
        let index = (level as usize).checked_sub(1);
        match index.and_then(|index| slots.get(index)) {
            Some(1..) => Ok(()),
            _ => {
                let what = format!("is {level}, and `spellcasting` has no slots of that level");
                Err(Wrong::new(format!("{path}.usage.slot"), what))
            }
        }
    }
}
