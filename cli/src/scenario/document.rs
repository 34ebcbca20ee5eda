//! The files of the d100 rules, and what is wrong with them.

use crate::error::{CliError, FileCode, Finding};
use crate::json::{json_of, parse_json};
use crate::report::Reporter;
use dicec_compiler::front::dh2e::{Notes, Wrong};
use serde_json::Value;

/// A document, and what the user calls it.
pub(crate) struct Document {
    pub(crate) origin: String,
    pub(crate) json: Value,
}

impl Document {
    /// Reads a file, standard input for `-`, or a text that is JSON itself.
    ///
    /// # Errors
    /// It cannot be read, or is not JSON.
    pub(crate) fn read(given: &str, what: &str) -> Result<Self, CliError> {
        let is_inline = given.trim_start().starts_with(['{', '[', '"']);
        let (origin, json) = match is_inline {
            true => {
                let json = parse_json(what, given.as_bytes(), FileCode::BadItem)?;
                (what, json)
            }
            false => (given, json_of(given, FileCode::BadItem, what)?),
        };
        let origin = origin.to_owned();
        Ok(Self { origin, json })
    }

    /// An error about a part of it.
    pub(crate) fn wrong(&self, wrong: &Wrong) -> CliError {
        let message = wrong.to_string();
        Finding::in_file(FileCode::BadItem.as_str(), &self.origin, None, message).into()
    }

    /// Tells what it holds that has no effect.
    pub(crate) fn tell(&self, notes: &Notes, reporter: Reporter) {
        for note in notes.all() {
            let code = FileCode::ItemNote.as_str();
            let finding = Finding::in_file(code, &self.origin, None, note.to_string());
            reporter.note(&finding.note());
        }
    }
}
