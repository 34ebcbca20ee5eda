//! The names of fighters, which tell those of one actor apart.

use crate::dh2e::json::Wrong;
use crate::dh2e::model::FightScenario;
use std::collections::{BTreeMap, HashSet};

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
