//! Faces that somebody gives and that do not fit the dice of a roll.

use dicec_runtime::trap::Trap;
use thiserror::Error;

/// Why given faces do not fit the dice of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UnfitFaces {
    /// A die has no face, or one that it cannot show.
    #[error("{}: {}", .trap.code, match .face {
        Some(face) => format!("die {die} was given a {face}"),
        None => format!("die {die} has none"),
    })]
    OfDie {
        /// The location of its pool, and which of the two it is.
        trap: Trap,
        /// The number of the die, from 1, in the order in which dice are rolled.
        die: usize,
        /// The face that it cannot show.
        face: Option<i64>,
    },
    /// Faces are left over.
    #[error("face {} belongs to no die: {}", .used + 1, match .used {
        1 => "1 die is rolled".to_owned(),
        used => format!("{used} dice are rolled"),
    })]
    LeftOver {
        /// The number of faces that were given.
        given: usize,
        /// The number of dice that were rolled.
        used: usize,
    },
}
