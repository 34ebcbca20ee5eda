//! The files of a table: one, all tables in a folder, or those that a pattern names.

use super::formats::is_table;
use crate::error::{CliError, FileCode, Finding};
use std::fs;
use std::path::{Path, PathBuf};

/// The files of a table, in the order of their names; one that names no others is its only one.
///
/// # Errors
/// A folder or a pattern without tables.
pub(super) fn of_table(table: &Path) -> Result<Vec<PathBuf>, CliError> {
    if table.is_dir() {
        return in_folder(table);
    }
    match table.to_str() {
        Some(pattern) if !table.exists() && pattern.contains(['*', '?', '[']) => matching(pattern),
        _ => Ok(vec![table.to_owned()]),
    }
}

fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let unreadable = |error| {
        let message = format!("cannot read the folder: {error}");
        wrong(FileCode::Unreadable, folder, message)
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_file() && is_table(&path) {
            files.push(path);
        }
    }
    if files.is_empty() {
        let found = wrong(
            FileCode::Unreadable,
            folder,
            "no table is in the folder".to_owned(),
        );
        return Err(found
            .help("tables end in .csv, .tsv, .json, .jsonl, .parquet or .arrow")
            .into());
    }
    files.sort();
    Ok(files)
}

fn matching(pattern: &str) -> Result<Vec<PathBuf>, CliError> {
    let path = Path::new(pattern);
    let found = glob::glob(pattern).map_err(|error| {
        wrong(
            FileCode::Unreadable,
            path,
            format!("not a pattern of files: {error}"),
        )
    })?;
    // They come in the order of their names.
    let files = found.collect::<Result<Vec<PathBuf>, _>>();
    let files = files.map_err(|error| {
        wrong(
            FileCode::Unreadable,
            path,
            format!("cannot read the folder: {error}"),
        )
    })?;
    let files: Vec<PathBuf> = files.into_iter().filter(|file| file.is_file()).collect();
    match files.is_empty() {
        true => Err(wrong(FileCode::Unreadable, path, "no file is named so".to_owned()).into()),
        false => Ok(files),
    }
}

fn wrong(code: FileCode, path: &Path, message: String) -> Finding {
    Finding::in_file(code.as_str(), &path.display().to_string(), None, message)
}
