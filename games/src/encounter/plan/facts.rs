//! Facts: conditions on an attack that features test, for advantage, more damage, or effects after
//! a hit.
//!
//! A fact relates the owner of the feature (its own side of the attack) and the other creature.

use super::condition::Condition;
use crate::features::Binary;

/// Something that may hold when somebody attacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum Fact {
    /// The attack roll has advantage.
    Advantage,
    /// The attack roll has disadvantage.
    Disadvantage,
    /// The attack is made in melee.
    Melee,
    /// The attack has this name.
    With(String),
    /// An ally of the creature that can act is within this many feet of the other one.
    Ally(u32),
    /// The two are this close to each other, in feet.
    Within(u32),
    /// Somebody has a condition.
    Suffers(Whose, Condition),
    /// Somebody is surprised.
    Surprised(Whose),
    /// Somebody has not taken a turn yet.
    Waiting(Whose),
    /// Somebody is grappled, by whomever.
    Held(Whose),
    /// Somebody grapples the other one.
    Holds(Whose),
    /// Somebody's hit points compare like this.
    Health(Whose, Health),
    /// A die with this many sides compares like this with a number. Only where a fact is evaluated
    /// once.
    Die(u32, Binary, i64),
    /// The creature with the feature has begun a turn.
    Begun,
    /// The feature of this name is not disabled.
    Enabled(String),
    /// The other one is not immune to the feature of this name.
    Affects(String),
    /// The negation.
    Not(Box<Fact>),
    /// All of these; always if there are none.
    All(Vec<Fact>),
    /// Any of these; never if there are none.
    Any(Vec<Fact>),
}

/// The creature that a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum Whose {
    /// The creature with the feature.
    Own,
    /// The other one.
    Other,
}

/// A linear comparison of a creature's hit points: a multiple of them, a multiple of their maximum
/// and a number add up to something that is compared with 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) struct Health {
    /// The factor of the hit points; above 0.
    pub(in crate::encounter) hit_points: i64,
    /// The factor of their maximum.
    pub(in crate::encounter) maximum: i64,
    pub(in crate::encounter) number: i64,
    /// How the sum compares with 0.
    pub(in crate::encounter) is: Binary,
}

impl Fact {
    /// A constant fact, known before the fight.
    pub(in crate::encounter) fn known(is_so: bool) -> Self {
        match is_so {
            true => Self::All(Vec::new()),
            false => Self::Any(Vec::new()),
        }
    }

    /// Looks at it and at all of its parts.
    pub(in crate::encounter) fn each(&self, look: &mut dyn FnMut(&Fact)) {
        look(self);
        match self {
            Self::Not(inner) => inner.each(look),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.each(look)),
            _ => {}
        }
    }

    /// Whether the predicate holds for it or a part of it.
    pub(in crate::encounter) fn mentions(&self, is: &dyn Fn(&Fact) -> bool) -> bool {
        let mut is_there = false;
        self.each(&mut |part| is_there |= is(part));
        is_there
    }

    /// Whether it is only about the owner of the feature, whether or not that attacks.
    pub(in crate::encounter) fn is_own(&self) -> bool {
        match self {
            Self::Not(inner) => inner.is_own(),
            Self::All(parts) | Self::Any(parts) => parts.iter().all(Self::is_own),
            Self::Suffers(whose, _) | Self::Held(whose) | Self::Health(whose, _) => {
                *whose == Whose::Own
            }
            _ => false,
        }
    }

    /// Whether it is about the advantage of the attack roll, which is unknown after a hit.
    pub(in crate::encounter) fn is_about_roll(&self) -> bool {
        self.mentions(&|fact| matches!(fact, Self::Advantage | Self::Disadvantage))
    }
}
