//! One roll of a rule of either form: a single roll is shown die by die, a compound rule step by
//! step.

use super::bind::Bound;
use super::dice_session::Session;
use super::failure::Failure;
use super::played::Played;
use super::roll::Rolled;
#[cfg(feature = "serde")]
use crate::answer::document::{PlayDocument, RollDocument};
use dicec_runtime::driver::CHUNK;
#[cfg(feature = "serde")]
use serde::Serialize;
use std::ops::Range;

/// A finished roll.
#[derive(Clone, Debug)]
pub enum Made {
    /// Of a rule that is a single roll.
    Single(Box<Rolled>),
    /// Of a compound rule, or of a script.
    Steps(Box<Played>),
}

/// A roll as a document.
#[cfg(feature = "serde")]
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum MadeDocument<'m> {
    /// Of a rule that is a single roll.
    Single(Box<RollDocument>),
    /// Of a compound rule, or of a script.
    Steps(Box<PlayDocument<'m>>),
}

impl Made {
    /// Rolls with the next faces of a session.
    ///
    /// # Errors
    /// A trap.
    pub fn new(bound: &Bound, session: &mut Session) -> Result<Self, Failure> {
        match bound.program().is_script() {
            true => Ok(Self::Steps(Box::new(bound.play_once(session)?))),
            false => Ok(Self::Single(Box::new(bound.roll(session)?))),
        }
    }

    /// Rolls a trial of the faithful simulation with `seed`.
    ///
    /// # Errors
    /// A trap, of this trial or of one before it in its chunk.
    pub fn of_trial(bound: &Bound, seed: u64, trial: u64) -> Result<Self, Failure> {
        let mut session = session_at(bound, seed, trial)?;
        Self::new(bound, &mut session)
    }

    /// Rolls these trials, one after the other.
    ///
    /// # Errors
    /// A trap of a trial before the first one in its chunk.
    pub fn of_trials(
        bound: &Bound,
        seed: u64,
        trials: Range<u64>,
    ) -> Result<impl Iterator<Item = Result<Self, Failure>>, Failure> {
        let mut session = session_at(bound, seed, trials.start)?;
        Ok(trials.map(move |trial| {
            if trial % CHUNK == 0 {
                session = Session::of_trial(seed, trial);
            }
            Self::new(bound, &mut session)
        }))
    }

    /// The result as text; none if the roll returns nothing.
    pub fn result(&self) -> Option<String> {
        match self {
            Self::Single(roll) => Some(roll.result.clone()),
            Self::Steps(played) => played.result_text(),
        }
    }

    /// The document of the roll, which is one of `bound`; `seed` reproduces it.
    #[cfg(feature = "serde")]
    pub fn document<'m>(&'m self, bound: &'m Bound, seed: Option<u64>) -> MadeDocument<'m> {
        match self {
            Self::Single(roll) => MadeDocument::Single(Box::new(bound.roll_document(roll, seed))),
            Self::Steps(played) => MadeDocument::Steps(Box::new(bound.play_document(played, seed))),
        }
    }
}

/// A session at the faces of this trial.
fn session_at(bound: &Bound, seed: u64, trial: u64) -> Result<Session, Failure> {
    let mut session = Session::of_trial(seed, trial);
    // The earlier trials of its chunk take their dice first.
    bound.skip(&mut session, trial % CHUNK)?;
    Ok(session)
}
