//! A picture as the bytes of a file.

use super::canvas::{Drawing, FONT};
use plotters::backend::{BitMapBackend, SVGBackend};
use plotters::drawing::IntoDrawingArea;
use plotters::style::{FontStyle, register_font};
use std::fmt::Display;

/// The picture is drawn this many times larger in each direction and averaged, because plotters
/// draws letters at whole pixels only.
const FINER: u32 = 3;

/// The picture as an SVG document.
pub(super) fn svg(picture: &impl Drawing) -> Result<Vec<u8>, String> {
    with_font()?;
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, picture.size()).into_drawing_area();
    picture.draw(&area, 1).map_err(words)?;
    area.present().map_err(words)?;
    drop(area);
    Ok(text.into_bytes())
}

/// The picture as a PNG file.
pub(super) fn png(picture: &impl Drawing) -> Result<Vec<u8>, String> {
    with_font()?;
    let size = picture.size();
    let (width, height) = (size.0 * FINER, size.1 * FINER);
    let mut fine = vec![255; (width * height * 3) as usize];
    let area = BitMapBackend::with_buffer(&mut fine, (width, height)).into_drawing_area();
    picture.draw(&area, FINER).map_err(words)?;
    area.present().map_err(words)?;
    drop(area);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size.0, size.1);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().map_err(words)?;
    writer
        .write_image_data(&averaged(&fine, width as usize, FINER as usize))
        .map_err(words)?;
    writer.finish().map_err(words)?;
    Ok(bytes)
}

/// Makes a pixel of each square of `finer` times `finer`.
fn averaged(fine: &[u8], width: usize, finer: usize) -> Vec<u8> {
    let line = width * 3;
    let mut pixels = Vec::with_capacity(fine.len() / (finer * finer));
    for lines in fine.chunks_exact(line * finer) {
        for left in (0..line).step_by(3 * finer) {
            for colour in 0..3 {
                let parts = (0..finer * finer).map(|part| {
                    let at = part / finer * line + left + part % finer * 3 + colour;
                    u32::from(lines[at])
                });
                let sum: u32 = parts.sum();
                // A mean of bytes is one.
                pixels.push((sum / (finer * finer) as u32) as u8);
            }
        }
    }
    pixels
}

fn with_font() -> Result<(), String> {
    register_font(FONT, FontStyle::Normal, notosans::REGULAR_TTF)
        .map_err(|_| "the built-in font cannot be read".to_owned())
}

fn words(error: impl Display) -> String {
    error.to_string()
}
