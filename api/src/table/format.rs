//! The formats in which the answer to a table is written.

use crate::wrong::Wrong;
use dicec_tables::{HAS_COLUMNS, NO_COLUMNS, NO_COLUMNS_HELP};

/// How the answer is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Cells between commas.
    #[default]
    Csv,
    /// Cells between tabs.
    Tsv,
    /// An array of objects.
    Json,
    /// An object on each line.
    Jsonl,
    /// A Parquet file.
    Parquet,
    /// A stream in Arrow's own format.
    Arrow,
}

impl Format {
    /// All formats, with their names and the types of their contents.
    const ALL: [(Format, &str, &str); 6] = [
        (Format::Csv, "csv", "text/csv; charset=utf-8"),
        (
            Format::Tsv,
            "tsv",
            "text/tab-separated-values; charset=utf-8",
        ),
        (Format::Json, "json", "application/json"),
        (Format::Jsonl, "jsonl", "application/x-ndjson"),
        (Format::Parquet, "parquet", "application/vnd.apache.parquet"),
        (
            Format::Arrow,
            "arrow",
            "application/vnd.apache.arrow.stream",
        ),
    ];

    /// The type of the content.
    pub fn content_type(self) -> &'static str {
        let found = Self::ALL.iter().find(|(format, ..)| *format == self);
        found.map_or("application/octet-stream", |(.., of)| of)
    }

    /// The format of this name.
    ///
    /// # Errors
    /// There is none, or this build does not have it.
    pub(super) fn named(name: &str) -> Result<Self, Wrong> {
        let found = Self::ALL.iter().find(|(_, one, _)| *one == name);
        if matches!(found, Some((Self::Parquet | Self::Arrow, ..))) && !HAS_COLUMNS {
            return Err(Wrong::request(NO_COLUMNS, NO_COLUMNS_HELP));
        }
        found.map(|(format, ..)| *format).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|(_, name, _)| *name).collect();
            let message = format!("a table is not written as \"{name}\"");
            Wrong::request(message, format!("there are: {}", names.join(", ")))
        })
    }

    /// Whether the name of a question is that of a column, too.
    pub(super) fn names_questions(self) -> bool {
        !matches!(self, Format::Csv | Format::Tsv)
    }
}
