//! Deeds that no enemy in this fight can be the target of are left out, as if the creature did not
//! have them.

use super::aim::Aim;
use super::condition::Condition;
use super::deed::Todo;
use super::kind::Kind;
use super::{Placed, Plan};

impl Plan {
    /// Leaves out aimless deeds; returns whether there were any.
    pub(super) fn drop_aimless(&mut self) -> bool {
        let aimless: Vec<Vec<usize>> = self.kinds.iter().map(|kind| self.aimless(kind)).collect();
        for (kind, aimless) in self.kinds.iter_mut().zip(&aimless) {
            let is_out = |todo: &Todo| aimless.contains(&todo.deed);
            kind.preferred.retain(|todos| !todos.iter().any(is_out));
            kind.options.retain(|todos| !todos.iter().any(is_out));
            kind.routine.retain(|todo| !is_out(todo));
            kind.legendary.retain(|(_, todo)| !is_out(todo));
            kind.limited.retain(|rare| !aimless.contains(&rare.deed));
            kind.asides.retain(|aside| !aimless.contains(&aside.deed));
        }
        aimless.iter().any(|deeds| !deeds.is_empty())
    }

    /// The deeds of a kind that nobody can be the target of.
    fn aimless(&self, kind: &Kind) -> Vec<usize> {
        let used = kind.used().into_iter();
        let followed = |deed: &usize| kind.handled.iter().all(|one| one.follow != Some(*deed));
        used.filter(followed)
            .filter(|&deed| !self.may_be_met(kind, &kind.deeds[deed].aim))
            .collect()
    }

    /// Whether an enemy of a kind may ever fit a premise.
    fn may_be_met(&self, kind: &Kind, aim: &Aim) -> bool {
        let foes = 1 - kind.side;
        let mut kinds = self.on_side(foes);
        if !kinds.any(|foe| aim.admits(&foe.creature)) {
            return false;
        }
        let is_meant = |one: &Condition| {
            let stops = aim.conditions.contains(&Condition::Incapacitated) && one.incapacitates();
            stops || aim.conditions.contains(one)
        };
        let causes = |placed: &Placed| placed.effect.conditions.iter().any(is_meant);
        let is_bound = aim.conditions.contains(&Condition::Restrained) && self.may_be_bound(foes);
        let is_grappled = aim.grappled && self.holds_on(foes).next().is_some();
        let is_held = aim.held && self.holds_of(kind.number).next().is_some();
        !aim.has_state || is_bound || is_grappled || is_held || self.effects_on(foes).any(causes)
    }
}
