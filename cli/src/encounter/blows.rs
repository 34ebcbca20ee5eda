//! One fight, blow by blow.

use super::EncounterArgs;
use super::scene::Scene;
use crate::args::random_seed;
use crate::error::CliError;
use crate::loaded::{Loaded, ScriptArgs};
use crate::output;
use crate::text::segments;
use dicec_compiler::front::encounter::{Purpose, Told};
use dicec_compiler::{Played, ScriptSession, Step};
use serde::Serialize;

/// A fight as JSON.
#[derive(Serialize)]
struct BlowsJson<'s> {
    encounter: &'s str,
    /// What happens, in order.
    lines: &'s [String],
    /// The name of the side that wins; null if it is a draw.
    winner: Option<&'s str>,
    seed: u64,
}

pub(super) fn run(args: &EncounterArgs, scene: &Scene) -> Result<(), CliError> {
    let text = scene.script(Told::Blows, Purpose::Trials)?;
    let none = ScriptArgs::default();
    let loaded = Loaded::text(&scene.title, &text, &none, &args.shared())?;
    let bound = loaded.bind(&none, &args.shared())?;
    let mut session = ScriptSession::new(args.sample.seed.unwrap_or_else(random_seed));
    let played = bound.play(&mut session);
    let played = played.map_err(|failure| loaded.failed(&failure))?;
    let mut lines = Vec::new();
    collect(&played.steps, &played, &mut lines);
    let [first, second] = scene.plan.sides();
    let winner = match played.label.as_deref() {
        Some("first") => Some(first.as_str()),
        Some("second") => Some(second.as_str()),
        _ => None,
    };
    if args.json {
        return output::json(&BlowsJson {
            encounter: &scene.title,
            lines: &lines,
            winner,
            seed: session.seed(),
        });
    }
    let mut text = format!("{}\n", scene.title);
    for line in &lines {
        let is_round = line.starts_with("Round ");
        text += &match is_round {
            true => format!("\n{line}\n"),
            false => format!("  {line}\n"),
        };
    }
    let seed = session.seed();
    text += &match winner {
        Some(winner) => format!("\n{winner}: won (seed {seed})\n"),
        None => format!("\nnobody wins (seed {seed})\n"),
    };
    output::print(&text)
}

/// The lines of steps. The dice that a line is about follow it in parentheses: they were rolled
/// before it.
fn collect(steps: &[Step], played: &Played, lines: &mut Vec<String>) {
    let mut dice: Vec<String> = Vec::new();
    gather(steps, played, lines, &mut dice);
}

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
