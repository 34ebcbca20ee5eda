//! A roll as text, for `dicec roll` and `dicec EXPR`.

use crate::output;
use anstyle::{AnsiColor, Effects, Style as Ansi};
use dicec_compiler::Rolled;
use dicec_compiler::front::notation::{Segment, Style};
use dicec_runtime::scale::Shortest;
use std::fmt::Write;

/// The roll as text, with its seed where the user does not know it.
pub(super) fn report(roll: &Rolled, seed: Option<u64>) -> String {
    let mut text = match output::shows_colours() {
        true => roll.segments.iter().map(coloured).collect(),
        false => roll.rendered.clone(),
    };
    text.push('\n');
    // Writing to a String cannot fail.
    if roll.degree.is_some() {
        let float = roll.float.map(|float| Shortest(float).to_string());
        if let Some(total) = roll.total.map(|total| total.to_string()).or(float) {
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
