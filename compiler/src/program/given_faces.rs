//! Rolls with faces that somebody gives, of physical dice for example: each die takes one, and none
//! is left over.

use super::dice_session::Session;
use super::failure::Failure;
use super::unfit_faces::UnfitFaces;
use dicec_runtime::trap::TrapCode;

impl Session {
    /// Rolls with these faces, in the order in which dice are rolled; see [`Session::scripted`].
    /// All of them have to be used.
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
