//! The format of tables: by a flag, or by the extension of a file.

use crate::error::{CliError, FileCode, Finding};
use clap::ValueEnum;
use dicec_tables::{HAS_COLUMNS, NO_COLUMNS, NO_COLUMNS_HELP, Shape};
use std::path::Path;

/// What separates cells, if nothing else is said.
const COMMA: u8 = b',';

/// How the table is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table for people on a terminal, CSV elsewhere
    #[default]
    Auto,
    /// CSV, for programs
    Csv,
    /// The same with tabs between cells
    Tsv,
    /// An array of objects
    Json,
    /// An object on each line
    Jsonl,
    /// A Parquet file
    Parquet,
    /// A file in Arrow's own format; a stream on standard output
    Arrow,
    /// Aligned columns and rounded numbers, for people
    Table,
}

impl Format {
    /// What the flag says, if it says something.
    pub(super) fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::Auto => return None,
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Table => "table",
        })
    }
}

/// How a table is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InputFormat {
    /// Cells between commas, or as --delimiter says
    Csv,
    /// Cells between tabs
    Tsv,
    /// An array of objects
    Json,
    /// An object on each line
    Jsonl,
    /// A Parquet file
    Parquet,
    /// A file or a stream in Arrow's own format
    Arrow,
}

/// How a file is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// From its beginning to its end.
    Streamed(Shape),
    /// As a Parquet file, whose directory stands at its end.
    Parquet,
}

/// How a table is to be read.
///
/// # Errors
/// Its file has an unknown extension.
pub(super) fn shape(
    table: &Path,
    wanted: Option<InputFormat>,
    delimiter: Option<u8>,
) -> Result<Reading, CliError> {
    let known = match wanted {
        Some(format) => Some(format),
        None => match extension(table).as_deref() {
            None => return Ok(Reading::Streamed(Shape::Guess(delimiter.unwrap_or(COMMA)))),
            Some("csv") => Some(InputFormat::Csv),
            Some("tsv" | "tab") => Some(InputFormat::Tsv),
            Some("json") => Some(InputFormat::Json),
            Some("jsonl" | "ndjson") => Some(InputFormat::Jsonl),
            Some("parquet") => Some(InputFormat::Parquet),
            Some("arrow" | "arrows" | "feather" | "ipc") => Some(InputFormat::Arrow),
            Some(_) => None,
        },
    };
    Ok(Reading::Streamed(match known {
        Some(InputFormat::Csv) => Shape::Csv(delimiter.unwrap_or(COMMA)),
        Some(InputFormat::Tsv) => Shape::Csv(delimiter.unwrap_or(b'\t')),
        Some(InputFormat::Json | InputFormat::Jsonl) => Shape::Json,
        Some(InputFormat::Arrow) => Shape::Arrow,
        Some(InputFormat::Parquet) => return Ok(Reading::Parquet),
        None => {
            let help = match extension(table).as_deref() {
                Some("xlsx" | "xls" | "ods" | "numbers") => {
                    "save the sheet as CSV in the spreadsheet program"
                }
                _ => {
                    "rename it to .csv, .tsv, .json, .jsonl, .parquet or .arrow, or say with \
                     --input-format what it is"
                }
            };
            return Err(unknown(table, help).into());
        }
    }))
}

/// How a table is to be written into a file; none if its name does not say.
///
/// # Errors
/// It has an unknown extension.
pub(super) fn of_output(output: &Path) -> Result<Option<Format>, CliError> {
    Ok(match extension(output).as_deref() {
        None => None,
        Some("csv") => Some(Format::Csv),
        Some("tsv" | "tab") => Some(Format::Tsv),
        Some("json") => Some(Format::Json),
        Some("jsonl" | "ndjson") => Some(Format::Jsonl),
        Some("parquet") => Some(Format::Parquet),
        Some("arrow" | "feather" | "ipc") => Some(Format::Arrow),
        Some(_) => {
            let help = "end the name in .csv, .tsv, .json, .jsonl, .parquet or .arrow, or choose \
                        with --format";
            return Err(unknown(output, help).into());
        }
    })
}

/// A format in which a table is to be written, into this file or to standard output.
///
/// # Errors
/// This build does not have it.
pub(super) fn in_this_build(format: Format, output: Option<&Path>) -> Result<Format, CliError> {
    if HAS_COLUMNS || !matches!(format, Format::Parquet | Format::Arrow) {
        return Ok(format);
    }
    let code = FileCode::UnknownFormat.as_str();
    let finding = match output {
        Some(output) => Finding::in_file(code, &output.display().to_string(), None, NO_COLUMNS),
        None => Finding::general(code, NO_COLUMNS),
    };
    Err(finding.help(NO_COLUMNS_HELP).into())
}

/// Whether a file's name says that it is a table.
pub(super) fn is_table(path: &Path) -> bool {
    let known = |path: &Path| shape(path, None, None).is_ok();
    path.extension().is_some() && known(path)
}

fn extension(path: &Path) -> Option<String> {
    let extension = path.extension()?.to_str()?;
    Some(extension.to_ascii_lowercase())
}

fn unknown(path: &Path, help: &str) -> Finding {
    let shown = path.display().to_string();
    let extension = path.extension().unwrap_or_default().display();
    let message = format!("no table is written as .{extension}");
    Finding::in_file(FileCode::UnknownFormat.as_str(), &shown, None, message).help(help)
}

#[cfg(test)]
mod tests {
    use super::{Format, in_this_build};
    use dicec_tables::{HAS_COLUMNS, NO_COLUMNS_HELP};

    #[test]
    fn the_advice_names_a_feature_of_the_command() {
        assert!(NO_COLUMNS_HELP.contains("--features columns"));
        let manifest = include_str!("../../Cargo.toml");
        assert!(manifest.contains("\ncolumns = [\"dicec-tables/columns\"]\n"));
    }

    #[test]
    fn columns_are_written_if_the_build_has_them() {
        for format in [Format::Parquet, Format::Arrow] {
            assert_eq!(
                in_this_build(format, None).is_ok(),
                HAS_COLUMNS,
                "{format:?}"
            );
        }
        assert!(in_this_build(Format::Csv, None).is_ok());
    }
}
