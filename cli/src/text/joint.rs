//! The odds of several parts of a result together: two as a grid, more as a list.

use super::chart::{chart, steps_note_of};
use super::summary::{exactness, heading};
use dicec_compiler::answer::{
    Grid, GridSide, JointOdds, MAX_ROWS, Row, grouped, percent, short_percent,
};
use std::fmt::Write;

/// The maximum number of combinations of a list, unless all are wanted.
const MAX_LISTED: usize = 2 * MAX_ROWS;

/// The report on the odds of several parts together, with each result by itself if `all` are
/// wanted. Writing to a String cannot fail, here and below.
pub(crate) fn joint_report(odds: &JointOdds, all: bool, width: usize) -> String {
    let text = heading(&exactness(odds.exactness()));
    text + &match odds.grid(all) {
        Some(grid) => grid_text(&grid, width),
        None => list(odds, all, width),
    }
}

/// A grid. Columns that do not fit next to each other are in blocks below each other.
fn grid_text(grid: &Grid, width: usize) -> String {
    let (rows, columns) = (&grid.rows, &grid.columns);
    let names = rows.labels.iter().chain([&rows.name]);
    let labels = names.map(|label| label.chars().count()).max().unwrap_or(0);
    let shares = grid.p.iter().flatten();
    let cells = shares.map(|p| cell(*p).chars().count());
    let headings = columns.labels.iter().map(|label| label.chars().count());
    let cells = cells.chain(headings).max().unwrap_or(0);
    let fits = (width.saturating_sub(labels + 2) / (cells + 2)).max(1);
    let mut text = String::new();
    for first in (0..columns.labels.len()).step_by(fits) {
        let shown = first..columns.labels.len().min(first + fits);
        let _ = writeln!(text, "  {:labels$}  {}", "", columns.name);
        let _ = write!(text, "  {:>labels$}", rows.name);
        for label in &columns.labels[shown.clone()] {
            let _ = write!(text, "  {label:>cells$}");
        }
        text.push('\n');
        for (label, shares) in rows.labels.iter().zip(&grid.p) {
            let _ = write!(text, "  {label:>labels$}");
            for p in &shares[shown.clone()] {
                let _ = write!(text, "  {:>cells$}", cell(*p));
            }
            text.push('\n');
        }
        text.push('\n');
    }
    text += &grouping(rows);
    text += &grouping(columns);
    text.trim_end().to_owned() + "\n"
}

/// A probability in a grid; impossible pairs stay empty for the eye.
fn cell(p: f64) -> String {
    match p {
        0.0 => "-".to_owned(),
        p => short_percent(p),
    }
}

/// How the results of a part were put together, if they were.
fn grouping(side: &GridSide) -> String {
    let steps = side.steps.as_ref();
    steps.map_or_else(String::new, |steps| {
        format!(
            "  {}: {}; --all shows each result\n",
            side.name,
            steps_note_of(steps)
        )
    })
}

/// A line for each combination, or for the most likely ones.
fn list(odds: &JointOdds, all: bool, width: usize) -> String {
    let mut lines: Vec<(Vec<String>, f64)> = odds
        .outcomes()
        .map(|(values, outcome)| {
            let cells = odds.parts.iter().zip(values);
            let cells = cells.map(|(part, value)| part.odds.outcome_text(*value));
            (cells.collect(), outcome.p)
        })
        .collect();
    let count = lines.len();
    if !all && count > MAX_LISTED {
        lines.sort_by(|one, other| other.1.total_cmp(&one.1));
        lines.truncate(MAX_LISTED);
    }
    let names: Vec<String> = odds.parts.iter().map(|part| part.name.clone()).collect();
    let widest = |column: usize| {
        let cells = lines.iter().map(|(cells, _)| &cells[column]);
        let widths = cells
            .chain([&names[column]])
            .map(|cell| cell.chars().count());
        widths.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..names.len()).map(widest).collect();
    let line = |cells: &[String]| {
        let cells = cells.iter().zip(&widths);
        let cells: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:>width$}"))
            .collect();
        cells.join("  ")
    };
    let rows = lines.iter().map(|(cells, p)| Row {
        label: line(cells),
        p: vec![*p],
    });
    let rows: Vec<Row> = rows.collect();
    let mut text = format!("  {}\n", line(&names)) + &chart(&rows, width);
    if rows.len() < count {
        let shown: f64 = rows.iter().map(|row| row.p[0]).sum();
        let (listed, count) = (rows.len(), grouped(count as u64));
        let _ = writeln!(
            text,
            "  (the {listed} most likely of {count} combinations, together {}; --all shows each)",
            percent(shown.min(1.0))
        );
    }
    text
}
