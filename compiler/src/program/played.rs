//! The record of one execution: its lines, rolls and options, in the order in which they happened.

use super::roll::Test;
use super::session::Throw;
use dicec_lang::front::notation::Segment;
use dicec_lang::hir::StatId;
use dicec_lang::interp::{RolledDie, Value};
use dicec_runtime::scale::Shortest;
use dicec_runtime::span::Span;
use std::sync::Arc;

/// The record of an execution.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The rolls, in the order in which they happened.
    pub rolls: Vec<Thrown>,
    /// The options that it reached.
    pub options: Vec<Asked>,
    /// The noted numbers, by statistic.
    pub stats: Vec<(StatKey, i64)>,
    /// The parts of the result, if it has several: their names and values.
    pub parts: Vec<(String, String)>,
    /// The result: a number, a truth value, a degree, a constant of an enum, or nothing.
    pub result: Option<Value>,
    /// The result of a compound rule before the rule book's clamp raised it to 0 (seed 002, 3.5.3);
    /// none if it was not raised.
    pub raw: Option<i64>,
    /// The name of the degree, if the result is one.
    pub degree: Option<&'static str>,
    /// The name of the constant, if the result is one of an enum, or the text that it is.
    pub label: Option<String>,
    /// Whether the resulting degree, level or test is a success.
    pub success: Option<bool>,
}

impl Played {
    /// The lines, each followed by the dice that it is about, which were rolled before it; `shown`
    /// formats them.
    pub fn told(&self, shown: impl Fn(&[Segment]) -> String) -> Vec<String> {
        let (mut lines, mut dice) = (Vec::new(), Vec::new());
        self.gather(&self.steps, &shown, &mut lines, &mut dice);
        lines
    }

    fn gather(
        &self,
        steps: &[Step],
        shown: &impl Fn(&[Segment]) -> String,
        lines: &mut Vec<String>,
        dice: &mut Vec<String>,
    ) {
        for step in steps {
            match step {
                Step::Line(line) if dice.is_empty() => lines.push(line.clone()),
                Step::Line(line) => {
                    lines.push(format!("{line} ({})", dice.join("; ")));
                    dice.clear();
                }
                Step::Roll(place) => {
                    dice.extend(self.rolls.get(*place).map(|thrown| shown(&thrown.segments)));
                }
                Step::Option(_) => {}
                Step::Group(steps) => self.gather(steps, shown, lines, dice),
            }
        }
    }

    /// The output lines, in order.
    pub fn lines(&self) -> Vec<&str> {
        let mut lines = Vec::new();
        gather(&self.steps, &mut lines);
        lines
    }

    /// The result as text: a number, `true` or `false`, or a name. `None` for a roll that returns
    /// nothing.
    pub fn result_text(&self) -> Option<String> {
        if let Some(name) = self.degree.or(self.label.as_deref()) {
            return Some(name.to_owned());
        }
        Some(match self.result? {
            Value::Bool(truth) => truth.to_string(),
            Value::Float(value) => Shortest(value).to_string(),
            Value::Int(value) | Value::Degree(value) => value.to_string(),
        })
    }
}

/// The lines of steps.
fn gather<'s>(steps: &'s [Step], lines: &mut Vec<&'s str>) {
    for step in steps {
        match step {
            Step::Line(line) => lines.push(line),
            Step::Group(steps) => gather(steps, lines),
            Step::Roll(_) | Step::Option(_) => {}
        }
    }
}

/// A statistic of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatKey {
    /// A statistic with a known name.
    Known(StatId),
    /// A name that was joined at run time.
    Named(String),
}

/// A step of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A line.
    Line(String),
    /// A roll, by its index in [`Played::rolls`].
    Roll(usize),
    /// An option, by its index in [`Played::options`].
    Option(usize),
    /// Steps that belong together.
    Group(Vec<Step>),
}

/// A roll of an execution.
#[derive(Clone, Debug, PartialEq)]
pub struct Thrown {
    /// Its path, which the session shares.
    pub path: Arc<str>,
    /// Its dice: sides and faces.
    pub dice: Throw,
    /// The number of new dice; the faces of the others were remembered.
    pub new: usize,
    /// Its location in the source.
    pub span: Span,
    /// Its purpose: the variable that it is assigned to, or the function that rolls. Empty for
    /// rolls of an entry point that are not assigned.
    pub purpose: String,
    /// All rolled dice, including rerolled and dropped ones.
    pub table: Vec<RolledDie>,
    /// Its total, unless it is a label or a degree.
    pub total: Option<Value>,
    /// Its result, if it is a test.
    pub test: Option<Test>,
    /// Its source text with the values and faces in it, and the total.
    pub segments: Vec<Segment>,
}

/// An option that was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its path.
    pub path: String,
    /// The person who is asked; empty if nobody is named.
    pub who: String,
    /// The text of the option.
    pub text: String,
    /// The offer and the decision.
    pub answer: Answered,
}

/// An offer to a player, and the player's decision. Without a decision, it is no, or the first
/// answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// Whether the option was taken.
    Taken(bool),
    /// A number.
    Number {
        /// The minimum and the maximum that are offered.
        bounds: [i64; 2],
        /// The chosen number.
        chosen: i64,
    },
    /// One of several answers.
    OneOf {
        /// All of them, as players read them; no two are the same.
        answers: Vec<String>,
        /// The index of the chosen one.
        chosen: usize,
    },
}
