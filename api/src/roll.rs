//! One roll: of a rule die by die, of a script step by step, with the player's choices.

use crate::body::two;
use crate::bounds::Bounds;
use crate::program::{Loaded, ProgramRequest};
use crate::reply::Reply;
use crate::wrong::Wrong;
use dicec_compiler::unstable::{ChoiceError, Made};
use dicec_compiler::{Bound, Played, ScriptSession, Session, random_seed};
use dicec_lang::syntax::{FileCode, Finding};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// How a roll is made.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct RollRequest {
    /// The seed of the roll: the same one gives the same roll. Random if it is left out; the answer
    /// has it.
    seed: Option<u64>,
    /// The faces of the dice of a rule, in the order in which they are rolled, instead of random
    /// ones: `[4, 17]`. There is one for each die.
    faces: Option<Vec<i64>>,
    /// What the player decides about the options of a script, by their paths or their texts:
    /// `true`, a number, or an answer. Dice whose paths are the same keep their faces.
    choices: Map<String, Value>,
}

impl RollRequest {
    /// Refuses members that do not fit the program or each other.
    fn check(&self, loaded: &Loaded) -> Result<(), Wrong> {
        let is_rule = loaded.program.is_rule();
        if self.faces.is_some() && !is_rule {
            let message = "\"faces\" is for rules, and this is a script";
            return Err(Wrong::request(message, "leave \"faces\" out"));
        }
        if self.faces.is_some() && self.seed.is_some() {
            let message = "\"faces\" and \"seed\" both say which faces dice show";
            return Err(Wrong::request(message, "leave one of them out"));
        }
        match self.choices.keys().next() {
            Some(name) if is_rule => {
                let message = format!("a rule asks for no choice such as \"{name}\"");
                Err(Wrong::request(message, "leave \"choices\" out"))
            }
            _ => Ok(()),
        }
    }
}

/// Rolls once: the document of `dicec roll`.
///
/// # Errors
/// Everything that is wrong with the request, or a trap.
pub(crate) fn roll(body: &[u8], bounds: &Bounds) -> Result<Reply, Wrong> {
    let (program, request): (ProgramRequest, RollRequest) = two(body)?;
    let loaded = program.load(bounds)?;
    let bound = program.bind(&loaded)?;
    request.check(&loaded)?;
    if let Some(faces) = &request.faces {
        let made = Session::with_faces(faces, |session| Made::new(&bound, session));
        let made = made.map_err(|failure| loaded.failed(&failure))?;
        return Reply::new(&made.document(&bound, None), loaded.notes());
    }
    let seed = request.seed.unwrap_or_else(random_seed);
    if !loaded.program.is_rule() {
        let played = play(&loaded, &bound, seed, &request.choices)?;
        return Reply::new(&bound.play_document(&played, Some(seed)), loaded.notes());
    }
    let made = Made::new(&bound, &mut Session::seeded(seed));
    let made = made.map_err(|failure| loaded.failed(&failure))?;
    Reply::new(&made.document(&bound, Some(seed)), loaded.notes())
}

/// Plays a roll of a script and makes all choices. One may lead to the option of another, so they
/// are made as their options come up, in whatever order the request has them.
fn play(
    loaded: &Loaded,
    bound: &Bound,
    seed: u64,
    choices: &Map<String, Value>,
) -> Result<Played, Wrong> {
    let mut session = ScriptSession::new(seed);
    let failed = |failure| loaded.failed(&failure);
    let mut played = bound.play(&mut session).map_err(failed)?;
    let mut left: Vec<(&String, String)> = choices
        .iter()
        .map(|(option, answer)| (option, as_text(answer)))
        .collect();
    while !left.is_empty() {
        let offered = |(option, answer): &(&String, String)| played.choice(option, answer);
        let Some(place) = left.iter().position(|one| offered(one).is_ok()) else {
            let wrong = left.iter().filter_map(|one| offered(one).err());
            return Err(Wrong {
                findings: wrong.map(|error| unchosen(&error)).collect(),
            });
        };
        let (option, answer) = left.remove(place);
        let (path, choice) = played
            .choice(option, &answer)
            .map_err(|error| unchosen(&error))?;
        session.choose(path, choice);
        played = bound.play(&mut session).map_err(failed)?;
    }
    Ok(played)
}

/// An answer as the command writes it.
fn as_text(answer: &Value) -> String {
    match answer {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn unchosen(error: &ChoiceError) -> Finding {
    let finding = Finding::general(FileCode::UnknownOption.as_str(), error.to_string());
    let help = error.help();
    finding.help(help.unwrap_or_else(|| "leave \"choices\" out".to_owned()))
}
