//! Rows of probabilities as lines with bars, fitted to a width.

use clap::builder::styling::AnsiColor;
use dicec_compiler::answer::{Row, short_percent};
use std::fmt::Write;

/// A longer bar tells no more.
const MAX_BAR: usize = 50;

/// A shorter bar tells nothing.
const MIN_BAR: usize = 4;

/// The last cell of a bar, in eighths.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A line for each row: its label, then a probability and a bar for each column. The longest bar is
/// that of the greatest probability.
pub(crate) fn chart<const N: usize>(rows: &[Row<N>], width: usize) -> String {
    Layout::new(rows, &[], width).rows(rows)
}

/// The same below a line of headings, for several columns.
pub(crate) fn headed_chart<const N: usize>(
    rows: &[Row<N>],
    headings: [&str; N],
    width: usize,
) -> String {
    let layout = Layout::new(rows, &headings, width);
    let mut text = " ".repeat(layout.labels + 2);
    for heading in headings {
        let pad = " ".repeat(layout.cell());
        // Writing to a String cannot fail, here and below.
        let _ = write!(text, "  {heading:>figures$}{pad}", figures = layout.figures);
    }
    text.truncate(text.trim_end().len());
    text + "\n" + &layout.rows(rows)
}

/// The widths of the parts of a row, and the probability of a whole bar.
struct Layout {
    labels: usize,
    figures: usize,
    room: usize,
    most: f64,
}

impl Layout {
    fn new<const N: usize>(rows: &[Row<N>], headings: &[&str], width: usize) -> Self {
        let labels = rows.iter().map(|row| row.label.chars().count()).max();
        let labels = labels.unwrap_or(0);
        let all = rows.iter().flat_map(|row| row.p);
        let percents = all.clone().map(|p| short_percent(p).len());
        let headings = headings.iter().map(|heading| heading.len());
        let figures = percents.chain(headings).max().unwrap_or(0);
        let room = width.saturating_sub(labels + 2) / N.max(1);
        let room = room.saturating_sub(figures + 4);
        Self {
            labels,
            figures,
            // The numbers are shown even if bars do not fit.
            room: match room {
                0..MIN_BAR => 0,
                room => room.min(MAX_BAR),
            },
            most: all.fold(0.0, f64::max),
        }
    }

    /// The width of a bar with the spaces before it.
    fn cell(&self) -> usize {
        if self.room == 0 { 0 } else { self.room + 2 }
    }

    fn rows<const N: usize>(&self, rows: &[Row<N>]) -> String {
        let &Self {
            labels,
            figures,
            room,
            most,
        } = self;
        let style = AnsiColor::Cyan.on_default();
        let mut text = String::new();
        for row in rows {
            let _ = write!(text, "  {:>labels$}", row.label);
            // Separates a bar from the next column; nothing follows the last.
            let mut gap = String::new();
            for p in row.p {
                let percent = short_percent(p);
                let _ = write!(text, "{gap}  {percent:>figures$}");
                let bar = bar(p / most, room);
                let mut rest = self.cell();
                if !bar.is_empty() {
                    let _ = write!(text, "  {style}{bar}{style:#}");
                    rest = room.saturating_sub(bar.chars().count());
                }
                gap = " ".repeat(rest);
            }
            text.push('\n');
        }
        text
    }
}

/// A bar of `share` of `room` cells; only a share of 0 has no bar.
fn bar(share: f64, room: usize) -> String {
    if share.is_nan() || share <= 0.0 || room == 0 {
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
            p: [p],
        };
        let rows = [row("1–9", 0.25), row("100", 0.75), row("101", 0.0)];
        let plain = anstream::adapter::strip_str(&chart(&rows, 30)).to_string();
        let bars: Vec<&str> = plain.lines().collect();
        assert_eq!(bars[0], "  1–9  25.00 %  ████▋");
        assert_eq!(bars[1], "  100  75.00 %  ██████████████");
        assert_eq!(bars[2], "  101      0 %");
        assert!(plain.lines().all(|line| line.chars().count() <= 30));
    }

    #[test]
    fn columns_stand_below_their_headings() {
        let row = |label: &str, p| Row {
            label: label.to_owned(),
            p,
        };
        let rows = [row("1", [0.25, 0.0]), row("10", [0.0, 0.75])];
        let shown = |width| {
            let text = headed_chart(&rows, ["first", "second"], width);
            anstream::adapter::strip_str(&text).to_string()
        };
        let wide = [
            "        first            second",
            "   1  25.00 %  ██▍          0 %",
            "  10      0 %           75.00 %  ███████\n",
        ];
        assert_eq!(shown(40), wide.join("\n"));
        let narrow = [
            "        first   second",
            "   1  25.00 %      0 %",
            "  10      0 %  75.00 %\n",
        ];
        assert_eq!(shown(20), narrow.join("\n"));
    }
}
