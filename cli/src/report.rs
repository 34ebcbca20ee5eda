//! Notes and errors on standard error: as annotated source for people, as lines of JSON with `--json`.

use crate::error::{CliError, Finding, Place};
use crate::output;
use crate::snippet;
use dicec_compiler::syntax::Diagnostics;
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

/// People read the first few errors; JSON has them all.
const MOST_SHOWN: usize = 20;

/// Writes findings. Nothing can be told about a standard error that is gone, so failures to write to it are let go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reporter {
    json: bool,
}

impl Reporter {
    /// A reporter for people, or for programs.
    pub(crate) fn new(json: bool) -> Self {
        Self { json }
    }

    /// Tells why the command failed.
    pub(crate) fn error(self, error: &CliError) {
        if self.json {
            write_line(&ErrorJson::new(&error.findings));
            return;
        }
        for finding in error.findings.iter().take(MOST_SHOWN) {
            show(finding);
        }
        let rest = error.findings.len().saturating_sub(MOST_SHOWN);
        if rest > 0 {
            let _ = writeln!(anstream::stderr(), "... and {rest} more");
        }
    }

    /// Tells what is wrong with the command line; a call for help is answered. Gives the exit code.
    pub(crate) fn usage(self, error: &clap::Error) -> ExitCode {
        if !error.use_stderr() || !self.json {
            // As for the rest of standard error; help that nobody reads is no failure either.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
        let text = error.render().to_string();
        let (message, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
        let message = message.strip_prefix("error: ").unwrap_or(message);
        write_line(&ErrorJson {
            error: FindingJson {
                code: "usage",
                message: message.trim(),
                start: None,
                end: None,
                help: Some(rest.trim()).filter(|rest| !rest.is_empty()),
                file: None,
                line: None,
                column: None,
            },
            errors: Vec::new(),
        });
        ExitCode::from(2)
    }

    /// Tells something worth knowing.
    pub(crate) fn note(self, finding: &Finding) {
        if self.json {
            write_line(&NoteJson {
                note: FindingJson::new(finding),
            });
        } else {
            show(finding);
        }
    }

    /// Tells the notes on a rule's text.
    pub(crate) fn notes(self, notes: &Diagnostics, origin: &str, text: &str) {
        for note in notes.iter() {
            self.note(&Finding::in_rule(note, origin, text));
        }
    }
}

fn show(finding: &Finding) {
    let text = snippet::render(finding, output::error_width());
    let _ = writeln!(anstream::stderr(), "{text}");
}

fn write_line(value: &impl Serialize) {
    if let Ok(line) = serde_json::to_string(value) {
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// What `--json` prints for a failure, on one line of standard error.
#[derive(Serialize)]
struct ErrorJson<'f> {
    /// The first error.
    error: FindingJson<'f>,
    /// All of them, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<FindingJson<'f>>,
}

impl<'f> ErrorJson<'f> {
    fn new(findings: &'f [Finding]) -> Option<Self> {
        // Notes may stand before the errors.
        let first = findings.iter().find(|finding| finding.is_error);
        let all = findings.iter().map(FindingJson::new);
        Some(Self {
            error: FindingJson::new(first.or(findings.first())?),
            errors: if findings.len() > 1 {
                all.collect()
            } else {
                Vec::new()
            },
        })
    }
}

/// What `--json` prints for a note, on one line of standard error.
#[derive(Serialize)]
struct NoteJson<'f> {
    note: FindingJson<'f>,
}

/// One finding.
#[derive(Serialize)]
struct FindingJson<'f> {
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

impl<'f> FindingJson<'f> {
    fn new(finding: &'f Finding) -> Self {
        let span = match &finding.place {
            Place::Rule { span, .. } => Some(*span),
            _ => None,
        };
        let (file, at) = match &finding.place {
            Place::File { path, at } => (Some(path.as_str()), *at),
            Place::Rule { origin, .. } if !origin.is_empty() => (Some(origin.as_str()), None),
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
