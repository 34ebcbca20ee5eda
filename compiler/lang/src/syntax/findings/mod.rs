//! Findings of any origin, ready to be shown: diagnostics together with their text, and errors in
//! files. As annotated source for people (`render`, feature `render`), or as documents for programs
//! (`document`, feature `serde`).

#[cfg(feature = "serde")]
mod document;
#[cfg(feature = "render")]
mod excerpt;
#[cfg(feature = "render")]
mod render;
mod shorten;

#[cfg(feature = "serde")]
pub use document::{ErrorDocument, FindingDocument, NoteDocument};
#[cfg(feature = "render")]
pub use render::render;
pub use shorten::shorten;

use super::{Advice, Code, Diagnostic, Diagnostics, Severity, Sources};
use dicec_runtime::bug::Bug;
use dicec_runtime::span::Span;

/// Where a finding is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// Nowhere in particular.
    Nowhere,
    /// In a text.
    Text {
        /// Where the text came from: a file's name, or what the user calls it; may be empty.
        origin: String,
        /// The whole text.
        text: String,
        /// The part of it that the finding is about.
        span: Span,
        /// Other parts that matter, with explanations.
        labels: Vec<(Span, String)>,
    },
    /// In a file.
    File {
        /// Its path as the user gave it.
        path: String,
        /// Line and column, counted from 1, if known.
        at: Option<(u64, u64)>,
    },
}

/// One thing to tell the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// A stable code, `D0101`.
    pub code: &'static str,
    /// Whether it stops the work; otherwise it is a note.
    pub is_error: bool,
    /// The error.
    pub message: String,
    /// A suggestion.
    pub help: Option<String>,
    /// Where.
    pub location: Location,
}

impl Finding {
    /// A diagnostic and the text that it is about.
    pub fn in_text(diagnostic: &Diagnostic, origin: &str, text: &str) -> Self {
        let labels = diagnostic.labels.iter();
        Self {
            code: diagnostic.code.as_str(),
            is_error: diagnostic.severity == Severity::Error,
            message: diagnostic.message.clone(),
            help: diagnostic.full_help(),
            location: Location::Text {
                origin: origin.to_owned(),
                text: text.to_owned(),
                span: diagnostic.span,
                labels: labels
                    .map(|label| (label.span, label.text.clone()))
                    .collect(),
            },
        }
    }

    /// A diagnostic and the file that it is about, one of several.
    pub fn in_sources(diagnostic: &Diagnostic, sources: &Sources) -> Self {
        let (file, local) = sources.localise(diagnostic);
        Self::in_text(&local, file.name, file.text)
    }

    /// All of these diagnostics, with their advice in these words.
    pub fn all(
        found: &Diagnostics,
        sources: &Sources,
        words: impl Fn(&Advice) -> String,
    ) -> Vec<Self> {
        let found = found.iter();
        found
            .map(|found| Self::in_sources(&found.worded(&words), sources))
            .collect()
    }

    /// An error about the main file of some sources as a whole.
    pub fn whole(code: Code, message: impl Into<String>, sources: &Sources) -> Self {
        let text = sources.main().trim_end();
        let start = text.len() - text.trim_start().len();
        // A text has less than 4 GiB.
        let span = Span::new(start as u32, text.len() as u32);
        Self::in_sources(&Diagnostic::error(code, span, message), sources)
    }

    /// An error in a file.
    pub fn in_file(
        code: &'static str,
        path: &str,
        at: Option<(u64, u64)>,
        message: impl Into<String>,
    ) -> Self {
        let path = path.to_owned();
        Self {
            location: Location::File { path, at },
            ..Self::general(code, message)
        }
    }

    /// An error that is nowhere in particular.
    pub fn general(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            is_error: true,
            message: message.into(),
            help: None,
            location: Location::Nowhere,
        }
    }

    /// As a note, which stops nothing.
    pub fn note(self) -> Self {
        Self {
            is_error: false,
            ..self
        }
    }

    /// With advice.
    pub fn help(self, help: impl Into<String>) -> Self {
        Self {
            help: Some(help.into()),
            ..self
        }
    }
}

/// An internal error.
impl From<Bug> for Finding {
    fn from(bug: Bug) -> Self {
        Self::general(Code::Internal.as_str(), bug.to_string())
    }
}
