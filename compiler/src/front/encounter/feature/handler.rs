//! What a part of a feature comes to in a fight.

use crate::front::encounter::plan::Hit;

/// A part of a feature in a fight: what it does as soon as something happens.
#[derive(Clone, Debug)]
pub(in crate::front::encounter) struct Handler {
    /// When it acts.
    pub(in crate::front::encounter) when: When,
    /// Whether it acts only if the creature has fallen, or only if it has not.
    pub(in crate::front::encounter) is_last: bool,
    /// The save or the damage.
    pub(in crate::front::encounter) hit: Hit,
    /// Whom it is about.
    pub(in crate::front::encounter) reach: Reach,
}

/// When a handler acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::front::encounter) enum When {
    /// The creature's turn starts.
    TurnStart,
    /// The turn of an enemy starts.
    EnemyTurnStart,
    /// The creature's turn ends.
    TurnEnd,
    /// It hits somebody with an attack.
    Hits,
    /// Somebody hits it in melee.
    Touched,
    /// It takes damage.
    Damaged,
    /// It uses it as an action.
    Action(Uses),
}

/// How often an action is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::front::encounter) enum Uses {
    /// Always.
    Free,
    /// A few times.
    Few {
        /// How many.
        uses: u32,
        /// The lowest face of a d6 that brings one back at the beginning of a turn.
        recharge: Option<u32>,
    },
}

/// Whom a save or damage is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::front::encounter) enum Reach {
    /// An enemy that is chosen as the target of an attack is.
    Chosen,
    /// Those whom an area reaches.
    Area,
    /// Whoever the event is about.
    Given,
}
