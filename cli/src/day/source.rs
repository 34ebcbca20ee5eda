//! The day of a command line: a line, or a file of TOML or JSON; and its errors, shown in its text.

use super::DayArgs;
use crate::bestiary::bestiary;
use crate::error::{CliError, FileCode, Finding};
use crate::json::bytes_of;
use crate::location::line_and_column;
use dicec_games::encounter::{Bestiary, Day, DayPlan, Source, Wrong};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The files that stat blocks of a party may be in.
const OF_BLOCKS: [&str; 5] = ["json", "csv", "txt", "md", "dice"];

/// A day, and the text that it was read from.
pub(super) struct DaySource {
    source: Source,
    pub(super) day: Day,
    pub(super) bestiary: Bestiary,
}

impl DaySource {
    /// Reads a day with the stat blocks of files.
    ///
    /// # Errors
    /// A file that cannot be read, or the errors in the day.
    pub(super) fn read(words: &str, args: &DayArgs) -> Result<Self, CliError> {
        let (mut files, edition, is_json) = (args.bestiary.clone(), args.edition, args.json);
        let (source, mut day, folder) = document(words)?;
        let own = party_file(&day.party).map(|name| folder.join(name));
        let before = bestiary(&files, edition, is_json)?.names().count();
        files.extend(own.clone());
        let bestiary = bestiary(&files, edition, is_json)?;
        if own.is_some() {
            let names = bestiary.names().skip(before);
            let creatures: Vec<Value> = names.map(|name| json!({ "creature": name })).collect();
            day.party = json!({ "creatures": creatures });
        }
        Ok(Self {
            source,
            day,
            bestiary,
        })
    }

    /// The plan of a day that is this one, or one like it.
    ///
    /// # Errors
    /// The errors in it.
    pub(super) fn plan(&self, day: &Day) -> Result<DayPlan, CliError> {
        DayPlan::new(day, &self.bestiary).map_err(|wrong| self.wrong(&wrong))
    }

    /// A mistake in the day as an error.
    pub(super) fn wrong(&self, wrong: &Wrong) -> CliError {
        self.source.wrong(wrong).into()
    }
}

/// The text of a day, the day, and the folder that its files are relative to.
fn document(words: &str) -> Result<(Source, Day, PathBuf), CliError> {
    let path = Path::new(words);
    let is = |end: &str| path.extension().is_some_and(|own| own == end);
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let source = if is("toml") {
        let text = String::from_utf8_lossy(&bytes_of(words, "day")?).into_owned();
        let json = toml::from_str(&text).map_err(|error| {
            let place = error.span().map(|span| line_and_column(&text, span.start));
            let code = FileCode::BadEncounter.as_str();
            CliError::from(Finding::in_file(
                code,
                words,
                place,
                error.message().to_owned(),
            ))
        })?;
        Source::document(words, text, json)
    } else if is("json") {
        Source::read_json(words, &bytes_of(words, "day")?)?
    } else {
        let (source, day) = Source::read_day_line(words)?;
        return Ok((source, day, PathBuf::new()));
    };
    let day = source.day()?;
    Ok((source, day, folder))
}

/// The file with the stat blocks of a party, if that is how a day names it.
fn party_file(party: &Value) -> Option<&str> {
    let name = party.as_str()?.trim();
    let end = Path::new(name).extension()?.to_str()?;
    OF_BLOCKS.contains(&end).then_some(name)
}
