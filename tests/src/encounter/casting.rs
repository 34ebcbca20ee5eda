//! Limited actions in the order in which they are tried, and the spell slots that they share:
//! docs/encounters.md, "Spells".

use super::fight::Battle;
use super::worth::Choices;
use serde_json::Value;

impl Battle<'_> {
    /// The limited actions that somebody tries before anything else, in this order: their indices.
    pub(super) fn limited(&self, who: usize, choices: &Choices) -> Vec<usize> {
        let names = self.all[who].uses.iter().map(|one| one.0.as_str());
        let all = names.map(|name| self.action(who, name)).enumerate();
        let (by_worth, mut others): (Vec<_>, Vec<_>) =
            all.partition(|(_, action)| action["when"] == "worth");
        let mut by_worth: Vec<(i64, usize)> = by_worth
            .into_iter()
            .map(|(index, action)| (2 * self.worth(who, &action), index))
            .filter(|one| one.0 > choices.worth)
            .collect();
        by_worth.sort_by_key(|one| std::cmp::Reverse(one.0));
        let first = others.drain(..).map(|one| one.0);
        first.chain(by_worth.into_iter().map(|one| one.1)).collect()
    }

    /// How often a limited action may still be used.
    pub(super) fn left_of(&self, who: usize, index: usize) -> i64 {
        let one = &self.all[who];
        let (name, left) = &one.uses[index];
        let slot = slot(&self.action(who, name));
        slot.map_or(*left, |level| one.slots.get(level).copied().unwrap_or(0))
    }
}

/// The index of the spell slots that an action uses up.
pub(super) fn slot(action: &Value) -> Option<usize> {
    let level = action["usage"]["slot"].as_u64()?;
    Some(level as usize - 1)
}
