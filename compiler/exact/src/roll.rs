//! A pool or a selection with known parameters, as [`params`](super::params) gives them.

use super::shortcuts::Shortcuts;
use dicec_lang::hir::{Condition, Counting, Die, Face, Pool, Select, Stage};
use dicec_runtime::bug;
use dicec_runtime::compare::CompareOp;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::ops::OpResult;
use dicec_runtime::pmf::{Budget, Exhausted, Pmf, Weight};
use dicec_runtime::pool::{self, Bound, Explosion, Flags, Selector};
use dicec_runtime::rng::Dice;
use dicec_runtime::trap::TrapCode;
use std::num::NonZeroU64;

/// Reads parameters in the order of evaluation.
pub(super) struct Numbers<'n>(std::slice::Iter<'n, i64>);

impl<'n> Numbers<'n> {
    pub(super) fn new(numbers: &'n [i64]) -> Self {
        Self(numbers.iter())
    }

    fn next(&mut self) -> i64 {
        // There is one for each request: both sides walk the pool in the same order.
        let next = self.0.next();
        *next.unwrap_or_else(|| bug!("a pool has more numbers than were evaluated").raise())
    }

    fn test(&mut self, condition: &Condition) -> Test {
        Test {
            op: condition.op,
            threshold: self.next(),
        }
    }

    fn tests(&mut self, conditions: &[Condition]) -> Vec<Test> {
        let conditions = conditions.iter();
        conditions.map(|condition| self.test(condition)).collect()
    }

    /// The number of dice that each selection keeps or drops.
    pub(super) fn selects<'e>(
        &mut self,
        selects: impl IntoIterator<Item = &'e Select>,
    ) -> Vec<(Selector, i64)> {
        let counted = selects.into_iter();
        counted
            .map(|select| (select.selector, self.next()))
            .collect()
    }

    /// The condition of a count.
    pub(super) fn count(&mut self, counting: Option<&Counting>) -> Option<Count> {
        counting.map(|counting| Count {
            double: self.tests(&counting.double),
            success: self.tests(&counting.success),
            failure: self.tests(&counting.failure),
        })
    }
}

/// A comparison with a known number.
#[derive(Clone, Copy)]
pub(super) struct Test {
    op: CompareOp,
    threshold: i64,
}

impl Test {
    pub(super) fn holds(self, number: i64) -> bool {
        self.op.holds(number.cmp(&self.threshold))
    }
}

/// A change of the dice; see [`Stage`].
pub(super) enum Change {
    Explode(Explosion, Option<Test>),
    Reroll { once: bool, tests: Vec<Test> },
    Bound(Bound, i64),
    Select(Vec<(Selector, i64)>),
}

impl Change {
    /// Whether it looks at faces.
    pub(super) fn reads_faces(&self) -> bool {
        matches!(self, Change::Explode(..) | Change::Reroll { .. })
    }
}

/// How a pool is counted; see [`Counting`].
pub(super) struct Count {
    double: Vec<Test>,
    success: Vec<Test>,
    failure: Vec<Test>,
}

impl Count {
    /// The contribution of a kept die with this value to the count.
    fn of(&self, value: i64) -> i64 {
        let meets = |tests: &[Test]| tests.iter().any(|test| test.holds(value));
        match () {
            () if meets(&self.double) => 2,
            () if meets(&self.success) => 1,
            () => -i64::from(meets(&self.failure)),
        }
    }

    /// The contribution of a kept die with this value to the result.
    pub(super) fn value(count: Option<&Count>) -> impl Fn(i64) -> i64 + Copy {
        move |value| count.map_or(value, |count| count.of(value))
    }

    /// The result of a rolled pool.
    pub(super) fn outcome(count: Option<&Count>, table: &mut pool::Pool) -> OpResult {
        let Some(count) = count else {
            return table.sum();
        };
        let mut counted = |tests: &[Test], mark| {
            for test in tests {
                table.when(test.op, test.threshold);
            }
            table.count(mark)
        };
        let doubled = counted(&count.double, Flags::SUCCESS);
        let single = counted(&count.success, Flags::SUCCESS);
        Ok(2 * doubled + single - counted(&count.failure, Flags::FAILURE))
    }
}

/// A pool of dice with known parameters.
pub(super) struct Roll {
    /// The number of dice.
    pub(super) dice: u64,
    /// The number of sides of each die, unless it has `faces`.
    pub(super) sides: i64,
    /// The faces of a custom die.
    faces: Vec<i64>,
    pub(super) selects: Vec<(Selector, i64)>,
    pub(super) changes: Vec<Change>,
    pub(super) count: Option<Count>,
    /// Whether closed forms are allowed, and walks through multisets.
    pub(super) closed: bool,
    pub(super) multisets: bool,
}

