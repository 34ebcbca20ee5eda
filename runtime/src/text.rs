//! Texts that scripts build. A number in a text is kept apart from the words around it, so a text
//! knows both what players read (`Hit 7`) and its *template* (`Hit {}`), under which outputs are
//! counted. Native code and the exact engine only know templates: a text that contains numbers is
//! never compared.

use crate::float::{from_key, key};
use crate::limits::MAX_TEXT;
use crate::scale::Shortest;
use crate::trap::TrapCode;
use std::fmt;

/// The placeholder for a number in a template.
pub const HOLE: &str = "{}";

/// A text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Text {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Piece {
    Words(String),
    Number(i64),
    /// A float, by its key.
    Float(i64),
}

impl Text {
    /// A text without numbers.
    pub fn words(words: impl Into<String>) -> Self {
        Self {
            pieces: vec![Piece::Words(words.into())],
        }
    }

    /// A number as a text.
    pub fn number(number: i64) -> Self {
        Self {
            pieces: vec![Piece::Number(number)],
        }
    }

    /// A float as a text.
    pub fn float(number: f64) -> Self {
        Self {
            pieces: vec![Piece::Float(key(number))],
        }
    }

    /// These texts, joined in this order.
    ///
    /// # Errors
    /// A template of more than [`MAX_TEXT`] bytes.
    pub fn join(parts: Vec<Text>) -> Result<Self, TrapCode> {
        let text = Self {
            pieces: parts.into_iter().flat_map(|part| part.pieces).collect(),
        };
        let length: usize = text.pieces.iter().map(Piece::template_length).sum();
        (length <= MAX_TEXT)
            .then_some(text)
            .ok_or(TrapCode::TextTooLong)
    }

    /// The text with [`HOLE`] for each number.
    pub fn template(&self) -> String {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Words(words) => words.as_str(),
            Piece::Number(_) | Piece::Float(_) => HOLE,
        });
        pieces.collect()
    }
}

impl Piece {
    fn template_length(&self) -> usize {
        match self {
            Piece::Words(words) => words.len(),
            Piece::Number(_) | Piece::Float(_) => HOLE.len(),
        }
    }
}

/// Shows what players read.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in &self.pieces {
            match piece {
                Piece::Words(words) => f.write_str(words)?,
                Piece::Number(number) => number.fmt(f)?,
                Piece::Float(key) => Shortest(from_key(*key)).fmt(f)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_knows_its_template() {
        let parts = vec![Text::words("Hit "), Text::number(-7), Text::words("!")];
        let text = Text::join(parts).expect("short");
        assert_eq!(text.to_string(), "Hit -7!");
        assert_eq!(text.template(), "Hit {}!");
    }

    #[test]
    fn numbers_count_as_two_bytes() {
        let numbers = |count| Text::join(vec![Text::number(i64::MIN); count]);
        assert!(numbers(MAX_TEXT / 2).is_ok());
        assert_eq!(numbers(MAX_TEXT / 2 + 1), Err(TrapCode::TextTooLong));
    }
}
