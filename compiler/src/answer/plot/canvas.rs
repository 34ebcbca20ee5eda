//! The surface that pictures are drawn on: its colours, its letters and its pixels.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::prelude::DrawingBackend;
use plotters::style::{FontDesc, FontFamily, FontStyle, RGBColor, TextStyle};

/// The maximum number of curves and of rules in a picture: more colours cannot be told apart.
pub const MAX_CURVES: usize = 8;

/// Okabe and Ito's palette, which people of every colour vision tell apart, without its yellow,
/// which is too light for a line on white.
pub(super) const COLOURS: [RGBColor; MAX_CURVES] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(40, 40, 40),
    RGBColor(150, 110, 60),
];

/// The colour of letters and axes.
pub(super) const INK: RGBColor = RGBColor(40, 40, 40);

/// The name that the built-in font has in drawings. In an SVG it means the reader's own font.
pub(super) const FONT: &str = "sans-serif";

/// The height of letters, in pixels.
pub(super) const SMALL: u32 = 18;

/// The margins of a picture.
pub(super) const MARGIN: u32 = 14;

/// Why a picture cannot be drawn.
pub(super) type Failure<D> = DrawingAreaErrorKind<<D as DrawingBackend>::ErrorType>;

/// Anything that can be drawn on any surface.
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
}
