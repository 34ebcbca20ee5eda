//! Degrees of success: ordered ladders of named outcomes, and the steps of a roll on them.
//!
//! A degree is a rung's number, counted from 0 at the bottom. A ladder is a table that the checker,
//! every engine and the reports read, so a new ladder only needs a new table.

use crate::ops::{OpResult, iadd, isub};
use std::fmt;

/// A ladder of outcomes, the worst first: a handle of its table.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ladder(&'static Table);

#[derive(PartialEq, Eq, Hash)]
struct Table {
    rungs: &'static [Rung],
    /// The condition of each rung but the lowest, the highest first.
    steps: &'static [Step],
    shifts: &'static [Shift],
    success: i64,
    /// Whether the lowest rung means no degree; the others are those of the ladder without it.
    has_none: bool,
    /// The same ladder with a rung for no degree.
    or_none: Option<Ladder>,
}

/// A rung of a ladder.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Rung {
    /// Its name, for people.
    pub name: &'static str,
    /// Its name in scripts and their arguments; none for the rung of no degree.
    pub word: Option<&'static str>,
    /// Its name as a part of column names.
    pub slug: &'static str,
}

/// The condition on a total and the class for a rung.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// By how much the class is moved before the total is compared with it.
    pub margin: i64,
    /// Whether the total has to be above that, not only at least that.
    pub above: bool,
}

/// A natural face that moves the degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shift {
    /// The face.
    pub face: i64,
    /// The number of rungs by which it moves.
    pub by: i64,
}

const fn rung(name: &'static str, word: &'static str, slug: &'static str) -> Rung {
    Rung {
        name,
        word: Some(word),
        slug,
    }
}

const fn step(margin: i64, above: bool) -> Step {
    Step { margin, above }
}

/// Seed 000, "Degree Calculation": at least `dc + 10` a critical success, at least `dc` a success,
/// above `dc - 10` a failure, otherwise a critical failure; a natural 20 is one better, a natural 1
/// one worse.
static PATHFINDER: Table = Table {
    rungs: PATHFINDER_OR_NONE.rungs.split_at(1).1,
    success: 2,
    has_none: false,
    or_none: Some(Ladder(&PATHFINDER_OR_NONE)),
    ..PATHFINDER_OR_NONE
};

/// The same ladder above a rung for no degree: for a roll whose `vs` a group dropped.
const PATHFINDER_OR_NONE: Table = Table {
    rungs: &[
        Rung {
            name: "No Degree",
            word: None,
            slug: "no_degree",
        },
        rung("Critical Failure", "criticalFailure", "critical_failure"),
        rung("Failure", "failure", "failure"),
        rung("Success", "success", "success"),
        rung("Critical Success", "criticalSuccess", "critical_success"),
    ],
    steps: &[step(10, false), step(0, false), step(-10, true)],
    shifts: &[Shift { face: 1, by: -1 }, Shift { face: 20, by: 1 }],
    success: 3,
    has_none: true,
    or_none: None,
};

impl Ladder {
    /// The four degrees of Pathfinder's second edition (seed 000).
    pub const PATHFINDER: Ladder = Ladder(&PATHFINDER);

    /// The ladders whose degrees scripts can name.
    pub const IN_SCRIPTS: [Ladder; 1] = [Ladder::PATHFINDER];

    /// The rungs, the worst first.
    pub fn rungs(self) -> &'static [Rung] {
        self.0.rungs
    }

    /// The names of the rungs.
    pub fn names(self) -> impl ExactSizeIterator<Item = &'static str> {
        self.0.rungs.iter().map(|rung| rung.name)
    }

    /// The names of its degrees in scripts and their arguments, the worst first.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        self.0.rungs.iter().filter_map(|rung| rung.word)
    }

    /// The rung that scripts call this.
    pub fn rung_of(self, word: &str) -> Option<i64> {
        let rung = self
            .0
            .rungs
            .iter()
            .position(|rung| rung.word == Some(word))?;
        i64::try_from(rung).ok()
    }

    /// The condition of each rung but the lowest, the highest first.
    pub fn steps(self) -> &'static [Step] {
        self.0.steps
    }

    /// The natural faces that move a degree.
    pub fn shifts(self) -> &'static [Shift] {
        self.0.shifts
    }

    /// The lowest rung that is a success.
    pub fn success(self) -> i64 {
        self.0.success
    }

    /// Whether the lowest rung means no degree.
    pub fn has_none(self) -> bool {
        self.0.has_none
    }

    /// This ladder with a rung for no degree; itself, if it has one.
    pub fn or_none(self) -> Self {
        self.0.or_none.unwrap_or(self)
    }

    /// The lowest rung that is a degree.
    pub fn lowest(self) -> i64 {
        i64::from(self.0.has_none)
    }

    /// Whether a rung is a degree at all.
    pub fn is_degree(self, rung: i64) -> bool {
        rung >= self.lowest()
    }

    /// The name of a rung; numbers above the ladder count as its top, those below as its bottom.
    pub fn name(self, rung: i64) -> &'static str {
        let top = self.0.rungs.len() - 1;
        self.0.rungs[usize::try_from(rung).map_or(0, |rung| rung.min(top))].name
    }

    /// The rung of a total against a class, moved by `shift` rungs (see
    /// [`Against::shift`](crate::against::Against::shift)) as far as there are degrees.
    ///
    /// # Errors
    /// Overflow of the class and a margin.
    pub fn climb(self, total: i64, class: i64, shift: i64) -> OpResult {
        let mut rung = 0;
        for step in self.0.steps {
            let bound = match step.margin {
                margin if margin < 0 => isub(class, -margin)?,
                margin => iadd(class, margin)?,
            };
            rung += i64::from(total > bound || (!step.above && total == bound));
        }
        let top = self.0.steps.len() as i64;
        Ok((rung + shift).clamp(0, top) + self.lowest())
    }
}

impl fmt::Debug for Ladder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// The dice that may shift a degree, gathered over the left side of a `vs` or `under`: those with
/// [`natural_sides`](crate::against::Against::natural_sides) that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Naturals {
    /// The sides of such a die.
    sides: u32,
    /// The number of such dice.
    count: i64,
    /// The sum of their faces; the face itself where there is one die in all.
    face: i64,
}

impl Naturals {
    /// None yet, of dice with this many sides.
    pub fn new(sides: u32) -> Self {
        Self {
            sides,
            count: 0,
            face: 0,
        }
    }

    /// The sides of a die that may shift the degree.
    pub fn sides(self) -> u32 {
        self.sides
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::against::Against;

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
            let ladder = Ladder::PATHFINDER;
            let shift = Against::Class(ladder).shift(natural);
            assert_eq!(ladder.climb(total, dc, shift), Ok(rung), "{total} vs {dc}");
            let or_none = ladder.or_none();
            assert_eq!(or_none.climb(total, dc, shift), Ok(rung + 1));
            assert_eq!(or_none.name(rung + 1), ladder.name(rung));
        }
        assert!(Ladder::PATHFINDER.climb(0, i64::MAX, 0).is_err());
    }

    #[test]
    fn only_one_die_is_natural() {
        let mut naturals = Naturals::new(20);
        assert_eq!(naturals.natural(), None);
        naturals.add(1, 17);
        assert_eq!(naturals.natural(), Some(17));
        naturals.add(1, 4);
        assert_eq!(naturals.natural(), None);
    }
}
