//! One fight, blow by blow: of an encounter, or of a scenario of the d100 rules.

use crate::error::CliError;
use crate::loaded::Loaded;
use crate::output;
use crate::text::segments;
use dicec_compiler::{Bound, ScriptSession, random_seed};

use dicec_fights::{FightTitle, ToldDocument};

/// A fight that is to be told.
pub(crate) struct Blows<'a> {
    pub(crate) title: FightTitle<'a>,
    pub(crate) loaded: &'a Loaded,
    pub(crate) bound: &'a Bound,
    /// The names of the sides, by what the script returns.
    pub(crate) sides: &'a [(&'a str, &'a str)],
    pub(crate) seed: Option<u64>,
    pub(crate) json: bool,
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
        let lines = played.told(segments);
        let label = played.label.as_deref();
        let mut sides = self.sides.iter();
        let winner = sides.find(|(result, _)| label == Some(*result));
        let winner = winner.map(|(_, name)| *name);
        match self.json {
            true => output::json(&ToldDocument {
                title: self.title,
                lines: &lines,
                winner,
                seed: session.seed(),
            }),
            false => output::print(&self.text(&lines, winner, session.seed())),
        }
    }

    /// Whether a line is the heading of a step of a day.
    fn is_step(&self, line: &str) -> bool {
        let is_day = matches!(self.title, FightTitle::Day(_));
        let is_fight = line.strip_prefix("Fight ").is_some_and(|rest| {
            let number = rest.split(':').next();
            number.is_some_and(|number| number.parse::<u32>().is_ok())
        });
        is_day && (is_fight || ["A short rest", "A long rest"].contains(&line))
    }

    fn text(&self, lines: &[String], winner: Option<&str>, seed: u64) -> String {
        let (FightTitle::Encounter(title) | FightTitle::Fight(title) | FightTitle::Day(title)) =
            self.title;
        let mut text = format!("{title}\n");
        for line in lines {
            let is_round = line.starts_with("Round ") || self.is_step(line);
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
