//! Legendary actions, after the turns of other creatures (SRD 5.1, "Legendary Actions").

use super::aim::Aim;
use super::deed::{Todo, what};
use super::grip::Grip;
use super::kind::Kind;
use super::short_name::short;
use super::traits::has_no_effect;
use crate::encounter::bestiary::Creature;
use crate::encounter::document::Encounter;
use crate::encounter::wrong::Wrong;

impl Kind {
    /// Its legendary actions, the best for their cost first.
    pub(super) fn read_legendary(
        &mut self,
        encounter: &Encounter,
        path: &str,
    ) -> Result<(), Wrong> {
        let creature = self.creature.clone();
        for (index, action) in creature.legendary.iter().enumerate() {
            let path = format!("{path}.legendary[{index}]");
            let name = attack_of(plain_name(&action.name), &creature);
            let deed = match self.deed(name) {
                Some(deed) => deed,
                None => match what(action, false, &path)? {
                    Some(what) => {
                        let grip = Grip::of(action, &path)?;
                        let deed = self.deeds.len();
                        self.push(name, what, grip);
                        let only = action.only.as_ref();
                        self.deeds[deed].aim = Aim::of(only, &format!("{path}.only"))?;
                        self.concentrate(deed, action, &path)?;
                        deed
                    }
                    None => {
                        if !has_no_effect(name, encounter) {
                            self.missing.push(format!("{name} (legendary)"));
                        }
                        continue;
                    }
                },
            };
            let cost = action.cost.unwrap_or(1).max(1);
            self.legendary.push((cost, Todo::once(deed)));
        }
        let deeds = &self.deeds;
        self.legendary.sort_by_key(|(cost, todo)| {
            let worth = deeds[todo.deed].worth() * 100 / i64::from(*cost);
            std::cmp::Reverse(worth)
        });
        // One that costs no less than a better one that is always possible is never chosen.
        let mut least = u32::MAX;
        let conditional: Vec<usize> = (0..self.deeds.len())
            .filter(|&deed| self.is_conditional(deed))
            .collect();
        self.legendary.retain(|(cost, todo)| {
            let is_cheaper = *cost < least;
            if !conditional.contains(&todo.deed) {
                least = least.min(*cost);
            }
            is_cheaper
        });
        Ok(())
    }
}

/// The attack that a legendary action makes, if the SRD 5.1 only describes it in words.
fn attack_of<'n>(name: &'n str, creature: &Creature) -> &'n str {
    match (name, creature.name.as_str()) {
        ("Tail Swipe", "Aboleth") => "Tail",
        ("Tentacle Attack or Fling", "Kraken") => "Tentacle",
        ("Attack", "Mummy Lord") => "Rotting Fist",
        ("Chomp", "Tarrasque") => "Bite",
        _ => name,
    }
}

/// The name of a legendary action as that of an action: `Bite (Costs 2 Actions)` is `Bite`.
fn plain_name(name: &str) -> &str {
    let name = short(name);
    name.strip_suffix(" Attack").unwrap_or(name)
}
