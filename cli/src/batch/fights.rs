//! `dicec batch --encounter`: which columns of a table are the sides of its encounters, and which
//! change what.

use super::fault::Places;
use crate::encounter::wrong_encounter;
use crate::error::{CliError, FileCode, Finding};
use crate::report::Reporter;
use dicec_compiler::front::encounter::{Bestiary, Change};
use dicec_compiler::syntax::nearest;
use dicec_tables::{Batch, FightColumns, SideColumns};

/// The heading of a column with both sides.
const LINE: [&str; 3] = ["encounter", "fight", "matchup"];

/// What people call the columns of the sides.
const FIRST: [&str; 16] = [
    "first",
    "first side",
    "side1",
    "side a",
    "a",
    "party",
    "heroes",
    "pcs",
    "players",
    "characters",
    "attackers",
    "us",
    "left",
    "team1",
    "team a",
    "one",
];
const SECOND: [&str; 17] = [
    "second",
    "second side",
    "side2",
    "side b",
    "b",
    "monsters",
    "enemies",
    "foes",
    "opponents",
    "villains",
    "defenders",
    "them",
    "right",
    "team2",
    "team b",
    "two",
    "against",
];

/// The columns that make the encounter of a row: `wanted` are the headings of `--encounter=A,B`.
///
/// # Errors
/// The sides are not known, or a column changes what cannot be changed.
pub(super) fn columns(
    places: &Places,
    wanted: &str,
    bestiary: &Bestiary,
) -> Result<FightColumns, CliError> {
    let sides = sides(places, wanted)?;
    let header = &places.header;
    let (names, taken) = match sides {
        SideColumns::Line(line) => (["first", "second"], vec![line]),
        SideColumns::Pair(first, second) => (
            [first, second].map(|column| header[column].trim()),
            vec![first, second],
        ),
    };
    let mut changes = Vec::new();
    for (column, name) in header.iter().enumerate() {
        if taken.contains(&column) {
            continue;
        }
        let change = Change::named(name.trim(), names, bestiary);
        let change = change.map_err(|wrong| {
            let (path, _) = places.heading(column);
            wrong_encounter(&wrong, path)
        })?;
        changes.extend(change.map(|change| (change, column)));
    }
    Ok(FightColumns { sides, changes })
}

fn sides(places: &Places, wanted: &str) -> Result<SideColumns, CliError> {
    let header = &places.header;
    let find = |name: &str| {
        header
            .iter()
            .position(|heading| plain(heading) == plain(name))
    };
    if wanted.is_empty() {
        return known_sides(header).ok_or_else(|| unknown_sides(places).into());
    }
    let names: Vec<&str> = wanted.split(',').map(str::trim).collect();
    let column = |name: &str| -> Result<usize, CliError> {
        find(name).ok_or_else(|| {
            let code = FileCode::MissingColumn.as_str();
            let missing = Finding::in_file(code, &places.path, Some((1, 1)), places.without(name));
            let headings = header.iter().map(|heading| heading.trim());
            let help = match nearest(name, headings) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("its columns are {}", header.join(", ")),
            };
            missing.help(help).into()
        })
    };
    match names[..] {
        [line] => Ok(SideColumns::Line(column(line)?)),
        [first, second] => Ok(SideColumns::Pair(column(first)?, column(second)?)),
        _ => Err(unknown_sides(places).into()),
    }
}

/// The columns whose headings say that they are sides, or the only two columns of a table.
fn known_sides(header: &[String]) -> Option<SideColumns> {
    let find = |names: &[&str]| {
        let mut all = header.iter();
        all.position(|heading| names.iter().any(|name| plain(heading) == plain(name)))
    };
    // A column that is called an encounter may be its name where there are sides, too.
    match (find(&FIRST), find(&SECOND), find(&LINE), header) {
        (Some(first), Some(second), ..) => Some(SideColumns::Pair(first, second)),
        (_, _, Some(line), _) => Some(SideColumns::Line(line)),
        (_, _, None, [_]) => Some(SideColumns::Line(0)),
        (_, _, None, [_, _]) => Some(SideColumns::Pair(0, 1)),
        _ => None,
    }
}

/// A heading without capitals, spaces and the like: `Side 1` and `side_1` are the same.
fn plain(heading: &str) -> String {
    let letters = heading.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

fn unknown_sides(places: &Places) -> Finding {
    let code = FileCode::MissingColumn.as_str();
    let message = "no two columns are known to be the sides of an encounter";
    let (first, second) = match &places.header[..] {
        [.., first, second] => (first.trim(), second.trim()),
        _ => ("Party", "Monsters"),
    };
    Finding::in_file(code, &places.path, Some((1, 1)), message).help(format!(
        "name them: --encounter='{first},{second}', or one with both: --encounter=COLUMN"
    ))
}

/// Tells what creatures of a table have that is not modelled.
pub(super) fn tell_unmodelled(batch: &Batch, reporter: Reporter) {
    for (name, missing) in batch.unmodelled() {
        let message = format!("{name}: not modelled: {}", missing.join(", "));
        let code = FileCode::EncounterNote.as_str();
        reporter.note(&Finding::general(code, message).note());
    }
}
