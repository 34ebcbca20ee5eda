//! Findings as documents: what `dicec --json` prints on standard error. The documented format:
//! fields are only ever added.

use super::{Finding, Location};
use serde::Serialize;

/// What `--json` prints for a failure, on one line of standard error.
#[derive(Clone, Debug, Serialize)]
pub struct ErrorDocument<'f> {
    /// The first error.
    error: FindingDocument<'f>,
    /// All of them, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<FindingDocument<'f>>,
}

impl<'f> ErrorDocument<'f> {
    /// The errors of a failure; none if there are none.
    pub fn new(findings: &'f [Finding]) -> Option<Self> {
        // Notes may come before the errors.
        let first = findings.iter().find(|finding| finding.is_error);
        let all = findings.iter().map(FindingDocument::new);
        Some(Self {
            error: FindingDocument::new(first.or(findings.first())?),
            errors: if findings.len() > 1 {
                all.collect()
            } else {
                Vec::new()
            },
        })
    }

    /// A single error.
    pub fn of(error: FindingDocument<'f>) -> Self {
        Self {
            error,
            errors: Vec::new(),
        }
    }
}

/// What `--json` prints for a note, on one line of standard error.
#[derive(Clone, Debug, Serialize)]
pub struct NoteDocument<'f> {
    note: FindingDocument<'f>,
}

impl<'f> NoteDocument<'f> {
    /// A note.
    pub fn new(note: &'f Finding) -> Self {
        Self {
            note: FindingDocument::new(note),
        }
    }
}

/// One finding.
#[derive(Clone, Debug, Serialize)]
pub struct FindingDocument<'f> {
    /// The stable code, `D0101`; `usage` for a command line that makes no sense.
    code: &'f str,
    /// What is wrong, in one sentence.
    message: &'f str,
    /// Where it starts in the rule, as a byte offset; null if it is not about the rule's text.
    start: Option<u32>,
    /// Where it ends, exclusive.
    end: Option<u32>,
    /// What to do about it.
    help: Option<&'f str>,
    /// The rule's or the table's file, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'f str>,
    /// The line in that file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    /// The column in that line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
}

impl<'f> FindingDocument<'f> {
    /// A command line that makes no sense: what the parser of arguments has to say, a message and
    /// help after an empty line.
    pub fn usage(text: &'f str) -> Self {
        let (message, rest) = text.split_once("\n\n").unwrap_or((text, ""));
        let message = message.strip_prefix("error: ").unwrap_or(message);
        let help = Some(rest.trim()).filter(|rest| !rest.is_empty());
        Self {
            code: "usage",
            message: message.trim(),
            start: None,
            end: None,
            help,
            file: None,
            line: None,
            column: None,
        }
    }

    /// A finding.
    pub fn new(finding: &'f Finding) -> Self {
        let span = match &finding.location {
            Location::Text { span, .. } => Some(*span),
            _ => None,
        };
        let (file, at) = match &finding.location {
            Location::File { path, at } => (Some(path.as_str()), *at),
            Location::Text { origin, .. } if !origin.is_empty() => (Some(origin.as_str()), None),
            _ => (None, None),
        };
        Self {
            code: finding.code,
            message: &finding.message,
            start: span.map(|span| span.start),
            end: span.map(|span| span.end),
            help: finding.help.as_deref(),
            file,
            line: at.map(|(line, _)| line),
            column: at.map(|(_, column)| column),
        }
    }
}
