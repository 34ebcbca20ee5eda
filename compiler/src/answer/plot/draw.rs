//! The drawing itself, the same for every format: bars and lines of cumulative probability below
//! the titles.

use super::bars::{Axis, Bars};
use super::encode::FONT;
use super::scale::Scale;
use super::titles::{Series, fitted, text_width};
use crate::answer::short_percent;
use plotters::chart::{ChartBuilder, ChartContext, DualCoordChartContext};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{PathElement, Rectangle, Text};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, RGBColor, TextStyle, WHITE};

/// Blue and vermilion of Okabe and Ito's palette, which people of every colour vision tell apart.
/// Bars are lighter, and lines across them darker.
pub(super) const COLOURS: [RGBColor; 2] = [RGBColor(0, 114, 178), RGBColor(213, 94, 0)];
const BARS: [RGBColor; 2] = [RGBColor(102, 170, 209), RGBColor(235, 167, 115)];
const LINES: [RGBColor; 2] = [RGBColor(0, 62, 112), RGBColor(150, 52, 0)];

const INK: RGBColor = RGBColor(40, 40, 40);
const GRID: RGBColor = RGBColor(220, 220, 220);

/// The size of a picture in pixels.
const SIZE: (u32, u32) = (900, 500);

/// The height of letters, in pixels.
pub(super) const SMALL: u32 = 18;

/// The margins of the picture, and of the plot in it.
pub(super) const MARGIN: u32 = 14;
const LEFT: u32 = 72;
const RIGHT: u32 = 86;
const BOTTOM: u32 = 50;

/// Fewer bars than this do not fill the width: they would look like walls.
const FEW_PLACES: f64 = 4.0;

/// If there are at least this many pixels, two bars stand side by side; otherwise one is drawn over
/// the other, transparent.
const SHARED_PLACE: f64 = 9.0;

/// The maximum number of labels on the axis of totals.
const MAX_TICKS: usize = 21;

pub(super) type Failure<D> = DrawingAreaErrorKind<<D as DrawingBackend>::ErrorType>;
type Chart<'c, D> =
    DualCoordChartContext<'c, D, Cartesian2d<Scale, Scale>, Cartesian2d<Scale, Scale>>;

/// The picture to draw.
pub(super) struct Picture<'p, const N: usize> {
    pub(super) bars: Bars<N>,
    pub(super) series: [Series<'p>; N],
}

/// What can be drawn on any surface.
pub(super) trait Drawing {
    /// The size in pixels.
    fn size(&self) -> (u32, u32);

    /// Draws on a whole area, `finer` times larger than the picture.
    fn draw<D: DrawingBackend>(
        &self,
        area: &DrawingArea<D, Shift>,
        finer: u32,
    ) -> Result<(), Failure<D>>;
}

/// A drawing surface, and the number of its pixels per pixel of the picture.
pub(super) struct Canvas<'a, D: DrawingBackend> {
    pub(super) area: &'a DrawingArea<D, Shift>,
    pub(super) finer: u32,
}

/// A name, or the percentage over a bar, needs at least this many pixels.
const LEAST_NAME: u32 = 60;

impl<const N: usize> Drawing for Picture<'_, N> {
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
        let top = canvas.titles(&self.series)?;
        canvas.plot(&self.bars, top)
    }
}

