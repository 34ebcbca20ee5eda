//! Diagnostics as data.

use super::{Advice, Code, worded};
use dicec_runtime::span::Span;
use std::fmt;

/// How bad it is. Only errors stop compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The text has no meaning.
    Error,
    /// The text has a meaning that a reader may not expect.
    Note,
}

/// A second location that explains the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The location.
    pub span: Span,
    /// The explanation.
    pub text: String,
}

/// One finding about a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its stable code.
    pub code: Code,
    /// Whether it stops compilation.
    pub severity: Severity,
    /// The error, in one sentence without a full stop.
    pub message: String,
    /// The part of the source that is wrong.
    pub span: Span,
    /// Other locations that matter.
    pub labels: Vec<Label>,
    /// A suggestion for the text.
    pub help: Option<String>,
    /// Suggestions for the caller.
    pub advice: Vec<Advice>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            span,
            labels: Vec::new(),
            help: None,
            advice: Vec::new(),
        }
    }

    /// A note at `span`.
    pub fn note(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Note,
            ..Self::error(code, span, message)
        }
    }

    /// With advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With something that the caller can do.
    pub fn advise(mut self, advice: Advice) -> Self {
        self.advice.push(advice);
        self
    }

    /// The same with its advice, in these words, as part of its help.
    pub fn worded(&self, words: impl Fn(&Advice) -> String) -> Self {
        Self {
            help: worded(self.help.as_deref(), &self.advice, words),
            advice: Vec::new(),
            ..self.clone()
        }
    }

    /// The help with the advice, in plain words.
    pub fn full_help(&self) -> Option<String> {
        worded(self.help.as_deref(), &self.advice, ToString::to_string)
    }

    /// With a second location.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }
}

/// Everything found in one run over a source; never empty if it is an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// Nothing found.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.0.push(diagnostic);
    }

    /// Whether any finding stops compilation.
    pub fn has_errors(&self) -> bool {
        self.errors().next().is_some()
    }

    /// The findings that stop compilation.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.0
            .iter()
            .filter(|found| found.severity == Severity::Error)
    }

    /// All findings, in the order of the stages that made them.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.0.iter()
    }

    /// All findings, to reword them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Diagnostic> {
        self.0.iter_mut()
    }

    /// The finding that came last.
    pub(crate) fn last_mut(&mut self) -> Option<&mut Diagnostic> {
        self.0.last_mut()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds all findings of `other`.
    pub fn append(&mut self, mut other: Diagnostics) {
        self.0.append(&mut other.0);
    }

    /// Keeps one of equal findings at one location; they have to be sorted.
    pub fn dedup(&mut self) {
        self.0.dedup_by_key(|found| (found.span, found.code));
    }

    /// Keeps the findings for which `keep` holds.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.0.retain(keep);
    }

    /// Keeps at most this many findings; if there are more, errors before notes.
    pub fn truncate(&mut self, most: usize) {
        if self.0.len() > most {
            self.0.sort_by_key(|found| found.severity);
            self.0.truncate(most);
            self.sort();
        }
    }

    /// Adds the finding, if there is one.
    pub fn extend(&mut self, found: Option<Diagnostic>) {
        self.0.extend(found);
    }

    /// Sorts by location, so that they are in reading order.
    pub fn sort(&mut self) {
        self.0.sort_by_key(|found| (found.span, found.code));
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self(vec![diagnostic])
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, found) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{}: {}", found.code, found.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}
