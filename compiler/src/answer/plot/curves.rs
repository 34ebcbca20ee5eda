//! A picture of curves: a probability or a mean as a function of a number that a rule reads.

use super::canvas::{COLOURS, Canvas, Drawing, Failure, MARGIN, SMALL};
use super::scale::Scale;
use super::titles::{fitted, text_width};
use crate::answer::{round_up, significant};
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::DrawingArea;
use plotters::element::{Circle, PathElement, Rectangle};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, RGBColor, WHITE};

/// The height of the letters of a name, and that of a line of names, in pixels.
const NAME: u32 = 22;
const LINE: u32 = 30;

/// The height of a picture without the names of its curves.
const PLOT_HEIGHT: u32 = 450;
const WIDTH: u32 = 900;
const LEFT: u32 = 78;
const BOTTOM: u32 = 50;

/// At or below this many values, each has a dot.
const MAX_DOTS: usize = 60;

/// The maximum number of labels on the horizontal axis, and of lines across the plot.
const MAX_TICKS: usize = 21;
const MAX_LINES: f64 = 6.0;

/// The measure of the curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// A probability.
    Probability,
    /// A mean.
    Mean,
}

/// Curves over the values of one name.
#[derive(Clone, Debug)]
pub struct Curves {
    /// The name of the varied number.
    pub axis: String,
    /// Its values: numbers, which are spaced as numbers are, or texts.
    pub values: Vec<String>,
    /// The measure of the curves.
    pub measure: Measure,
    /// At most [`MAX_CURVES`](super::MAX_CURVES).
    pub curves: Vec<Curve>,
}

/// One curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The name of the curve.
    pub name: String,
    /// Its height at each value, where it is known.
    pub points: Vec<Option<f64>>,
}

impl Drawing for Curves {
    fn size(&self) -> (u32, u32) {
        let names = LINE * self.curves.len() as u32;
        (WIDTH, PLOT_HEIGHT + names)
    }

    fn draw<D: DrawingBackend>(
        &self,
        area: &DrawingArea<D, Shift>,
        finer: u32,
    ) -> Result<(), Failure<D>> {
        let canvas = Canvas { area, finer };
        area.fill(&WHITE)?;
        let top = canvas.names(&self.curves)?;
        canvas.curves(self, top)
    }
}

impl Curves {
    /// The coordinate of each value.
    fn coordinates(&self) -> Vec<f64> {
        let numbers = self.values.iter().map(|value| value.trim().parse());
        let numbers: Result<Vec<f64>, _> = numbers.collect();
        match numbers {
            Ok(numbers) if numbers.iter().all(|number| number.is_finite()) => numbers,
            _ => (0..self.values.len()).map(|place| place as f64).collect(),
        }
    }

    fn heights(&self) -> impl Iterator<Item = f64> {
        let points = self.curves.iter().flat_map(|curve| &curve.points);
        points
            .flatten()
            .copied()
            .filter(|height| height.is_finite())
    }

    /// The vertical axis: from 0, unless that would leave most of the picture empty.
    fn vertical(&self) -> Scale {
        let most = self.heights().fold(f64::NEG_INFINITY, f64::max);
        let least = self.heights().fold(f64::INFINITY, f64::min);
        if self.measure == Measure::Probability {
            return match most > 0.0 {
                true => Scale::probabilities(most.min(1.0)),
                false => Scale::whole(),
            };
        }
        let (least, most) = match least.is_finite() && most.is_finite() {
            true => (least, most),
            false => (0.0, 1.0),
        };
        let from_zero = least >= 0.0 && least <= most / 2.0;
        let low = if from_zero { 0.0 } else { least };
        let range = match most - low {
            range if range > 0.0 => range,
            _ => most.abs().max(1.0),
        };
        let step = nice_step(range / MAX_LINES);
        let low = (low / step).floor() * step;
        let lines = ((most - low) / step).ceil().max(1.0);
        let marks = (0..=lines as u32).map(|line| {
            let height = low + f64::from(line) * step;
            (height, significant(height, 6))
        });
        Scale::new(low..low + lines * step, marks.collect())
    }

    /// The labels of the horizontal axis: each value if they fit, otherwise round ones.
    fn marks(&self, at: &[f64], fits: usize) -> Vec<(f64, String)> {
        let fits = fits.clamp(2, MAX_TICKS);
        let named = || at.iter().copied().zip(self.values.iter().cloned());
        if at.len() <= fits {
            return named().collect();
        }
        let (low, high) = ends(at);
        let is_whole = at
            .iter()
            .all(|value| value.fract() == 0.0 && value.abs() < 1e15);
        let is_named = self
            .values
            .iter()
            .any(|value| value.parse::<f64>().is_err());
        if is_whole && !is_named {
            let span = (high - low) as u128;
            let step = round_up(span.div_ceil(fits as u128 - 1)) as f64;
            let first = (low / step).ceil() * step;
            let marks = (0..fits).map(|tick| first + tick as f64 * step);
            let marks = marks.take_while(|mark| *mark <= high);
            return marks.map(|mark| (mark, significant(mark, 6))).collect();
        }
        named().step_by(at.len().div_ceil(fits)).collect()
    }
}

