//! Answers of scripts as documents.

use super::odds::{GivenEntry, OddsDocument};
use crate::answer::{Answer, Checked, NamedAnswers, Questions, Run};
use serde::Serialize;

/// The lines, statistics and results of a roll of a script.
#[derive(Clone, Debug, Serialize)]
struct AnswerDocument {
    /// The name of the roll.
    roll: String,
    /// What players see.
    label: String,
    #[serde(flatten)]
    body: BodyDocument,
}

/// The same without the name of the roll.
#[derive(Clone, Debug, Serialize)]
struct BodyDocument {
    /// The results, as `dicec odds --json` has them; null if the roll gives nothing.
    result: Option<OddsDocument>,
    /// The parts of a result with several parts; absent if it has only one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PartEntry>,
    /// The condition that the odds are given, which has no lines and statistics; absent if there
    /// is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<GivenEntry>,
    /// The templates of lines.
    lines: Vec<LineEntry>,
    /// How many lines with other templates a trial has on average; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    other_lines: Option<f64>,
    /// The statistics: those whose names are written in order of first mention, then the others.
    stats: Vec<StatisticEntry>,
    /// How many numbers of other statistics a trial notes on average; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    other_stats: Option<f64>,
}

/// A part of a result.
#[derive(Clone, Debug, Serialize)]
struct PartEntry {
    name: String,
    #[serde(flatten)]
    odds: OddsDocument,
}

#[derive(Clone, Debug, Serialize)]
struct LineEntry {
    /// The line with `{}` for each number.
    line: String,
    /// How many of it a trial has on average.
    per_trial: f64,
}

#[derive(Clone, Debug, Serialize)]
struct StatisticEntry {
    name: String,
    /// How often it is noted in a trial, on average.
    per_trial: f64,
    /// Its numbers; null if it was never noted.
    odds: Option<OddsDocument>,
    /// The standard error of its mean; null if exact.
    stderr: Option<f64>,
}

impl AnswerDocument {
    fn new((roll, label): (&str, &str), answer: &Answer, asked: &Questions) -> Self {
        Self {
            roll: roll.to_owned(),
            label: label.to_owned(),
            body: BodyDocument::new(answer, asked),
        }
    }
}

impl BodyDocument {
    fn new(answer: &Answer, asked: &Questions) -> Self {
        let lines = answer.lines.iter().map(|(line, times)| LineEntry {
            line: line.clone(),
            per_trial: *times,
        });
        let odds = |odds| OddsDocument::new(odds, asked).unchecked();
        let parts = answer.parts.iter().map(|part| PartEntry {
            name: part.name.clone(),
            odds: odds(&part.odds),
        });
        let stats = answer.stats.iter().map(|stat| StatisticEntry {
            name: stat.name.clone(),
            per_trial: stat.per_trial,
            odds: stat.odds.as_ref().map(odds),
            stderr: stat.error,
        });
        Self {
            result: answer.result.as_ref().map(odds),
            parts: parts.collect(),
            given: answer.given.as_ref().map(GivenEntry::new),
            lines: lines.collect(),
            other_lines: (answer.other_lines > 0.0).then_some(answer.other_lines),
            stats: stats.collect(),
            other_stats: (answer.other_stats > 0.0).then_some(answer.other_stats),
        }
    }
}

/// The exact odds of a roll of a script: the output of `dicec odds FILE.dice --json`.
#[derive(Clone, Debug, Serialize)]
pub struct ScriptOddsDocument {
    #[serde(flatten)]
    answer: AnswerDocument,
    /// A bound on the probability of the trials that are left out: loops and dice that go on for
    /// very long.
    left_out: f64,
    /// The check that they have passed; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<Checked>,
}

impl ScriptOddsDocument {
    /// The odds of a roll, given its name and its label.
    pub fn new(roll: (&str, &str), answer: &Answer, asked: &Questions) -> Self {
        Self {
            answer: AnswerDocument::new(roll, answer, asked),
            left_out: answer.left_out,
            check: answer.checked,
        }
    }
}

/// Several named answers: the output of `dicec odds --name` and of a script with several rolls with
/// `--json`.
#[derive(Clone, Debug, Serialize)]
pub struct AnswersDocument {
    answers: Vec<NamedEntry>,
}

/// One of them.
#[derive(Clone, Debug, Serialize)]
struct NamedEntry {
    /// The name of the roll, or the one that the rule was given.
    name: String,
    /// The label of the roll, or the rule in its normal form.
    label: String,
    #[serde(flatten)]
    body: BodyDocument,
    /// As for one roll of a script.
    left_out: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<Checked>,
}

impl AnswersDocument {
    /// The answers, in their order.
    pub fn new(answers: &NamedAnswers, asked: &Questions) -> Self {
        let entries = answers.iter().map(|named| NamedEntry {
            name: named.name.clone(),
            label: named.label.clone(),
            body: BodyDocument::new(&named.answer, asked),
            left_out: named.answer.left_out,
            check: named.answer.checked,
        });
        Self {
            answers: entries.collect(),
        }
    }
}

/// A simulation of a roll of a script: the output of `dicec sim FILE.dice --json`.
#[derive(Clone, Debug, Serialize)]
pub struct ScriptSimulationDocument {
    #[serde(flatten)]
    answer: AnswerDocument,
    /// How many trials ran.
    trials: u64,
    /// The seed that gives the same result again.
    seed: u64,
    /// `jit` or `interp`.
    backend: &'static str,
    /// `faithful` or `fused`.
    sampling: &'static str,
    /// Why it ended: `trials`, `precision`, `max_trials` or `interrupted`.
    ended: &'static str,
    /// How long the trials took, in nanoseconds.
    elapsed_ns: u64,
    /// Trials by that time.
    trials_per_second: f64,
    /// The check that it has passed; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<Checked>,
}

impl ScriptSimulationDocument {
    /// A simulation of a roll, given its name and its label.
    pub fn new(roll: (&str, &str), answer: &Answer, run: &Run, asked: &Questions) -> Self {
        Self {
            answer: AnswerDocument::new(roll, answer, asked),
            trials: run.trials,
            seed: run.seed,
            backend: run.backend,
            sampling: run.sampling,
            ended: run.ended_word(),
            elapsed_ns: run.elapsed_ns(),
            trials_per_second: run.trials_per_second(),
            check: run.checked,
        }
    }
}
