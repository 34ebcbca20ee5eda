//! What a player's rolls remember between executions: faces and choices, by their paths (seed 004).
//!
//! ```json
//! {"dicec": "session", "version": 1, "script": "9a...", "roll": "attack", "arguments": "51...",
//!  "state": ["1f...", "...", "...", "..."],
//!  "rolls": {"wcr": [[[20, 17]]]}, "choices": {"wcrtu": true}}
//! ```
//!
//! A path has one list of faces, each with its die's sides, for each kind of dice that were rolled there.

use dicec_runtime::limits::MAX_SIDES;
use dicec_runtime::rng::Stream;
use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use std::hash::Hasher;
use thiserror::Error;

/// The version of the file that is written; no other is read.
const VERSION: u64 = 1;

/// The letters of paths; see [`crate::engine::interp::script`].
const LETTERS: &str = "tfiwLrceu";

/// The dice of one roll: sides and faces, in draw order.
pub type Throw = Vec<(u32, u32)>;

/// What a session belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Stands for the text of the script.
    pub(super) script: String,
    /// The name of the roll.
    pub(super) roll: String,
    /// Stands for its arguments and resources.
    pub(super) arguments: String,
}

/// Sixteen hexadecimal digits that stand for some text.
pub(super) fn fingerprint(text: &str) -> String {
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(text.as_bytes());
    format!("{:016x}", hasher.finish())
}

/// Faces and choices by their paths, and the generator that new faces come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptSession {
    pub(super) stream: Stream,
    pub(super) rolls: IndexMap<String, Vec<Throw>>,
    choices: IndexMap<String, bool>,
}

/// Why a session cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SessionError {
    /// It is not a session, or not a whole one.
    #[error("this is not a whole session: {0}")]
    Damaged(String),
    /// It is of a version that this program does not read.
    #[error("this session is of version {0}, and version {VERSION} is what can be read")]
    Version(u64),
    /// It was made by another script.
    #[error("this session was made by another script, or an earlier text of this one")]
    OtherScript,
    /// It was made by another roll.
    #[error("this session was made by the roll {0}")]
    OtherRoll(String),
    /// It was made with other arguments or resources.
    #[error("this session was made with other arguments or resources")]
    OtherArguments,
}

impl ScriptSession {
    /// A session that remembers nothing; its faces come from `seed`.
    pub fn new(seed: u64) -> Self {
        Self {
            stream: Stream::from_seed(seed),
            rolls: IndexMap::new(),
            choices: IndexMap::new(),
        }
    }

    /// Decides about the option at `path`: the next execution goes by it.
    pub fn choose(&mut self, path: &str, taken: bool) {
        self.choices.insert(path.to_owned(), taken);
    }

    /// What was decided about the option at `path`; false where nothing was.
    pub fn choice(&self, path: &str) -> bool {
        self.choices.get(path).copied().unwrap_or(false)
    }

    /// The session as JSON.
    pub fn to_json(&self, identity: &Identity) -> Value {
        let state = self.stream.state().map(|word| format!("{word:016x}"));
        json!({
            "dicec": "session",
            "version": VERSION,
            "script": identity.script,
            "roll": identity.roll,
            "arguments": identity.arguments,
            "state": state,
            "rolls": self.rolls,
            "choices": self.choices,
        })
    }

    /// A session from JSON that [`ScriptSession::to_json`] made. With `force`, one that belongs to something else is taken all the same: rolls
    /// that do not fit are rolled anew.
    ///
    /// # Errors
    /// See [`SessionError`].
    pub fn from_json(json: &Value, identity: &Identity, force: bool) -> Result<Self, SessionError> {
        let members = json.as_object();
        let members = members.ok_or_else(|| damaged("it is no object in braces"))?;
        if text(members, "dicec")? != "session" {
            return Err(damaged("its member \"dicec\" is not \"session\""));
        }
        let version = member(members, "version")?.as_u64();
        match version.ok_or_else(|| damaged("its version is no number"))? {
            VERSION => {}
            other => return Err(SessionError::Version(other)),
        }
        if !force {
            belongs(members, identity)?;
        }
        Ok(Self {
            stream: Stream::from_state(state(member(members, "state")?)?),
            rolls: rolls(member(members, "rolls")?)?,
            choices: choices(member(members, "choices")?)?,
        })
    }
}

fn damaged(what: impl Into<String>) -> SessionError {
    SessionError::Damaged(what.into())
}

fn member<'j>(members: &'j Map<String, Value>, name: &str) -> Result<&'j Value, SessionError> {
    let value = members.get(name);
    value.ok_or_else(|| damaged(format!("it has no member {name:?}")))
}

fn text<'j>(members: &'j Map<String, Value>, name: &str) -> Result<&'j str, SessionError> {
    let value = member(members, name)?.as_str();
    value.ok_or_else(|| damaged(format!("its member {name:?} is no text")))
}

fn belongs(members: &Map<String, Value>, identity: &Identity) -> Result<(), SessionError> {
    if text(members, "script")? != identity.script {
        return Err(SessionError::OtherScript);
    }
    let roll = text(members, "roll")?;
    if roll != identity.roll {
        return Err(SessionError::OtherRoll(roll.to_owned()));
    }
    if text(members, "arguments")? != identity.arguments {
        return Err(SessionError::OtherArguments);
    }
    Ok(())
}

fn state(json: &Value) -> Result<[u64; 4], SessionError> {
    let words = json.as_array().map(Vec::as_slice).unwrap_or_default();
    let words: Option<Vec<u64>> = words
        .iter()
        .map(|word| u64::from_str_radix(word.as_str()?, 16).ok())
        .collect();
    let words = words.and_then(|words| <[u64; 4]>::try_from(words).ok());
    // The generator never reaches the state of zeros, and would stay there.
    let words = words.filter(|words| *words != [0; 4]);
    words.ok_or_else(|| damaged("the state of its generator is not four hexadecimal numbers"))
}

fn path(text: &str) -> Result<String, SessionError> {
    if text.chars().all(|letter| LETTERS.contains(letter)) {
        Ok(text.to_owned())
    } else {
        Err(damaged(format!("{text:?} is no path")))
    }
}

fn rolls(json: &Value) -> Result<IndexMap<String, Vec<Throw>>, SessionError> {
    let members = json.as_object();
    let members = members.ok_or_else(|| damaged("its rolls are no object"))?;
    let mut rolls = IndexMap::new();
    for (at, throws) in members {
        let throws: Option<Vec<Throw>> = serde_json::from_value(throws.clone()).ok();
        let throws = throws.filter(|throws| throws.iter().flatten().all(is_possible));
        let throws = throws.ok_or_else(|| damaged(format!("the dice at {at:?} do not exist")))?;
        rolls.insert(path(at)?, throws);
    }
    Ok(rolls)
}

fn is_possible(&(sides, face): &(u32, u32)) -> bool {
    sides <= MAX_SIDES && (1..=sides).contains(&face)
}

fn choices(json: &Value) -> Result<IndexMap<String, bool>, SessionError> {
    let members = json.as_object();
    let members = members.ok_or_else(|| damaged("its choices are no object"))?;
    let mut choices = IndexMap::new();
    for (at, taken) in members {
        let taken = taken.as_bool();
        let taken = taken.ok_or_else(|| damaged(format!("the choice at {at:?} is neither")))?;
        choices.insert(path(at)?, taken);
    }
    Ok(choices)
}
