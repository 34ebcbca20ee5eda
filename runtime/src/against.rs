//! Comparisons that give a grade: `a vs b` climbs a ladder of named degrees, `a under b` counts
//! degrees of success and failure.
//!
//! The *grade* of a roll is a rung of its ladder, or its signed number of degrees. The checker,
//! every engine and the reports read it from here.

use crate::degree::{Ladder, Shift};
use crate::ops::{OpResult, idiv_pos};
use std::fmt;

/// The comparison of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Against {
    /// `a vs b`: a difficulty class, with the rungs of a ladder.
    Class(Ladder),
    /// `a under b`: a target, with degrees by tens.
    Target(Tens),
}

/// Changes of a grade by tens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tens {
    /// The left side has no dice: it is the face of a die that was rolled before.
    pub is_face: bool,
    /// Whether a group may drop the test: then the result is 0.
    pub or_none: bool,
}

/// Seed 003, "Degrees of Success / Failure": a natural 1 always succeeds, a natural 100 always
/// fails.
const SHIFTS_BY_TENS: &[Shift] = &[Shift { face: 100, by: -1 }, Shift { face: 1, by: 1 }];

/// A degree for this much between the roll and the target.
pub const TEN: i64 = 10;

impl Against {
    /// `a vs b`
    pub const VERSUS: Against = Against::Class(Ladder::PATHFINDER);

    /// `a under b`
    pub const UNDER: Against = Against::Target(Tens {
        is_face: false,
        or_none: false,
    });

    /// The operator.
    pub fn word(self) -> &'static str {
        match self {
            Against::Class(_) => "vs",
            Against::Target(_) => "under",
        }
    }

    /// The name of its right side.
    pub fn noun(self) -> &'static str {
        match self {
            Against::Class(_) => "class",
            Against::Target(_) => "target",
        }
    }

    /// The operator that a word is.
    pub fn of_word(word: &str) -> Option<Against> {
        let all = [Against::VERSUS, Against::UNDER];
        let mut all = all.into_iter();
        all.find(|against| word.eq_ignore_ascii_case(against.word()))
    }

    /// The sides of the die whose face can shift the grade.
    pub fn natural_sides(self) -> u32 {
        match self {
            Against::Class(_) => 20,
            Against::Target(_) => 100,
        }
    }

    /// The natural faces that shift a grade: by rungs, or above 0 to a success, below 0 to a
    /// failure.
    pub fn shifts(self) -> &'static [Shift] {
        match self {
            Against::Class(ladder) => ladder.shifts(),
            Against::Target(_) => SHIFTS_BY_TENS,
        }
    }

    /// How a natural face shifts the grade.
    pub fn shift(self, natural: Option<i64>) -> i64 {
        let mut shifts = self.shifts().iter();
        let shift = shifts.find(|shift| natural == Some(shift.face));
        shift.map_or(0, |shift| shift.by)
    }

    /// Whether the left side is a face that was rolled before.
    pub fn is_face(self) -> bool {
        match self {
            Against::Class(_) => false,
            Against::Target(tens) => tens.is_face,
        }
    }

    /// The same, where it may be dropped from its group.
    pub fn or_none(self) -> Self {
        match self {
            Against::Class(ladder) => Against::Class(ladder.or_none()),
            Against::Target(tens) => Against::Target(Tens {
                or_none: true,
                ..tens
            }),
        }
    }

    /// Whether 0 means that it was dropped.
    pub fn has_none(self) -> bool {
        match self {
            Against::Class(ladder) => ladder.has_none(),
            Against::Target(tens) => tens.or_none,
        }
    }

    /// The grade of a total against a number, shifted by its natural face (see
    /// [`Against::shift`]).
    ///
    /// # Errors
    /// Overflow of a class and a margin.
    pub fn grade(self, total: i64, against: i64, shift: i64) -> OpResult {
        match self {
            Against::Class(ladder) => ladder.climb(total, against, shift),
            Against::Target(_) => Ok(by_tens(total, against, shift)),
        }
    }
}

/// Seed 003, "Degrees of Success / Failure", above 0 for a success: 1 more for each ten that the
/// target's tens are above (of a failure, below) those of the roll, at least 1.
fn by_tens(roll: i64, target: i64, shift: i64) -> i64 {
    let succeeds = match shift {
        0 => roll <= target,
        shift => shift > 0,
    };
    // Tenths of whole numbers are far from overflow.
    let margin = idiv_pos(target, TEN) - idiv_pos(roll, TEN);
    match succeeds {
        true => (1 + margin).max(1),
        false => (margin - 1).min(-1),
    }
}

/// Signed degrees in words: `2 degrees of success`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Degrees(pub i64);

impl fmt::Display for Degrees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.0.unsigned_abs() == 1 { "" } else { "s" };
        let what = if self.0 > 0 { "success" } else { "failure" };
        write!(f, "{} degree{plural} of {what}", self.0.unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formulas of seed 003, written out for each case.
    #[test]
    fn degrees_by_tens() {
        for (roll, target, degrees) in [
            (35, 45, 2),
            (67, 45, -3),
            (1, 0, 1),
            (100, 130, -1),
            (45, 45, 1),
            (46, 45, -1),
            (50, 49, -2),
            (2, 130, 14),
            (1, -25, 1),
            // Both are rounded down: -1 and 0.
            (5, -1, -2),
            (95, -15, -12),
            (99, 5, -10),
        ] {
            let shift = Against::UNDER.shift(Some(roll));
            let grade = Against::UNDER.grade(roll, target, shift);
            assert_eq!(grade, Ok(degrees), "{roll} under {target}");
        }
        for (roll, target) in [(i64::MIN, i64::MAX), (i64::MAX, i64::MIN)] {
            assert!(Against::UNDER.grade(roll, target, 0).is_ok());
        }
    }

    #[test]
    fn a_roll_without_a_natural_is_only_compared() {
        assert_eq!(Against::UNDER.grade(1, 0, 0), Ok(-1));
        assert_eq!(Against::UNDER.grade(100, 130, 0), Ok(4));
    }

    #[test]
    fn degrees_in_words() {
        assert_eq!(Degrees(1).to_string(), "1 degree of success");
        assert_eq!(Degrees(-3).to_string(), "3 degrees of failure");
    }
}
