//! The questions of a game master about a side: whether somebody falls or dies, and how much it has
//! left; and a word for the whole fight.

use super::fought::Fought;
use dicec_compiler::answer::{Distribution, Share};
use serde::Serialize;

/// The quantiles of the hit points that are left.
pub const LEVELS: [f64; 3] = [0.05, 0.5, 0.95];

/// The state of a side in the course of the fights.
#[derive(Clone, Debug)]
pub struct Outlook<'f> {
    /// The probability that at least one of its creatures falls to 0 hit points.
    pub falls: f64,
    /// The probability that at least one of its characters is dead at the end; `None` without
    /// characters.
    pub dies: Option<Share>,
    /// The distribution of the sum of the hit points that are left.
    pub left: Option<&'f Distribution>,
    /// Their sum at the beginning; `None` if hit points are rolled.
    pub most: Option<i64>,
}

impl Outlook<'_> {
    /// The hit points that are left at each of [`LEVELS`].
    pub fn quantiles(&self) -> Option<[i64; 3]> {
        let left = self.left?;
        Some(LEVELS.map(|level| left.quantile(level)))
    }
}

/// A word for a fight, from the view of the first side. docs/encounters.md has the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It wins, and hardly ever does somebody fall.
    Trivial,
    /// It wins, and seldom does somebody fall.
    Easy,
    /// It wins nearly always.
    Medium,
    /// It may lose, or lose somebody.
    Hard,
    /// It loses often, or somebody dies often.
    Deadly,
    /// It loses more often than not.
    Losing,
}

impl Verdict {
    /// The word for a chance to win, that somebody falls, and that somebody dies: the worst that
    /// one of them gives.
    pub fn of(wins: f64, falls: f64, dies: f64) -> Self {
        let by_wins = match wins {
            0.995.. => Self::Trivial,
            0.98.. => Self::Easy,
            0.95.. => Self::Medium,
            0.85.. => Self::Hard,
            0.5.. => Self::Deadly,
            _ => Self::Losing,
        };
        let by_falls = match falls {
            ..0.05 => Self::Trivial,
            ..0.3 => Self::Easy,
            _ => Self::Medium,
        };
        let by_deaths = match dies {
            ..0.01 => Self::Trivial,
            ..0.1 => Self::Hard,
            _ => Self::Deadly,
        };
        by_wins.max(by_falls).max(by_deaths)
    }

    /// The verdict about a side: `an easy fight for 4 Veteran`.
    pub fn about(self, side: &str) -> String {
        let word = match self {
            Self::Trivial => "a trivial",
            Self::Easy => "an easy",
            Self::Medium => "a medium",
            Self::Hard => "a hard",
            Self::Deadly => "a deadly",
            Self::Losing => "a losing",
        };
        format!("{word} fight for {side}")
    }
}

impl Fought {
    /// The outlook of a side.
    pub fn outlook(&self, side: usize) -> Outlook<'_> {
        let figures = &self.side_figures[side];
        let dead = figures.dead.as_deref().and_then(|name| self.odds_of(name));
        Outlook {
            // They exclude each other: one creature falls first.
            falls: self.first_to_fall(side).iter().map(|(_, p)| p).sum(),
            dies: dead.map(|dead| dead.within(1, i64::MAX)),
            left: self.odds_of(&figures.hit_points),
            most: figures.most,
        }
    }

    /// A word for the fight, from the view of the first side.
    pub fn verdict(&self) -> Verdict {
        let outlook = self.outlook(0);
        let dies = outlook.dies.map_or(0.0, |dies| dies.p);
        Verdict::of(self.wins[0].p, outlook.falls, dies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_of_three_chances_decides() {
        assert_eq!(Verdict::of(1.0, 0.0, 0.0), Verdict::Trivial);
        assert_eq!(Verdict::of(1.0, 0.2, 0.0), Verdict::Easy);
        assert_eq!(Verdict::of(1.0, 0.9, 0.0), Verdict::Medium);
        assert_eq!(Verdict::of(0.97, 0.9, 0.005), Verdict::Medium);
        assert_eq!(Verdict::of(0.99, 0.1, 0.05), Verdict::Hard);
        assert_eq!(Verdict::of(0.9, 1.0, 0.0), Verdict::Hard);
        assert_eq!(Verdict::of(0.99, 0.5, 0.2), Verdict::Deadly);
        assert_eq!(Verdict::of(0.49, 1.0, 0.0), Verdict::Losing);
    }
}
