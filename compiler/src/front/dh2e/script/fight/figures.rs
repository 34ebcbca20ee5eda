//! What reports look up in the answer of a fight: the names that fighters have in its script, and
//! the statistics and lines that are about them.

use super::kind::Kind;
use crate::front::dh2e::json::Wrong;
use crate::front::dh2e::model::FightScenario;
use crate::front::dh2e::script::said::{Happening, happening};
use std::collections::{BTreeMap, HashSet};

/// The statistic of how many rounds a fight had.
pub const ROUNDS: &str = "rounds";

/// A fight as a script, and what its answer holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FightPlan {
    /// What people call it.
    pub title: String,
    /// The sides.
    pub sides: Vec<FightSide>,
    /// What nobody's victory is called in the results of the script.
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
    /// What its victory is called in the results of the script.
    pub result: String,
}

/// A kind of fighters, and what is noted about them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FighterFigures {
    /// What people call the kind: `Scav`, or `Scav 1 to 3` if another kind has the name as well.
    pub title: String,
    /// The index of its side.
    pub side: usize,
    /// The names of its fighters.
    pub names: Vec<String>,
    /// The wounds that all of them together can take.
    pub wounds: i64,
    /// The statistic of how many stand at the end.
    pub standing: String,
}

impl FighterFigures {
    /// The statistics of the wounds that are left, one for each fighter.
    pub fn wounds_left(&self) -> impl Iterator<Item = String> {
        self.names.iter().map(|name| wounds_left(name))
    }

    /// What a line tells of a fighter of this kind; `None` if it tells something else.
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

/// What is known about each kind after a fight.
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

/// The statistic of how many of a kind stand at the end.
pub(super) fn standing(kind: &Kind<'_>) -> String {
    format!("{}: standing", kind.title)
}

/// What the fighters of an entry of a scenario are called: together, and each of them.
pub(super) struct Called {
    pub(super) title: String,
    pub(super) names: Vec<String>,
}

/// What the fighters of a scenario are called, by entry: `Scav`, or `Scav 1` and `Scav 2` if there
/// are several of them, in one entry or in more.
///
/// # Errors
/// Two fighters would have one name, as one is called `Scav 1` already.
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
