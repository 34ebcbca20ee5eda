//! What a feature remembers in its private variables: the meaning of each, read from the part that
//! stores to it.

use super::attached::Attached;
use super::conditions::{damage_types, is_fallen_foe};
use super::facts::Attack;
use super::flags::{Flag, Flags, stored};
use super::parts::is_until;
use crate::features::{
    Attribute, Change, Duration, EventKind, Expr, ExprKind, Feature, Noun, Place, Subfeature,
};

/// The flags of a feature. A variable that two parts store to has no known meaning.
pub(super) fn flags(attached: &Attached) -> Flags {
    let mut all = Vec::new();
    for part in &attached.feature.subfeatures {
        let Some((number, flag)) = flag(part, attached) else {
            continue;
        };
        if stores_of(&attached.feature, number) == 1 {
            all.push((number, flag));
        }
    }
    Flags::new(all)
}

/// For a part that only sets a private variable: its number, and its meaning.
fn flag(part: &Subfeature, attached: &Attached) -> Option<(u32, Flag)> {
    let [effect] = &part.effects[..] else {
        return None;
    };
    let (number, value) = stored(effect)?;
    let is_set = attached.number(value).is_some_and(|value| value != 0.0);
    let [alternative] = &part.trigger.alternatives[..] else {
        return None;
    };
    let event = alternative.event.as_ref()?;
    if !is_set || effect.target != Noun::Myself || part.recharge.is_some() {
        return None;
    }
    let conditions = part.conditions.iter().chain(&alternative.condition);
    let conditions: Vec<&Expr> = conditions.chain(&effect.conditions).collect();
    let flag = match (event.kind, &event.nouns[..], &effect.duration) {
        (EventKind::TurnStart, [Noun::Myself], duration) if conditions.is_empty() => {
            lasts_to_next_turn(duration).then_some(Flag::Begun)?
        }
        (EventKind::Damaged, [Noun::Myself], Duration::EndOfOwnNextTurn) => {
            let [condition] = conditions[..] else {
                return None;
            };
            Flag::Hurt(damage_types(condition, attached)?)
        }
        (EventKind::Hits, [Noun::Myself, other], Duration::EndOfTurn) => {
            let (fallen, others): (Vec<&Expr>, Vec<&Expr>) = conditions
                .into_iter()
                .partition(|condition| is_fallen_foe(condition, other));
            if fallen.is_empty() {
                return None;
            }
            let attack = Attack::own(attached, None, other);
            // The edge of the roll is over when somebody has fallen.
            let when = attack.all(others).filter(|when| !when.is_about_roll())?;
            Flag::Felled(when)
        }
        _ => return None,
    };
    Some((number, flag))
}

/// Whether something that happens at the start of a creature's turn lasts to its next one.
fn lasts_to_next_turn(duration: &Duration) -> bool {
    match duration {
        Duration::StartOfNextTurn | Duration::UntilOverridden | Duration::Instant => true,
        other => is_until(other, EventKind::TurnStart, &[Noun::Myself]),
    }
}

/// The number of effects of a feature that store to a private variable.
fn stores_of(feature: &Feature, number: u32) -> usize {
    let is_it = |place: &Place| place.attribute == Attribute::Private(number);
    let effects = feature.subfeatures.iter().flat_map(|part| &part.effects);
    let storing = effects.filter(|effect| match &effect.change {
        Change::Set { place, .. } => is_it(place),
        Change::Store(expr) => {
            expr.any(&|part| matches!(&part.kind, ExprKind::Store(_, place) if is_it(place)))
        }
        _ => false,
    });
    storing.count()
}
