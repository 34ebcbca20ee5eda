//! Rows of probabilities as lines with bars, fitted to a width.

use clap::builder::styling::AnsiColor;
use dicec_compiler::answer::{Row, Rows, Steps, grouped, short_percent};
use std::fmt::Write;
use std::ops::Range;

/// A longer bar tells no more.
const MAX_BAR: usize = 50;

/// A shorter bar tells nothing.
const MIN_BAR: usize = 4;

/// The last cell of a bar, in eighths.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// The columns of a chart with cumulative probabilities.
const HEADINGS: [&str; 3] = ["chance", "at least", "at most"];

/// With a shorter bar than this, cumulative probabilities are left out.
const SHORT_BAR: usize = 10;

/// A line for each row: its label, then a probability and a bar. The longest bar is that of the
/// greatest probability.
pub(crate) fn chart(rows: &[Row], width: usize) -> String {
    Layout::new(rows, 0..1, &[], width).rows(rows, &[])
}

/// The same for several columns, below a line of headings. Columns that do not fit next to each
/// other stand below each other.
pub(crate) fn headed_chart(rows: &[Row], headings: &[String], width: usize) -> String {
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let whole = Layout::new(rows, 0..headings.len(), &headings, width);
    let fits = width.saturating_sub(whole.labels + 2) / (whole.figures + 2);
    let mut blocks = Vec::new();
    for first in (0..headings.len()).step_by(fits.max(1)) {
        let columns = first..headings.len().min(first + fits.max(1));
        let headings = &headings[columns.clone()];
        let layout = Layout::new(rows, columns, headings, width);
        blocks.push(layout.headings(headings) + &layout.rows(rows, &[]));
    }
    blocks.join("\n")
}

/// The chart of a number, with the probabilities of at least and at most each result, unless there
/// is too little space for them and not `all` is wanted.
pub(crate) fn cumulative_chart(rows: &Rows, width: usize, all: bool) -> String {
    let cumulative = rows.cumulative(0).into_iter();
    let percents = cumulative.map(|both| both.map(short_percent));
    let percents: Vec<[String; 2]> = percents.collect();
    let mut layout = Layout::new(&rows.rows, 0..1, &HEADINGS[..1], width);
    let widths = percents.iter().flatten().map(String::len);
    let headings = HEADINGS[1..].iter().map(|heading| heading.len());
    layout.further = widths.chain(headings).max().unwrap_or(0);
    layout.room = layout.room_of(width, 1);
    if layout.room < SHORT_BAR && !all {
        return chart(&rows.rows, width);
    }
    layout.headings(&HEADINGS) + &layout.rows(&rows.rows, &percents)
}

/// A line on how results were put together, if they were.
pub(super) fn steps_note(rows: &Rows) -> String {
    let Some(steps) = &rows.steps else {
        return String::new();
    };
    let results = grouped(rows.results as u64);
    format!(
        "  ({results} different results, {})\n",
        steps_note_of(steps)
    )
}

/// How results were put together.
pub(super) fn steps_note_of(steps: &Steps) -> String {
    let beyond = if steps.has_tails {
        ", the rest in the outer rows"
    } else {
        ""
    };
    let how = match &steps.width {
        None => "shown one by one".to_owned(),
        Some(width) => format!("shown in steps of {width}"),
    };
    let holes = match steps.has_holes {
        true => "; between the ends of a…b, some numbers are impossible",
        false => "",
    };
    format!("{how}{beyond}{holes}")
}

/// The widths of the parts of a row, and the probability of a whole bar.
struct Layout {
    columns: Range<usize>,
    labels: usize,
    figures: usize,
    /// The width of each of the two columns between a probability and its bar, if they are there.
    further: usize,
    room: usize,
    most: f64,
}

