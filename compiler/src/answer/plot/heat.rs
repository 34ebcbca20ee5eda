//! The odds of two parts of a result together as a heat map: the first part along the axis below,
//! the second one along the axis on the left.

use super::canvas::{COLOURS, Canvas, Drawing, Failure, MARGIN, SMALL};
use super::scale::Scale;
use super::titles::{fitted, text_width};
use crate::answer::{Grid, GridSide, short_percent};
use plotters::chart::ChartBuilder;
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::DrawingArea;
use plotters::element::{Rectangle, Text};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, RGBColor, WHITE};

/// The height of the letters of the title, in pixels.
const TITLE: u32 = 28;
const SIZE: (u32, u32) = (900, 600);
const BOTTOM: u32 = 50;

/// The labels on the left take at most this width.
const MAX_LEFT: u32 = 240;

/// A description and its gap on the left of the labels.
const DESCRIBED: u32 = 44;

/// Letters on a cell that is darker than this share of the darkest one are white.
const DARK: f64 = 0.55;

/// A heat map to draw.
pub(super) struct HeatMap<'p> {
    pub(super) title: &'p str,
    pub(super) grid: &'p Grid,
}

impl Drawing for HeatMap<'_> {
    fn size(&self) -> (u32, u32) {
        SIZE
    }

    fn draw<D: DrawingBackend>(
        &self,
        area: &DrawingArea<D, Shift>,
        finer: u32,
    ) -> Result<(), Failure<D>> {
        let canvas = Canvas { area, finer };
        area.fill(&WHITE)?;
        let style = canvas.text(TITLE);
        let margin = canvas.px(MARGIN);
        let room = area.dim_in_pixel().0.cast_signed() - 2 * margin;
        canvas.write(&fitted(self.title, room, &style), (margin, margin), style)?;
        let shares = self.grid.p.iter().flatten().copied();
        let most = shares.fold(0.0, f64::max);
        let below = canvas.px(MARGIN + TITLE + 6);
        let scale = format!("the darkest: {}", short_percent(most));
        canvas.write(&scale, (margin, below), canvas.text(SMALL))?;
        canvas.heat(self.grid, most)
    }
}

impl<D: DrawingBackend> Canvas<'_, D> {
    /// Everything below the titles. `most` is the greatest probability.
    fn heat(&self, grid: &Grid, most: f64) -> Result<(), Failure<D>> {
        let small = self.text(SMALL);
        let widths = grid.columns.labels.iter();
        let widest = widths.map(|label| text_width(label, &small)).max();
        let left = (widest.unwrap_or(0) + self.px(DESCRIBED)).min(self.px(MAX_LEFT));
        let top = self.px(2 * MARGIN + TITLE + SMALL + 6);
        let (width, height) = self.area.dim_in_pixel();
        let room = (
            width.cast_signed() - left - 2 * self.px(MARGIN),
            height.cast_signed() - top - self.px(BOTTOM + MARGIN / 2),
        );
        let across = axis(&grid.rows, |label| text_width(label, &small), room.0);
        let up = axis(&grid.columns, |_| self.px(SMALL), room.1);
        let mut chart = ChartBuilder::on(self.area)
            .margin_left(self.px(MARGIN))
            .margin_right(self.px(MARGIN))
            .margin_bottom(self.px(MARGIN / 2))
            .margin_top(top)
            .x_label_area_size(self.px(BOTTOM))
            .y_label_area_size(left)
            .build_cartesian_2d(across, up)?;
        self.mesh(
            &mut chart,
            &described(&grid.rows),
            &described(&grid.columns),
        )?;
        let cell = (
            room.0 / grid.rows.labels.len().max(1) as i32,
            room.1 / grid.columns.labels.len().max(1) as i32,
        );
        for (row, shares) in grid.p.iter().enumerate() {
            for (column, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                let centre = (row as f64, column as f64);
                self.cell(chart.plotting_area(), centre, (*share, share / most), cell)?;
            }
        }
        Ok(())
    }

    /// A cell of a combination with this probability, which is also given as a share of the
    /// greatest one, and its text if that fits into `room`.
    fn cell(
        &self,
        area: &DrawingArea<D, Cartesian2d<Scale, Scale>>,
        (x, y): (f64, f64),
        (p, share): (f64, f64),
        room: (i32, i32),
    ) -> Result<(), Failure<D>> {
        let corners = [(x - 0.5, y + 0.5), (x + 0.5, y - 0.5)];
        area.draw(&Rectangle::new(corners, shade(share).filled()))?;
        area.draw(&Rectangle::new(corners, WHITE.stroke_width(self.finer)))?;
        let (text, mut style) = (short_percent(p), self.text(SMALL));
        if text_width(&text, &style) > room.0 || self.px(SMALL) > room.1 {
            return Ok(());
        }
        if share > DARK {
            style = style.color(&WHITE);
        }
        let style = style.pos(Pos::new(HPos::Center, VPos::Center));
        area.draw(&Text::new(text, (x, y), style))?;
        Ok(())
    }
}

/// The colour of a share of the greatest probability: even a small one is not white.
fn shade(share: f64) -> RGBColor {
    let RGBColor(red, green, blue) = COLOURS[0];
    let strength = 0.08 + 0.92 * share;
    let mixed = |full: u8| (255.0 - (255.0 - f64::from(full)) * strength).round() as u8;
    RGBColor(mixed(red), mixed(green), mixed(blue))
}

/// The name of a part, and the width of its steps.
fn described(side: &GridSide) -> String {
    let width = side.steps.as_ref().and_then(|steps| steps.width.as_ref());
    match width {
        Some(width) => format!("{}, in steps of {width}", side.name),
        None => side.name.clone(),
    }
}

/// An axis with a label for each result, or for as many as fit into `room` by their `extent`.
fn axis(side: &GridSide, extent: impl Fn(&String) -> i32, room: i32) -> Scale {
    let labels = &side.labels;
    let widest = labels.iter().map(extent).max().unwrap_or(0) + 6;
    let fits = (room / widest.max(1)).max(1) as usize;
    let marks = labels.iter().enumerate();
    let marks = marks.step_by(labels.len().div_ceil(fits).max(1));
    let marks = marks.map(|(index, label)| (index as f64, label.clone()));
    Scale::new(-0.5..labels.len() as f64 - 0.5, marks.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_go_from_light_to_dark() {
        assert_eq!(shade(1.0), COLOURS[0]);
        assert!(shade(0.0).0 < 255 && shade(0.0).0 > shade(0.5).0);
    }
}
