//! A player's session: the faces and choices that are remembered between executions, by path (seed
//! 004).
//!
//! ```json
//! {"dicec": "session", "version": 2, "script": "9a...", "roll": "attack", "arguments": "51...",
//!  "seed": 42, "rolls": {"wcr": {"6": [3, 1], "20": [17]}}, "choices": {"wcrtu": true},
//!  "given": {"arguments": {"bonus": 5}, "resources": {}}}
//! ```
//!
//! A path has the faces of its dice, for each number of sides, in the order in which they were
//! drawn. A new die is drawn from the seed and its path ([`PathKey`](dicec_runtime::rng::PathKey)).
//! So a session depends only on its seed and its choices, not on the order in which they were made.

use super::bind::Bound;
use dicec_lang::hir::Data;
use dicec_runtime::limits::MAX_SIDES;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::hash::Hasher;
use std::sync::Arc;
use thiserror::Error;

/// The version of the file that is written; no other is read.
const VERSION: u64 = 2;

/// The value of the member `dicec` in a session.
const KIND: &str = "session";

/// The characters of paths; see [`dicec_lang::interp::script`].
const LETTERS: &str = "tfiwLrceu0123456789";

/// The dice of one roll: sides and faces, in draw order.
pub type Throw = Vec<(u32, u32)>;

/// The faces of the dice at one path: for each number of sides, in draw order.
pub(super) type Faces = BTreeMap<u32, Vec<u32>>;

/// The roll that a session belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The fingerprint of the script's text, in its normal layout.
    pub(super) script: String,
    /// The name of the roll.
    pub(super) roll: String,
    /// The fingerprint of the values of its arguments and resources.
    pub(super) arguments: String,
}

/// A value as canonical JSON, independent of the order of members: records are lists of their
/// fields, in the order of the type.
fn canonical(data: &Data) -> Value {
    match data {
        Data::Int(value) | Data::Named(value) => (*value).into(),
        Data::Float(value) => value.get().into(),
        Data::Bool(value) => (*value).into(),
        Data::Text(text) => text.as_str().into(),
        Data::List(parts) | Data::Record(parts) => parts.iter().map(canonical).collect(),
    }
}

/// A hash of some texts, as sixteen hexadecimal digits.
fn fingerprint(texts: impl IntoIterator<Item = impl ToString>) -> String {
    let mut hasher = fnv::FnvHasher::default();
    for text in texts {
        hasher.write(text.to_string().as_bytes());
        // No text contains this byte, so it separates them.
        hasher.write_u8(0xff);
    }
    format!("{:016x}", hasher.finish())
}

/// The inputs that a roll was bound with. A session stores them so that it can continue without
/// them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// The arguments, as JSON.
    pub arguments: Value,
    /// The values of the resources, by their names.
    pub resources: IndexMap<String, i64>,
}

/// Faces and choices by their paths, and the seed that new faces come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptSession {
    seed: u64,
    rolls: IndexMap<Arc<str>, Faces>,
    choices: IndexMap<String, Choice>,
    /// The inputs that its roll was bound with, if they are known.
    given: Option<Given>,
}

/// A player's decision about an option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Choice {
    /// Whether it is taken.
    Taken(bool),
    /// A number of a range.
    Number(i64),
    /// An element of a list, by its name for players.
    Answer(String),
}

impl From<bool> for Choice {
    fn from(taken: bool) -> Self {
        Choice::Taken(taken)
    }
}

/// The reason why a session cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SessionError {
    /// It is not a session, or it is incomplete.
    #[error("this is not a whole session: {0}")]
    Damaged(String),
    /// It has a version that this program does not read.
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

/// The part that every session file has, whatever its version.
#[derive(Deserialize)]
struct Header {
    dicec: String,
    version: u64,
}

/// A session file that is written.
#[derive(Serialize)]
struct Written<'s> {
    dicec: &'static str,
    version: u64,
    script: &'s str,
    roll: &'s str,
    arguments: &'s str,
    seed: u64,
    rolls: IndexMap<&'s str, &'s Faces>,
    choices: &'s IndexMap<String, Choice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<&'s Given>,
}

/// A session file of [`VERSION`] that is read.
#[derive(Deserialize)]
struct File {
    script: String,
    roll: String,
    arguments: String,
    seed: u64,
    rolls: IndexMap<String, Faces>,
    choices: IndexMap<String, Choice>,
    given: Option<Given>,
}

