//! The titles of a picture: each rule in its normal form, cut to the available width, and its
//! figures. With several rules, the titles are also the legend.

use super::canvas::{COLOURS, Canvas, Failure, MARGIN, SMALL};
use crate::answer::{Side, figures};
use dicec_lang::syntax::shorten;
use plotters::element::{Rectangle, Text};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, RGBColor, TextStyle};

/// The height of a title's letters, in pixels.
const TITLE: u32 = 28;

/// The height of a line of the legend.
pub(super) const LINE: u32 = TITLE + 6;

/// More characters than this never fit.
const MAX_TITLE: usize = 400;

/// The title of a rule.
pub(super) struct Series<'p> {
    expression: &'p str,
    figures: String,
}

impl<'p> Series<'p> {
    pub(super) fn new(side: &Side<'p>) -> Self {
        Self {
            expression: side.expression,
            figures: figures(side.odds, None),
        }
    }
}

impl<D: DrawingBackend> Canvas<'_, D> {
    /// Draws the titles, which name the series; returns their height.
    pub(super) fn titles(&self, series: &[Series<'_>]) -> Result<u32, Failure<D>> {
        let width = self.area.dim_in_pixel().0.cast_signed() - 2 * self.px(MARGIN);
        let small = self.text(SMALL);
        if let [series] = series {
            let style = self.text(TITLE);
            let title = fitted(series.expression, width, &style);
            self.write(&title, (self.px(MARGIN), self.px(MARGIN)), style)?;
            let below = self.px(MARGIN + TITLE + 6);
            self.write(&series.figures, (self.px(MARGIN), below), small)?;
            return Ok(MARGIN + TITLE + SMALL + 16);
        }
        for ((index, series), colour) in (0..).zip(series).zip(COLOURS) {
            let top = self.px(MARGIN + LINE * index);
            self.key(series, colour, top, width)?;
        }
        Ok(MARGIN + LINE * series.len() as u32 + 6)
    }

    /// A title on one line with its figures, after the colour of its series.
    fn key(
        &self,
        series: &Series<'_>,
        colour: RGBColor,
        top: i32,
        width: i32,
    ) -> Result<(), Failure<D>> {
        let (small, style) = (self.text(SMALL), self.text(TITLE - 3));
        let (left, square) = (self.px(MARGIN), self.px(SMALL));
        let corners = [(left, top), (left + square, top + square)];
        self.area.draw(&Rectangle::new(corners, colour.filled()))?;
        let start = left + square + self.px(8);
        let room = width - start - text_width(&series.figures, &small);
        let title = fitted(series.expression, room, &style);
        self.write(&title, (start, top - self.px(2)), style)?;
        let small = small.pos(Pos::new(HPos::Right, VPos::Top));
        self.write(&series.figures, (left + width, top), small)
    }

    pub(super) fn write(
        &self,
        text: &str,
        at: (i32, i32),
        style: TextStyle<'_>,
    ) -> Result<(), Failure<D>> {
        self.area.draw(&Text::new(text, at, style))
    }
}

/// The maximum width of a text. The font that an SVG's reader has may be wider than ours, and its
/// letters are larger there.
pub(super) fn text_width(text: &str, style: &TextStyle<'_>) -> i32 {
    let size = style.font.box_size(text);
    size.map_or(0, |(width, _)| (f64::from(width) * 1.3) as i32)
}

/// As much of an expression or a name as fits.
pub(super) fn fitted(expression: &str, room: i32, style: &TextStyle<'_>) -> String {
    // An SVG may contain characters only.
    let clean = |character| match character {
        '\u{fffe}' | '\u{ffff}' => char::REPLACEMENT_CHARACTER,
        character => character,
    };
    let expression: String = expression.chars().map(clean).collect();
    let (mut fitting, mut too_long) = (1, expression.chars().count().min(MAX_TITLE) + 1);
    while too_long - fitting > 1 {
        let middle = usize::midpoint(fitting, too_long);
        if text_width(&shorten(&expression, middle), style) <= room {
            fitting = middle;
        } else {
            too_long = middle;
        }
    }
    shorten(&expression, fitting)
}
