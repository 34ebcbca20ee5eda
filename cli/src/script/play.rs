//! `dicec roll FILE.dice`: one execution of a roll, shown step by step, and again after a choice.

use super::session;
use super::steps::report;
use crate::args::{Shared, random_seed};
use crate::error::{CliError, FileCode, Finding};
use crate::loaded::Loaded;
use crate::output;
use clap::Args;
use dicec_compiler::{Bound, ChoiceError, ScriptSession};
use std::convert::Infallible;
use std::path::PathBuf;

/// How a roll of a script is played.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Scripts (FILE.dice)")]
pub(crate) struct PlayArgs {
    /// Remember rolls and choices in this file, so that a choice changes only what depends on it
    #[arg(long, value_name = "FILE.json")]
    session: Option<PathBuf>,
    /// Decide about an option, by its path or its text: --choose 'Reroll?=true', --choose 'Which
    /// target?=orc'; may be repeated
    #[arg(long, value_name = "OPTION=WHAT", value_parser = choice)]
    choose: Vec<(String, String)>,
    /// Take a session of another script or of other arguments: dice whose paths are the same keep
    /// their faces
    #[arg(long, requires = "session")]
    force: bool,
}

impl PlayArgs {
    /// The first of these flags that was given; a rule that is not a script takes none of them.
    pub(crate) fn given(&self) -> Option<&'static str> {
        [
            ("--session", self.session.is_some()),
            ("--choose", !self.choose.is_empty()),
        ]
        .into_iter()
        .find_map(|(flag, given)| given.then_some(flag))
    }
}

/// Parses `OPTION=ANSWER`, for clap. Without an answer, the option is taken.
fn choice(text: &str) -> Result<(String, String), Infallible> {
    let (option, answer) = text.rsplit_once('=').unwrap_or((text, "true"));
    Ok((option.to_owned(), answer.to_owned()))
}

/// Makes a roll of a script.
pub(crate) fn play(
    loaded: &Loaded,
    bound: &Bound,
    play: &PlayArgs,
    seed: Option<u64>,
    shared: &Shared,
) -> Result<(), CliError> {
    let identity = bound.identity();
    let (mut session, existed) = match &play.session {
        Some(file) => session::open(file, &identity, play.force, seed)?,
        None => (ScriptSession::new(seed.unwrap_or_else(random_seed)), false),
    };
    let failed = |failure| loaded.failed(&failure);
    let mut played = bound.play(&mut session).map_err(failed)?;
    for (option, answer) in &play.choose {
        let (path, choice) = played.choice(option, answer).map_err(unchosen)?;
        session.choose(path, choice);
        played = bound.play(&mut session).map_err(failed)?;
    }
    if let Some(file) = &play.session {
        session::save(file, &session, &identity)?;
    }
    let seed = (!existed).then_some(session.seed());
    if shared.json {
        return output::json(&bound.play_document(&played, seed));
    }
    let again = existed || !play.choose.is_empty();
    output::print(&report(bound, &played, seed, again))
}

fn unchosen(error: ChoiceError) -> CliError {
    let finding = Finding::general(FileCode::UnknownOption.as_str(), error.to_string());
    let help = error.help();
    finding
        .help(help.unwrap_or_else(|| "leave --choose out".to_owned()))
        .into()
}
