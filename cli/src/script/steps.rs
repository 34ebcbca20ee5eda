//! An execution as text and as JSON.

use crate::output;
use anstyle::{AnsiColor, Effects, Style};
use dicec_compiler::engine::interp::Value;
use dicec_compiler::{Bound, Played, Step, Thrown};
use dicec_runtime::degree::Ladder;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use std::fmt::Write;

/// The output of `dicec roll FILE.dice --json`.
#[derive(Serialize)]
pub(super) struct PlayJson<'p> {
    /// The name of the roll.
    roll: &'p str,
    /// What players see.
    label: &'p str,
    /// What happened, in order: `{"line": TEXT}`, `{"roll": PLACE}`, `{"option": PLACE}`, `{"group": [...]}`.
    steps: Vec<Json>,
    /// The rolls, by their places.
    rolls: Vec<Json>,
    /// The options that were met, by their places.
    options: Vec<Json>,
    /// The numbers that were noted, by name.
    stats: Map<String, Json>,
    /// What was returned; null if nothing is.
    result: Json,
    /// The seed that gives the execution again; null where a session went on.
    seed: Option<u64>,
}

impl<'p> PlayJson<'p> {
    pub(super) fn new(bound: &'p Bound, played: &Played, seed: Option<u64>) -> Self {
        let mut stats = Map::new();
        for (stat, value) in &played.stats {
            let name = bound.program().stats().get(stat.index());
            let values = stats.entry(name.cloned().unwrap_or_default());
            if let Json::Array(values) = values.or_insert_with(|| json!([])) {
                values.push((*value).into());
            }
        }
        let rolls = played.rolls.iter().map(|thrown| {
            let dice = thrown.dice.iter();
            let dice: Vec<Json> = dice
                .map(|(sides, face)| json!({"sides": sides, "face": face}))
                .collect();
            json!({
                "path": thrown.path,
                "dice": dice,
                "remembered": thrown.new == 0,
                "new": thrown.new,
                "start": thrown.span.start,
                "end": thrown.span.end,
            })
        });
        let options = played.options.iter().map(|option| {
            json!({
                "path": option.path,
                "who": option.who,
                "text": option.text,
                "taken": option.taken,
            })
        });
        Self {
            roll: bound.definition().name(),
            label: bound.definition().label(),
            steps: played.steps.iter().map(step_json).collect(),
            rolls: rolls.collect(),
            options: options.collect(),
            stats,
            result: match played.result {
                Some(Value::Bool(truth)) => truth.into(),
                Some(Value::Degree(rung)) => Ladder::Pathfinder.name(rung).into(),
                Some(value) => value.to_cell().into(),
                None => Json::Null,
            },
            seed,
        }
    }
}

fn step_json(step: &Step) -> Json {
    match step {
        Step::Line(line) => json!({ "line": line }),
        Step::Roll(place) => json!({ "roll": place }),
        Step::Option(place) => json!({ "option": place }),
        Step::Group(steps) => {
            let steps: Vec<Json> = steps.iter().map(step_json).collect();
            json!({ "group": steps })
        }
    }
}

/// The execution as text. `again` says that some rolls may be remembered ones, so that new ones are marked.
pub(super) fn report(bound: &Bound, played: &Played, seed: Option<u64>, again: bool) -> String {
    let mut text = format!("{}\n", bound.definition().label());
    let mut pen = Pen {
        text: &mut text,
        played,
        again,
        colours: output::shows_colours(),
    };
    pen.steps(&played.steps, 1);
    // Writing to a String cannot fail.
    for (stat, value) in &played.stats {
        if let Some(name) = bound.program().stats().get(stat.index()) {
            let _ = writeln!(text, "{name}: {value}");
        }
    }
    let _ = match played.result {
        Some(Value::Bool(truth)) => writeln!(text, "= {truth}"),
        Some(Value::Degree(rung)) => writeln!(text, "= {}", Ladder::Pathfinder.name(rung)),
        Some(value) => writeln!(text, "= {}", value.to_cell()),
        None => Ok(()),
    };
    if let Some(seed) = seed {
        let _ = writeln!(text, "(seed {seed})");
    }
    text
}

/// Writes steps.
struct Pen<'p> {
    text: &'p mut String,
    played: &'p Played,
    again: bool,
    colours: bool,
}

impl Pen<'_> {
    fn steps(&mut self, steps: &[Step], depth: usize) {
        for step in steps {
            match step {
                Step::Group(steps) => {
                    self.line(depth, Style::new(), "-");
                    self.steps(steps, depth + 1);
                }
                Step::Line(line) => self.line(depth, Style::new(), line),
                Step::Roll(place) => {
                    if let Some(thrown) = self.played.rolls.get(*place) {
                        let mark = match thrown.new {
                            new if new == 0 || !self.again => String::new(),
                            new if new == thrown.dice.len() => "  (new)".to_owned(),
                            new => format!("  ({new} new)"),
                        };
                        let style = Style::new() | Effects::DIMMED;
                        self.line(depth, style, &format!("{}{mark}", dice(thrown)));
                    }
                }
                Step::Option(place) => self.option(*place, depth),
            }
        }
    }

    fn option(&mut self, place: usize, depth: usize) {
        let Some(option) = self.played.options.get(place) else {
            return;
        };
        let who = match option.who.as_str() {
            "" => String::new(),
            who => format!("{who}: "),
        };
        let taken = if option.taken { "yes" } else { "no" };
        let line = format!("? {who}{} {taken}  (at {})", option.text, option.path);
        self.line(depth, AnsiColor::Cyan.on_default(), &line);
    }

    /// Lines of a text that breaks stay below each other.
    fn line(&mut self, depth: usize, style: Style, line: &str) {
        let indent = "  ".repeat(depth);
        for part in line.split('\n') {
            // Writing to a String cannot fail.
            let _ = match self.colours {
                true => writeln!(self.text, "{indent}{style}{part}{style:#}"),
                false => writeln!(self.text, "{indent}{part}"),
            };
        }
    }
}

/// The dice of a roll, equal neighbours together: `2d6[3, 4] d8[1]`.
fn dice(thrown: &Thrown) -> String {
    let pools: Vec<String> = thrown
        .dice
        .chunk_by(|(one, _), (other, _)| one == other)
        .map(|pool| {
            let faces: Vec<String> = pool.iter().map(|(_, face)| face.to_string()).collect();
            let sides = pool[0].0;
            let count = match pool.len() {
                1 => String::new(),
                count => count.to_string(),
            };
            format!("{count}d{sides}[{}]", faces.join(", "))
        })
        .collect();
    match pools.as_slice() {
        [] => "no dice".to_owned(),
        _ => pools.join(" "),
    }
}
