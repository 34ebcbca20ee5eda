//! A roll of a rule, for `dicec roll` and `dicec EXPR`: a single roll as one line, a compound rule
//! step by step.

use crate::script::steps_report;
use crate::text::segments;
use dicec_compiler::answer::document::{PlayDocument, RollDocument};
use dicec_compiler::syntax::shorten;
use dicec_compiler::{Bound, Failure, Played, Rolled, Session};
use dicec_runtime::driver::CHUNK;
use dicec_runtime::scale::Shortest;
use serde::Serialize;
use std::fmt::Write;
use std::ops::Range;

/// A roll that was made.
pub(super) enum Made {
    Single(Box<Rolled>),
    Steps(Played),
}

/// A roll as JSON.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum MadeDocument<'m> {
    Single(RollDocument),
    Steps(PlayDocument<'m>),
}

impl Made {
    /// Rolls with the next faces of a session.
    pub(super) fn new(bound: &Bound, session: &mut Session) -> Result<Self, Failure> {
        match bound.program().is_script() {
            true => bound.play_once(session).map(Self::Steps),
            false => bound.roll(session).map(Box::new).map(Self::Single),
        }
    }

    /// Rolls a trial of the faithful simulation with `seed`.
    pub(super) fn of_trial(bound: &Bound, seed: u64, trial: u64) -> Result<Self, Failure> {
        let mut session = session_at(bound, seed, trial)?;
        Self::new(bound, &mut session)
    }

    /// Rolls these trials of it, one after the other.
    pub(super) fn of_trials(
        bound: &Bound,
        seed: u64,
        trials: Range<u64>,
    ) -> Result<impl Iterator<Item = Result<Self, Failure>>, Failure> {
        let mut session = session_at(bound, seed, trials.start)?;
        Ok(trials.map(move |trial| {
            if trial % CHUNK == 0 {
                session = Session::of_trial(seed, trial);
            }
            Self::new(bound, &mut session)
        }))
    }

    /// What the roll comes to; none if it gives nothing.
    pub(super) fn result(&self) -> Option<String> {
        match self {
            Self::Single(roll) => Some(roll.result.clone()),
            Self::Steps(played) => played.result_text(),
        }
    }

    /// The roll as text, with the rule's comment, and its seed if the user does not know it.
    /// Without colours, a single roll has at most `width` columns, if that is given.
    pub(super) fn report(&self, bound: &Bound, seed: Option<u64>, width: Option<usize>) -> String {
        match self {
            Self::Single(roll) => report(roll, bound.program().comment(), seed, width),
            Self::Steps(played) => steps_report(bound, played, seed, false),
        }
    }

    pub(super) fn document<'m>(&'m self, bound: &'m Bound, seed: Option<u64>) -> MadeDocument<'m> {
        match self {
            Self::Single(roll) => MadeDocument::Single(bound.roll_document(roll, seed)),
            Self::Steps(played) => MadeDocument::Steps(bound.play_document(played, seed)),
        }
    }
}

/// Faces from where this trial takes them.
fn session_at(bound: &Bound, seed: u64, trial: u64) -> Result<Session, Failure> {
    let mut session = Session::of_trial(seed, trial);
    // The trials before it in its chunk take their dice first.
    bound.skip(&mut session, trial % CHUNK)?;
    Ok(session)
}

fn report(roll: &Rolled, comment: Option<&str>, seed: Option<u64>, width: Option<usize>) -> String {
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
