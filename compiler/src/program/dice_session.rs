//! The source of the faces of single rolls, one roll after another.

use dicec_runtime::driver::CHUNK;
use dicec_runtime::rng::{Dice, Given, Stream, Streams};
use dicec_runtime::trap::TrapCode;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{BuildHasher, RandomState};

/// The source of the faces of consecutive rolls.
#[derive(Debug)]
pub struct Session {
    source: Source,
}

enum Source {
    Drawn(Stream),
    Scripted { faces: Vec<i64>, used: usize },
    Custom(Box<dyn FnMut(u64) -> u64 + Send>),
}

/// A saved session, which [`Session::restored`] continues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSession(Saved);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Saved {
    /// The state of the generator.
    State([u64; 4]),
    /// The remaining faces.
    Faces(Vec<i64>),
}

impl Session {
    /// Random faces from a seed. The first roll is trial 0 of a faithful simulation with the same
    /// seed.
    pub fn seeded(seed: u64) -> Self {
        Self {
            source: Source::Drawn(Stream::from_seed(seed)),
        }
    }

    /// Random faces from a seed that the system gives.
    pub fn from_entropy() -> Self {
        Self::seeded(RandomState::new().hash_one(std::process::id()))
    }

    /// Random faces from the beginning of a trial's chunk; the trial itself is `trial % CHUNK`
    /// rolls later (see [`dicec_runtime::driver::CHUNK`]).
    pub fn of_trial(seed: u64, trial: u64) -> Self {
        let steps = usize::try_from(trial / CHUNK).unwrap_or(usize::MAX);
        let stream = Streams::new(seed).nth(steps);
        Self {
            source: Source::Drawn(stream.unwrap_or_else(|| Stream::from_seed(seed))),
        }
    }

    /// These faces, in the order in which dice are rolled: the numbers that the dice show, which
    /// are -1, 0 and 1 for fate dice. A die with other faces of its own takes the index of the
    /// face, counted from 1.
    pub fn scripted(faces: Vec<i64>) -> Self {
        Self {
            source: Source::Scripted { faces, used: 0 },
        }
    }

    /// Faces from the caller: `face` is given the sides of each die and gives its face, from 1 to
    /// the sides. Any other number ends the roll with an error.
    pub fn custom(face: impl FnMut(u64) -> u64 + Send + 'static) -> Self {
        Self {
            source: Source::Custom(Box::new(face)),
        }
    }

    /// How many of the scripted faces have been used; 0 for others.
    pub fn used(&self) -> usize {
        match &self.source {
            Source::Scripted { used, .. } => *used,
            Source::Drawn(_) | Source::Custom(_) => 0,
        }
    }

    /// The session as it can be saved; `None` for faces from the caller.
    pub fn saved(&self) -> Option<SavedSession> {
        let saved = match &self.source {
            Source::Drawn(stream) => Saved::State(stream.state()),
            Source::Scripted { faces, used } => Saved::Faces(faces[*used..].to_vec()),
            Source::Custom(_) => return None,
        };
        Some(SavedSession(saved))
    }

    /// Continues a saved session.
    pub fn restored(saved: SavedSession) -> Self {
        match saved.0 {
            Saved::State(state) => Self {
                source: Source::Drawn(Stream::from_state(state)),
            },
            Saved::Faces(faces) => Self::scripted(faces),
        }
    }
}

impl Dice for Session {
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode> {
        match &mut self.source {
            Source::Drawn(stream) => stream.roll(sides),
            Source::Scripted { faces, used } => {
                let mut given = Given::new(faces, *used);
                let face = given.roll(sides);
                *used = given.used();
                face
            }
            Source::Custom(roll) => possible(roll(sides), sides),
        }
    }

    fn face_of(&mut self, listed: &[i64]) -> Result<u64, TrapCode> {
        let Source::Scripted { faces, used } = &mut self.source else {
            return self.roll(listed.len() as u64);
        };
        let mut given = Given::new(faces, *used);
        let face = given.face_of(listed);
        *used = given.used();
        face
    }
}

fn possible(face: u64, sides: u64) -> Result<u64, TrapCode> {
    (1..=sides)
        .contains(&face)
        .then_some(face)
        .ok_or(TrapCode::ImpossibleFace)
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Drawn(stream) => f.debug_tuple("Drawn").field(stream).finish(),
            Source::Scripted { faces, used } => {
                let left = faces.get(*used..);
                f.debug_tuple("Scripted").field(&left).finish()
            }
            Source::Custom(_) => f.write_str("Custom"),
        }
    }
}
