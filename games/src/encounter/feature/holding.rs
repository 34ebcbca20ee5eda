//! Features that hold (grapple) creatures, and their conditions on escapes.

use super::attached::Attached;
use super::parts::GRAPPLED;
use crate::encounter::bestiary::Size;
use crate::encounter::plan::Grip;
use crate::features::{
    Binary, Change, Duration, Effect, EventKind, Expr, ExprKind, Noun, Subfeature,
};

/// The number of creatures that a feature can hold at a time: any.
const EVERYBODY: u32 = 100;

/// The grip of an effect that holds its targets until they escape, if it does.
pub(super) fn grip(effect: &Effect, attached: &Attached, max_size: Option<Size>) -> Option<Grip> {
    let (place, value) = match &effect.change {
        Change::Set { place, value } => (place, value),
        Change::Store(Expr {
            kind: ExprKind::Store(value, place),
            ..
        }) => (place, &**value),
        _ => return None,
    };
    let is_lasting = matches!(
        effect.duration,
        Duration::Instant | Duration::UntilOverridden
    );
    // A condition holds the creature that it comes from; some files write 1 for it.
    let is_held = value.kind == ExprKind::Noun(Noun::Myself)
        || attached.number(value).is_some_and(|number| number != 0.0);
    let is_it = place.owner != Noun::Myself && place.attribute.to_string() == GRAPPLED;
    (is_it && is_held && is_lasting).then(|| Grip {
        dc: attached.escape_dc,
        restrains: false,
        holds: EVERYBODY,
        is_exclusive: false,
        max_size,
        has_advantage: false,
        cannot_miss: false,
        hinders_escape: false,
        damage: Vec::new(),
    })
}

/// Whether all that a part of a feature does is to give others disadvantage on checks to escape
/// from its creature.
pub(super) fn hinders_escape(part: &Subfeature) -> bool {
    let is_other = |noun: &Noun| matches!(noun, Noun::Creature | Noun::Any);
    let ([alternative], [condition], [effect]) = (
        &part.trigger.alternatives[..],
        &part.conditions[..],
        &part.effects[..],
    ) else {
        return false;
    };
    let is_check = alternative.event.as_ref().is_some_and(|event| {
        let is_own = matches!(&event.nouns[..], [other, Noun::Myself] if is_other(other));
        event.kind == EventKind::CheckAgainst && is_own
    });
    let is_plain = alternative.condition.is_none() && part.recharge.is_none();
    is_check
        && is_plain
        && is_about_escapes(condition)
        && is_other(&effect.target)
        && effect.conditions.is_empty()
        && effect.duration == Duration::Instant
        && effect.change == Change::Disadvantage(None)
}

/// Whether it tests that the check of the trigger is one to escape.
fn is_about_escapes(condition: &Expr) -> bool {
    let ExprKind::Binary(Binary::Eq, left, right) = &condition.kind else {
        return false;
    };
    let is_escape = |expr: &Expr| match &expr.kind {
        ExprKind::Word(word) => word.eq_ignore_ascii_case("escape grapple"),
        _ => false,
    };
    let sides = [(left, right), (right, left)];
    let mut sides = sides.into_iter();
    sides.any(|(one, other)| one.kind == ExprKind::Result && is_escape(other))
}
