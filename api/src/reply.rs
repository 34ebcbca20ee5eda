//! A document and the notes on it.

use crate::wrong::Wrong;
use dicec_compiler::syntax::{Finding, NoteDocument};
use dicec_runtime::bug;
use serde::Serialize;

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// What the command prints with `--json`.
    pub document: String,
    /// What is worth knowing besides.
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

/// A document as text.
///
/// # Errors
/// An internal one.
pub(crate) fn text(document: &impl Serialize) -> Result<String, Wrong> {
    let text = serde_json::to_string(document);
    text.map_err(|error| bug!("a document that is not JSON: {error}").into())
}
