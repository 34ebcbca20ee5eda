//! The format of a table.

use std::io::{self, Cursor, Read};

/// The number of bytes that tell a format.
const MAX_PEEKED: u64 = 512;

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// As CSV with this character between cells.
    Csv(u8),
    /// As JSON: an array of objects, or objects one after the other.
    Json,
    /// As a file or a stream in Arrow's format.
    Arrow,
    /// As JSON or in Arrow's format if it begins like that, and otherwise as CSV with this
    /// character between cells.
    Guess(u8),
}

/// The bytes, and how they are written.
pub(super) fn guessed(
    mut bytes: Box<dyn Read>,
    shape: Shape,
) -> io::Result<(Box<dyn Read>, Shape)> {
    let Shape::Guess(delimiter) = shape else {
        return Ok((bytes, shape));
    };
    let mut first = Vec::new();
    bytes.by_ref().take(MAX_PEEKED).read_to_end(&mut first)?;
    let shape = if is_json(&first) {
        Shape::Json
    } else if is_arrow(&first) {
        Shape::Arrow
    } else {
        Shape::Csv(delimiter)
    };
    Ok((Box::new(Cursor::new(first).chain(bytes)), shape))
}

/// A header of CSV may begin with `[Attack]`.
fn is_json(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let text = text.trim_ascii_start();
    match text.strip_prefix(b"[") {
        Some(rest) => matches!(rest.trim_ascii_start().first(), Some(b'{' | b']')),
        None => text.starts_with(b"{"),
    }
}

/// A file has a name in front, a stream the mark of its first message.
fn is_arrow(bytes: &[u8]) -> bool {
    bytes.starts_with(b"ARROW1") || bytes.starts_with(&[0xff; 4])
}

#[cfg(test)]
mod tests {
    use super::is_json;

    #[test]
    fn json_is_told_from_csv() {
        for text in ["{\"a\": 1}", " [ {", "[]", "\u{feff}{"] {
            assert!(is_json(text.as_bytes()), "{text}");
        }
        for text in ["", "a,b", "[Attack],[Target AC]", "[", "\"{\",b"] {
            assert!(!is_json(text.as_bytes()), "{text}");
        }
    }
}
