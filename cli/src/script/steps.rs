//! An execution as text.

use crate::output;
use crate::text::segments;
use anstyle::{AnsiColor, Style};
use dicec_compiler::answer::document::Number;
use dicec_compiler::unstable::{Answered, Thrown};
use dicec_compiler::{Bound, Played, Step};
use std::fmt::Write;

/// The execution as text. `again` says that some rolls may be remembered ones, so that new ones are
/// marked.
pub(crate) fn report(bound: &Bound, played: &Played, seed: Option<u64>, again: bool) -> String {
    advised_report(bound, (played, &[]), seed, again)
}

/// The same with a line of advice after each option that has one, by its index.
pub(super) fn advised_report(
    bound: &Bound,
    (played, advice): (&Played, &[Option<String>]),
    seed: Option<u64>,
    again: bool,
) -> String {
    let mut text = steps(bound, (played, advice), again, None);
    // Writing to a String cannot fail.
    for (stat, value) in &played.stats {
        let _ = match bound.noted(stat, *value) {
            (name, Number::Whole(number)) => writeln!(text, "{name}: {number}"),
            // With a decimal point, as in JSON.
            (name, Number::Float(number)) => writeln!(text, "{name}: {number:?}"),
        };
    }
    for (name, value) in &played.parts {
        let _ = writeln!(text, "{name} = {value}");
    }
    if let Some(result) = played.result_text() {
        let _ = writeln!(text, "= {result}");
    }
    if let Some(raw) = played.raw {
        let _ = writeln!(text, "(the total is {raw}; a result is at least 0)");
    }
    if let Some(seed) = seed {
        let _ = writeln!(text, "(seed {seed})");
    }
    text
}

/// The beginning of the report: what happened before an option, by its index.
pub(super) fn report_before(
    bound: &Bound,
    told: (&Played, &[Option<String>]),
    again: bool,
    option: usize,
) -> String {
    steps(bound, told, again, Some(option))
}

fn steps(
    bound: &Bound,
    (played, advice): (&Played, &[Option<String>]),
    again: bool,
    until: Option<usize>,
) -> String {
    let mut pen = Pen {
        text: format!("{}\n", bound.definition().label()),
        until,
        is_over: false,
        played,
        advice,
        again,
        colours: output::shows_colours(),
    };
    pen.steps(&played.steps, 1);
    pen.text
}

/// Writes steps.
struct Pen<'p> {
    text: String,
    /// The option that ends it, by its index.
    until: Option<usize>,
    is_over: bool,
    played: &'p Played,
    /// The advice for options, by their indices.
    advice: &'p [Option<String>],
    again: bool,
    colours: bool,
}

impl Pen<'_> {
    fn steps(&mut self, steps: &[Step], depth: usize) {
        for step in steps {
            self.is_over |= matches!(step, Step::Option(place) if Some(*place) == self.until);
            if self.is_over {
                return;
            }
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
                        self.line(depth, Style::new(), &format!("{}{mark}", roll(thrown)));
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
        let answer = match &option.answer {
            Answered::Taken(true) => "yes".to_owned(),
            Answered::Taken(false) => "no".to_owned(),
            Answered::Number { bounds, chosen } => {
                format!("{chosen}, of {} to {}", bounds[0], bounds[1])
            }
            Answered::OneOf { answers, chosen } => {
                let numbered = (1..).zip(answers);
                let numbered = numbered.map(|(number, answer)| format!("{number} {answer}"));
                let mut others: Vec<String> = numbered.collect();
                let chosen = others.remove(*chosen);
                match others.is_empty() {
                    true => chosen,
                    false => format!("{chosen}, not {}", others.join(", ")),
                }
            }
        };
        let (number, path) = (place + 1, &option.path);
        let line = format!("?{number} {who}{} {answer}  (at {path})", option.text);
        self.line(depth, AnsiColor::Cyan.on_default(), &line);
        if let Some(Some(advice)) = self.advice.get(place) {
            self.line(depth + 1, Style::new(), advice);
        }
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

/// A roll with its dice, what it is for before it.
fn roll(thrown: &Thrown) -> String {
    let shown = segments(&thrown.segments);
    match thrown.purpose.as_str() {
        "" => shown,
        purpose => format!("{purpose}: {shown}"),
    }
}
