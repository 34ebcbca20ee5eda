//! Bonus and free actions, here called *asides*: actions that features allow besides the main
//! action. A turn has one bonus action (SRD 5.1, "Bonus Actions").

use super::deed::Deed;
use super::kind::Kind;
use crate::features::Action;

impl Kind {
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
