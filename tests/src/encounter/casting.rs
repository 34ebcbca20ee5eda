//! Limited actions in the order in which they are tried, and the spell slots that they share:
//! docs/encounters.md, "Spells".

use super::block::{Sort, bare, list, sort, text};
use super::fight::Battle;
use super::worth::Choices;
use serde_json::{Value, json};

impl Battle<'_> {
    /// The limited actions that somebody tries before anything else, in this order: their indices.
    pub(super) fn limited(&self, who: usize, choices: &Choices) -> Vec<usize> {
        let names = self.all[who].uses.iter().map(|one| one.0.as_str());
        let all = names.map(|name| self.action(who, name)).enumerate();
        let (by_worth, mut others): (Vec<_>, Vec<_>) =
            all.partition(|(_, action)| action["when"] == "worth");
        let mut by_worth: Vec<(i64, usize)> = by_worth
            .into_iter()
            .map(|(index, action)| {
                let worth = 2 * self.worth(who, &action);
                // The usual actions follow help by a bonus action.
                let is_bonus = worth > 0 && sort(&action, self.plain) == Sort::Help;
                let is_bonus = is_bonus && action["bonus action"] == true;
                (worth + if is_bonus { choices.worth } else { 0 }, index)
            })
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

impl Battle<'_> {
    /// Whether an enemy stops a spell that somebody casts.
    pub(super) fn is_countered(&mut self, who: usize, index: usize) -> bool {
        let action = self.action(who, &self.all[who].uses[index].0);
        let level = action["level"].as_i64().unwrap_or(0);
        let foes: Vec<usize> = self.standing(1 - self.all[who].side).collect();
        let has = |foe: &usize| {
            let mut actions = list(&self.all[*foe].block, "actions").iter();
            actions.any(|action| action["counters"].is_object())
        };
        let side = self.all[who].side;
        let mut enemies = (0..self.all.len()).filter(|&one| self.all[one].side != side);
        if level < 3 || !enemies.any(|foe| has(&foe)) {
            return false;
        }
        self.say(format!(
            "{} begins {}",
            self.all[who].name,
            bare(text(&action, "name"))
        ));
        for foe in foes {
            for own in 0..self.all[foe].uses.len() {
                let counter = self.action(foe, &self.all[foe].uses[own].0);
                let rule = &counter["counters"];
                let can = self.all[foe].reaction && self.able(foe) && self.left_of(foe, own) > 0;
                if !rule.is_object() || !can {
                    continue;
                }
                self.use_up(foe, own);
                self.all[foe].reaction = false;
                self.say(format!(
                    "{} uses {}",
                    self.all[foe].name,
                    text(&counter, "name")
                ));
                let stops = match rule["dc"].as_i64() {
                    Some(dc) => {
                        let save = json!({ "ability": "CON", "dc": dc, "on success": "none" });
                        let asked = json!({ "name": counter["name"], "spell": true, "save": save });
                        let asked = self.forced(foe, &asked);
                        !self.save(who, &asked)
                    }
                    None => {
                        level <= rule["level"].as_i64().unwrap_or(0)
                            || self.dice.roll(20) + rule["bonus"].as_i64().unwrap_or(0)
                                >= 10 + level
                    }
                };
                if stops {
                    self.say(format!("{} casts in vain", self.all[who].name));
                    let slot = slot(&action).filter(|_| rule["dc"].is_i64());
                    if let Some(level) = slot {
                        self.all[who].slots[level] += 1;
                    }
                    return true;
                }
            }
        }
        false
    }

    /// A limited action is used once.
    pub(super) fn use_up(&mut self, who: usize, index: usize) {
        let name = self.all[who].uses[index].0.clone();
        match slot(&self.action(who, &name)) {
            Some(level) => self.all[who].slots[level] -= 1,
            None => self.all[who].uses[index].1 -= 1,
        }
    }
}

/// The index of the spell slots that an action uses up.
pub(super) fn slot(action: &Value) -> Option<usize> {
    let level = action["usage"]["slot"].as_u64()?;
    Some(level as usize - 1)
}
