//! Names for reading the answer of a fight: those of fighters in its script, and of the statistics
//! and lines about them.

use super::kind::Kind;
use crate::dh2e::json::Wrong;
use crate::dh2e::model::FightScenario;
use crate::dh2e::script::said::{Happening, happening};
use std::collections::{BTreeMap, HashSet};

/// The statistic with the number of rounds.
pub const ROUNDS: &str = "rounds";

/// The script of a fight, with the names for reading its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FightPlan {
    /// What people call it.
    pub title: String,
    /// The sides.
    pub sides: Vec<FightSide>,
    /// The name of a draw in the results of the script.
    pub nobody: &'static str,
    /// Kinds of fighters, in the order of the scenario.
    pub kinds: Vec<FighterFigures>,
    /// The script, whose roll returns the side that is left.
    pub script: String,
}

/// A side of a fight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FightSide {
    /// What people call it.
    pub name: String,
    /// The name of its victory in the results of the script.
    pub result: String,
}

/// A kind of fighters, with the names of its statistics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FighterFigures {
    /// The title of the kind: `Scav`, or `Scav 1 to 3` if another kind has the name as well.
    pub title: String,
    /// The index of its side.
    pub side: usize,
    /// The names of its fighters.
    pub names: Vec<String>,
    /// The total wounds of all of them.
    pub wounds: i64,
    /// The statistic with the number that stand at the end.
    pub standing: String,
}

impl FighterFigures {
    /// The statistics of the wounds that are left, one for each fighter.
    pub fn wounds_left(&self) -> impl Iterator<Item = String> {
        self.names.iter().map(|name| wounds_left(name))
    }

    /// The event that a line reports about a fighter of this kind; `None` for other lines.
    pub fn happening<'l>(&self, line: &'l str) -> Option<Happening<'l>> {
        let mut names = self.names.iter();
        names.find_map(|name| happening(name, line))
    }
}

/// The statistic of the wounds that are left to a fighter.
fn wounds_left(name: &str) -> String {
    format!("{WOUNDS_LEFT}{name}")
}

/// The same before the name.
pub(super) const WOUNDS_LEFT: &str = "wounds left to ";

/// The statistics of each kind after a fight.
pub(super) fn figures(kinds: &[Kind<'_>]) -> Vec<FighterFigures> {
    let figures = kinds.iter().map(|kind| FighterFigures {
        title: kind.title.clone(),
        side: kind.side,
        names: kind.names.clone(),
        wounds: kind.fighter.actor.wounds * kind.names.len() as i64,
        standing: standing(kind),
    });
    figures.collect()
}

/// The statistic with the number of a kind that stand at the end.
pub(super) fn standing(kind: &Kind<'_>) -> String {
    format!("{}: standing", kind.title)
}

/// The names of the fighters of one entry of a scenario: together, and of each.
pub(super) struct Called {
    pub(super) title: String,
    pub(super) names: Vec<String>,
}

/// The names of the fighters of a scenario, by entry: `Scav`, or `Scav 1` and `Scav 2` if there are
/// several, in one entry or in more.
///
/// # Errors
/// Two fighters would have the same name, because one is called `Scav 1` already.
pub(super) fn called(scenario: &FightScenario) -> Result<Vec<Called>, Wrong> {
    let fighters = || scenario.sides.iter().flat_map(|side| &side.fighters);
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for fighter in fighters() {
        *counts.entry(&fighter.actor.name).or_default() += fighter.count;
    }
    let mut next: BTreeMap<&str, u32> = BTreeMap::new();
    let all = fighters().map(|fighter| {
        let name = fighter.actor.name.as_str();
        let first = next.entry(name).or_insert(1);
        let from = *first;
        *first += fighter.count;
        let to = *first - 1;
        let all = counts[name];
        let numbered = |number| match all {
            1 => name.to_owned(),
            _ => format!("{name} {number}"),
        };
        Called {
            title: match fighter.count {
                1 => numbered(from),
                count if count == all => name.to_owned(),
                _ => format!("{name} {from} to {to}"),
            },
            names: (from..=to).map(numbered).collect(),
        }
    });
    let all: Vec<Called> = all.collect();
    let mut known = HashSet::new();
    let mut names = all.iter().flat_map(|called| &called.names);
    match names.find(|name| !known.insert(name.as_str())) {
        None => Ok(all),
        Some(name) => {
            let what = format!("has two fighters who are called `{name}`");
            Err(Wrong::new("$.sides", what).help("rename an actor"))
        }
    }
}
