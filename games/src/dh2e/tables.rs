//! Tables in JSON: of critical injuries, and of psychic phenomena and perils (seed 003, "Critical
//! Injuries" and "Focus Power Flow"). Scripts look them up with `match`.

use super::condition::{Condition, check_condition};
use super::json::{Wrong, instead};
use super::location::LOCATIONS;
use schemars::JsonSchema;
use serde::Deserialize;
use std::num::NonZeroU32;

/// The word for every type of damage, or every location.
const ALL: &str = "all";

/// Faces of the die that looks up phenomena and perils.
const FACES: u32 = 100;

/// A file with a table of critical injuries.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InjuryTable {
    /// Its rows.
    pub injuries: Vec<InjuryRow>,
}

/// A row of a table of critical injuries: what damage of a type does to a location, from a severity
/// on up to the next row of the same type and location.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InjuryRow {
    /// The type of damage, or several: `energy`, `["impact", "rending"]`, `all`.
    #[serde(rename = "type")]
    pub damage_type: OneOrMore,
    /// The location, or several: `head`, `["rightArm", "leftArm"]`, `all`.
    pub location: OneOrMore,
    /// The least severity: how far the damage of the hit exceeds the wounds that were left.
    pub severity: NonZeroU32,
    /// What happens, after the name of whoever is hit: `Scav 1: a cracked jaw`.
    pub text: String,
    /// The conditions that follow.
    #[serde(default)]
    pub conditions: Vec<Condition>,
    /// How many rounds the conditions last that do not say it themselves; without this, they have
    /// no end.
    #[serde(default)]
    pub rounds: Option<NonZeroU32>,
    /// The levels of fatigue that follow.
    #[serde(default)]
    pub fatigue: u32,
}

/// A word, or several.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "this is a text or a list of texts")]
pub enum OneOrMore {
    /// One word.
    One(String),
    /// Several.
    More(Vec<String>),
}

impl OneOrMore {
    fn words(&self) -> &[String] {
        match self {
            Self::One(word) => std::slice::from_ref(word),
            Self::More(words) => words,
        }
    }

    fn includes(&self, wanted: &str) -> bool {
        let mut words = self.words().iter();
        words.any(|word| word.eq_ignore_ascii_case(wanted) || word == ALL)
    }
}

impl InjuryRow {
    /// Its conditions, each with the rounds that it lasts; `None` if it has no end.
    pub(super) fn conditions(&self) -> impl Iterator<Item = (&str, Option<NonZeroU32>)> {
        let conditions = self.conditions.iter();
        conditions.map(|one| (one.name(), one.rounds().or(self.rounds)))
    }
}

/// A table of critical injuries whose locations exist.
#[derive(Clone, Copy, Debug)]
pub(super) struct Injuries<'a>(&'a [InjuryRow]);

impl<'a> Injuries<'a> {
    /// A table of these rows.
    ///
    /// # Errors
    /// A row for a location that does not exist, or a condition that is probably a typo.
    pub(super) fn new(rows: &'a [InjuryRow]) -> Result<Self, Wrong> {
        for (index, row) in rows.iter().enumerate() {
            let known = |word: &&String| *word == ALL || LOCATIONS.contains(&word.as_str());
            if let Some(word) = row.location.words().iter().find(|word| !known(word)) {
                let path = format!("$.injuries[{index}].location");
                let wrong = Wrong::new(path, format!("has `{word}`, which is not a location"));
                let known = LOCATIONS.into_iter().chain([ALL]);
                return Err(wrong.help(instead(word, known)));
            }
            for (at, condition) in row.conditions.iter().enumerate() {
                let path = format!("$.injuries[{index}].conditions[{at}]");
                check_condition(condition.name(), &path)?;
            }
        }
        Ok(Self(rows))
    }

