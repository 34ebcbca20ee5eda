//! The drawing itself, the same for every format: bars and lines of cumulative probability below
//! the titles.

use super::bars::{Axis, Bars};
use super::canvas::{COLOURS, Canvas, Drawing, Failure, INK, MARGIN, SMALL};
use super::scale::Scale;
use super::titles::{LINE, Series, fitted, text_width};
use crate::answer::short_percent;
use plotters::chart::{ChartBuilder, ChartContext, DualCoordChartContext};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::DrawingArea;
use plotters::element::{PathElement, Rectangle, Text};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, RGBColor, WHITE};

/// Bars are lighter if there are lines across them, and those lines are darker.
const BARS: [RGBColor; 2] = [RGBColor(102, 170, 209), RGBColor(235, 167, 115)];
const LINES: [RGBColor; 2] = [RGBColor(0, 62, 112), RGBColor(150, 52, 0)];

/// More rules than this have no lines of cumulative probability: they would cover each other.
const MAX_LINED: usize = 2;

const GRID: RGBColor = RGBColor(220, 220, 220);

/// The size of a picture in pixels.
const SIZE: (u32, u32) = (900, 500);

/// The margins of the plot in the picture.
const LEFT: u32 = 72;
const RIGHT: u32 = 86;
const BOTTOM: u32 = 50;

/// Fewer bars than this do not fill the width: they would look like walls.
const FEW_PLACES: f64 = 4.0;

/// If there are at least this many pixels for each bar, bars are next to each other. Otherwise, two
/// are drawn over each other with transparency, and more are lines.
const SHARED_PLACE: f64 = 4.5;

/// The maximum number of labels on the axis of totals.
const MAX_TICKS: usize = 21;

type Chart<'c, D> =
    DualCoordChartContext<'c, D, Cartesian2d<Scale, Scale>, Cartesian2d<Scale, Scale>>;

/// The picture to draw.
pub(super) struct Picture<'p> {
    pub(super) bars: Bars,
    pub(super) series: Vec<Series<'p>>,
}

/// A name, or the percentage over a bar, needs at least this many pixels.
const LEAST_NAME: u32 = 60;

/// Percentages over bars that touch are this far apart.
const LABEL_GAP: u32 = 12;

impl Drawing for Picture<'_> {
    fn size(&self) -> (u32, u32) {
        // The legend takes nothing from the plot.
        let more = self.series.len().saturating_sub(MAX_LINED) as u32;
        (SIZE.0, SIZE.1 + LINE * more)
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
    /// Everything below the titles.
    fn plot(&self, bars: &Bars, top: u32) -> Result<(), Failure<D>> {
        let (width, _) = self.area.dim_in_pixel();
        let rules = bars.below.len();
        let is_named = matches!(bars.axis, Axis::Names(_));
        let has_lines = !is_named && rules <= MAX_LINED;
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
        self.axes(&mut chart, bars, has_lines)?;
        let narrow = place < SHARED_PLACE * f64::from(self.finer) * rules as f64;
        if narrow && rules > MAX_LINED {
            return self.outlines(&chart, bars);
        }
        for series in 0..rules {
            self.bars(&chart, bars, series, rules > 1 && narrow)?;
        }
        if has_lines {
            // All of them lie above all bars.
            self.lines(&chart, bars)
        } else if is_named
            && place
                >= f64::from(self.px(LEAST_NAME * rules as u32 + LABEL_GAP * (rules as u32 - 1)))
        {
            self.percentages(&chart, bars)
        } else {
            Ok(())
        }
    }

    /// The labels of the axis of results, with their coordinates. The axis is `room` pixels wide;
    /// labels never touch.
    fn marks(&self, bars: &Bars, room: f64) -> Vec<(f64, String)> {
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

    fn axes(
        &self,
        chart: &mut Chart<'_, D>,
        bars: &Bars,
        has_lines: bool,
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
        if !has_lines {
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
    fn bars(
        &self,
        chart: &Chart<'_, D>,
        bars: &Bars,
        series: usize,
        overlaid: bool,
    ) -> Result<(), Failure<D>> {
        let rules = bars.below.len();
        let colour = match (overlaid, BARS.get(series)) {
            (true, _) => COLOURS[series].mix(0.5),
            (false, Some(lighter)) if rules <= MAX_LINED => lighter.mix(1.0),
            (false, _) => COLOURS[series].mix(1.0),
        };
        let (inset, width) = match (overlaid, 0.8 / rules as f64) {
            (false, width) => (0.1 + width * series as f64, width),
            (true, _) => (0.1, 0.8),
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
    fn lines(&self, chart: &Chart<'_, D>, bars: &Bars) -> Result<(), Failure<D>> {
        let rules = bars.below.len();
        for series in 0..rules {
            // The line of a single rule need not differ from another line, so it contrasts with the
            // bars.
            let colour = if rules == 1 {
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

    /// Each series as a line through the tops of its bars, for many narrow bars of many rules.
    fn outlines(&self, chart: &Chart<'_, D>, bars: &Bars) -> Result<(), Failure<D>> {
        for (series, colour) in COLOURS.iter().enumerate().take(bars.below.len()) {
            let tops = bars.shares.iter().enumerate();
            let tops = tops.map(|(place, shares)| (bars.left(place) + 0.5, shares[series]));
            let line = PathElement::new(
                tops.collect::<Vec<_>>(),
                colour.stroke_width(2 * self.finer),
            );
            chart.plotting_area().draw(&line)?;
        }
        Ok(())
    }

    /// Labels a few bars with their values.
    fn percentages(&self, chart: &Chart<'_, D>, bars: &Bars) -> Result<(), Failure<D>> {
        let style = self.text(SMALL).pos(Pos::new(HPos::Center, VPos::Bottom));
        for (place, shares) in bars.shares.iter().enumerate() {
            for (series, share) in shares.iter().enumerate() {
                let middle = 0.1 + 0.8 * (series as f64 + 0.5) / shares.len() as f64;
                let at = (bars.left(place) + middle, *share);
                let text = Text::new(short_percent(*share), at, style.clone());
                chart.plotting_area().draw(&text)?;
            }
        }
        Ok(())
    }
}
