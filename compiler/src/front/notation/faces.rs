//! The faces of a die that lists them: the text between the braces of `d{1,1,2,3}`.

use super::pool::{Face, MAX_FACE, MAX_FACES};
use crate::syntax::{Code, Diagnostic, Diagnostics};
use dicec_runtime::span::Span;

/// The faces at `span` of `text`, braces included; reports what is wrong with them.
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
    let count = list.split(',').count();
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
    let mut start = inside.start;
    let mut faces = Vec::with_capacity(count);
    for written in list.split(',') {
        let end = start + written.len() as u32;
        match face(written.trim()) {
            Ok(face) => faces.push(face),
            Err((message, help)) => diagnostics.push(
                Diagnostic::error(Code::BadFace, trimmed(written, start), message).help(help),
            ),
        }
        // Behind the comma.
        start = end + 1;
    }
    faces
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

/// One face, or what is wrong with it and what to do.
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
