//! A document with its notes.

use crate::wrong::Wrong;
use dicec_lang::syntax::{Finding, NoteDocument};
use dicec_runtime::bug;
use serde::Serialize;
use std::io::{self, Write};

/// The maximum number of bytes of a document.
pub const MAX_DOCUMENT: usize = 16 << 20;

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The output of the command with `--json`.
    pub document: String,
    /// Notes on the answer.
    pub(crate) notes: Vec<Finding>,
}

impl Reply {
    /// A document with notes.
    ///
    /// # Errors
    /// An internal one.
    pub(crate) fn new(document: &impl Serialize, notes: Vec<Finding>) -> Result<Self, Wrong> {
        Ok(Self {
            document: text(document)?,
            notes,
        })
    }

    /// A document that is text already, with notes.
    #[cfg(feature = "native")]
    pub(crate) fn of_text(document: String, notes: Vec<Finding>) -> Self {
        Self { document, notes }
    }

    /// The notes, each as the document that the command prints on standard error.
    pub fn notes(&self) -> Vec<String> {
        let notes = self.notes.iter();
        let notes = notes.filter_map(|note| serde_json::to_string(&NoteDocument::new(note)).ok());
        notes.collect()
    }
}

/// A document as text of at most [`MAX_DOCUMENT`] bytes.
///
/// # Errors
/// It is larger, or an internal error.
pub(crate) fn text(document: &impl Serialize) -> Result<String, Wrong> {
    let mut text = Limited(Vec::new());
    match serde_json::to_writer(&mut text, document) {
        Ok(()) => String::from_utf8(text.0)
            .map_err(|error| bug!("a document that is not text: {error}").into()),
        Err(error) if error.is_io() => {
            let message = format!("the answer has more than {MAX_DOCUMENT} bytes");
            Err(Wrong::request(
                message,
                "ask for less at once, or for a \"summary\"",
            ))
        }
        Err(error) => Err(bug!("a document that is not JSON: {error}").into()),
    }
}

/// Bytes that end with an error where there would be too many.
struct Limited(Vec<u8>);

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_DOCUMENT {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_DOCUMENT, text};

    #[test]
    fn documents_have_a_greatest_size() {
        let fits = "a".repeat(MAX_DOCUMENT - 2);
        assert_eq!(text(&fits).map(|text| text.len()).ok(), Some(MAX_DOCUMENT));
        let wrong = text(&(fits + "a")).expect_err("it is too large");
        assert_eq!(wrong.code(), "D0540");
    }
}
