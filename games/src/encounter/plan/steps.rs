//! Steps and alternatives of multiattacks, as stat blocks list them.

use super::dice::Dice;
use crate::encounter::bestiary::{Action, Step};

/// Whether an action is a multiattack.
pub(super) fn is_multiattack(action: &Action) -> bool {
    has_steps(action) && !action.bonus_action
}

/// Whether an action is made of attacks, as an action or as a bonus action.
pub(super) fn has_steps(action: &Action) -> bool {
    !action.multiattack.is_empty() || !action.multiattack_one_of.is_empty()
}

/// The alternatives of a multiattack.
pub(super) fn alternatives(action: &Action) -> impl Iterator<Item = &Vec<Step>> {
    let own = Some(&action.multiattack).filter(|own| !own.is_empty());
    let all = own.into_iter().chain(&action.multiattack_one_of);
    all.filter(|_| !action.bonus_action)
}

/// Twice the number of times that a step of a multiattack happens, on average.
pub(super) fn double_count(step: &Step) -> i64 {
    match (step.count.as_i64(), step.count.as_str()) {
        (Some(count), _) => count.saturating_mul(2),
        (None, Some("Number of Heads")) => 10,
        (None, Some(text)) => Dice::read(text, "").map_or(2, |dice| dice.double_average()),
        (None, None) => 2,
    }
}
