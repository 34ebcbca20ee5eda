//! One fight, blow by blow: of an encounter, or of a scenario of the d100 rules.

use crate::error::CliError;
use crate::loaded::Loaded;
use crate::output;
use crate::text::segments;
use dicec_compiler::{Bound, Played, ScriptSession, Step, random_seed};
use serde::Serialize;

/// What people call it.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Title<'a> {
    Encounter(&'a str),
    Fight(&'a str),
}

impl<'a> Title<'a> {
    fn name(self) -> &'a str {
        match self {
            Self::Encounter(name) | Self::Fight(name) => name,
        }
    }
}

/// A fight that is to be told.
pub(crate) struct Blows<'a> {
    pub(crate) title: Title<'a>,
    pub(crate) loaded: &'a Loaded,
    pub(crate) bound: &'a Bound,
    /// The names of the sides, by what the script returns.
    pub(crate) sides: &'a [(&'a str, &'a str)],
    pub(crate) seed: Option<u64>,
    pub(crate) json: bool,
}

/// A fight as JSON.
#[derive(Serialize)]
struct BlowsJson<'s> {
    #[serde(flatten)]
    title: Title<'s>,
    /// What happens, in order.
    lines: &'s [String],
    /// The name of the side that wins; null if it is a draw.
    winner: Option<&'s str>,
    seed: u64,
}

impl Blows<'_> {
    /// Plays the fight and tells it.
    ///
    /// # Errors
    /// A trap, or an output that cannot be written.
    pub(crate) fn tell(&self) -> Result<(), CliError> {
        let mut session = ScriptSession::new(self.seed.unwrap_or_else(random_seed));
        let played = self.bound.play(&mut session);
        let played = played.map_err(|failure| self.loaded.failed(&failure))?;
        let mut lines = Vec::new();
        gather(&played.steps, &played, &mut lines, &mut Vec::new());
        let label = played.label.as_deref();
        let mut sides = self.sides.iter();
        let winner = sides.find(|(result, _)| label == Some(*result));
        let winner = winner.map(|(_, name)| *name);
        match self.json {
            true => output::json(&BlowsJson {
                title: self.title,
                lines: &lines,
                winner,
                seed: session.seed(),
            }),
            false => output::print(&self.text(&lines, winner, session.seed())),
        }
    }

    fn text(&self, lines: &[String], winner: Option<&str>, seed: u64) -> String {
        let mut text = format!("{}\n", self.title.name());
        for line in lines {
            let is_round = line.starts_with("Round ");
            text += &match is_round {
                true => format!("\n{line}\n"),
                false => format!("  {line}\n"),
            };
        }
        text + &match winner {
            Some(winner) => format!("\n{winner}: won (seed {seed})\n"),
            None => format!("\nnobody wins (seed {seed})\n"),
        }
    }
}

/// The lines of steps. The dice that a line is about follow it in parentheses: they were rolled
/// before it.
fn gather(steps: &[Step], played: &Played, lines: &mut Vec<String>, dice: &mut Vec<String>) {
    for step in steps {
        match step {
            Step::Line(line) if dice.is_empty() => lines.push(line.clone()),
            Step::Line(line) => {
                lines.push(format!("{line} ({})", dice.join("; ")));
                dice.clear();
            }
            Step::Roll(place) => dice.extend(
                played
                    .rolls
                    .get(*place)
                    .map(|thrown| segments(&thrown.segments)),
            ),
            Step::Option(_) => {}
            Step::Group(steps) => gather(steps, played, lines, dice),
        }
    }
}
