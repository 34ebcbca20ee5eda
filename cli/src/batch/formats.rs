//! The format of tables: by a flag, or by the extension of a file.

use crate::error::{CliError, FileCode, Finding};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use dicec_tables::{Format, HAS_COLUMNS, NO_COLUMNS, NO_COLUMNS_HELP, Shape, Written};
use std::path::Path;

/// What separates cells, if nothing else is said.
const COMMA: u8 = b',';

/// The values of `--format`.
pub(crate) fn written() -> impl TypedValueParser<Value = Written> {
    let value = |one: Written| PossibleValue::new(one.name()).help(one.help());
    let values = PossibleValuesParser::new(Written::all().map(value));
    values.try_map(|name| Written::named(&name).ok_or("not a format"))
}

/// The values of `--input-format`.
pub(crate) fn read() -> impl TypedValueParser<Value = Format> {
    let value = |one: Format| PossibleValue::new(one.name()).help(one.help());
    let values = PossibleValuesParser::new(Format::ALL.map(value));
    values.try_map(|name| Format::named(&name).ok_or("not a format"))
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
    wanted: Option<Format>,
    delimiter: Option<u8>,
) -> Result<Reading, CliError> {
    let known = match wanted {
        Some(format) => Some(format),
        None => Format::of_file(table).map_err(|unknown| {
            let help = match unknown.is_of_spreadsheet() {
                true => "save the sheet as CSV in the spreadsheet program",
                false => {
                    "rename it to .csv, .tsv, .json, .jsonl, .parquet or .arrow, or say with \
                     --input-format what it is"
                }
            };
            finding(table, unknown.to_string(), help)
        })?,
    };
    Ok(Reading::Streamed(match known {
        None => Shape::Guess(delimiter.unwrap_or(COMMA)),
        Some(Format::Csv) => Shape::Csv(delimiter.unwrap_or(COMMA)),
        Some(Format::Tsv) => Shape::Csv(delimiter.unwrap_or(b'\t')),
        Some(Format::Json | Format::Jsonl) => Shape::Json,
        Some(Format::Arrow) => Shape::Arrow,
        Some(Format::Parquet) => return Ok(Reading::Parquet),
    }))
}

/// How a table is to be written into a file; none if its name does not say.
///
/// # Errors
/// It has an unknown extension.
pub(super) fn of_output(output: &Path) -> Result<Option<Format>, CliError> {
    let help = "end the name in .csv, .tsv, .json, .jsonl, .parquet or .arrow, or choose with \
                --format";
    let found = Format::of_file(output);
    found.map_err(|unknown| finding(output, unknown.to_string(), help).into())
}

/// A format in which a table is to be written, into this file or to standard output.
///
/// # Errors
/// This build does not have it.
pub(super) fn in_this_build(format: Format, output: Option<&Path>) -> Result<Format, CliError> {
    if HAS_COLUMNS || !format.is_columnar() {
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
    matches!(Format::of_file(path), Ok(Some(_)))
}

fn finding(path: &Path, message: String, help: &str) -> Finding {
    let shown = path.display().to_string();
    Finding::in_file(FileCode::UnknownFormat.as_str(), &shown, None, message).help(help)
}

#[cfg(test)]
mod tests {
    use super::in_this_build;
    use dicec_tables::{Format, HAS_COLUMNS, NO_COLUMNS_HELP};

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
