//! An execution as text and as JSON.

use crate::output;
use anstyle::{AnsiColor, Effects, Style};
use dicec_compiler::engine::interp::Value;
use dicec_compiler::hir::StatId;
use dicec_compiler::{Asked, Bound, Kind, Played, Step, Thrown};
use dicec_runtime::degree::Ladder;
use dicec_runtime::float::from_key;
use dicec_runtime::scale::Shortest;
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
    /// What happened, in order: `{"line": TEXT}`, `{"roll": PLACE}`, `{"option": PLACE}`,
    /// `{"group": [...]}`.
    steps: Vec<StepJson<'p>>,
    /// The rolls, by their places.
    rolls: Vec<ThrownJson<'p>>,
    /// The options that were met, by their places.
    options: Vec<AskedJson<'p>>,
    /// The numbers that were noted, by name.
    stats: Map<String, Json>,
    /// What was returned; null if nothing is.
    result: Json,
    /// The seed that gives the execution again; null where a session went on.
    seed: Option<u64>,
}

/// What a statistic noted.
fn number(bound: &Bound, stat: StatId, value: i64) -> Json {
    match bound.program().hir().stat_kind(stat) {
        Kind::Float => from_key(value).into(),
        _ => value.into(),
    }
}

impl<'p> PlayJson<'p> {
    pub(super) fn new(bound: &'p Bound, played: &'p Played, seed: Option<u64>) -> Self {
        let mut stats = Map::new();
        for (stat, value) in &played.stats {
            let name = bound.program().stats().get(stat.index());
            let values = stats.entry(name.cloned().unwrap_or_default());
            if let Json::Array(values) = values.or_insert_with(|| json!([])) {
                values.push(number(bound, *stat, *value));
            }
        }
        Self {
            roll: bound.definition().name(),
            label: bound.definition().label(),
            steps: played.steps.iter().map(StepJson::of).collect(),
            rolls: played.rolls.iter().map(ThrownJson::of).collect(),
            options: played.options.iter().map(AskedJson::of).collect(),
            stats,
            result: match played.result {
                Some(Value::Bool(truth)) => truth.into(),
                Some(Value::Degree(rung)) => Ladder::PATHFINDER.name(rung).into(),
                Some(Value::Float(value)) => value.into(),
                Some(Value::Int(value)) => value.into(),
                None => Json::Null,
            },
            seed,
        }
    }
}

/// Something that happened: `{"line": TEXT}`.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum StepJson<'p> {
    Line(&'p str),
    Roll(usize),
    Option(usize),
    Group(Vec<StepJson<'p>>),
}

impl<'p> StepJson<'p> {
    fn of(step: &'p Step) -> Self {
        match step {
            Step::Line(line) => StepJson::Line(line),
            Step::Roll(place) => StepJson::Roll(*place),
            Step::Option(place) => StepJson::Option(*place),
            Step::Group(steps) => StepJson::Group(steps.iter().map(StepJson::of).collect()),
        }
    }
}

/// A roll that happened.
#[derive(Serialize)]
struct ThrownJson<'p> {
    path: &'p str,
    dice: Vec<DieJson>,
    remembered: bool,
    new: usize,
    start: u32,
    end: u32,
}

#[derive(Serialize)]
struct DieJson {
    sides: u32,
    face: u32,
}

impl<'p> ThrownJson<'p> {
    fn of(thrown: &'p Thrown) -> Self {
        let dice = thrown.dice.iter();
        Self {
            path: &thrown.path,
            dice: dice.map(|&(sides, face)| DieJson { sides, face }).collect(),
            remembered: thrown.new == 0,
            new: thrown.new,
            start: thrown.span.start,
            end: thrown.span.end,
        }
    }
}

/// An option that was met.
#[derive(Serialize)]
struct AskedJson<'p> {
    path: &'p str,
    who: &'p str,
    text: &'p str,
    taken: bool,
}

impl<'p> AskedJson<'p> {
    fn of(asked: &'p Asked) -> Self {
        Self {
            path: &asked.path,
            who: &asked.who,
            text: &asked.text,
            taken: asked.taken,
        }
    }
}

/// The execution as text. `again` says that some rolls may be remembered ones, so that new ones are
/// marked.
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
            let _ = writeln!(text, "{name}: {}", number(bound, *stat, *value));
        }
    }
    let _ = match played.result {
        Some(Value::Bool(truth)) => writeln!(text, "= {truth}"),
        Some(Value::Degree(rung)) => writeln!(text, "= {}", Ladder::PATHFINDER.name(rung)),
        Some(Value::Float(value)) => writeln!(text, "= {}", Shortest(value)),
        Some(Value::Int(value)) => writeln!(text, "= {value}"),
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
