//! `--plot`: odds as a picture, for documents and the web.
//!
//! ```text
//! one or two Distributions --bars--> Bars (a share a place, and an axis: names, or a grid of numbers)
//!                                      |
//!                 file <--target, encode-- draw, titles, scale (plotters), as SVG text or as pixels
//! ```
//!
//! The font of [`encode`] is built in: a picture looks alike on every machine, also where there is no font at all.

mod bars;
mod draw;
mod encode;
mod scale;
mod titles;

use crate::distribution::Side;
use crate::error::{CliError, FileCode, Finding};
use crate::target::Target;
use bars::Bars;
use draw::Picture;
use std::io::Write;
use std::path::PathBuf;
use titles::Series;

/// A picture's file.
#[derive(Clone, Debug)]
pub(crate) struct PictureFile {
    path: PathBuf,
    format: Format,
}

/// How a picture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
}

impl PictureFile {
    /// A file whose extension says how it is written.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let path = PathBuf::from(text);
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let format = match extension.to_str() {
            Some("svg") => Format::Svg,
            Some("png") => Format::Png,
            _ => return Err("a picture is a .svg or a .png file".to_owned()),
        };
        Ok(Self { path, format })
    }

    /// Draws the odds of a rule, or of several of one kind. The file is replaced when the picture is complete.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(crate) fn write<const N: usize>(&self, sides: &[Side<'_>; N]) -> Result<(), CliError> {
        let picture = Picture {
            bars: Bars::new(sides.each_ref().map(|side| side.odds)),
            series: sides.each_ref().map(Series::new),
        };
        let encoded = match self.format {
            Format::Svg => encode::svg(&picture),
            Format::Png => encode::png(&picture),
        };
        let bytes = encoded.map_err(|error| {
            let message = format!("cannot draw the picture: {error}");
            CliError::from(Finding::general(FileCode::Unwritable, message))
        })?;
        let mut target = Target::open(Some(&self.path), "picture")?;
        let failed = target.on_failure();
        target.write_all(&bytes).map_err(failed)?;
        target.commit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_decides() {
        let format = |text| PictureFile::parse(text).map(|file| file.format);
        assert_eq!(format("a.svg"), Ok(Format::Svg));
        assert_eq!(format("/tmp/A.PNG"), Ok(Format::Png));
        for text in ["a.pdf", "a", "svg", ".svg", "a.svg.gz", ""] {
            assert!(format(text).is_err(), "{text}");
        }
    }
}
