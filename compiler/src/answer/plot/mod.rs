//! Odds as a picture, for documents and the web.
//!
//! ```text
//! Distributions --bars--> Bars (shares, and an axis of names or numbers)
//!                          |
//!                    encode, draw, titles, scale, canvas (plotters) --> SVG or PNG
//! ```
//!
//! [`Curves`] and the heat map of a [`Grid`] are drawn on the same surfaces.
//!
//! The font is built in: a picture looks the same on every machine, also without any font.

mod bars;
mod canvas;
mod curves;
mod draw;
mod encode;
mod heat;
mod scale;
mod titles;

pub use canvas::MAX_CURVES;
pub use curves::{Curve, Curves, Measure};

use super::{Distribution, Grid, Side};
use bars::Bars;
use canvas::Drawing;
use draw::Picture;
use heat::HeatMap;
use titles::Series;

/// How a picture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// As an SVG document.
    Svg,
    /// As a PNG file.
    Png,
}

/// The bytes of a picture of the odds of a rule, or of at most [`MAX_CURVES`] of one kind.
///
/// # Errors
/// Why it cannot be drawn.
pub fn picture(sides: &[Side<'_>], format: Format) -> Result<Vec<u8>, String> {
    if sides.is_empty() {
        return Err("there are no odds to draw".to_owned());
    }
    if sides.len() > MAX_CURVES {
        let count = sides.len();
        return Err(format!(
            "it has {count} rules, and there are {MAX_CURVES} colours"
        ));
    }
    let odds: Vec<&Distribution> = sides.iter().map(|side| side.odds).collect();
    let picture = Picture {
        bars: Bars::new(&odds),
        series: sides.iter().map(Series::new).collect(),
    };
    encoded(&picture, format)
}

/// The bytes of a picture of curves.
///
/// # Errors
/// Why it cannot be drawn.
pub fn curves(curves: &Curves, format: Format) -> Result<Vec<u8>, String> {
    encoded(curves, format)
}

/// The bytes of a picture of the odds of two parts of a result together.
///
/// # Errors
/// Why it cannot be drawn.
pub fn heat_map(title: &str, grid: &Grid, format: Format) -> Result<Vec<u8>, String> {
    encoded(&HeatMap { title, grid }, format)
}

fn encoded(picture: &impl Drawing, format: Format) -> Result<Vec<u8>, String> {
    match format {
        Format::Svg => encode::svg(picture),
        Format::Png => encode::png(picture),
    }
}