impl<D: DrawingBackend> Canvas<'_, D> {
    /// Pixels of the surface.
    pub(super) fn px(&self, pixels: u32) -> i32 {
        (pixels * self.finer).cast_signed()
    }

    pub(super) fn text(&self, height: u32) -> TextStyle<'static> {
        let height = f64::from(height * self.finer);
        let font = FontDesc::new(FontFamily::from(FONT), height, FontStyle::Normal);
        TextStyle::from(font).color(&INK)
    }

    /// Everything below the titles.
    fn plot<const N: usize>(&self, bars: &Bars<N>, top: u32) -> Result<(), Failure<D>> {
        let (width, _) = self.area.dim_in_pixel();
        let has_lines = matches!(bars.axis, Axis::Numbers(_));
        let right = if has_lines { RIGHT } else { 0 };
        let room = width.cast_signed() - self.px(LEFT + right + 2 * MARGIN);
        let count = bars.shares.len() as f64;
        let spare = (FEW_PLACES - count).max(0.4) / 2.0;
        let place = f64::from(room) / (count + 2.0 * spare);
        let totals = Scale::new(
            bars.left(0) - spare..bars.left(0) + count + spare,
            self.marks(bars, count * place),
        );
        let mut chart = ChartBuilder::on(self.area)
            .margin_left(self.px(MARGIN))
            .margin_right(self.px(MARGIN))
            .margin_bottom(self.px(MARGIN / 2))
            .margin_top(self.px(top))
            .x_label_area_size(self.px(BOTTOM))
            .y_label_area_size(self.px(LEFT))
            .right_y_label_area_size(self.px(right))
            .build_cartesian_2d(totals.clone(), Scale::probabilities(bars.most()))?
            .set_secondary_coord(totals, Scale::whole());
        self.axes(&mut chart, bars)?;
        let overlaid = N > 1 && place < SHARED_PLACE * f64::from(self.finer);
        for series in 0..N {
            self.bars(&chart, bars, series, overlaid)?;
        }
        if has_lines {
            // All of them lie above all bars.
            self.lines(&chart, bars)
        } else if place >= f64::from(self.px(LEAST_NAME)) {
            self.percentages(&chart, bars)
        } else {
            Ok(())
        }
    }

    /// The labels of the axis of results, with their coordinates. The axis is `room` pixels wide;
    /// labels never touch.
    fn marks<const N: usize>(&self, bars: &Bars<N>, room: f64) -> Vec<(f64, String)> {
        match &bars.axis {
            Axis::Names(names) => {
                let (style, gap) = (self.text(SMALL), self.px(8));
                let place = room / names.len().max(1) as f64;
                // If there are many names, only some fit.
                let each = (f64::from(self.px(LEAST_NAME)) / place).ceil().max(1.0);
                let fits = (place * each) as i32 - gap;
                let named = names.iter().enumerate().step_by(each as usize);
                named
                    .map(|(place, name)| (place as f64, fitted(name, fits, &style)))
                    .collect()
            }
            Axis::Numbers(grid) => {
                let style = self.text(SMALL);
                let widths = grid.ends().map(|end| text_width(&grid.label(end), &style));
                let widest = widths.into_iter().max().unwrap_or(0) + self.px(12);
                let most = (room / f64::from(widest)) as usize;
                let ticks = grid.ticks(most.clamp(2, MAX_TICKS)).into_iter();
                ticks
                    .map(|value| (grid.coordinate(value), grid.label(value)))
                    .collect()
            }
        }
    }

    /// The axes of a chart, with these descriptions, and the lines across it.
    pub(super) fn mesh(
        &self,
        chart: &mut ChartContext<'_, D, Cartesian2d<Scale, Scale>>,
        across: &str,
        up: &str,
    ) -> Result<(), Failure<D>> {
        let small = self.text(SMALL);
        chart
            .configure_mesh()
            .disable_x_mesh()
            .bold_line_style(GRID.stroke_width(self.finer))
            .light_line_style(WHITE.stroke_width(0))
            .axis_style(INK.stroke_width(self.finer))
            .set_all_tick_mark_size(self.px(4))
            .label_style(small.clone())
            .axis_desc_style(small)
            .x_desc(across)
            .y_desc(up)
            .draw()?;
        Ok(())
    }

    fn axes<const N: usize>(
        &self,
        chart: &mut Chart<'_, D>,
        bars: &Bars<N>,
    ) -> Result<(), Failure<D>> {
        let small = self.text(SMALL);
        let results = match &bars.axis {
            Axis::Names(_) => "result".to_owned(),
            Axis::Numbers(grid) => {
                let step = grid
                    .shared_step()
                    .map(|step| format!(", in steps of {step}"));
                let cut = if grid.is_cut {
                    " (rare ones are outside)"
                } else {
                    ""
                };
                format!("total{}{cut}", step.unwrap_or_default())
            }
        };
        self.mesh(chart, &results, "probability")?;
        if matches!(bars.axis, Axis::Names(_)) {
            return Ok(());
        }
        chart
            .configure_secondary_axes()
            .axis_style(INK.stroke_width(self.finer))
            .set_all_tick_mark_size(self.px(4))
            .label_style(small.clone())
            .axis_desc_style(small)
            .y_desc("cumulative probability (line)")
            .draw()
    }

    /// One series' bars.
    fn bars<const N: usize>(
        &self,
        chart: &Chart<'_, D>,
        bars: &Bars<N>,
        series: usize,
        overlaid: bool,
    ) -> Result<(), Failure<D>> {
        let colour = if overlaid {
            COLOURS[series % 2].mix(0.5)
        } else {
            BARS[series % 2].mix(1.0)
        };
        let (inset, width) = match (overlaid, N) {
            (false, 2..) => (0.1 + 0.4 * series as f64, 0.4),
            _ => (0.1, 0.8),
        };
        for (place, shares) in bars.shares.iter().enumerate() {
            if shares[series] == 0.0 {
                continue;
            }
            let left = bars.left(place) + inset;
            let corners = [(left, shares[series]), (left + width, 0.0)];
            let bar = Rectangle::new(corners, colour.filled());
            chart.plotting_area().draw(&bar)?;
        }
        Ok(())
    }

    /// Each series' cumulative probability.
    fn lines<const N: usize>(
        &self,
        chart: &Chart<'_, D>,
        bars: &Bars<N>,
    ) -> Result<(), Failure<D>> {
        for series in 0..N {
            // The line of a single rule need not differ from another line, so it contrasts with the
            // bars.
            let colour = if N == 1 {
                COLOURS[1]
            } else {
                LINES[series % 2]
            };
            let style = colour.stroke_width(2 * self.finer);
            let line = PathElement::new(bars.cumulative(series), style);
            chart.secondary_plotting_area().draw(&line)?;
        }
        Ok(())
    }

    /// What each of a few bars is.
    fn percentages<const N: usize>(
        &self,
        chart: &Chart<'_, D>,
        bars: &Bars<N>,
    ) -> Result<(), Failure<D>> {
        let style = self.text(SMALL).pos(Pos::new(HPos::Center, VPos::Bottom));
        for (place, shares) in bars.shares.iter().enumerate() {
            for (series, share) in shares.iter().enumerate() {
                let middle = 0.1 + 0.8 * (series as f64 + 0.5) / N as f64;
                let at = (bars.left(place) + middle, *share);
                let text = Text::new(short_percent(*share), at, style.clone());
                chart.plotting_area().draw(&text)?;
            }
        }
        Ok(())
    }
}
