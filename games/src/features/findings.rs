//! Findings about a document. All of them are reported: reading continues after an error.

use dicec_lang::syntax::{Code, Diagnostic, Diagnostics};
use dicec_runtime::span::Span;

/// More findings about a file would not be read.
const MAX_FINDINGS: usize = 100;

/// Where something is: its location in the text, and its path in the document.
pub(super) trait At {
    /// The location.
    fn span(&self) -> Span;

    /// The path, such as `$.subfeatures[0].trigger`; empty for a text that is not a document.
    fn path(&self) -> &str;
}

/// Findings in the order in which they were made.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings(Diagnostics);

impl Findings {
    /// An error. The message goes on after the path: "is not a list".
    pub(super) fn error(
        &mut self,
        code: Code,
        at: &impl At,
        what: impl AsRef<str>,
        help: impl Into<String>,
    ) {
        let message = told(at, what.as_ref());
        self.0
            .push(Diagnostic::error(code, at.span(), message).help(help));
    }

    /// A note about something that is read, but not as it is written.
    pub(super) fn odd(&mut self, at: &impl At, what: impl AsRef<str>, help: impl Into<String>) {
        let message = told(at, what.as_ref());
        let note = Diagnostic::note(Code::OddFeature, at.span(), message);
        self.0.push(note.help(help));
    }

    /// A note about something that changes nothing in a fight.
    pub(super) fn without_effect(&mut self, at: &impl At, what: impl AsRef<str>) {
        let message = told(at, what.as_ref());
        self.0
            .push(Diagnostic::note(Code::NoEffect, at.span(), message));
    }

    /// Adds the findings about a composed text, at the value that it was made from.
    pub(super) fn moved(&mut self, inner: &Findings, at: &impl At) {
        for found in inner.all().iter() {
            let mut found = found.clone();
            found.span = at.span();
            let what = found.message.trim_start_matches("the expression ");
            found.message = told(at, what);
            self.0.push(found);
        }
    }

    /// All of them.
    pub(super) fn all(&self) -> &Diagnostics {
        &self.0
    }

    /// The first findings in reading order; if there are too many, errors before notes.
    pub(super) fn into_sorted(mut self) -> Diagnostics {
        self.0.sort();
        self.0.truncate(MAX_FINDINGS);
        self.0
    }
}

fn told(at: &impl At, what: &str) -> String {
    match at.path() {
        "" => format!("the expression {what}"),
        path => format!("`{path}` {what}"),
    }
}
