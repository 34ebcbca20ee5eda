//! The names of a table's columns.

use super::{BadTable, Record};
use dicec_runtime::resource::ResourceName;
use rustc_hash::FxHashMap;

/// The names in the first row.
///
/// # Errors
/// A name that is not text, or that two columns have.
pub(super) fn names(first: &Record) -> Result<Vec<String>, BadTable> {
    let mut names = Vec::with_capacity(first.len());
    for (column, cell) in first.cells.iter().enumerate() {
        let Ok(name) = str::from_utf8(cell) else {
            let message = "the name of a column is not UTF-8 text";
            let place = (1, column as u64 + 1);
            return Err(BadTable::at(place, message).help("save the table as UTF-8"));
        };
        names.push(name.to_owned());
    }
    match twice(&names) {
        None => Ok(names),
        Some((first, second)) => {
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
    }
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
