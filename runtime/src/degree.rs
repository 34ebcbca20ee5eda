//! Degrees of success: ordered ladders of named outcomes, and how a roll climbs them.
//!
//! A degree is a rung's number, counted from 0 at the bottom. The interpreter, the exact engine and
//! the IR (through the lowering) follow [`pathfinder`].

use crate::ops::{OpResult, iadd, isub};

/// A ladder of outcomes, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ladder {
    /// The four degrees of Pathfinder's second edition (seed 000).
    Pathfinder,
    /// The same above a rung for no degree at all: that of a roll whose `vs` was dropped from its
    /// group.
    PathfinderOrNone,
}

impl Ladder {
    /// The names of the rungs.
    pub fn rungs(self) -> &'static [&'static str] {
        match self {
            Ladder::Pathfinder => &["Critical Failure", "Failure", "Success", "Critical Success"],
            Ladder::PathfinderOrNone => &[
                "No Degree",
                "Critical Failure",
                "Failure",
                "Success",
                "Critical Success",
            ],
        }
    }

    /// The lowest rung that is a success.
    pub fn success(self) -> i64 {
        match self {
            Ladder::Pathfinder => 2,
            Ladder::PathfinderOrNone => 3,
        }
    }

    /// Whether a rung is a degree at all.
    pub fn is_degree(self, rung: i64) -> bool {
        match self {
            Ladder::Pathfinder => true,
            Ladder::PathfinderOrNone => rung > 0,
        }
    }

    /// The names of the rungs as parts of column names.
    pub fn slugs(self) -> &'static [&'static str] {
        match self {
            Ladder::Pathfinder => &["critical_failure", "failure", "success", "critical_success"],
            Ladder::PathfinderOrNone => &[
                "no_degree",
                "critical_failure",
                "failure",
                "success",
                "critical_success",
            ],
        }
    }

    /// The name of a rung; what is above the ladder counts as its top, what is below as its bottom.
    pub fn name(self, rung: i64) -> &'static str {
        let rungs = self.rungs();
        let top = rungs.len() - 1;
        rungs[usize::try_from(rung).map_or(0, |rung| rung.min(top))]
    }
}

/// By how much a total has to beat or miss the class for a critical degree.
pub const CRITICAL_MARGIN: i64 = 10;

/// The faces of a twenty-sided die that shift a degree: the first lowers it, the second raises it.
pub const SHIFTING_FACES: (i64, i64) = (1, 20);

/// The sides of the die whose face shifts a degree.
pub const NATURAL_SIDES: i64 = 20;

/// The dice that may shift a degree, gathered over the left side of a `vs`: twenty-sided ones that
/// count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Naturals {
    /// How many there are.
    count: i64,
    /// The sum of their faces; the face itself where there is one die in all.
    face: i64,
}

impl Naturals {
    /// Adds `count` dice whose faces sum to `face`.
    pub fn add(&mut self, count: i64, face: i64) {
        // Where they wrap there are several dice, and none is natural.
        self.count = self.count.saturating_add(count);
        self.face = self.face.wrapping_add(face);
    }

    /// Adds those of a part of the roll.
    pub fn join(&mut self, part: Naturals) {
        self.add(part.count, part.face);
    }

    /// The face that may shift the degree: that of the only such die. None and several shift
    /// nothing.
    pub fn natural(self) -> Option<i64> {
        (self.count == 1).then_some(self.face)
    }
}

/// The rung of a total against a difficulty class on [`Ladder::Pathfinder`] (seed 000, "Degree
/// Calculation"): at least `dc + 10` a critical success, at least `dc` a success, above `dc - 10` a
/// failure, otherwise a critical failure; a natural 20 is one better, a natural 1 one worse.
///
/// # Errors
/// Overflow of `dc + 10` or `dc - 10`.
pub fn pathfinder(total: i64, dc: i64, natural: Option<i64>) -> OpResult {
    let high = iadd(dc, CRITICAL_MARGIN)?;
    let low = isub(dc, CRITICAL_MARGIN)?;
    let rung = i64::from(total >= high) + i64::from(total >= dc) + i64::from(total > low);
    let (lowers, raises) = SHIFTING_FACES;
    let shift = match natural {
        Some(face) if face == raises => 1,
        Some(face) if face == lowers => -1,
        _ => 0,
    };
    Ok((rung + shift).clamp(0, 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_and_shifts() {
        for (total, dc, natural, rung) in [
            (25, 15, None, 3),
            (24, 15, None, 2),
            (15, 15, None, 2),
            (14, 15, None, 1),
            (6, 15, None, 1),
            (5, 15, None, 0),
            (18, 25, Some(20), 2),
            (16, 15, Some(1), 1),
            (40, 15, Some(20), 3),
            (1, 15, Some(1), 0),
            (12, 15, Some(12), 1),
        ] {
            assert_eq!(pathfinder(total, dc, natural), Ok(rung), "{total} vs {dc}");
        }
        assert!(pathfinder(0, i64::MAX, None).is_err());
    }

    #[test]
    fn only_one_die_is_natural() {
        let mut naturals = Naturals::default();
        assert_eq!(naturals.natural(), None);
        naturals.add(1, 17);
        assert_eq!(naturals.natural(), Some(17));
        naturals.add(1, 4);
        assert_eq!(naturals.natural(), None);
    }
}
