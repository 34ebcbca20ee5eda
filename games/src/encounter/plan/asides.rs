//! Bonus and free actions, here called *asides*: actions that features allow besides the main
//! action. A turn has one bonus action (SRD 5.1, "Bonus Actions").

use super::deed::Deed;
use super::kind::Kind;
use super::occasion::{Aside, recharge, rest_of};
use super::short_name::short;
use super::steps::has_steps;
use crate::encounter::document::Encounter;
use crate::encounter::feature::{Uses, Way};
use crate::encounter::wrong::Wrong;
use crate::features::Action;

impl Kind {
    /// Attacks that a creature makes as a bonus action: a multiattack with one step.
    ///
    /// # Errors
    /// Several steps, another count than a number, or an unknown attack.
    pub(super) fn read_bonus_attacks(
        &mut self,
        encounter: &Encounter,
        path: &str,
    ) -> Result<(), Wrong> {
        let actions = self.creature.actions.clone();
        for (index, action) in actions.iter().enumerate() {
            let is_one = has_steps(action) && action.bonus_action;
            if !is_one || encounter.leaves_out(&action.name) {
                continue;
            }
            let path = format!("{path}.actions[{index}]");
            let ([step], true) = (
                &action.multiattack[..],
                action.multiattack_one_of.is_empty(),
            ) else {
                let wrong = Wrong::new(format!("{path}.multiattack"), "has several steps");
                return Err(wrong.help("a bonus action is one attack, once or several times"));
            };
            let times = step
                .count
                .as_u64()
                .and_then(|times| u32::try_from(times).ok());
            let (Some(deed), Some(times)) = (self.deed(&step.action), times) else {
                let what = format!("makes `{}` {} times", step.action, step.count);
                let wrong = Wrong::new(format!("{path}.multiattack"), what);
                return Err(wrong.help("name an attack of the creature, and a number"));
            };
            let uses = match &action.usage {
                None => Uses::Free,
                Some(usage) => Uses::Few {
                    uses: usage.per_day.unwrap_or(1),
                    recharge: recharge(usage, &path)?,
                    rest: rest_of(usage),
                },
            };
            self.modelled.push(action.name.clone());
            self.asides.push(Aside {
                of: short(&action.name).to_owned(),
                way: Way::Bonus,
                deed,
                times,
                uses,
                fact: None,
                is_unheld: false,
            });
        }
        Ok(())
    }

    /// The deed for an action that a feature grants; `None` if there is none.
    ///
    /// For an attack, the one with the most damage; for a cantrip, such a spell without uses; for a
    /// spell, the first one with uses, or else a cantrip.
    pub(super) fn deed_of(&self, action: &Action) -> Option<usize> {
        let is_limited = |deed: usize| self.limited.iter().any(|rare| rare.deed == deed);
        let best = |passes: &dyn Fn(&Deed) -> bool| {
            let all = (0..self.deeds.len()).filter(|&deed| {
                let is_free = !is_limited(deed) && !self.apart.contains(&deed);
                is_free && passes(&self.deeds[deed])
            });
            all.max_by_key(|&deed| (self.deeds[deed].worth(), usize::MAX - deed))
        };
        match action {
            Action::Attack => best(&|deed| deed.strike().is_some() && !deed.aim.has_state),
            Action::Cantrip => best(&Deed::is_spell),
            Action::Spell => {
                let mut limited = self.limited.iter().map(|rare| rare.deed);
                let spell = limited.find(|&deed| self.deeds[deed].is_spell());
                spell.or_else(|| best(&Deed::is_spell))
            }
            Action::Feature(name) => {
                let mut deeds = self.deeds.iter();
                deeds.position(|deed| deed.name.eq_ignore_ascii_case(name))
            }
        }
    }
}
