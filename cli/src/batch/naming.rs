//! Names of columns of expressions, and conflicts between added columns and those of the table.

use super::fault::Places;
use crate::error::{CliError, FileCode, Finding};
use dicec_tables::{Collision, Group, LongColumns, Named};
use rustc_hash::FxHashSet;

/// Names the columns of expressions: by `--as`, or `expr` if there is nothing else, or by their
/// headings; `others` are the expressions that are given.
pub(super) fn name_columns(headings: &[String], names: &[String], others: &[String]) -> Vec<Named> {
    let is_alone = headings.len() == 1 && others.is_empty();
    let columns = headings.iter().enumerate();
    let named = columns.map(|(index, heading)| match names.get(index) {
        Some(name) => Named::of_column(name),
        None if is_alone => Named::of_column("expr"),
        None => Named::of_column(&heading.trim().replace(' ', "_")),
    });
    named.collect()
}

/// Refuses two expressions of one name.
///
/// # Errors
/// There are such.
pub(super) fn check_names<'n>(all: impl Iterator<Item = &'n Named>) -> Result<(), CliError> {
    let mut seen = FxHashSet::default();
    CliError::of(all.filter_map(|Named { name, .. }| {
        if seen.insert(name) {
            return None;
        }
        let message = format!("two expressions are named {name}");
        let finding = Finding::general(FileCode::NameTwice.as_str(), message);
        let help = "give each a name of its own: -e NAME=EXPR, or --as NAME with --expr-column";
        Some(finding.help(help))
    }))
}

/// Checks that no added column is in the table already or is added twice. With `json`, the names
/// of the expressions are keys, too.
pub(super) fn check_added(places: &Places, groups: &[Group], json: bool) -> Result<(), CliError> {
    let found = Group::collision(groups, &places.header, json);
    let Some(Collision { group, column, own }) = found else {
        return Ok(());
    };
    let code = FileCode::BadTable.as_str();
    let found = match own {
        Some(own) => {
            let message = format!("the table has a column \"{column}\" already");
            let (path, place) = places.heading(own);
            Finding::in_file(code, path, place, message)
        }
        None => {
            let who = match (group.is_script(), group.are_outputs()) {
                (true, _) => "a result, a statistic or a line and another one",
                (false, true) => "two outputs",
                (false, false) => "two expressions",
            };
            Finding::general(code, format!("{who} would add the column \"{column}\""))
        }
    };
    let help = match (own, group.is_script()) {
        (Some(_), false) => {
            "give the expression another name: -e NAME=EXPR, or --as NAME with --expr-column"
        }
        (Some(_), true) => "rename it in the table; or name the roll's own columns with --as NAME",
        (None, false) if group.are_outputs() => "give the outputs other names in the program",
        (None, false) => "give each a name of its own: -e NAME=EXPR",
        (None, true) => "name the roll's own columns with --as NAME, or rename one in the script",
    };
    Err(found.help(help).into())
}

/// Checks that no column of a row for each result is in the table already.
pub(super) fn check_long(places: &Places, long: LongColumns) -> Result<(), CliError> {
    let own = |name: &str| places.header.iter().position(|column| column == name);
    let Some((name, own)) = long.names().find_map(|name| Some((name, own(name)?))) else {
        return Ok(());
    };
    let message = format!("the table has a column \"{name}\" already");
    let (path, place) = places.heading(own);
    let finding = Finding::in_file(FileCode::BadTable.as_str(), path, place, message);
    Err(finding.help("rename it in the table").into())
}
