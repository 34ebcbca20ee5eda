//! `dicec roll FILE.dice`: one execution of a roll, shown step by step, and again after a choice.

use super::advised::{Advising, Made, Make, with_make};
use super::ask::Player;
use super::session::{self, Remembered};
use super::steps::advised_report;
use crate::error::{CliError, FileCode, Finding};
use crate::loaded::Loaded;
use crate::output;
use clap::Args;
use dicec_compiler::answer::document::PlayDocument;
use dicec_compiler::unstable::{ChoiceError, Given};
use dicec_compiler::{Bound, ScriptSession, random_seed};
use serde::Serialize;
use std::convert::Infallible;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

/// How a roll of a script is played.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Scripts (FILE.dice)")]
pub(crate) struct PlayArgs {
    /// Remember rolls, choices and arguments in this file: later calls need only the script and a
    /// choice, which changes only what depends on it
    #[arg(long, value_name = "FILE.json")]
    session: Option<PathBuf>,
    /// Decide about an option, by its number, a part of its text or its path: --choose 1=yes,
    /// --choose 'Which target?=orc', --choose target=2; may be repeated
    #[arg(long, value_name = "OPTION=WHAT", value_parser = choice)]
    choose: Vec<(String, String)>,
    /// Take a session of another script or of other arguments: dice whose paths are the same keep
    /// their faces
    #[arg(long, requires = "session")]
    force: bool,
}

impl PlayArgs {
    /// What the session remembers of its roll, if there is one.
    ///
    /// # Errors
    /// A file that is not a session.
    pub(crate) fn remembered(&self) -> Result<Option<Remembered>, CliError> {
        match &self.session {
            Some(file) => session::remembered(file),
            None => Ok(None),
        }
    }

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

/// How often a roll is made, and how it is shown.
#[derive(Clone, Copy)]
pub(crate) struct How {
    pub(crate) seed: Option<u64>,
    /// None for one roll.
    pub(crate) times: Option<u64>,
    /// Whether only the results are shown.
    pub(crate) quiet: bool,
    pub(crate) json: bool,
}

impl How {
    /// Whether a player is there who can be asked.
    fn asks(self) -> bool {
        let is_plain = !self.json && !self.quiet && self.times.is_none();
        is_plain && io::stdin().is_terminal() && io::stdout().is_terminal()
    }
}

/// Makes a roll of a script, which was bound with what is `given`.
pub(crate) fn play(
    loaded: &Loaded,
    (bound, given): (&Bound, Given),
    (play, advising): (&PlayArgs, Option<&Advising>),
    how: How,
) -> Result<(), CliError> {
    with_make(loaded, bound, advising, |make| {
        played(make, (bound, given), play, how)
    })
}

fn played(
    make: &mut Make<'_>,
    (bound, given): (&Bound, Given),
    play: &PlayArgs,
    how: How,
) -> Result<(), CliError> {
    let Some(file) = &play.session else {
        let first = how.seed.unwrap_or_else(random_seed);
        return (0..how.times.unwrap_or(1)).try_for_each(|number| {
            let mut session = ScriptSession::new(first.wrapping_add(number));
            execute(make, bound, play, how, (&mut session, false))
        });
    };
    let identity = bound.identity();
    // Until the end: what another command writes in between would be lost.
    let _lock = session::lock(file)?;
    let (mut session, existed) = session::open(file, &identity, play.force, how.seed)?;
    session.remember(given);
    execute(make, bound, play, how, (&mut session, existed))?;
    session::save(file, &session, &identity)
}

/// Makes one execution of a session, which may have existed, and shows it.
fn execute(
    make: &mut Make<'_>,
    bound: &Bound,
    play: &PlayArgs,
    how: How,
    (session, existed): (&mut ScriptSession, bool),
) -> Result<(), CliError> {
    let mut made = make(session)?;
    for (option, answer) in &play.choose {
        let (path, choice) = made.played.choice(option, answer).map_err(unchosen)?;
        session.choose(path, choice);
        made = make(session)?;
    }
    let again = existed || !play.choose.is_empty();
    let mut shown = 0;
    if how.asks() {
        let mut player = Player::new(bound, again);
        made = player.ask_all(make, made, session)?;
        shown = player.shown;
    }
    let seed = (!existed).then_some(session.seed());
    let Made { played, advice } = &made;
    match (how.json, how.quiet) {
        (true, _) => output::json(&Shown {
            played: bound.play_document(played, seed),
            advice,
        }),
        (_, true) => output::print(&(played.result_text().unwrap_or_default() + "\n")),
        (false, false) => {
            let report = advised_report(bound, (played, advice), seed, again);
            output::print(report.get(shown..).unwrap_or_default())
        }
    }
}

/// An execution as JSON.
#[derive(Serialize)]
struct Shown<'s> {
    #[serde(flatten)]
    played: PlayDocument<'s>,
    /// The advice for the options, in their order; empty if none was asked for.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    advice: &'s [Option<String>],
}

fn unchosen(error: ChoiceError) -> CliError {
    let finding = Finding::general(FileCode::UnknownOption.as_str(), error.to_string());
    let help = error.help();
    finding
        .help(help.unwrap_or_else(|| "leave --choose out".to_owned()))
        .into()
}
