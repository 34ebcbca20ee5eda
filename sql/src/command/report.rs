//! Notes and errors on standard error: for people, or as lines of JSON with `--json`, as `dicec`
//! itself writes them.

use dicec_lang::syntax::{ErrorDocument, Finding, FindingDocument, NoteDocument, render};
use dicec_sql::SqlError;
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

/// How many columns a finding has.
const WIDTH: usize = 100;

/// Writes findings. Nothing can be told about a standard error that is gone, so failures to write
/// to it are let go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reporter {
    json: bool,
}

impl Reporter {
    pub(super) fn new(json: bool) -> Self {
        Self { json }
    }

    /// Tells why the command failed.
    pub(super) fn error(self, error: &SqlError) {
        match self.json {
            true => write_line(&ErrorDocument::new(&error.findings)),
            false => error.findings.iter().for_each(show),
        }
    }

    /// Tells something worth knowing.
    pub(super) fn note(self, finding: &Finding) {
        match self.json {
            true => write_line(&NoteDocument::new(finding)),
            false => show(finding),
        }
    }

    /// Tells what is wrong with the command line; a call for help is answered. Gives the exit code.
    pub(super) fn usage(self, error: &clap::Error) -> ExitCode {
        if !error.use_stderr() || !self.json {
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
        let text = error.render().to_string();
        write_line(&ErrorDocument::of(FindingDocument::usage(&text)));
        ExitCode::from(2)
    }
}

fn show(finding: &Finding) {
    let _ = writeln!(anstream::stderr(), "{}", render(finding, WIDTH));
}

fn write_line(value: &impl Serialize) {
    if let Ok(line) = serde_json::to_string(value) {
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}
