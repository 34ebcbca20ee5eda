//! The report on a distribution, for people: a heading, the chart, the figures.

use super::chart::chart;
use super::digits::{percent, significant};
use super::rows::{Row, Rows, rows};
use super::{Distribution, Outcome, Run, Share, rational};
use crate::args::{backend_word, sampling_word};
use crate::number::grouped;
use clap::builder::styling::Style;
use dicec_compiler::hir::Kind;
use dicec_runtime::driver::Extent;
use dicec_runtime::scale::Scale;
use num_bigint::BigUint;
use std::fmt::Write;

/// The quantiles that a report gives unless others are asked for.
pub(super) const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// Fractions with more digits than this on either side say less than their percentage.
const MOST_DIGITS: usize = 12;

/// What a report is asked beside the table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Questions {
    /// Totals to give P(>= total) for, as outcomes.
    pub(crate) at_least: Vec<i64>,
    /// Quantiles to give; the usual ones if empty.
    pub(crate) quantiles: Vec<f64>,
    /// Whether the figures are all that is wanted.
    pub(crate) summary: bool,
}

impl Questions {
    /// The quantiles to give.
    pub(super) fn quantiles(&self) -> &[f64] {
        if self.quantiles.is_empty() {
            &QUANTILES
        } else {
            &self.quantiles
        }
    }
}

/// The report on exact odds. Writing to a String cannot fail, here and below.
pub(crate) fn odds_report(odds: &Distribution, asked: &Questions, width: usize) -> String {
    heading(&exactness(odds)) + &odds_body(odds, asked, width)
}

/// [`odds_report`] without its heading.
pub(crate) fn odds_body(odds: &Distribution, asked: &Questions, width: usize) -> String {
    let mut text = body(odds, None, "", width);
    if odds.kind().is_number() {
        text.push_str(&answers(odds, asked));
    }
    text
}

/// The report on a simulation.
pub(crate) fn sim_report(
    odds: &Distribution,
    run: &Run,
    asked: &Questions,
    width: usize,
) -> String {
    let body = sim_body(odds, run, asked, width);
    sim_heading(run) + &body + &sim_footer(run)
}

/// How much was simulated.
pub(crate) fn sim_heading(run: &Run) -> String {
    let trials = grouped(run.trials);
    heading(&format!("simulated, {trials} trials"))
}

/// [`sim_report`] without its heading and its last line.
pub(crate) fn sim_body(odds: &Distribution, run: &Run, asked: &Questions, width: usize) -> String {
    let error = odds.standard_error();
    if asked.summary {
        return figures_alone(odds, error) + &precision(odds, run);
    }
    let note = match (odds.resolution(), odds.scale()) {
        (None | Some(0 | 1), _) => String::new(),
        (Some(groups), Scale::Whole) => format!(
            "(so many different results that they were counted in groups of {})\n\n",
            grouped(groups)
        ),
        (Some(_), Scale::Float) => {
            "(so many different results that those next to each other were counted together)\n\n"
                .to_owned()
        }
    };
    let mut text = body(odds, error, &note, width);
    match odds.kind() {
        Kind::Number | Kind::Float => text.push_str(&answers(odds, asked)),
        Kind::Check | Kind::Degree(_) | Kind::Label => text.push('\n'),
    }
    text + &precision(odds, run)
}

/// What a report says without its chart and its quantiles: the moments of a number, the chance of a check, of each rung or of each label.
fn figures_alone(odds: &Distribution, error: Option<f64>) -> String {
    match odds.kind() {
        Kind::Degree(_) => shares(odds) + &figures(odds, error) + "\n",
        Kind::Label => shares(odds),
        Kind::Check | Kind::Number | Kind::Float => figures(odds, error) + "\n",
    }
}

/// How fast it was simulated, and by what.
pub(crate) fn sim_footer(run: &Run) -> String {
    format!(
        "{} s, {} trials a second; {}, {}, seed {}\n",
        significant(run.elapsed.as_secs_f64(), 3),
        short_count(run.trials_per_second()),
        backend_word(run.asked.backend),
        sampling_word(run.asked.sampling),
        run.asked.seed
    )
}

