//! Rolls with faces that somebody gives, of physical dice for example: each die takes one, and none is
//! left over.

use super::dice_session::Session;
use super::failure::{Failure, diagnose};
use dicec_lang::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;
use dicec_runtime::trap::{Trap, TrapCode};
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

impl UnfitFaces {
    /// As a diagnostic on the rule's text, which is `length` bytes long.
    pub(super) fn diagnostic(&self, length: usize) -> Diagnostic {
        match self {
            Self::OfDie { trap, .. } => {
                let mut found = diagnose(*trap);
                found.message = self.to_string();
                found
            }
            Self::LeftOver { given, .. } => {
                let whole = Span::new(0, u32::try_from(length).unwrap_or(u32::MAX));
                let found = Diagnostic::error(Code::LeftoverFaces, whole, self.to_string());
                found.help(format!("{given} faces were given; leave the last ones out"))
            }
        }
    }
}

impl Session {
    /// Rolls with these faces, in the order in which dice are rolled; see [`Session::scripted`]. All
    /// of them have to be used.
    ///
    /// # Errors
    /// [`Failure::Faces`] if they do not fit the dice, or the failure of the roll.
    pub fn with_faces<T>(
        faces: &[i64],
        roll: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut session = Self::scripted(faces.to_vec());
        let rolled = roll(&mut session);
        let used = session.used();
        let rolled = rolled.map_err(|failure| named(failure, faces, used))?;
        match faces.len() {
            given if given > used => Err(UnfitFaces::LeftOver { given, used }.into()),
            _ => Ok(rolled),
        }
    }
}

/// A failure of given faces, with the die that it is about.
fn named(failure: Failure, faces: &[i64], used: usize) -> Failure {
    let Failure::Trap(trap) = failure else {
        return failure;
    };
    let die = used + 1;
    let of_die = |face| UnfitFaces::OfDie { trap, die, face }.into();
    match (trap.code, faces.get(used)) {
        (TrapCode::FacesRanOut, _) => of_die(None),
        (TrapCode::ImpossibleFace, Some(face)) => of_die(Some(*face)),
        _ => failure,
    }
}
