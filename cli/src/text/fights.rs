//! The common parts of reports on fights: the chances of the sides, the number of rounds, and a
//! line for each kind of fighters.

use super::chart::chart;
use dicec_compiler::answer::{Distribution, Row, Share, percent, short_percent, significant};
use std::fmt::Write;

/// Who wins, as a chart, and the chance of the first side with its caveats: abilities that it
/// leaves out. Writing to a String cannot fail, here and below.
pub(crate) fn winners(sides: &[(&str, &Share)], caveats: &[String], width: usize) -> String {
    let rows = sides.iter().map(|(name, share)| Row {
        label: (*name).to_owned(),
        p: vec![share.p],
    });
    let rows: Vec<Row> = rows.collect();
    let mut text = chart(&rows, width);
    text.push('\n');
    let Some((first, wins)) = sides.first() else {
        return text;
    };
    let without = match caveats.is_empty() {
        true => String::new(),
        false => format!(", without {}", caveats.join(" and ")),
    };
    let _ = match wins.interval {
        Some((low, high)) => {
            let (low, high) = (short_percent(low), short_percent(high));
            let p = short_percent(wins.p);
            let interval = format!("95 % interval {low} to {high}");
            writeln!(text, "P({first}) = {p} ({interval}){without}")
        }
        None => writeln!(text, "P({first}) = {}{without}", percent(wins.p)),
    };
    text
}

/// How many rounds a fight has.
pub(crate) fn duration(rounds: &Distribution) -> String {
    let (low, high) = rounds.range();
    let mean = significant(rounds.mean(), 3);
    format!("a fight lasts {mean} rounds on average, from {low} to {high}\n")
}

/// A table with a column of names, columns of numbers, and a last column whose parts, separated by
/// commas, go on in further lines.
pub(crate) fn columns(headings: &[&str], rows: &[Vec<String>], width: usize) -> String {
    let headings: Vec<String> = headings
        .iter()
        .map(|heading| (*heading).to_owned())
        .collect();
    let widths: Vec<usize> = (0..headings.len())
        .map(|column| {
            let cells = rows.iter().chain([&headings]);
            let widths = cells.map(|row| row[column].chars().count());
            widths.max().unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in [&headings].into_iter().chain(rows) {
        let Some((last, cells)) = row.split_last() else {
            break;
        };
        let mut start = String::new();
        for (column, cell) in cells.iter().enumerate() {
            let width = widths[column];
            let _ = match column {
                0 => write!(start, "{cell:width$}  "),
                _ => write!(start, "{cell:>width$}  "),
            };
        }
        let indent = " ".repeat(start.chars().count());
        let room = width.saturating_sub(indent.len()).max(20);
        for (index, part) in wrapped(last, room).into_iter().enumerate() {
            let before = if index == 0 { &start } else { &indent };
            let _ = writeln!(text, "{}", format!("{before}{part}").trim_end());
        }
    }
    text
}

/// Parts of a line, separated by commas, as lines of at most this width.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for part in text.split(", ") {
        match lines.last_mut() {
            Some(line) if line.is_empty() => part.clone_into(line),
            Some(line) if line.chars().count() + 2 + part.chars().count() <= width => {
                *line += ", ";
                *line += part;
            }
            _ => lines.push(part.to_owned()),
        }
    }
    lines
}