/// The chart with a `note` on it, and the figures of [`figures`].
fn body(odds: &Distribution, error: Option<f64>, note: &str, width: usize) -> String {
    let (table, figures) = (table(odds, width), figures(odds, error));
    match odds.kind() {
        Kind::Check => format!("{figures}\n\n{table}{note}"),
        Kind::Degree(_) => format!("{table}{note}\n{figures}\n"),
        Kind::Label => format!("{table}{note}\n{}", shares(odds)),
        Kind::Number | Kind::Float => format!("{table}{note}{figures}\n"),
    }
}

/// A heading and the empty line below it.
pub(crate) fn heading(text: &str) -> String {
    let style = Style::new().bold();
    format!("{style}{text}{style:#}\n\n")
}

pub(crate) fn exactness(odds: &Distribution) -> String {
    let mut text = weights(odds);
    if odds.left_out() > 0.0 {
        let share = significant(odds.left_out(), 2);
        text += &format!(" but for rolls that go on and on: at most {share} of all");
    }
    text
}

fn weights(odds: &Distribution) -> String {
    match (odds.denominator(), odds.error_bound()) {
        (Some(total), _) => match short_fraction_part(total) {
            Some(total) => format!("exact odds, out of {total}"),
            None => "exact odds".to_owned(),
        },
        (None, bound) => format!(
            "exact odds, to a relative error below {}",
            significant(bound.unwrap_or(f64::INFINITY), 2)
        ),
    }
}

fn table(odds: &Distribution, width: usize) -> String {
    if odds.in_full {
        let (rows, note) = rational::table(odds, width);
        let gap = if odds.kind().is_number() { "\n" } else { "" };
        return chart(&rows, width) + &note + gap;
    }
    if let Some(rows) = named_rows([odds]) {
        return chart(&rows, width);
    }
    let rows = rows([odds]);
    chart(&rows.rows, width) + &steps_note(&rows) + "\n"
}

/// The rows of results that have names, all of one kind: a row a name, even for what cannot be. None for numbers.
pub(crate) fn named_rows<const N: usize>(odds: [&Distribution; N]) -> Option<Vec<Row<N>>> {
    let kind = odds.first()?.kind();
    if kind.is_number() {
        return None;
    }
    let outcomes = odds.map(Distribution::outcomes);
    let rungs = outcomes.iter().map(Vec::len).min().unwrap_or(0);
    let row = |rung: usize| {
        let value = outcomes.first()?[rung].value;
        Some(Row {
            label: odds.first()?.name(value)?.to_owned(),
            p: outcomes.each_ref().map(|outcomes| outcomes[rung].p),
        })
    };
    match kind {
        Kind::Label => (0..rungs).map(row).collect(),
        // JSON has the worst first; people ask for the best, or for true.
        _ => (0..rungs).rev().map(row).collect(),
    }
}

/// The chance of a check, a degree or the likeliest label, or the moments of a number, whose mean may have a standard error.
/// One line.
pub(crate) fn figures(odds: &Distribution, error: Option<f64>) -> String {
    match odds.kind() {
        Kind::Check => format!("P(true) = {}", share_text(&odds.at_least(1))),
        Kind::Degree(ladder) => {
            let success = ladder.success();
            let share = share_text(&odds.at_least(success));
            format!("P({} or better) = {share}", ladder.name(success))
        }
        Kind::Label => {
            let outcomes = odds.outcomes().into_iter().rev();
            let likeliest = outcomes.max_by(|one, other| one.p.total_cmp(&other.p));
            likeliest.map_or_else(String::new, |outcome| name_share(odds, &outcome))
        }
        Kind::Number | Kind::Float => format!("mean {}", moments(odds, error)),
    }
}

/// The chance of each label, or of each rung from the best on, a line each.
fn shares(odds: &Distribution) -> String {
    let mut outcomes = odds.outcomes();
    if odds.kind() != Kind::Label {
        outcomes.reverse();
    }
    outcomes
        .iter()
        .map(|outcome| name_share(odds, outcome) + "\n")
        .collect()
}

fn name_share(odds: &Distribution, outcome: &Outcome) -> String {
    let name = odds.name(outcome.value).unwrap_or_default();
    format!("P({name}) = {}", share_text(&odds.share(outcome)))
}

