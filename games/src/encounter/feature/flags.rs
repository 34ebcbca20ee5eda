//! Private variables of a feature (seed 001: NV1, NV2 and so on), as far as fights model their
//! meaning.

use super::attached::Attached;
use super::conditions::{damage_types, is_fallen_foe};
use super::facts::Attack;
use super::parts::{assigned, is_until};
use crate::encounter::plan::Fact;
use crate::features::{
    Attribute, Change, Duration, Effect, EventKind, Expr, ExprKind, Feature, Noun, Place,
    Subfeature,
};

/// The meaning of a private variable that is not 0.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Flag {
    /// That the creature has begun a turn.
    Begun,
    /// That damage of these types was done to the creature since its last turn.
    Hurt(Vec<String>),
    /// The creature made another fall in this turn, by a hit for which this fact holds.
    Felled(Fact),
}

/// The private variables of a feature.
#[derive(Clone, Debug, Default)]
pub(super) struct Flags {
    all: Vec<(u32, Flag)>,
}

impl Flags {
    /// The flags of a feature. A variable that two parts store to has no known meaning.
    pub(super) fn of(attached: &Attached) -> Self {
        let mut all = Vec::new();
        for part in &attached.feature.subfeatures {
            let Some((number, flag)) = flag(part, attached) else {
                continue;
            };
            if stores_of(&attached.feature, number) == 1 {
                all.push((number, flag));
            }
        }
        Self { all }
    }

    /// The flag of the private variable that a condition tests.
    pub(super) fn asked(&self, condition: &Expr) -> Option<&Flag> {
        match &condition.kind {
            ExprKind::Attribute(Place {
                owner: Noun::Myself,
                attribute: Attribute::Private(number),
            }) => self.numbered(*number),
            _ => None,
        }
    }

    /// Whether all that a part does is to remember something.
    pub(super) fn is_all_of(&self, part: &Subfeature) -> bool {
        let [effect] = &part.effects[..] else {
            return false;
        };
        stored(effect).is_some_and(|(number, _)| self.numbered(number).is_some())
    }

    fn numbered(&self, number: u32) -> Option<&Flag> {
        let mut all = self.all.iter();
        all.find_map(|(own, flag)| (*own == number).then_some(flag))
    }
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

/// The private variable that an effect stores to, and the stored value.
fn stored(effect: &Effect) -> Option<(u32, &Expr)> {
    let (place, value) = assigned(&effect.change)?;
    match (&place.owner, place.attribute) {
        (Noun::Myself, Attribute::Private(number)) => Some((number, value)),
        _ => None,
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
