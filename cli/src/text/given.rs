//! The condition of an answer, for people.

use dicec_compiler::answer::{Given, share_text};

/// A line on the condition that odds are given, and an empty one; nothing without one.
pub(crate) fn given_report(given: Option<&Given>) -> String {
    given.map_or_else(String::new, |given| given_line(given) + "\n\n")
}

/// The condition and its probability.
pub(super) fn given_line(given: &Given) -> String {
    let share = share_text(&given.share);
    format!(
        "given {}, which has a probability of {share}",
        given.condition
    )
}