impl Roll {
    /// Reads the numbers of `pool`.
    pub(super) fn new(pool: &Pool, numbers: &mut Numbers<'_>, shortcuts: Shortcuts) -> Self {
        let dice = numbers.next().unsigned_abs();
        let (sides, faces) = match &pool.die {
            Die::Sides(_) => (numbers.next(), Vec::new()),
            Die::Faces(faces) => (0, faces.iter().map(Face::value).collect()),
        };
        let mut selects = numbers.selects(pool.all_selects());
        let last = selects.split_off(selects.len() - pool.selects.len());
        let mut early = selects.into_iter();
        let changes = pool.stages.iter().map(|stage| match stage {
            Stage::Explode(how, condition) => {
                let test = condition.as_ref().map(|condition| numbers.test(condition));
                Change::Explode(*how, test)
            }
            Stage::Reroll { once, conditions } => Change::Reroll {
                once: *once,
                tests: conditions.iter().map(|c| numbers.test(c)).collect(),
            },
            Stage::Bound(how, _) => Change::Bound(*how, numbers.next()),
            Stage::Select(run) => Change::Select(early.by_ref().take(run.len()).collect()),
        });
        let changes = changes.collect();
        Self {
            dice,
            sides,
            faces,
            selects: last,
            changes,
            count: numbers.count(pool.counting.as_ref()),
            closed: shortcuts.contains(Shortcuts::CLOSED_FORMS),
            multisets: shortcuts.contains(Shortcuts::MULTISETS),
        }
    }

    /// Whether its dice have plain sides, not custom faces.
    pub(super) fn is_plain(&self) -> bool {
        self.faces.is_empty()
    }

    /// Whether its dice may add others to the pool.
    pub(super) fn grows(&self) -> bool {
        let explosion = |change: &Change| match change {
            Change::Explode(how, _) => *how != Explosion::Compound,
            _ => false,
        };
        self.changes.iter().any(explosion)
    }

    /// Whether dice are dropped before later changes.
    pub(super) fn selects_early(&self) -> bool {
        let early = |change: &Change| matches!(change, Change::Select(_));
        self.changes.iter().any(early)
    }

    /// The number of plain sides, never 0.
    pub(super) fn plain_sides(&self) -> NonZeroU64 {
        // In 1..=10^9 for plain dice.
        let sides = NonZeroU64::new(self.sides.unsigned_abs());
        sides.unwrap_or_else(|| bug!("a die without sides").raise())
    }

    /// The highest face of a die.
    pub(super) fn highest(&self) -> i64 {
        self.faces.iter().copied().max().unwrap_or(self.sides)
    }

    /// The distribution of one die before its changes.
    pub(super) fn die<W: Weight>(&self, budget: &mut Budget) -> Result<Pmf<W>, Exhausted> {
        budget.spend(self.faces.len() as u64, self.faces.len() as u64)?;
        let faces = self.faces.iter().map(|face| (*face, W::from_u64(1)));
        match Pmf::from_weights(faces) {
            Some(die) => Ok(die),
            // It has plain sides.
            None => Pmf::die(self.plain_sides(), budget),
        }
    }

    /// Throws the dice: draws, changes and selects them as every roll does.
    pub(super) fn throw(
        &self,
        dice: &mut impl Dice,
        limits: RollLimits,
    ) -> Result<pool::Pool, TrapCode> {
        let mut table = pool::Pool::new(&self.faces);
        table.draw(dice, self.dice.cast_signed(), self.sides)?;
        for change in &self.changes {
            match change {
                Change::Explode(how, test) => {
                    if let Some(test) = test {
                        table.when(test.op, test.threshold);
                    }
                    table.explode(dice, *how, limits.explosions, limits.dice)?;
                }
                Change::Reroll { once, tests } => {
                    for test in tests {
                        table.when(test.op, test.threshold);
                    }
                    table.reroll(dice, *once, limits.rerolls)?;
                }
                Change::Bound(how, bound) => table.bound(*how, *bound),
                Change::Select(run) => {
                    for &(selector, count) in run {
                        table.select(selector, count);
                    }
                    table.set_aside();
                }
            }
        }
        for &(selector, count) in &self.selects {
            table.select(selector, count);
        }
        Ok(table)
    }
}