/// A line on how results were put together, if they were.
pub(super) fn steps_note<const N: usize>(rows: &Rows<N>) -> String {
    let Some(steps) = &rows.steps else {
        return String::new();
    };
    let results = grouped(rows.results as u64);
    let beyond = if steps.has_tails {
        ", the rest in the outer rows"
    } else {
        ""
    };
    let how = match &steps.width {
        None => "shown one by one".to_owned(),
        Some(width) => format!("shown in steps of {width}"),
    };
    format!("  ({results} different results, {how}{beyond})\n")
}

fn moments(odds: &Distribution, error: Option<f64>) -> String {
    let mut text = match error {
        // Digits below the error's second one mean nothing.
        Some(error) if error > 0.0 && error.is_finite() => {
            let decimals = (1.0 - libm::log10(error).floor()).clamp(0.0, 12.0) as usize;
            format!(
                "{:.decimals$} ± {:.decimals$} (standard error)",
                odds.mean(),
                error
            )
        }
        _ => significant(odds.mean(), 6),
    };
    if let Some(sd) = odds.sd() {
        let _ = write!(text, ", sd {}", significant(sd, 6));
    }
    let _ = write!(
        text,
        ", min {}, max {}",
        odds.show(odds.min()),
        odds.show(odds.max())
    );
    text
}

/// The quantiles and the tails.
fn answers(odds: &Distribution, asked: &Questions) -> String {
    quantiles(odds, asked) + &tails(odds, asked)
}

pub(super) fn quantiles(odds: &Distribution, asked: &Questions) -> String {
    let quantile = |&p: &f64| {
        let value = odds.show(odds.quantile(p));
        format!("{} %: {value}", significant(p * 100.0, 6))
    };
    let quantiles: Vec<String> = asked.quantiles().iter().map(quantile).collect();
    format!("quantiles: {}\n", quantiles.join(", "))
}

pub(super) fn tails(odds: &Distribution, asked: &Questions) -> String {
    let tail = |&value: &i64| {
        let share = share_text(&odds.at_least(value));
        format!("P(>= {}) = {share}\n", odds.show(value))
    };
    asked.at_least.iter().map(tail).collect()
}

/// `13/20 = 65 %`, or with the interval of a sampled one.
pub(super) fn share_text(share: &Share) -> String {
    let percentage = percent(share.p);
    if let Some((low, high)) = share.interval {
        return format!(
            "{percentage} (95 % interval {} to {})",
            percent(low),
            percent(high)
        );
    }
    let Some((above, below)) = &share.fraction else {
        return percentage;
    };
    match (short_fraction_part(above), short_fraction_part(below)) {
        (Some(above), Some(below)) if below != "1" => format!("{above}/{below} = {percentage}"),
        (Some(_), Some(_)) => percentage,
        // A long one takes lines of its own.
        _ if share.in_full => format!("{percentage}\n  = {above}\n  / {below}"),
        _ => percentage,
    }
}

fn short_fraction_part(value: &BigUint) -> Option<String> {
    // Its digits are counted without writing a huge number out.
    (value.bits() < 64)
        .then(|| value.to_string())
        .filter(|digits| digits.len() <= MOST_DIGITS)
}

/// Whether a wanted precision was reached.
fn precision(odds: &Distribution, run: &Run) -> String {
    let Extent::Precision { half_width, .. } = run.asked.extent else {
        return String::new();
    };
    let reached = odds.half_width().unwrap_or(f64::INFINITY);
    let text = match odds.kind() {
        Kind::Number | Kind::Float => significant(reached, 3),
        Kind::Check | Kind::Degree(_) | Kind::Label => percent(reached),
    };
    if reached <= half_width {
        format!("the 95 % interval is ±{text}\n")
    } else {
        format!(
            "stopped before the precision was reached: the 95 % interval is ±{text} (see --max-trials)\n"
        )
    }
}

/// `476 million`.
fn short_count(value: f64) -> String {
    let (scale, word) = match value {
        value if value >= 1e9 => (1e9, " billion"),
        value if value >= 1e6 => (1e6, " million"),
        value if value >= 1e3 => (1e3, " thousand"),
        _ => (1.0, ""),
    };
    format!("{}{word}", significant(value / scale, 3))
}
