//! The report on a distribution, for people: a heading, the chart, the figures.

use super::chart::chart;
use super::digits::{percent, significant};
use super::rows::{Row, rows};
use super::{Distribution, Outcome, Run, Share};
use crate::args::{backend_word, sampling_word};
use crate::number::grouped;
use clap::builder::styling::Style;
use dicec_compiler::hir::Kind;
use dicec_runtime::driver::Extent;
use num_bigint::BigUint;
use std::fmt::Write;

/// The quantiles that a report gives unless others are asked for.
pub(super) const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// Fractions with more digits than this on either side say less than their percentage.
const MOST_DIGITS: usize = 12;

/// What a report is asked beside the table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Questions {
    /// Totals to give P(>= total) for.
    pub(crate) at_least: Vec<i64>,
    /// Quantiles to give; the usual ones if empty.
    pub(crate) quantiles: Vec<f64>,
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
    let mut text = heading(&exactness(odds));
    if odds.kind() == Kind::Check {
        let share = odds.at_least(1);
        let _ = writeln!(text, "P(true) = {}\n", share_text(&share));
    }
    text.push_str(&table(odds, width));
    text.push_str(&success(odds));
    if odds.kind() == Kind::Number {
        let _ = writeln!(text, "mean {}", moments(odds, None));
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
    let trials = run.got.tally.count();
    let mut text = heading(&format!("simulated, {} trials", grouped(trials)));
    let error = run.standard_error(odds.kind());
    if odds.kind() == Kind::Check {
        let share = odds.at_least(1);
        let _ = writeln!(text, "P(true) = {}\n", share_text(&share));
    }
    text.push_str(&table(odds, width));
    let resolution = run.got.tally.resolution();
    if resolution > 1 {
        let groups = grouped(resolution);
        let _ = writeln!(
            text,
            "(so many different results that they were counted in groups of {groups})\n"
        );
    }
    if odds.kind() == Kind::Number {
        let _ = writeln!(text, "mean {}", moments(odds, error));
        text.push_str(&answers(odds, asked));
    }
    text.push_str(&success(odds));
    if odds.kind() != Kind::Number {
        text.push('\n');
    }
    text.push_str(&precision(run, odds.kind()));
    let _ = writeln!(
        text,
        "{} s, {} trials a second; {}, {}, seed {}",
        significant(run.got.elapsed.as_secs_f64(), 3),
        short_count(run.trials_per_second()),
        backend_word(run.asked.backend),
        sampling_word(run.asked.sampling),
        run.asked.seed
    );
    text
}

fn heading(text: &str) -> String {
    let style = Style::new().bold();
    format!("{style}{text}{style:#}\n\n")
}

fn exactness(odds: &Distribution) -> String {
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
    if odds.kind() == Kind::Check {
        let p = odds.at_least(1).p;
        // The order of the outcomes in JSON is false, true; people ask for true first.
        let rows = [("true", p), ("false", 1.0 - p)].map(|(label, p)| Row {
            label: label.to_owned(),
            p,
        });
        return chart(&rows, width);
    }
    if let Kind::Degree(ladder) = odds.kind() {
        // The best first, as true stands before false.
        let rungs = odds.outcomes().into_iter().rev();
        let row = |outcome: Outcome| Row {
            label: ladder.name(outcome.value).to_owned(),
            p: outcome.p,
        };
        return chart(&rungs.map(row).collect::<Vec<_>>(), width);
    }
    let rows = rows(odds);
    let mut text = chart(&rows.rows, width);
    if let Some(steps) = rows.steps {
        let results = grouped(odds.len() as u64);
        let beyond = if steps.has_tails {
            ", the rest in the outer rows"
        } else {
            ""
        };
        let how = match steps.width {
            1 => "shown one by one".to_owned(),
            width => format!("shown in steps of {}", grouped(width)),
        };
        let _ = writeln!(text, "  ({results} different results, {how}{beyond})");
    }
    text.push('\n');
    text
}

/// A degree's chance of success.
fn success(odds: &Distribution) -> String {
    let Kind::Degree(ladder) = odds.kind() else {
        return String::new();
    };
    let share = share_text(&odds.at_least(ladder.success()));
    format!(
        "\nP({} or better) = {share}\n",
        ladder.name(ladder.success())
    )
}

fn moments(odds: &Distribution, error: Option<f64>) -> String {
    let mut text = match error {
        // Digits below the error's second one mean nothing.
        Some(error) if error > 0.0 && error.is_finite() => {
            let decimals = (1.0 - error.log10().floor()).clamp(0.0, 12.0) as usize;
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
    let _ = write!(text, ", min {}, max {}", odds.min(), odds.max());
    text
}

/// The quantiles and the tails.
fn answers(odds: &Distribution, asked: &Questions) -> String {
    let quantile = |&p: &f64| format!("{} %: {}", significant(p * 100.0, 6), odds.quantile(p));
    let quantiles: Vec<String> = asked.quantiles().iter().map(quantile).collect();
    let mut text = format!("quantiles: {}\n", quantiles.join(", "));
    for &value in &asked.at_least {
        let share = share_text(&odds.at_least(value));
        let _ = writeln!(text, "P(>= {value}) = {share}");
    }
    text
}

/// `13/20 = 65 %`, or with the interval of a sampled one.
fn share_text(share: &Share) -> String {
    let percentage = percent(share.p);
    if let Some((low, high)) = share.interval {
        return format!(
            "{percentage} (95 % interval {} to {})",
            percent(low),
            percent(high)
        );
    }
    let fraction = share.fraction.as_ref().and_then(|(above, below)| {
        let (above, below) = (short_fraction_part(above)?, short_fraction_part(below)?);
        (below != "1").then(|| format!("{above}/{below} = "))
    });
    fraction.unwrap_or_default() + &percentage
}

fn short_fraction_part(value: &BigUint) -> Option<String> {
    // Its digits are counted without writing a huge number out.
    (value.bits() < 64)
        .then(|| value.to_string())
        .filter(|digits| digits.len() <= MOST_DIGITS)
}

/// Whether a wanted precision was reached.
fn precision(run: &Run, kind: Kind) -> String {
    let Extent::Precision { half_width, .. } = run.asked.extent else {
        return String::new();
    };
    let reached = run.half_width(kind).unwrap_or(f64::INFINITY);
    let text = match kind {
        Kind::Number => significant(reached, 3),
        Kind::Check | Kind::Degree(_) => percent(reached),
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
