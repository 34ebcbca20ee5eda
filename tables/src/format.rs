//! The formats of tables, by name, by the ending of a file, and by the type of a content.

use std::path::Path;
use thiserror::Error;

/// A format of tables that is read and written.
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
    /// A file or a stream in Arrow's own format.
    Arrow,
}

/// The name of a format, the endings of its files, the type of its content and its description.
type About = (
    Format,
    &'static str,
    &'static [&'static str],
    &'static str,
    &'static str,
);

/// One row for each format.
const ABOUT: [About; 6] = [
    (
        Format::Csv,
        "csv",
        &["csv"],
        "text/csv; charset=utf-8",
        "Cells between commas, or as --delimiter says",
    ),
    (
        Format::Tsv,
        "tsv",
        &["tsv", "tab"],
        "text/tab-separated-values; charset=utf-8",
        "Cells between tabs",
    ),
    (
        Format::Json,
        "json",
        &["json"],
        "application/json",
        "An array of objects",
    ),
    (
        Format::Jsonl,
        "jsonl",
        &["jsonl", "ndjson"],
        "application/x-ndjson",
        "An object on each line",
    ),
    (
        Format::Parquet,
        "parquet",
        &["parquet"],
        "application/vnd.apache.parquet",
        "A Parquet file",
    ),
    (
        Format::Arrow,
        "arrow",
        &["arrow", "arrows", "feather", "ipc"],
        "application/vnd.apache.arrow.stream",
        "A file or a stream in Arrow's own format",
    ),
];

impl Format {
    /// All formats.
    pub const ALL: [Self; 6] = {
        let mut all = [Self::Csv; 6];
        let mut place = 0;
        while place < all.len() {
            all[place] = ABOUT[place].0;
            place += 1;
        }
        all
    };

    fn about(self) -> &'static About {
        &ABOUT[self as usize]
    }

    /// The name of the format, as flags and requests have it.
    pub fn name(self) -> &'static str {
        self.about().1
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The type of the content, as HTTP has it.
    pub fn content_type(self) -> &'static str {
        self.about().3
    }

    /// A line for the help of a flag.
    pub fn help(self) -> &'static str {
        self.about().4
    }

    /// Whether tables are stored column by column, with types.
    pub fn is_columnar(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow)
    }

    /// Whether the name of a question is that of a column, too.
    pub fn names_questions(self) -> bool {
        self.is_json() || self.is_columnar()
    }

    /// Whether rows are objects.
    pub fn is_json(self) -> bool {
        matches!(self, Self::Json | Self::Jsonl)
    }

    /// The format whose files end like this; capitals do not count.
    pub fn of_ending(ending: &str) -> Option<Self> {
        let is_of = |format: &Self| {
            let mut endings = format.about().2.iter();
            endings.any(|one| ending.eq_ignore_ascii_case(one))
        };
        Self::ALL.into_iter().find(is_of)
    }

    /// The format by the ending of a file's name; `None` if it has no ending.
    ///
    /// # Errors
    /// No format ends like that.
    pub fn of_file(path: &Path) -> Result<Option<Self>, UnknownEnding> {
        let Some(ending) = path.extension() else {
            return Ok(None);
        };
        let ending = ending.to_string_lossy();
        match Self::of_ending(&ending) {
            Some(format) => Ok(Some(format)),
            None => Err(UnknownEnding(ending.into_owned())),
        }
    }
}

/// A file whose ending is that of no format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no table is written as .{0}")]
pub struct UnknownEnding(pub String);

impl UnknownEnding {
    /// Whether it is a file of a spreadsheet program.
    pub fn is_of_spreadsheet(&self) -> bool {
        let ending = self.0.to_ascii_lowercase();
        matches!(ending.as_str(), "xlsx" | "xls" | "ods" | "numbers")
    }
}

/// How an answer is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Written {
    /// A table for people on a terminal, CSV elsewhere; otherwise as the file is called.
    #[default]
    Auto,
    /// Aligned columns and rounded numbers, for people.
    Table,
    /// For programs.
    As(Format),
}

impl Written {
    /// All of them, in the order of the help.
    pub fn all() -> impl Iterator<Item = Self> {
        let formats = Format::ALL.into_iter().map(Self::As);
        [Self::Auto].into_iter().chain(formats).chain([Self::Table])
    }

    /// The value of the flag.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Table => "table",
            Self::As(format) => format.name(),
        }
    }

    /// The answer of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|written| written.name() == name)
    }

    /// A line for the help of a flag.
    pub fn help(self) -> &'static str {
        match self {
            Self::Auto => "A table for people on a terminal, CSV elsewhere",
            Self::Table => "Aligned columns and rounded numbers, for people",
            Self::As(Format::Csv) => "CSV, for programs",
            Self::As(Format::Tsv) => "The same with tabs between cells",
            Self::As(Format::Arrow) => "A file in Arrow's own format; a stream on standard output",
            Self::As(format) => format.help(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ABOUT, Format, Written};
    use std::path::Path;

    #[test]
    fn each_row_is_at_the_place_of_its_format() {
        for (place, row) in ABOUT.iter().enumerate() {
            assert_eq!(row.0 as usize, place, "{}", row.1);
            assert_eq!(Format::named(row.1), Some(row.0));
            assert_eq!(Written::named(row.1), Some(Written::As(row.0)));
        }
    }

    #[test]
    fn endings_tell_formats() {
        let of = |name| Format::of_file(Path::new(name));
        assert_eq!(of("a/b.TAB"), Ok(Some(Format::Tsv)));
        assert_eq!(of("b.ndjson"), Ok(Some(Format::Jsonl)));
        assert_eq!(of("b"), Ok(None));
        let unknown = of("b.xlsx").expect_err("no format is called that");
        assert!(unknown.is_of_spreadsheet());
        assert_eq!(unknown.to_string(), "no table is written as .xlsx");
    }
}
