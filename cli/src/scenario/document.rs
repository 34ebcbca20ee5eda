//! The files of the d100 rules, and their errors: each finding is shown in its file.

use crate::error::{CliError, FileCode, Finding, Location};
use crate::json::{bytes_of, parse_json};
use crate::report::Reporter;
use dicec_games::dh2e::{Change, Notes, Scenario, Wrong};
use dicec_games::encounter::Source;
use dicec_lang::syntax::locate_json;
use serde_json::Value;
use std::path::Path;

/// A document, and what the user calls it.
pub(crate) struct Document {
    pub(crate) origin: String,
    pub(crate) json: Value,
    /// The text that it was read from.
    text: String,
    /// The documents that stand in it in place of the names of their files.
    parts: Vec<Part>,
    /// The scenario that it is, and what `--set` has changed about it.
    changed: Option<(Scenario, Vec<Change>)>,
}

/// A document that stands in another one.
struct Part {
    /// Its path there.
    path: String,
    /// The path of the same value in its own file: `$`, or `$.injuries`.
    own: &'static str,
    origin: String,
    text: String,
}

impl Document {
    /// Reads a file, standard input for `-`, or a text that is JSON itself.
    ///
    /// # Errors
    /// It cannot be read, or is not JSON.
    pub(crate) fn read(given: &str, what: &str) -> Result<Self, CliError> {
        let is_inline = given.trim_start().starts_with(['{', '[', '"']);
        let (origin, bytes) = match is_inline {
            true => (what, given.as_bytes().to_vec()),
            false => (given, bytes_of(given, what)?),
        };
        Ok(Self {
            json: parse_json(origin, &bytes, FileCode::BadItem)?,
            origin: origin.to_owned(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
            parts: Vec::new(),
            changed: None,
        })
    }

    /// Puts a document in place of the name of its file, which is relative to a folder.
    ///
    /// # Errors
    /// It cannot be read, or is not JSON.
    pub(super) fn inline(
        &mut self,
        steps: &[&str],
        folder: &Path,
        what: &str,
    ) -> Result<(), CliError> {
        let pointer: String = steps.iter().map(|step| format!("/{step}")).collect();
        let Some(value) = self.json.pointer_mut(&pointer) else {
            return Ok(());
        };
        let Value::String(name) = value else {
            return Ok(());
        };
        let file = folder.join(name.as_str());
        let part = Self::read(&file.display().to_string(), what)?;
        // A file with a table of injuries is an object with the table.
        let own = match (steps, part.json.get("injuries")) {
            (["injuries"], Some(_)) => "$.injuries",
            _ => "$",
        };
        *value = part.json;
        self.parts.push(Part {
            path: path_of(steps),
            own,
            origin: part.origin,
            text: part.text,
        });
        Ok(())
    }

    /// Notes that flags have changed the scenario that it is.
    pub(super) fn set_changed(&mut self, scenario: Scenario, changes: Vec<Change>) {
        self.changed = Some((scenario, changes));
    }

    /// What the front end for encounters reads.
    pub(super) fn source(&self) -> Source {
        Source::document(&self.origin, self.text.clone(), self.json.clone())
    }

    /// An error about a part of it.
    pub(crate) fn wrong(&self, wrong: &Wrong) -> CliError {
        self.finding(FileCode::BadItem, wrong).into()
    }

    /// Tells what it holds that has no effect.
    pub(crate) fn tell(&self, notes: &Notes, reporter: Reporter) {
        for note in notes.all() {
            reporter.note(&self.finding(FileCode::ItemNote, note).note());
        }
    }

    /// Something about a value of it, in the file that has it, or about a flag.
    fn finding(&self, code: FileCode, wrong: &Wrong) -> Finding {
        let mut changes = self.changed.iter().flat_map(|(scenario, changes)| {
            let latest = changes.iter().rev();
            latest.map(move |change| (change, scenario))
        });
        let of_flag = changes.find_map(|(change, scenario)| change.blamed(wrong, scenario));
        let wrong = of_flag.as_ref().unwrap_or(wrong);
        if !wrong.path.starts_with('$') {
            return Finding {
                help: wrong.help.clone(),
                ..Finding::general(code.as_str(), wrong.to_string())
            };
        }
        let parts = self.parts.iter();
        let mut within = parts.filter_map(|part| {
            let rest = wrong.within(&part.path)?;
            Some((format!("{}{rest}", part.own), &part.origin, &part.text))
        });
        let whole = || (wrong.path.clone(), &self.origin, &self.text);
        let (path, origin, text) = within.next().unwrap_or_else(whole);
        let message = format!("`{path}` {}", wrong.what);
        let location = Location::Text {
            origin: origin.clone(),
            span: locate_json(text, &path).unwrap_or_default(),
            text: text.clone(),
            labels: Vec::new(),
        };
        Finding {
            location,
            help: wrong.help.clone(),
            ..Finding::general(code.as_str(), message)
        }
    }
}

/// The path of a value: `$.sides[0].fighters[1].actor`.
fn path_of(steps: &[&str]) -> String {
    let steps = steps.iter().map(|step| match step.parse::<usize>() {
        Ok(index) => format!("[{index}]"),
        Err(_) => format!(".{step}"),
    });
    format!("${}", steps.collect::<String>())
}