impl ScriptSession {
    /// An empty session, whose faces come from `seed`.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            rolls: IndexMap::new(),
            choices: IndexMap::new(),
            given: None,
        }
    }

    /// The seed that its new faces come from.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Stores the inputs that its roll was bound with.
    pub fn remember(&mut self, given: Given) {
        self.given = Some(given);
    }

    /// The name of the roll of a session, and the inputs that it was bound with.
    ///
    /// # Errors
    /// It is not a session, or it has an unsupported version.
    pub fn remembered(json: &Value) -> Result<(String, Option<Given>), SessionError> {
        let file = read(json)?;
        Ok((file.roll, file.given))
    }

    /// Stores the decision about the option at `path` for the next executions.
    pub fn choose(&mut self, path: &str, choice: impl Into<Choice>) {
        self.choices.insert(path.to_owned(), choice.into());
    }

    /// The decision about the option at `path`, if there was one.
    pub fn choice(&self, path: &str) -> Option<&Choice> {
        self.choices.get(path)
    }

    /// The faces at a path, empty if nothing was rolled there yet, and the stored path.
    pub(super) fn at(&mut self, path: &str) -> (Arc<str>, &mut Faces) {
        let path = match self.rolls.get_key_value(path) {
            Some((path, _)) => path.clone(),
            None => path.into(),
        };
        let faces = self.rolls.entry(path.clone()).or_default();
        (path, faces)
    }

    /// The contents of a session file: the rolls and the choices in the order in which they were
    /// made.
    pub fn file<'s>(&'s self, identity: &'s Identity) -> impl Serialize + 's {
        Written {
            dicec: KIND,
            version: VERSION,
            script: &identity.script,
            roll: &identity.roll,
            arguments: &identity.arguments,
            seed: self.seed,
            rolls: self
                .rolls
                .iter()
                .map(|(path, faces)| (&**path, faces))
                .collect(),
            choices: &self.choices,
            given: self.given.as_ref(),
        }
    }

    /// The same as a JSON value.
    pub fn to_json(&self, identity: &Identity) -> Value {
        json!(self.file(identity))
    }

    /// Reads the JSON of [`ScriptSession::file`]. With `force`, a session of another script, roll
    /// or arguments is accepted: a roll at a known path shows the remembered faces.
    ///
    /// # Errors
    /// See [`SessionError`].
    pub fn from_json(json: &Value, identity: &Identity, force: bool) -> Result<Self, SessionError> {
        let file = read(json)?;
        if !force {
            belongs(&file, identity)?;
        }
        for path in file.rolls.keys().chain(file.choices.keys()) {
            if !path.chars().all(|letter| LETTERS.contains(letter)) {
                return Err(damaged(format!("{path:?} is not a path")));
            }
        }
        for (path, faces) in &file.rolls {
            if !faces.iter().all(are_possible) {
                return Err(damaged(format!("the dice at {path:?} do not exist")));
            }
        }
        Ok(Self {
            seed: file.seed,
            rolls: file
                .rolls
                .into_iter()
                .map(|(path, faces)| (path.into(), faces))
                .collect(),
            choices: file.choices,
            given: file.given,
        })
    }
}

fn read(json: &Value) -> Result<File, SessionError> {
    let header = Header::deserialize(json).map_err(damaged)?;
    if header.dicec != KIND {
        return Err(damaged("its member \"dicec\" is not \"session\""));
    }
    if header.version != VERSION {
        return Err(SessionError::Version(header.version));
    }
    File::deserialize(json).map_err(damaged)
}

fn damaged(what: impl ToString) -> SessionError {
    SessionError::Damaged(what.to_string())
}

fn belongs(found: &File, wanted: &Identity) -> Result<(), SessionError> {
    if found.script != wanted.script {
        return Err(SessionError::OtherScript);
    }
    if found.roll != wanted.roll {
        return Err(SessionError::OtherRoll(found.roll.clone()));
    }
    if found.arguments != wanted.arguments {
        return Err(SessionError::OtherArguments);
    }
    Ok(())
}

fn are_possible((&sides, faces): (&u32, &Vec<u32>)) -> bool {
    sides <= MAX_SIDES && faces.iter().all(|face| (1..=sides).contains(face))
}

impl Bound {
    /// The owner of its sessions: this script in its normal layout, this roll, and these arguments
    /// and resources.
    pub fn identity(&self) -> Identity {
        let texts = self.program().normal_texts();
        let args: Value = self.arguments().iter().map(canonical).collect();
        let resources = Value::from(self.resources());
        Identity {
            script: fingerprint(texts),
            roll: self.definition().name().to_owned(),
            arguments: fingerprint([args, resources]),
        }
    }
}
