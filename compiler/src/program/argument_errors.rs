//! What is wrong with the arguments of a roll.

use dicec_lang::syntax::{Advice, Diagnostic, Finding};
use std::fmt;
use thiserror::Error;

/// One mismatch between arguments and parameters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}: expected {expected}, found {found}", place(path))]
pub struct ArgumentError {
    /// The path in the JSON: `target.attacks[0].name`; empty for the whole.
    pub path: String,
    /// The expected type.
    pub expected: String,
    /// The value in its place.
    pub found: String,
    /// A suggestion.
    pub help: Option<String>,
    /// For a text with dice, the mistake in it.
    pub in_text: Option<Box<InText>>,
}

/// A mistake in a text with dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InText {
    /// The text.
    pub text: String,
    /// The mistake, with its location in the text.
    pub diagnostic: Diagnostic,
}

impl ArgumentError {
    /// The mistake in a text with dice, shown in that text, if there is one; `words` phrases advice
    /// for an application.
    pub fn finding_in_text(&self, words: impl Fn(&Advice) -> String) -> Option<Finding> {
        let InText { text, diagnostic } = &**self.in_text.as_ref()?;
        let found = Finding::in_text(&diagnostic.worded(words), "", text);
        Some(Finding {
            message: format!("{}: {}", self.path, found.message),
            ..found
        })
    }
}

fn place(path: &str) -> &str {
    if path.is_empty() {
        "the arguments"
    } else {
        path
    }
}

/// All mismatches; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentErrors(pub Vec<ArgumentError>);

impl fmt::Display for ArgumentErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ArgumentErrors {}

impl IntoIterator for ArgumentErrors {
    type Item = ArgumentError;
    type IntoIter = std::vec::IntoIter<ArgumentError>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
