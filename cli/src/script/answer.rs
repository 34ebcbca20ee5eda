//! What comes of a roll over many trials, sampled or exact: its results, its lines, its statistics; as text and as JSON.

use crate::distribution::{
    Distribution, OddsJson, Questions, figures, heading, odds_body, significant,
};
use serde::Serialize;
use std::fmt::Write;

/// What comes of a roll.
pub(crate) struct Answer {
    /// A bound on the probability of the trials that are left out; 0 if it was sampled.
    pub(crate) left_out: f64,
    /// The results; none where the roll returns nothing.
    pub(crate) result: Option<Distribution>,
    /// The templates of lines, and how many of each a trial has on average.
    pub(crate) lines: Vec<(String, f64)>,
    /// The statistics.
    pub(crate) stats: Vec<Stat>,
}

/// A statistic.
pub(crate) struct Stat {
    pub(crate) name: String,
    /// How often it is noted in a trial, on average.
    pub(crate) notes: f64,
    /// Its numbers; none if it was never noted.
    pub(crate) odds: Option<Distribution>,
    /// The standard error of its mean, if it was sampled.
    pub(crate) error: Option<f64>,
    /// Whether it is shown whole.
    pub(crate) whole: bool,
}

impl Answer {
    /// Lines and statistics as text.
    pub(super) fn report(&self, asked: &Questions, width: usize) -> String {
        let mut text = self.lines_report(width);
        let widest = self.stats.iter().map(|stat| stat.name.chars().count());
        let widest = widest.max().unwrap_or(0);
        // Writing to a String cannot fail.
        for stat in &self.stats {
            let known = match &stat.odds {
                Some(odds) => figures(odds, stat.error),
                None => "never noted".to_owned(),
            };
            let often = match significant(stat.notes, 6).as_str() {
                "1" => String::new(),
                notes => format!("; noted {notes} times a trial"),
            };
            let _ = writeln!(text, "{:widest$}  {known}{often}", stat.name);
        }
        if !self.stats.is_empty() {
            text.push('\n');
        }
        for stat in self.stats.iter().filter(|stat| stat.whole) {
            if let Some(odds) = &stat.odds {
                text += &heading(&stat.name);
                text += &odds_body(odds, asked, width);
                text.push('\n');
            }
        }
        text
    }

    fn lines_report(&self, width: usize) -> String {
        if self.lines.is_empty() {
            return String::new();
        }
        let mut text = heading("lines in 100 trials");
        // Room for a number and two gaps.
        let most = width.saturating_sub(16).max(10);
        let shown = |line: &str| -> String {
            let line = line.replace('\n', " ");
            match line.chars().count() <= most {
                true => line,
                false => line.chars().take(most - 3).chain("...".chars()).collect(),
            }
        };
        let widest = self
            .lines
            .iter()
            .map(|(line, _)| shown(line).chars().count());
        let widest = widest.max().unwrap_or(0);
        for (line, times) in &self.lines {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "  {:widest$}  {:>10.4}", shown(line), times * 100.0);
        }
        text + "\n"
    }
}

/// Lines and statistics as JSON; the documented format.
#[derive(Serialize)]
pub(super) struct AnswerJson {
    /// The name of the roll.
    roll: String,
    /// What players see.
    label: String,
    /// The results, as `dicec odds --json` has them; null where the roll returns nothing.
    result: Option<OddsJson>,
    /// The templates of lines.
    lines: Vec<LineJson>,
    /// The statistics, in order of first mention.
    stats: Vec<StatJson>,
}

#[derive(Serialize)]
struct LineJson {
    /// The line with `{}` for each number.
    line: String,
    /// How many of it a trial has on average.
    per_trial: f64,
}

#[derive(Serialize)]
struct StatJson {
    name: String,
    /// How often it is noted in a trial, on average.
    per_trial: f64,
    /// Its numbers; null if it was never noted.
    odds: Option<OddsJson>,
    /// The standard error of its mean; null if exact.
    stderr: Option<f64>,
}

impl AnswerJson {
    pub(super) fn new(roll: &str, label: &str, answer: &Answer, asked: &Questions) -> Self {
        let lines = answer.lines.iter().map(|(line, times)| LineJson {
            line: line.clone(),
            per_trial: *times,
        });
        let stats = answer.stats.iter().map(|stat| StatJson {
            name: stat.name.clone(),
            per_trial: stat.notes,
            odds: stat.odds.as_ref().map(|odds| OddsJson::new(odds, asked)),
            stderr: stat.error,
        });
        Self {
            roll: roll.to_owned(),
            label: label.to_owned(),
            result: answer
                .result
                .as_ref()
                .map(|odds| OddsJson::new(odds, asked)),
            lines: lines.collect(),
            stats: stats.collect(),
        }
    }
}
