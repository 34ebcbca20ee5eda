//! An axis: its range and its labels.

use crate::answer::significant;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use std::ops::Range;

/// The maximum number of lines across a plot, not counting that of 0.
const MAX_LINES: u32 = 6;

/// A linear axis with our own marks.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    ends: Range<f64>,
    /// Ascending.
    marks: Vec<(f64, String)>,
}

impl Scale {
    pub(super) fn new(ends: Range<f64>, marks: Vec<(f64, String)>) -> Self {
        Self { ends, marks }
    }

    /// Probabilities up to `most` and a little more, marked at round ones.
    pub(super) fn probabilities(most: f64) -> Self {
        let power = libm::pow(10.0, libm::log10(most / f64::from(MAX_LINES)).floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
        let step = steps
            .into_iter()
            .find(|step| most / step <= MAX_LINES.into());
        // Space for the label above the greatest bar.
        let ends = 0.0..most * 1.1;
        let marks = (0..=MAX_LINES + 1).map(|line| f64::from(line) * step.unwrap_or(most));
        let marks = marks.take_while(|&mark| mark <= ends.end.min(1.0));
        Self {
            marks: marks.map(percent_mark).collect(),
            ends,
        }
    }

    /// The marks.
    #[cfg(test)]
    pub(super) fn marks(&self) -> Vec<(f64, String)> {
        self.marks.clone()
    }

    /// All probabilities, marked by fifths.
    pub(super) fn whole() -> Self {
        let marks = (0..=5).map(|fifth| percent_mark(f64::from(fifth) / 5.0));
        Self::new(0.0..1.0, marks.collect())
    }
}

fn percent_mark(share: f64) -> (f64, String) {
    (share, format!("{} %", significant(share * 100.0, 4)))
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, pixels: (i32, i32)) -> i32 {
        let share = (value - self.ends.start) / (self.ends.end - self.ends.start);
        let length = f64::from(pixels.1 - pixels.0);
        // Saturates, should a value be far outside.
        pixels.0.saturating_add((share * length).round() as i32)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // There are no lines between the marks.
        if hint.weight().allow_light_points() {
            return Vec::new();
        }
        self.marks.iter().map(|(value, _)| *value).collect()
    }

    fn range(&self) -> Range<f64> {
        self.ends.clone()
    }
}

impl ValueFormatter<f64> for Scale {
    fn format_ext(&self, value: &f64) -> String {
        let mark = self.marks.iter().find(|(other, _)| other == value);
        mark.map(|(_, label)| label.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_marked_at_round_ones() {
        for (most, labels) in [
            (1.0, "0 % 20 % 40 % 60 % 80 % 100 %"),
            (1.0 / 6.0, "0 % 5 % 10 % 15 %"),
            (0.0236, "0 % 0.5 % 1 % 1.5 % 2 % 2.5 %"),
            (0.5, "0 % 10 % 20 % 30 % 40 % 50 %"),
        ] {
            let scale = Scale::probabilities(most);
            let marks: Vec<&str> = scale.marks.iter().map(|(_, mark)| mark.as_str()).collect();
            assert_eq!(marks.join(" "), labels);
        }
    }

    #[test]
    fn values_become_pixels() {
        let scale = Scale::new(-0.5..9.5, Vec::new());
        assert_eq!(scale.map(&-0.5, (10, 110)), 10);
        assert_eq!(scale.map(&4.5, (10, 110)), 60);
        assert_eq!(scale.map(&9.5, (110, 10)), 10);
        assert_eq!(scale.map(&f64::INFINITY, (10, 110)), i32::MAX);
    }
}
