//! The report on a distribution, for people: a heading, the chart, the figures.

use super::chart::{chart, cumulative_chart, steps_note};
use super::ending::{Judged, ending};
use super::rational;
use clap::builder::styling::Style;
use dicec_compiler::Subtotal;
use dicec_compiler::answer::{
    Distribution, Questions, Run, clamp_text, figures, grouped, name_share, named_rows, rows,
    share_text, short_count, significant, small_part,
};
use dicec_lang::hir::Kind;
use dicec_runtime::scale::Scale;

/// The report on exact odds. Writing to a String cannot fail, here and below.
pub(crate) fn odds_report(odds: &Distribution, asked: &Questions, width: usize) -> String {
    heading(&exactness(odds)) + &odds_body(odds, asked, width)
}

/// [`odds_report`] without its heading.
pub(crate) fn odds_body(odds: &Distribution, asked: &Questions, width: usize) -> String {
    let text = match asked.summary {
        true => only_figures(odds, None) + &answers(odds, asked),
        false => body(odds, None, "", (width, asked.all)) + &answers(odds, asked),
    };
    text + &clamp_note(odds, width)
}

/// What the terms with each label contribute; nothing for a rule without labels.
pub(crate) fn subtotals_report(parts: &[Subtotal<Distribution>]) -> String {
    if parts.is_empty() {
        return String::new();
    }
    let name = |part: &Subtotal<Distribution>| part.label.clone().unwrap_or("other".to_owned());
    let widest = parts.iter().map(|part| name(part).chars().count());
    let widest = widest.max().unwrap_or(0);
    let lines = parts.iter().map(|part| {
        let figures = figures(&part.value, None);
        format!("{:widest$}  {figures}\n", name(part))
    });
    format!("\n{}", heading("subtotals")) + &lines.collect::<String>()
}

/// The report on a simulation.
pub(crate) fn sim_report(
    odds: &Distribution,
    run: &Run,
    asked: &Questions,
    width: usize,
) -> String {
    let body = sim_body(odds, asked, width);
    sim_heading(run) + &body + &ending(run, &Judged::Results(odds)) + &sim_footer(run)
}

/// How much was simulated.
pub(crate) fn sim_heading(run: &Run) -> String {
    let trials = grouped(run.trials);
    heading(&format!("simulated, {trials} trials"))
}

/// [`sim_report`] without its heading and its last lines.
pub(crate) fn sim_body(odds: &Distribution, asked: &Questions, width: usize) -> String {
    let error = odds.standard_error();
    if asked.summary {
        return only_figures(odds, error) + &clamp_note(odds, width);
    }
    let note = match (odds.resolution(), odds.scale()) {
        (None | Some(0 | 1), _) => String::new(),
        (Some(groups), Scale::Whole) => format!(
            "(there are too many different results: they were counted in groups of {})\n\n",
            grouped(groups)
        ),
        (Some(_), Scale::Float) => {
            "(there are too many different results: neighbours were counted together)\n\n"
                .to_owned()
        }
    };
    let mut text = body(odds, error, &note, (width, asked.all)) + &answers(odds, asked);
    if !odds.kind().is_number() {
        text.push('\n');
    }
    text + &clamp_note(odds, width)
}

/// What clamping at 0 changed, if anything, and how to do without it.
pub(super) fn clamp_note(odds: &Distribution, width: usize) -> String {
    const HOW: &str = "(-d notation keeps numbers below 0)";
    clamp_text(odds).map_or_else(String::new, |text| {
        let fits = text.chars().count() + HOW.len() < width;
        let gap = if fits { ' ' } else { '\n' };
        format!("{text}{gap}{HOW}\n")
    })
}

/// A report without its chart and its quantiles: the moments of a number, the chance of a check, of
/// each rung or of each label.
fn only_figures(odds: &Distribution, error: Option<f64>) -> String {
    match odds.kind() {
        Kind::Degree(_) | Kind::Level(_) => shares(odds) + &figures(odds, error) + "\n",
        Kind::Label => shares(odds),
        Kind::Check | Kind::Number | Kind::Float | Kind::Test => figures(odds, error) + "\n",
    }
}

/// How fast it was simulated, and by which engine.
pub(crate) fn sim_footer(run: &Run) -> String {
    format!(
        "{} s, {} trials a second; {}, {}, seed {}\n",
        significant(run.elapsed.as_secs_f64(), 3),
        short_count(run.trials_per_second()),
        run.backend,
        run.sampling,
        run.seed
    )
}

/// The chart with a `note` on it, and the figures of [`figures`].
fn body(
    odds: &Distribution,
    error: Option<f64>,
    note: &str,
    (width, all): (usize, bool),
) -> String {
    let (table, figures) = (table(odds, width, all), figures(odds, error));
    match odds.kind() {
        Kind::Check => format!("{figures}\n\n{table}{note}"),
        Kind::Degree(_) | Kind::Level(_) => format!("{table}{note}\n{figures}\n"),
        Kind::Label => format!("{table}{note}\n{}", shares(odds)),
        Kind::Number | Kind::Float | Kind::Test => format!("{table}{note}{figures}\n"),
    }
}

/// A heading and the empty line below it.
pub(crate) fn heading(text: &str) -> String {
    let style = Style::new().bold();
    format!("{style}{text}{style:#}\n\n")
}

/// How exact the odds are.
pub(crate) fn exactness(odds: &Distribution) -> String {
    match (odds.denominator(), odds.error_bound()) {
        (Some(total), _) => match small_part(total) {
            Some(total) => format!("exact odds, out of {total}"),
            None => "exact odds".to_owned(),
        },
        (None, bound) => {
            let error = match bound.filter(|bound| bound.is_finite()) {
                Some(bound) => format!("relative error below {}", significant(bound, 2)),
                None => "rounded so often that small chances may be wrong".to_owned(),
            };
            let left_out = match odds.left_out() {
                0.0 => String::new(),
                share => format!(
                    "; rolls that never end are left out: {}",
                    significant(share, 2)
                ),
            };
            format!("exact odds ({error}{left_out})")
        }
    }
}

fn table(odds: &Distribution, width: usize, all: bool) -> String {
    if odds.is_in_full() {
        let (rows, note) = rational::table(odds, width, all);
        let gap = if odds.kind().is_number() { "\n" } else { "" };
        return chart(&rows, width) + &note + gap;
    }
    if let Some(rows) = named_rows(&[odds]) {
        return chart(&rows, width);
    }
    let rows = rows(&[odds], all);
    cumulative_chart(&rows, width, all) + &steps_note(&rows) + "\n"
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

/// The quantiles of a number, and the chances of ranges.
fn answers(odds: &Distribution, asked: &Questions) -> String {
    match odds.kind().is_number() {
        true => quantiles(odds, asked) + &ranges(odds, asked),
        false => String::new(),
    }
}

pub(super) fn quantiles(odds: &Distribution, asked: &Questions) -> String {
    let quantile = |&p: &f64| {
        let value = odds.show(odds.quantile(p));
        format!("{} %: {value}", significant(p * 100.0, 6))
    };
    let quantiles: Vec<String> = asked.quantiles().iter().map(quantile).collect();
    format!("quantiles: {}\n", quantiles.join(", "))
}

pub(super) fn ranges(odds: &Distribution, asked: &Questions) -> String {
    let ranges = asked.ranges.iter().map(|&range| {
        let share = share_text(&odds.range_share(range));
        format!("P({range}) = {share}\n")
    });
    ranges.collect()
}
