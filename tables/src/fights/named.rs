//! Maps columns of a table to the sides of its encounters, and to changes.

use super::source::{FightColumns, SideColumns};
use dicec_games::encounter::{Bestiary, Change, Wrong};

/// The heading of a column with both sides.
const LINE: [&str; 3] = ["encounter", "fight", "matchup"];

/// The usual headings of sides.
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

/// Why the columns of a table make no encounters.
#[derive(Clone, Debug)]
pub enum NoFights {
    /// A column of this name is missing.
    Missing(String),
    /// There are no two columns that are known to be the sides.
    Unknown,
    /// A column, from 0, with an unknown change.
    Change(usize, Wrong),
}

impl FightColumns {
    /// The columns of a header that make the encounter of a row. `wanted` are the headings of the
    /// sides, `Party,Monsters`, or that of a column with both; usual ones are found if it is empty.
    ///
    /// # Errors
    /// The sides are not known, or a column has an unknown change.
    pub fn named(header: &[String], wanted: &str, bestiary: &Bestiary) -> Result<Self, NoFights> {
        let sides = sides(header, wanted)?;
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
            let change = change.map_err(|wrong| NoFights::Change(column, wrong))?;
            changes.extend(change.map(|change| (change, column)));
        }
        Ok(Self { sides, changes })
    }
}

fn sides(header: &[String], wanted: &str) -> Result<SideColumns, NoFights> {
    if wanted.is_empty() {
        return known_sides(header).ok_or(NoFights::Unknown);
    }
    let names: Vec<&str> = wanted.split(',').map(str::trim).collect();
    let column = |name: &str| {
        let mut headings = header.iter();
        let found = headings.position(|heading| plain(heading) == plain(name));
        found.ok_or_else(|| NoFights::Missing(name.to_owned()))
    };
    match names[..] {
        [line] => Ok(SideColumns::Line(column(line)?)),
        [first, second] => Ok(SideColumns::Pair(column(first)?, column(second)?)),
        _ => Err(NoFights::Unknown),
    }
}

/// The columns whose headings are those of sides, or the only two columns of a table.
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
