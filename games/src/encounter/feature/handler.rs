//! Event handlers: a part of a feature in a fight.

use crate::encounter::plan::{Fact, Grip, Hit};
use crate::encounter::rest::Rest;
use crate::features::Action;

/// An event handler: an action of a part of a feature, and the event that triggers it.
#[derive(Clone, Debug)]
pub(in crate::encounter) struct Handler {
    /// When it acts.
    pub(in crate::encounter) when: When,
    /// Whether it acts only if the creature has fallen, or only if it has not.
    pub(in crate::encounter) is_last: bool,
    /// The action.
    pub(in crate::encounter) does: Does,
    /// The affected creatures.
    pub(in crate::encounter) reach: Reach,
    /// The other conditions.
    pub(in crate::encounter) only: Only,
    /// Whether it acts once in each turn of the creature.
    pub(in crate::encounter) is_once_a_turn: bool,
    /// The attack that follows on whoever suffers from it.
    pub(in crate::encounter) follow: Option<String>,
}

/// The action of a handler.
#[derive(Clone, Debug)]
pub(in crate::encounter) enum Does {
    /// A save, damage or both to others, and how it holds them.
    Hit(Box<Hit>, Option<Grip>),
    /// Its creature regains hit points.
    Mend(i64),
    /// Its creature takes an action.
    Act(Action),
}

/// The conditions of a handler; distances and runs matter only in fights with distances.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::encounter) struct Only {
    /// The other one is so close, in feet.
    pub(in crate::encounter) within: Option<u32>,
    /// The creature has moved so far straight toward the other on this turn, in feet.
    pub(in crate::encounter) run: Option<u32>,
    /// The name of the attack that it was.
    pub(in crate::encounter) with: Option<String>,
    /// The creature must not be held.
    pub(in crate::encounter) unheld: bool,
    /// The fact that must hold for the attack and its creatures.
    pub(in crate::encounter) fact: Option<Fact>,
}

/// When a handler acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum When {
    /// The creature's turn starts.
    TurnStart,
    /// The turn of an enemy starts.
    EnemyTurnStart,
    /// The turn of an enemy ends.
    EnemyTurnEnd,
    /// The creature's turn ends.
    TurnEnd,
    /// It has moved.
    Moves,
    /// An enemy has moved.
    EnemyMoves,
    /// It hits somebody with an attack.
    Hits,
    /// Somebody hits it.
    Struck,
    /// Somebody hits it in melee.
    Touched,
    /// It takes damage.
    Damaged,
    /// It uses it as an action.
    Action(Uses),
    /// A bonus or free action in its turn.
    Aside(Way, Uses),
    /// A legendary action after the turn of another creature, with its cost.
    Legendary(u32),
}

impl When {
    /// Whether it acts at a hit.
    pub(super) fn is_about_attack(self) -> bool {
        matches!(self, Self::Hits | Self::Struck)
    }

    /// Whether it acts at the start or the end of an enemy's turn, or when an enemy has moved.
    pub(super) fn is_of_enemy(self) -> bool {
        matches!(
            self,
            Self::EnemyTurnStart | Self::EnemyTurnEnd | Self::EnemyMoves
        )
    }
}

/// The cost of an action outside of the main action: a bonus action or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum Way {
    /// The one bonus action of a turn.
    Bonus,
    /// Nothing.
    Free,
}

/// The number of uses of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum Uses {
    /// Always.
    Free,
    /// A few times.
    Few {
        /// The number of uses.
        uses: u32,
        /// The lowest face of a d6 that brings one back at the beginning of a turn.
        recharge: Option<u32>,
        /// The rest that brings all of them back.
        rest: Rest,
    },
}

/// The creatures that a save or damage affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum Reach {
    /// An enemy that is chosen as the target of an attack is.
    Chosen,
    /// The creatures in an area.
    Area(Shape),
    /// The creature that the event is about.
    Given,
}

/// An area, in feet; its form matters where distances count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum Shape {
    /// As wide as it is long, at its end.
    Cone(u32),
    /// Its length and its width.
    Line(u32, u32),
    /// Everywhere around.
    Radius(u32),
    /// A sphere around a point: the maximum distance of the point, and the radius.
    Point(u32, u32),
}