impl Layout {
    fn new(rows: &[Row], columns: Range<usize>, headings: &[&str], width: usize) -> Self {
        let labels = rows.iter().map(|row| row.label.chars().count()).max();
        let labels = labels.unwrap_or(0);
        let all = rows.iter().flat_map(|row| row.p.iter().copied());
        let percents = all.clone().map(|p| short_percent(p).len());
        let headings = headings.iter().map(|heading| heading.len());
        let figures = percents.chain(headings).max().unwrap_or(0);
        let mut layout = Self {
            labels,
            figures,
            further: 0,
            room: 0,
            most: all.fold(0.0, f64::max),
            columns,
        };
        layout.room = layout.room_of(width, layout.columns.len());
        layout
    }

    /// The width of each of `count` bars. The numbers are shown even if bars do not fit.
    fn room_of(&self, width: usize, count: usize) -> usize {
        let further = match self.further {
            0 => 0,
            further => 2 * (further + 2),
        };
        let room = width.saturating_sub(self.labels + 2) / count.max(1);
        match room.saturating_sub(self.figures + further + 4) {
            0..MIN_BAR => 0,
            room => room.min(MAX_BAR),
        }
    }

    /// The width of a bar with the spaces before it.
    fn cell(&self) -> usize {
        if self.room == 0 { 0 } else { self.room + 2 }
    }

    /// The line above the rows.
    fn headings(&self, headings: &[&str]) -> String {
        let mut text = " ".repeat(self.labels + 2);
        for (place, heading) in headings.iter().enumerate() {
            let (pad, figures) = match self.further {
                0 => (" ".repeat(self.cell()), self.figures),
                _ if place == 0 => (String::new(), self.figures),
                further => (String::new(), further),
            };
            // Writing to a String cannot fail, here and below.
            let _ = write!(text, "  {heading:>figures$}{pad}");
        }
        text.truncate(text.trim_end().len());
        text + "\n"
    }

    fn rows(&self, rows: &[Row], further: &[[String; 2]]) -> String {
        let (labels, figures, room) = (self.labels, self.figures, self.room);
        let style = AnsiColor::Cyan.on_default();
        let mut text = String::new();
        for (place, row) in rows.iter().enumerate() {
            let _ = write!(text, "  {:>labels$}", row.label);
            // Separates a bar from the next column; nothing follows the last.
            let mut gap = String::new();
            for &p in &row.p[self.columns.clone()] {
                let percent = short_percent(p);
                let _ = write!(text, "{gap}  {percent:>figures$}");
                for percent in further.get(place).into_iter().flatten() {
                    let _ = write!(text, "  {percent:>width$}", width = self.further);
                }
                let bar = bar(p / self.most, room);
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
            p: vec![p],
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
        let row = |label: &str, p: [f64; 2]| Row {
            label: label.to_owned(),
            p: p.to_vec(),
        };
        let rows = [row("1", [0.25, 0.0]), row("10", [0.0, 0.75])];
        let shown = |width| {
            let headings = ["first", "second"].map(str::to_owned);
            let text = headed_chart(&rows, &headings, width);
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
        assert_eq!(shown(24), narrow.join("\n"));
        let below = [
            "        first",
            "   1  25.00 %  █▋",
            "  10      0 %",
            "",
            "       second",
            "   1      0 %",
            "  10  75.00 %  █████\n",
        ];
        assert_eq!(shown(20), below.join("\n"));
    }

    #[test]
    fn cumulative_columns_need_space() {
        let row = |label: &str, p| Row {
            label: label.to_owned(),
            p: vec![p],
        };
        let rows = Rows {
            rows: vec![row("1", 0.25), row("2", 0.75)],
            results: 2,
            steps: None,
        };
        let shown = |width, all| {
            let text = cumulative_chart(&rows, width, all);
            anstream::adapter::strip_str(&text).to_string()
        };
        let wide = [
            "      chance  at least   at most",
            "  1  25.00 %     100 %   25.00 %  ███▋",
            "  2  75.00 %   75.00 %     100 %  ███████████\n",
        ];
        assert_eq!(shown(45, false), wide.join("\n"));
        let plain = chart(&rows.rows, 30);
        let plain = anstream::adapter::strip_str(&plain).to_string();
        assert_eq!(shown(30, false), plain);
        assert!(shown(30, true).starts_with("      chance  at least   at most\n"));
    }
}
