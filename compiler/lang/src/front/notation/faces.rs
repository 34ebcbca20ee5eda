//! The faces of a die that lists them: the text between the braces of `d{1,1,2,3}`.
//!
//! A range is all of its numbers, and a weight repeats a face: `d{2..6, 9:2}` has seven faces.

use super::ast::pool::{Face, MAX_FACE, MAX_FACES};
use crate::syntax::{Code, Diagnostic, Diagnostics};
use dicec_runtime::span::Span;

/// The faces at `span` of `text`, braces included; reports their errors.
pub(super) fn faces(text: &str, span: Span, diagnostics: &mut Diagnostics) -> Vec<Face> {
    let inside = Span::new(span.start + 1, span.end - 1);
    let list = &text[inside.range()];
    if list.trim().is_empty() {
        diagnostics.push(
            Diagnostic::error(Code::EmptyBraces, span, "this die has no faces")
                .help("list them, as in `d{1,1,2,3}` or `d{hit,miss}`"),
        );
        return Vec::new();
    }
    let mut start = inside.start;
    let mut parts = Vec::new();
    for written in list.split(',') {
        let end = start + written.len() as u32;
        match part(written) {
            Ok(part) => parts.push(part),
            Err((message, help)) => diagnostics.push(
                Diagnostic::error(Code::BadFace, trimmed(written, start), message).help(help),
            ),
        }
        // Behind the comma.
        start = end + 1;
    }
    let count = parts.iter().map(Part::count).fold(0, usize::saturating_add);
    if count > MAX_FACES {
        diagnostics.push(
            Diagnostic::error(
                Code::TooManyFaces,
                span,
                format!("this die has {count} faces"),
            )
            .help(format!("a list has at most {MAX_FACES} faces")),
        );
        return Vec::new();
    }
    parts.iter().flat_map(Part::faces).collect()
}

/// A part of the list: a face or a range of them, with the weight of each.
struct Part {
    first: Face,
    /// The last number of a range.
    last: Option<i64>,
    weight: usize,
}

impl Part {
    /// The number of its faces.
    fn count(&self) -> usize {
        let numbers = match (&self.first, self.last) {
            // At most twice `MAX_FACE`.
            (Face::Number(first), Some(last)) => (last - first + 1) as usize,
            _ => 1,
        };
        numbers.saturating_mul(self.weight)
    }

    fn faces(&self) -> impl Iterator<Item = Face> {
        let numbers = match (&self.first, self.last) {
            (Face::Number(first), Some(last)) => (*first..=last).map(Face::Number).collect(),
            (face, _) => vec![face.clone()],
        };
        let weight = self.weight;
        numbers
            .into_iter()
            .flat_map(move |face| std::iter::repeat_n(face, weight))
    }
}

/// A part of the list, or an error with a suggestion.
fn part(written: &str) -> Result<Part, (String, String)> {
    let (faces, weight) = match written.split_once(':') {
        Some((faces, weight)) => (faces.trim(), self::weight(weight.trim())?),
        None => (written.trim(), 1),
    };
    let Some((first, last)) = faces.split_once("..") else {
        let first = face(faces)?;
        return Ok(Part {
            first,
            last: None,
            weight,
        });
    };
    let first = face(first.trim())?;
    match (&first, face(last.trim())?) {
        (Face::Number(from), Face::Number(last)) if *from <= last => Ok(Part {
            first,
            last: Some(last),
            weight,
        }),
        (Face::Number(_), Face::Number(_)) => Err((
            format!("`{faces}` goes down"),
            "write the lower number first: `d{2..6}`".into(),
        )),
        _ => Err((
            format!("`{}` is not a range of numbers", faces.escape_debug()),
            "only numbers have ranges; list words one by one: `d{hit,miss}`".into(),
        )),
    }
}

/// The weight of a face.
fn weight(written: &str) -> Result<usize, (String, String)> {
    let weight = written.parse().ok().filter(|weight| *weight > 0);
    weight.ok_or_else(|| {
        (
            format!("`{}` is not a weight", written.escape_debug()),
            "a weight is how many of the die's faces show this: `d{1:3, 2}`".into(),
        )
    })
}

/// The span of `written`, which begins at `start`, without outer spaces.
fn trimmed(written: &str, start: u32) -> Span {
    let before = (written.len() - written.trim_start().len()) as u32;
    let length = written.trim().len() as u32;
    if length == 0 {
        return Span::new(start, start + written.len() as u32);
    }
    Span::new(start + before, start + before + length)
}

/// One face, or an error with a suggestion.
fn face(written: &str) -> Result<Face, (String, String)> {
    if written.is_empty() {
        return Err((
            "a face is missing here".into(),
            "remove the comma, or write a number or a word".into(),
        ));
    }
    let digits = written.strip_prefix(['-', '−', '–']);
    let size = digits.unwrap_or(written).trim_start();
    if size.bytes().all(|byte| byte.is_ascii_digit()) {
        let value = size.parse().ok().filter(|&value: &i64| value <= MAX_FACE);
        let value = value.ok_or_else(|| {
            (
                format!("a face cannot show {written}"),
                format!("its number is from -{MAX_FACE} to {MAX_FACE}"),
            )
        })?;
        return Ok(Face::Number(if digits.is_some() { -value } else { value }));
    }
    let is_label = written.starts_with(char::is_alphabetic)
        && written
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '\''));
    if is_label {
        let words: Vec<&str> = written.split_whitespace().collect();
        return Ok(Face::Label(words.join(" ")));
    }
    Err((
        format!("`{}` is not a face", written.escape_debug()),
        "a face is a whole number or a word, as in `d{1,1,2,hit}`".into(),
    ))
}
