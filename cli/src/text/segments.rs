//! A shown roll: in colours on a terminal, otherwise with Markdown.

use crate::output;
use anstyle::{AnsiColor, Effects, Style as Ansi};
use dicec_lang::front::notation::{Segment, Style, marked};

/// The roll as text.
pub(crate) fn segments(segments: &[Segment]) -> String {
    match output::shows_colours() {
        true => segments.iter().map(coloured).collect(),
        false => marked(segments),
    }
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
