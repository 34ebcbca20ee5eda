//! Triggers: the events on which a part of a feature acts (seed 001, "TRIGGER").

use super::event::EventKind;
use super::expr::Expr;
use super::noun::Noun;

/// When a part of a feature acts: at any of its alternatives.
#[derive(Clone, Debug, PartialEq)]
pub struct Trigger {
    /// The alternatives; at least one.
    pub alternatives: Vec<Alternative>,
}

/// One alternative of a trigger.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// The event; `None` for a trigger that acts as soon as its condition holds.
    pub event: Option<Event>,
    /// The condition at that time.
    pub condition: Option<Expr>,
}

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its kind.
    pub kind: EventKind,
    /// The creatures in it, in the order of the seed.
    pub nouns: Vec<Noun>,
    /// The cost of a legendary action, or the sides of the die that is rolled.
    pub number: Option<Expr>,
}
