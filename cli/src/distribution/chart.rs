//! Rows of probabilities as lines with bars, fitted to a width.

use super::digits::short_percent;
use super::rows::Row;
use clap::builder::styling::AnsiColor;
use std::fmt::Write;

/// A bar longer than this tells no more.
const LONGEST_BAR: usize = 50;

/// What is left of a cell of a bar, in eighths.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A line a row: label, probability, bar. The longest bar is that of the most probable row.
pub(crate) fn chart(rows: &[Row], width: usize) -> String {
    let labels = rows.iter().map(|row| row.label.chars().count()).max();
    let labels = labels.unwrap_or(0);
    let percents: Vec<String> = rows.iter().map(|row| short_percent(row.p)).collect();
    let figures = percents.iter().map(String::len).max().unwrap_or(0);
    let room = width
        .saturating_sub(labels + figures + 6)
        .clamp(4, LONGEST_BAR);
    let most = rows.iter().map(|row| row.p).fold(0.0, f64::max);
    let style = AnsiColor::Cyan.on_default();
    let mut text = String::new();
    for (row, percent) in rows.iter().zip(percents) {
        let bar = bar(row.p / most, room);
        // Writing to a String cannot fail.
        let _ = write!(text, "  {:>labels$}  {percent:>figures$}", row.label);
        let _ = match bar.is_empty() {
            true => writeln!(text),
            false => writeln!(text, "  {style}{bar}{style:#}"),
        };
    }
    text
}

/// A bar of `share` of `room` cells; only nothing has no bar.
fn bar(share: f64, room: usize) -> String {
    if share.is_nan() || share <= 0.0 {
        return String::new();
    }
    let eighths = (share.min(1.0) * (room * 8) as f64).round() as usize;
    let eighths = eighths.max(1);
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars() {
        assert_eq!(bar(1.0, 3), "███");
        assert_eq!(bar(0.5, 3), "█▌");
        assert_eq!(bar(1e-300, 3), "▏");
        assert_eq!(bar(0.0, 3), "");
        assert_eq!(bar(f64::NAN, 3), "");
    }

    #[test]
    fn a_chart_keeps_to_its_width() {
        let row = |label: &str, p| Row {
            label: label.to_owned(),
            p,
        };
        let rows = [row("1–9", 0.25), row("100", 0.75), row("101", 0.0)];
        let plain = anstream::adapter::strip_str(&chart(&rows, 30)).to_string();
        let bars: Vec<&str> = plain.lines().collect();
        assert_eq!(bars[0], "  1–9  25.00 %  ████▋");
        assert_eq!(bars[1], "  100  75.00 %  ██████████████");
        assert_eq!(bars[2], "  101      0 %");
        assert!(plain.lines().all(|line| line.chars().count() <= 30));
    }
}
