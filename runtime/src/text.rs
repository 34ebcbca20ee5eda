//! Texts that scripts build. A number in a text is stored separately from the words around it, so a
//! text has both the form for players (`Hit 7`) and its *template* (`Hit {}`), by which outputs are
//! counted. Native code and the exact engine only know templates: a text that contains numbers is
//! never compared.

use crate::float::{from_key, key};
use crate::limits::MAX_TEXT;
use crate::scale::Shortest;
use crate::trap::TrapCode;
use std::fmt;
use std::sync::Arc;

/// The placeholder for a number in a template.
pub const HOLE: &str = "{}";

/// A text. Clones share its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Text {
    /// No two [`Piece::Words`] are neighbours, and none is empty.
    pieces: Arc<[Piece]>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Piece {
    Words(Arc<str>),
    Number(i64),
    /// A float, by its key.
    Float(i64),
}

impl Text {
    /// A text without numbers.
    pub fn words(words: &str) -> Self {
        let piece = (!words.is_empty()).then(|| Piece::Words(words.into()));
        Self {
            pieces: piece.into_iter().collect(),
        }
    }

    /// A number as a text.
    pub fn number(number: i64) -> Self {
        Self {
            pieces: [Piece::Number(number)].into(),
        }
    }

    /// A float as a text.
    pub fn float(number: f64) -> Self {
        Self {
            pieces: [Piece::Float(key(number))].into(),
        }
    }

    /// These texts, joined in this order.
    ///
    /// # Errors
    /// A template of more than [`MAX_TEXT`] bytes.
    pub fn join(parts: &[Text]) -> Result<Self, TrapCode> {
        if parts.iter().map(Text::template_length).sum::<usize>() > MAX_TEXT {
            return Err(TrapCode::TextTooLong);
        }
        let mut pieces = Vec::new();
        let mut words = String::new();
        for piece in parts.iter().flat_map(|part| part.pieces.iter()) {
            if let Piece::Words(more) = piece {
                words.push_str(more);
                continue;
            }
            if !words.is_empty() {
                pieces.push(Piece::Words(words.as_str().into()));
                words.clear();
            }
            pieces.push(piece.clone());
        }
        if !words.is_empty() {
            pieces.push(Piece::Words(words.into()));
        }
        Ok(Self {
            pieces: pieces.into(),
        })
    }

    /// The text with [`HOLE`] for each number.
    pub fn template(&self) -> String {
        self.pieces.iter().map(Piece::template).collect()
    }

    /// The bytes of its template.
    pub fn template_length(&self) -> usize {
        self.pieces.iter().map(|piece| piece.template().len()).sum()
    }
}

impl Piece {
    fn template(&self) -> &str {
        match self {
            Piece::Words(words) => words,
            Piece::Number(_) | Piece::Float(_) => HOLE,
        }
    }
}

/// The form for players.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in &*self.pieces {
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
        let text = Text::join(&parts).expect("short");
        assert_eq!(text.to_string(), "Hit -7!");
        assert_eq!(text.template(), "Hit {}!");
    }

    #[test]
    fn equal_texts_are_equal_however_they_came_about() {
        let [a, b, none] = ["a", "b", ""].map(Text::words);
        let joined = Text::join(&[none.clone(), a, none, b]).expect("short");
        assert_eq!(joined, Text::words("ab"));
    }

    #[test]
    fn numbers_count_as_two_bytes() {
        let numbers = |count| Text::join(&vec![Text::number(i64::MIN); count]);
        assert!(numbers(MAX_TEXT / 2).is_ok());
        assert_eq!(numbers(MAX_TEXT / 2 + 1), Err(TrapCode::TextTooLong));
    }
}