    /// The rows for damage of a type at a location, by rising severity, from 1 on.
    ///
    /// # Errors
    /// A severity without a row, or with two.
    pub(super) fn rows(
        &self,
        damage_type: &str,
        location: &str,
    ) -> Result<Vec<&'a InjuryRow>, Wrong> {
        let fits = |row: &&InjuryRow| {
            row.damage_type.includes(damage_type) && row.location.includes(location)
        };
        let mut rows: Vec<&InjuryRow> = self.0.iter().filter(fits).collect();
        rows.sort_by_key(|row| row.severity);
        let wrong = |number: &str, severity: u32| {
            let hit = format!("{damage_type} damage to the {location} of severity {severity}");
            let wrong = Wrong::new("$.injuries", format!("has {number} for {hit}"));
            Err(wrong
                .help("each hit needs one row: of its type, its location and a severity from 1 on"))
        };
        let twice = rows
            .windows(2)
            .find(|pair| pair[0].severity == pair[1].severity);
        match (rows.first(), twice) {
            (_, Some(pair)) => wrong("two rows", pair[0].severity.get()),
            (Some(first), None) if first.severity.get() == 1 => Ok(rows),
            _ => wrong("no row", 1),
        }
    }
}

/// A file with tables of psychic phenomena and of perils.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhenomenaTable {
    /// What a d100 gives when a power calls phenomena.
    pub phenomena: Vec<PhenomenonRow>,
    /// What a d100 gives when a row of phenomena sends on to the perils.
    #[serde(default)]
    pub perils: Vec<PerilRow>,
}

/// A row of a table of phenomena.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhenomenonRow {
    /// The lowest roll, from 1 on.
    pub from: u32,
    /// The highest roll, up to 100.
    pub to: u32,
    /// What happens.
    pub text: String,
    /// Whether it sends on to the table of perils.
    #[serde(default)]
    pub perils: bool,
}

/// A row of a table of perils.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PerilRow {
    /// The lowest roll, from 1 on.
    pub from: u32,
    /// The highest roll, up to 100.
    pub to: u32,
    /// What happens.
    pub text: String,
}

impl PhenomenaTable {
    /// Checks that each roll of a d100 has one row, in both tables if the first one sends on.
    ///
    /// # Errors
    /// A roll without a row or with two, or perils that are missing.
    pub fn check(&self) -> Result<(), Wrong> {
        let ranges = self.phenomena.iter().map(|row| (row.from, row.to));
        check_ranges("$.phenomena", ranges.collect())?;
        let sends_on = self.phenomena.iter().any(|row| row.perils);
        match self.perils.is_empty() {
            true if sends_on => {
                let what = "needs a member `perils`, because rows of `phenomena` send on to it";
                let help = "add `\"perils\": [{\"from\": 1, \"to\": 100, \"text\": ...}]`";
                Err(Wrong::new("$", what).help(help))
            }
            true => Ok(()),
            false => {
                let ranges = self.perils.iter().map(|row| (row.from, row.to));
                check_ranges("$.perils", ranges.collect())
            }
        }
    }
}

/// Checks that ranges have each face of a d100 once.
fn check_ranges(path: &str, ranges: Vec<(u32, u32)>) -> Result<(), Wrong> {
    let wrong = |path: String, what: String| {
        let help = format!("the rows together have each roll from 1 to {FACES} once");
        Err(Wrong::new(path, what).help(help))
    };
    for (index, &(from, to)) in ranges.iter().enumerate() {
        if from == 0 || to > FACES || from > to {
            let what =
                format!("is for rolls from {from} to {to}, which are not rolls of a d{FACES}");
            return wrong(format!("{path}[{index}]"), what);
        }
    }
    for face in 1..=FACES {
        let holds = |&&(from, to): &&(u32, u32)| (from..=to).contains(&face);
        match ranges.iter().filter(holds).count() {
            0 => return wrong(path.to_owned(), format!("has no row for a roll of {face}")),
            1 => {}
            rows => {
                let what = format!("has {rows} rows for a roll of {face}");
                return wrong(path.to_owned(), what);
            }
        }
    }
    Ok(())
}
