//! A roll as text and as JSON, for `dicec roll` and `dicec EXPR`.

use crate::output;
use crate::rule::Rule;
use anstyle::{AnsiColor, Effects, Style as Ansi};
use dicec_compiler::Rolled;
use dicec_compiler::answer::document::Number;
use dicec_compiler::answer::kind_word;
use dicec_compiler::engine::interp::RolledDie;
use dicec_compiler::front::notation::{Segment, Style};
use dicec_runtime::pool::Flags;
use dicec_runtime::scale::Shortest;
use serde::Serialize;
use std::fmt::Write;

/// The output of `dicec roll --json`.
#[derive(Serialize)]
pub(super) struct RollJson {
    /// `number`, `check`, `degree` or `label`.
    kind: &'static str,
    /// The rule in its normal form, implied counts written.
    expression: String,
    /// A number's result; null for a check and a label.
    total: Option<Number>,
    /// The same before the final clamp to 0.
    raw: Option<Number>,
    /// A check's truth; null for a number.
    check: Option<bool>,
    /// The name of the degree of success that was reached.
    degree: Option<&'static str>,
    /// The label that came up, where the rule is nothing but a die with labels.
    label: Option<String>,
    /// The face of the only d20 on the left of a `vs`, which can shift the degree.
    natural: Option<i64>,
    /// How many dice or totals succeeded; null where none are counted.
    successes: Option<i64>,
    /// How many of them failed.
    failures: Option<i64>,
    /// The rule with the faces and resources in it.
    rendered: String,
    /// The dice, pool by pool.
    dice: Vec<DieJson>,
    /// The seed that gives the roll again; null for given faces.
    seed: Option<u64>,
}

/// One die.
#[derive(Serialize)]
struct DieJson {
    /// How many sides it has.
    sides: u32,
    /// What it shows.
    face: i64,
    /// What it counts, if it is kept.
    value: i64,
    /// Whether it counts.
    kept: bool,
    /// What happened to it, in words.
    flags: Vec<&'static str>,
    /// The bytes of the rule that its pool stands at.
    start: u32,
    end: u32,
}

/// The words for what happened to a die, in the order in which they are listed.
const WORDS: [(Flags, &str); 10] = [
    (Flags::DROPPED, "dropped"),
    (Flags::EXPLODED, "exploded"),
    (Flags::ADDED, "added"),
    (Flags::REROLLED, "rerolled"),
    (Flags::SUCCESS, "success"),
    (Flags::FAILURE, "failure"),
    (Flags::CRITICAL, "critical"),
    (Flags::FUMBLE, "fumble"),
    (Flags::META, "meta"),
    (Flags::CLASS, "dc"),
];

impl DieJson {
    fn new(die: &RolledDie) -> Self {
        let kept = die.is_kept().then_some("kept");
        let words = WORDS.iter().filter(|(flag, _)| die.flags.contains(*flag));
        Self {
            sides: die.sides,
            face: die.face,
            value: die.value,
            kept: die.is_kept(),
            flags: kept
                .into_iter()
                .chain(words.map(|(_, word)| *word))
                .collect(),
            start: die.span.start,
            end: die.span.end,
        }
    }
}

impl RollJson {
    pub(super) fn new(rule: &Rule, roll: Rolled, seed: Option<u64>) -> Self {
        let number = |whole: Option<i64>| {
            let decimal = roll.decimal.map(Number::Float);
            whole.map(Number::Whole).or(decimal)
        };
        let (successes, failures) = roll.counted.unzip();
        Self {
            kind: kind_word(roll.kind),
            expression: rule.program.normal_form_in_full(),
            total: number(roll.total),
            raw: number(roll.raw),
            check: roll.check,
            degree: roll.degree,
            label: roll.label,
            natural: roll.natural,
            successes,
            failures,
            dice: roll.dice.iter().map(DieJson::new).collect(),
            rendered: roll.rendered,
            seed,
        }
    }
}

/// The roll as text, with its seed where the user does not know it.
pub(super) fn report(roll: &Rolled, seed: Option<u64>) -> String {
    let mut text = match output::shows_colours() {
        true => roll.segments.iter().map(coloured).collect(),
        false => roll.rendered.clone(),
    };
    text.push('\n');
    // Writing to a String cannot fail.
    if roll.degree.is_some() {
        let decimal = roll.decimal.map(|decimal| Shortest(decimal).to_string());
        if let Some(total) = roll.total.map(|total| total.to_string()).or(decimal) {
            let _ = writeln!(text, "(the total is {total})");
        }
    }
    if let Some(raw) = roll.raw.filter(|raw| roll.total != Some(*raw)) {
        let _ = writeln!(text, "(the total is {raw}; a result is at least 0)");
    }
    if let Some(seed) = seed {
        let _ = writeln!(text, "(seed {seed})");
    }
    text
}

/// A piece of a roll in its colour. A terminal that cannot strike still dims what is dropped.
fn coloured(segment: &Segment) -> String {
    let style = match segment.style {
        Style::Plain => return segment.text.clone(),
        Style::Dropped => Ansi::new().effects(Effects::DIMMED | Effects::STRIKETHROUGH),
        Style::Success => AnsiColor::Green.on_default() | Effects::BOLD,
        Style::Failure => AnsiColor::Red.on_default() | Effects::BOLD,
        Style::Critical => AnsiColor::Green.on_default(),
        Style::Fumble => AnsiColor::Red.on_default(),
    };
    format!("{style}{}{style:#}", segment.text)
}
