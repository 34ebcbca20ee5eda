//! Private variables of a feature (seed 001: NV1, NV2 and so on), as far as fights model their
//! meaning.

use super::parts::assigned;
use crate::encounter::plan::Fact;
use crate::features::{Attribute, Effect, Expr, ExprKind, Noun, Place, Subfeature};

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
    /// These variables, each with its meaning.
    pub(super) fn new(all: Vec<(u32, Flag)>) -> Self {
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

/// The private variable that an effect stores to, and the stored value.
pub(super) fn stored(effect: &Effect) -> Option<(u32, &Expr)> {
    let (place, value) = assigned(&effect.change)?;
    match (&place.owner, place.attribute) {
        (Noun::Myself, Attribute::Private(number)) => Some((number, value)),
        _ => None,
    }
}
