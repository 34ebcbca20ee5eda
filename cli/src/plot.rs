//! `--plot`: the file that a picture of odds is written to.

use crate::error::{CliError, FileCode, Finding};
use crate::target::Target;
use dicec_compiler::answer::plot::{self, Curves, Format};
use dicec_compiler::answer::{Grid, Side};
use std::io::Write;
use std::path::PathBuf;

/// A picture's file.
#[derive(Clone, Debug)]
pub(crate) struct PictureFile {
    path: PathBuf,
    format: Format,
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

    /// Draws the odds of a rule, or of several of one kind. The file is replaced when the picture
    /// is complete.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(crate) fn write(&self, sides: &[Side<'_>]) -> Result<(), CliError> {
        self.save(plot::picture(sides, self.format))
    }

    /// Draws curves, as [`PictureFile::write`] does.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(crate) fn write_curves(&self, curves: &Curves) -> Result<(), CliError> {
        self.save(plot::curves(curves, self.format))
    }

    /// Draws the odds of two parts together, as [`PictureFile::write`] does.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(crate) fn write_heat_map(&self, title: &str, grid: &Grid) -> Result<(), CliError> {
        self.save(plot::heat_map(title, grid, self.format))
    }

    fn save(&self, encoded: Result<Vec<u8>, String>) -> Result<(), CliError> {
        let bytes = encoded.map_err(|error| {
            let message = format!("cannot draw the picture: {error}");
            CliError::from(Finding::general(FileCode::Unwritable.as_str(), message))
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
