//! The rules of a creature's traits that apply to a save or a check.

use super::effect::Hit;
use super::roll_class::{CheckClass, RollRule, SaveClass};
use super::traits::Traits;

impl SaveClass {
    fn covers(&self, hit: &Hit) -> bool {
        match self {
            Self::All => true,
            Self::Magic => hit.is_magical,
            Self::Against(condition) => {
                let effect = hit.effect.as_ref();
                effect.is_some_and(|effect| effect.conditions.contains(condition))
            }
            Self::Of(ability) => hit.asks_for(ability),
            Self::OfAgainstMagic(ability) => hit.is_magical && hit.asks_for(ability),
        }
    }
}

impl Traits {
    /// Whether a rule applies to the save against an effect.
    pub(in crate::encounter) fn on_save(&self, rule: RollRule, hit: &Hit) -> bool {
        let mut saves = self.saves.iter();
        saves.any(|(own, class)| *own == rule && class.covers(hit))
    }

    /// Whether a rule applies to the saves of others against an effect of its creature.
    pub(in crate::encounter) fn forces(&self, rule: RollRule, hit: &Hit) -> bool {
        let mut forces = self.forces.iter();
        forces.any(|(own, class)| *own == rule && class.covers(hit))
    }

    /// Whether a rule applies to all saves of an ability.
    pub(in crate::encounter) fn on_all_saves(&self, rule: RollRule, ability: &str) -> bool {
        let mut saves = self.saves.iter();
        saves.any(|(own, class)| {
            let is_meant = match class {
                SaveClass::All => true,
                SaveClass::Of(of) => of == ability,
                SaveClass::Magic | SaveClass::Against(_) | SaveClass::OfAgainstMagic(_) => false,
            };
            *own == rule && is_meant
        })
    }

    /// Whether a rule applies to checks of an ability.
    pub(in crate::encounter) fn on_check(&self, rule: RollRule, ability: &str) -> bool {
        let mut checks = self.checks.iter();
        checks.any(|(own, class)| {
            let is_meant = match class {
                CheckClass::All => true,
                CheckClass::Of(of) => of == ability,
                CheckClass::Escapes => false,
            };
            *own == rule && is_meant
        })
    }

    /// Whether a rule applies to checks to escape, which may be of either ability.
    pub(in crate::encounter) fn on_escape(&self, rule: RollRule) -> bool {
        let mut checks = self.checks.iter();
        let is_meant = |class: &CheckClass| matches!(class, CheckClass::All | CheckClass::Escapes);
        checks.any(|(own, class)| *own == rule && is_meant(class))
    }
}
