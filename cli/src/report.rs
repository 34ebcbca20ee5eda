//! Notes and errors on standard error: as annotated source for people, as lines of JSON with
//! `--json`.

use crate::advice;
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::output;
use dicec_lang::syntax::{
    Diagnostics, ErrorDocument, Finding, FindingDocument, NoteDocument, Sources, render,
};
use serde::Serialize;
use std::io::{self, Write};

/// People read the first few errors; JSON has them all.
const MAX_SHOWN: usize = 20;

/// Writes findings. Nothing can be told about a standard error that is gone, so failures to write
/// to it are let go.
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
            write_line(&ErrorDocument::new(&error.findings));
            return;
        }
        for finding in error.findings.iter().take(MAX_SHOWN) {
            show(finding);
        }
        let rest = error.findings.len().saturating_sub(MAX_SHOWN);
        if rest > 0 {
            let _ = writeln!(anstream::stderr(), "... and {rest} more");
        }
    }

    /// Tells what is wrong with the command line; a call for help is answered. Gives the exit code.
    pub(crate) fn usage(self, error: &clap::Error) -> ExitCode {
        if !error.use_stderr() || !self.json {
            let printed = error.print().and_then(|()| io::stdout().flush());
            // Help that is asked for is output like any other; the rest cannot be told anywhere.
            return match printed.map_err(output::write_failed) {
                Err(failed) if !error.use_stderr() && !failed.is_closed_pipe() => {
                    self.error(&failed);
                    ExitCode::FAILURE
                }
                _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
            };
        }
        let text = error.render().to_string();
        write_line(&ErrorDocument::of(FindingDocument::usage(&text)));
        ExitCode::from(2)
    }

    /// Tells something worth knowing.
    pub(crate) fn note(self, finding: &Finding) {
        if self.json {
            write_line(&NoteDocument::new(finding));
        } else {
            show(finding);
        }
    }

    /// Tells the notes on the files of an expression or a script.
    pub(crate) fn notes(self, notes: &Diagnostics, sources: &Sources) {
        for note in Finding::all(notes, sources, advice::words) {
            self.note(&note);
        }
    }
}

fn show(finding: &Finding) {
    let text = render(finding, output::error_width());
    let _ = writeln!(anstream::stderr(), "{text}");
}

fn write_line(value: &impl Serialize) {
    if let Ok(line) = serde_json::to_string(value) {
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}
