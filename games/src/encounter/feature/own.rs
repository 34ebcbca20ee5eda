//! Effects of a feature on its own creature: it regains hit points, or takes an action.

use super::handler::{Does, Way, When};
use super::lowering::Lowering;
use crate::features::{Change, Duration, Effect, Noun};

impl Lowering<'_> {
    /// An effect on the feature's owner; `None` if fights do not model it.
    pub(super) fn own(&self, when: When, effect: &Effect) -> Option<Does> {
        let is_known = effect.target == Noun::Myself
            && effect.duration == Duration::Instant
            && effect.conditions.iter().all(|one| self.holds(one));
        match (&effect.change, when) {
            _ if !is_known => None,
            (
                Change::Regain(hit_points),
                When::Aside(..) | When::TurnStart | When::TurnEnd | When::Moves,
            ) => {
                let hit_points = self.attached.number(hit_points)?;
                let is_whole = hit_points.fract() == 0.0 && (1.0..=10_000.0).contains(&hit_points);
                is_whole.then_some(Does::Mend(hit_points as i64))
            }
            (Change::Act(action), When::Aside(Way::Bonus | Way::Free, _) | When::Legendary(_)) => {
                Some(Does::Act(action.clone()))
            }
            _ => None,
        }
    }
}
