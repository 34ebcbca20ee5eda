//! The names of a table's columns.

use super::{BadTable, Record};
use dicec_runtime::resource::ResourceName;
use rustc_hash::FxHashMap;

/// Texts are quoted up to this many characters.
const MAX_QUOTED: usize = 40;

/// The names in the first row of a table of CSV with this character between cells.
///
/// # Errors
/// A name that is not text or that two columns have, another delimiter, or a row of numbers.
pub(super) fn names(first: &Record, delimiter: u8) -> Result<Vec<String>, BadTable> {
    let mut names = Vec::with_capacity(first.len());
    for (column, cell) in first.cells.iter().enumerate() {
        let Ok(name) = str::from_utf8(cell) else {
            let message = "the name of a column is not UTF-8 text";
            let place = (1, column as u64 + 1);
            return Err(BadTable::at(place, message).help("save the table as UTF-8"));
        };
        names.push(name.to_owned());
    }
    if let Some(other) = other_delimiter(&names, delimiter) {
        let (count, first) = (names.len(), quoted(&names[0]));
        let columns = if count == 1 { "column" } else { "columns" };
        let message = format!("the header has {count} {columns}; the first is \"{first}\"");
        return Err(BadTable::at((1, 1), message).help(advice(other)));
    }
    if is_row(&names) {
        let row: Vec<&str> = names.iter().map(|name| name.trim()).collect();
        let message = format!(
            "the first line holds a row, not the names of the columns: {}",
            quoted(&row.join(", "))
        );
        let help = "begin the table with a line of names, such as Attack,Target AC";
        return Err(BadTable::at((1, 1), message).help(help));
    }
    check_names(&names)?;
    Ok(names)
}

/// Checks that no two columns have one name.
///
/// # Errors
/// Two have.
pub(super) fn check_names(names: &[String]) -> Result<(), BadTable> {
    let Some((first, second)) = twice(names) else {
        return Ok(());
    };
    let message = match names[second].trim() {
        "" => format!("columns {} and {} have no name", first + 1, second + 1),
        name => format!(
            "columns {} and {} are both named \"{name}\"",
            first + 1,
            second + 1
        ),
    };
    let wrong = BadTable::at((1, second as u64 + 1), message);
    Err(wrong.help("give each column a name of its own"))
}

/// A character that separates cells elsewhere, and is in the header more often than the one that
/// does here.
fn other_delimiter(names: &[String], delimiter: u8) -> Option<char> {
    let others = ['\t', ';', '|', ','];
    let mut others = others
        .into_iter()
        .filter(|other| *other != char::from(delimiter));
    let count = |other: char| -> usize {
        let found = names.iter().map(|name| name.matches(other).count());
        found.sum()
    };
    others.find(|other| count(*other) >= names.len().max(1))
}

fn advice(delimiter: char) -> String {
    match delimiter {
        '\t' => "are its cells separated by tabs? Then add --delimiter tab".to_owned(),
        other => format!("are its cells separated by {other}? Then add --delimiter '{other}'"),
    }
}

/// Whether the first line is a row: it has dice, or most of its cells are numbers. A single number
/// may be a name, as `2024` is.
fn is_row(names: &[String]) -> bool {
    let cells = names.iter().map(|name| name.trim());
    let cells: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
    let is_number = |cell: &&&str| cell.parse::<f64>().is_ok_and(f64::is_finite);
    let numbers = cells.iter().filter(is_number).count();
    2 * numbers > cells.len() || cells.iter().any(|cell| is_dice(cell))
}

/// Whether a cell is dice: `2d6+3`.
fn is_dice(cell: &str) -> bool {
    let Some((count, sides)) = cell.split_once('d') else {
        return false;
    };
    count.parse::<u32>().is_ok() && sides.starts_with(|first: char| first.is_ascii_digit())
}

/// The beginning of a text.
fn quoted(text: &str) -> String {
    let short: String = text.chars().take(MAX_QUOTED).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("{}{dots}", short.escape_debug())
}

/// The first two columns of one name, as resources are compared, so that `Target  Defense` cannot
/// hide `Target Defense`.
fn twice(names: &[String]) -> Option<(usize, usize)> {
    let mut seen = FxHashMap::default();
    names.iter().enumerate().find_map(|(column, name)| {
        let first = seen.insert(ResourceName::parse(name), column)?;
        Some((first, column))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(cells: &[&str]) -> Result<usize, (String, Option<String>)> {
        let record: Record = cells.iter().copied().collect();
        let found = super::names(&record, b',').map_err(|wrong| (wrong.message, wrong.help));
        found.map(|names| names.len())
    }

    #[test]
    fn headers() {
        assert_eq!(names(&["Attack", "Target AC"]), Ok(2));
        assert_eq!(names(&["Name", "2024"]), Ok(2));
        assert_eq!(names(&["Name;x", "Attack"]), Ok(2));
    }

    #[test]
    fn a_row_in_place_of_the_header() {
        for cells in [
            &["5", "16"][..],
            &["1d6+2", "", "-3"],
            &["5", "5"],
            &["7"],
            &["Goblin", "4", "15"],
            &["Orc", "Greataxe", "1d12+3"],
        ] {
            let (message, _) = names(cells).expect_err("no names");
            assert!(
                message.starts_with("the first line holds a row"),
                "{message}"
            );
        }
    }

    #[test]
    fn another_delimiter() {
        for (cell, help) in [
            ("Attack;Target AC", "--delimiter ';'"),
            ("Attack\tTarget AC", "--delimiter tab"),
            ("4;16", "--delimiter ';'"),
        ] {
            let (message, found) = names(&[cell]).expect_err("a single column");
            assert!(message.starts_with("the header has 1 column"), "{message}");
            assert!(found.expect("a help").ends_with(help));
        }
    }
}
