//! Names for reading the answer of a fight: those of its sides and kinds, and of the statistics
//! and lines about them.

use super::kind::Kind;
use crate::dh2e::script::said::{Happening, happening};

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
