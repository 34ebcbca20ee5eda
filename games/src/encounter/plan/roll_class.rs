//! Changes of rolls, and the classes of saves and checks that they apply to (seed 001,
//! "ROLLCLASS").

use super::condition::Condition;

/// The change of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum RollRule {
    /// It has advantage.
    Advantage,
    /// It has disadvantage.
    Disadvantage,
    /// It succeeds.
    Succeeds,
    /// It fails, which overrides a rule that it succeeds.
    Fails,
}

/// Which saves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum SaveClass {
    All,
    /// Against spells and other magic.
    Magic,
    /// Against a condition.
    Against(Condition),
    /// Of an ability: `DEX`.
    Of(String),
    /// Of an ability, against spells and other magic.
    OfAgainstMagic(String),
}

/// Which checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::encounter) enum CheckClass {
    All,
    /// Checks to escape from a grapple.
    Escapes,
    /// Of an ability: `STR`.
    Of(String),
}