impl<D: DrawingBackend> Canvas<'_, D> {
    /// The curves' names, each after its colour; returns the height of all.
    fn names(&self, curves: &[Curve]) -> Result<u32, Failure<D>> {
        let width = self.area.dim_in_pixel().0.cast_signed();
        let style = self.text(NAME).pos(Pos::new(HPos::Left, VPos::Center));
        for ((index, curve), colour) in (0..).zip(curves).zip(COLOURS) {
            let top = self.px(MARGIN + LINE * index);
            let (left, square) = (self.px(MARGIN), self.px(SMALL));
            let corners = [(left, top), (left + square, top + square)];
            self.area.draw(&Rectangle::new(corners, colour.filled()))?;
            let start = left + square + self.px(8);
            let name = fitted(&curve.name, width - start - self.px(MARGIN), &style);
            self.write(&name, (start, top + square / 2), style.clone())?;
        }
        Ok(MARGIN + LINE * curves.len() as u32 + 6)
    }

    /// Everything below the names.
    fn curves(&self, picture: &Curves, top: u32) -> Result<(), Failure<D>> {
        let small = self.text(SMALL);
        let at = picture.coordinates();
        let (low, high) = ends(&at);
        let spare = if high > low { (high - low) * 0.02 } else { 0.5 };
        let room = self.area.dim_in_pixel().0.cast_signed() - self.px(LEFT + 2 * MARGIN);
        let widths = picture.values.iter().map(|value| text_width(value, &small));
        let widest = widths.max().unwrap_or(0) + self.px(12);
        let marks = picture.marks(&at, (room / widest).unsigned_abs() as usize);
        let mut chart = ChartBuilder::on(self.area)
            .margin_left(self.px(MARGIN))
            .margin_right(self.px(2 * MARGIN))
            .margin_bottom(self.px(MARGIN / 2))
            .margin_top(self.px(top))
            .x_label_area_size(self.px(BOTTOM))
            .y_label_area_size(self.px(LEFT))
            .build_cartesian_2d(
                Scale::new(low - spare..high + spare, marks),
                picture.vertical(),
            )?;
        let measured = match picture.measure {
            Measure::Probability => "probability",
            Measure::Mean => "mean",
        };
        self.mesh(&mut chart, &fitted(&picture.axis, room, &small), measured)?;
        for (curve, colour) in picture.curves.iter().zip(COLOURS) {
            self.curve(&chart, curve, &at, colour)?;
        }
        Ok(())
    }

    /// A curve, with gaps where it is not known.
    fn curve(
        &self,
        chart: &ChartContext<'_, D, Cartesian2d<Scale, Scale>>,
        curve: &Curve,
        at: &[f64],
        colour: RGBColor,
    ) -> Result<(), Failure<D>> {
        let mut points: Vec<(f64, Option<f64>)> = at
            .iter()
            .copied()
            .zip(curve.points.iter().copied())
            .collect();
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        let style = colour.stroke_width(2 * self.finer);
        for run in points.split(|(_, height)| height.is_none()) {
            let run = run
                .iter()
                .filter_map(|(at, height)| Some((*at, (*height)?)));
            let run: Vec<(f64, f64)> = run.collect();
            chart
                .plotting_area()
                .draw(&PathElement::new(run.clone(), style))?;
            let dots = if at.len() <= MAX_DOTS { &run[..] } else { &[] };
            for dot in dots {
                let dot = Circle::new(*dot, self.px(4), colour.filled());
                chart.plotting_area().draw(&dot)?;
            }
        }
        Ok(())
    }
}

fn ends(at: &[f64]) -> (f64, f64) {
    let low = at.iter().copied().fold(f64::INFINITY, f64::min);
    let high = at.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

/// The least of 1, 2, 5, 10, ... times a power of ten that is not below `least`.
fn nice_step(least: f64) -> f64 {
    let power = libm::pow(10.0, libm::log10(least).floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    steps
        .into_iter()
        .find(|step| *step >= least)
        .unwrap_or(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curves(values: &[&str], measure: Measure, points: &[f64]) -> Curves {
        Curves {
            axis: "x".to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
            measure,
            curves: vec![Curve {
                name: "curve".to_owned(),
                points: points.iter().copied().map(Some).collect(),
            }],
        }
    }

    fn labels(marks: Vec<(f64, String)>) -> String {
        let labels: Vec<String> = marks.into_iter().map(|(_, label)| label).collect();
        labels.join(" ")
    }

    #[test]
    fn numbers_are_spaced_as_numbers() {
        let numbers = curves(&["10", "15", "30"], Measure::Mean, &[1.0, 2.0, 3.0]);
        assert_eq!(numbers.coordinates(), [10.0, 15.0, 30.0]);
        let names = curves(&["axe", "10"], Measure::Mean, &[1.0, 2.0]);
        assert_eq!(names.coordinates(), [0.0, 1.0]);
        assert_eq!(labels(names.marks(&[0.0, 1.0], 9)), "axe 10");
    }

    #[test]
    fn many_values_have_round_labels() {
        let values: Vec<String> = (3..=102).map(|value| value.to_string()).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let many = curves(&values, Measure::Mean, &[1.0]);
        let at = many.coordinates();
        assert_eq!(labels(many.marks(&at, 6)), "20 40 60 80 100");
    }

    #[test]
    fn means_begin_at_zero_unless_they_are_far_away() {
        let marks =
            |points: &[f64]| labels(curves(&["1"], Measure::Mean, points).vertical().marks());
        assert_eq!(marks(&[2.0, 10.0]), "0 2 4 6 8 10");
        assert_eq!(marks(&[10.0, 13.0]), "10 10.5 11 11.5 12 12.5 13");
        assert_eq!(marks(&[-3.0, 3.0]), "-3 -2 -1 0 1 2 3");
        assert_eq!(marks(&[5.0]), "5 6");
        assert_eq!(marks(&[]), "0 0.2 0.4 0.6 0.8 1");
    }
}
