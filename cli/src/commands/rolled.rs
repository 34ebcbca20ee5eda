//! A roll of a rule as text, for `dicec roll` and `dicec EXPR`: a single roll as one line, a
//! compound rule step by step.

use crate::script::steps_report;
use crate::text::segments;
use dicec_compiler::unstable::Made;
use dicec_compiler::{Bound, Rolled};
use dicec_lang::syntax::shorten;
use dicec_runtime::scale::Shortest;
use std::fmt::Write;

/// The roll as text, with the rule's comment, and its seed if the user does not know it. Without
/// colours, a single roll has at most `width` columns, if that is given.
pub(super) fn report(
    made: &Made,
    bound: &Bound,
    seed: Option<u64>,
    width: Option<usize>,
) -> String {
    match made {
        Made::Single(roll) => report_line(roll, bound.program().comment(), seed, width),
        Made::Steps(played) => steps_report(bound, played, seed, false),
    }
}

fn report_line(
    roll: &Rolled,
    comment: Option<&str>,
    seed: Option<u64>,
    width: Option<usize>,
) -> String {
    let mut text = segments(&roll.segments);
    if let Some(width) = width.filter(|_| text == roll.rendered) {
        text = shorten(&text, width);
    }
    if let Some(comment) = comment {
        text += &format!("  # {}", comment.escape_debug());
    }
    text.push('\n');
    // Writing to a String cannot fail.
    let of_a_test = roll.test.is_some() && roll.total != roll.natural;
    if roll.degree.is_some() || of_a_test {
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
