//! Pools whose dice are selected before later changes: `2d6kh1r<=2`, `8d4kh4!`.
//!
//! Between selections the dice change independently of each other, and a selection depends only on
//! the values of all dice. So the pool is walked through its changes as a multiset of dice, each a
//! value and a face: nine dice of six sides are 2,002 multisets, not 6^9 rolls. After the last
//! selection, the dice that show the same are a pool of their own, which begins with this face.
//!
//! Of dice with equal values a selection takes the earlier, which a multiset does not know. That
//! matters only if their faces differ and are read later; then there is no closed form.

use super::die_distribution::{DieDistribution, Refusal};
use super::keep::Selection;
use super::pool::{Answer, selected};
use super::roll::{Change, Count, Roll};
use super::shortcuts::{Shortcuts, fire};
use dicec_runtime::bug;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::pmf::{Budget, CombineError, Pmf, Truncated, Weight};
use dicec_runtime::pool::Selector;
use dicec_runtime::trap::TrapCode;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// The value and the face of a die. If no later change reads faces, the face is the value.
type Shown = (i64, i64);

/// The dice of a pool, sorted.
type Dice = Box<[Shown]>;

/// Why a walk ends early: a trap, or something that multisets do not tell.
type Stop = Option<TrapCode>;

/// A distribution over multisets of dice, by their index.
struct Multisets<W> {
    known: IndexSet<Dice, FxBuildHasher>,
    indices: Pmf<W>,
}

/// The multisets that a step leads to.
#[derive(Default)]
struct Next(IndexSet<Dice, FxBuildHasher>);

impl Next {
    fn index(&mut self, dice: Dice) -> i64 {
        self.0.insert_full(dice).0 as i64
    }
}

impl<W: Weight> Multisets<W> {
    fn none() -> Self {
        let mut next = Next::default();
        let indices = Pmf::point(next.index(Box::new([])));
        let known = next.0;
        Self { known, indices }
    }

    fn dice(&self, index: i64) -> &[Shown] {
        let index = usize::try_from(index).ok();
        let dice = index.and_then(|index| self.known.get_index(index));
        dice.unwrap_or_else(|| bug!("no multiset has this index").raise())
    }

    /// Adds dice with this distribution over the indices of `shown`.
    fn with(
        mut self,
        dice: u64,
        die: &Pmf<W>,
        shown: &dyn Fn(i64) -> Shown,
        budget: &mut Budget,
    ) -> Result<Self, CombineError<Stop>> {
        for _ in 0..dice {
            let pairs = (self.indices.len() as u64).saturating_mul(die.len() as u64);
            let size = self.dice(0).len() as u64 + 1;
            budget.spend(pairs.saturating_mul(size), 1)?;
            let mut next = Next::default();
            let indices = self.indices.combine(die, budget, |index, outcome| {
                let (dice, new) = (self.dice(index), shown(outcome));
                let at = dice.partition_point(|die| *die < new);
                let (before, after) = dice.split_at(at);
                let more = before.iter().chain([&new]).chain(after).copied();
                Ok(next.index(more.collect()))
            })?;
            self = Self {
                known: next.0,
                indices,
            };
        }
        Ok(self)
    }

    /// Removes the dice that a selection drops.
    fn selected(
        &self,
        selects: &[(Selector, i64)],
        budget: &mut Budget,
    ) -> Result<Self, CombineError<Stop>> {
        let selection = Selection::new(selects);
        let all = self.indices.len() as u64;
        budget.spend(all.saturating_mul(self.dice(0).len() as u64), all)?;
        let mut next = Next::default();
        let indices = self.indices.map(budget, |index| {
            let kept = kept(self.dice(index), &selection).ok_or(None)?;
            Ok(next.index(kept))
        })?;
        Ok(Self {
            known: next.0,
            indices,
        })
    }
}

/// The dice that a selection keeps; `None` if that depends on their order.
fn kept(dice: &[Shown], selection: &Selection<'_>) -> Option<Dice> {
    let number = dice.len() as u64;
    let keeps: Vec<bool> = (0..number)
        .map(|index| selection.keeps(index, number))
        .collect();
    let equal = |left: &(&Shown, &bool), right: &(&Shown, &bool)| left.0.0 == right.0.0;
    let all: Vec<(&Shown, &bool)> = dice.iter().zip(&keeps).collect();
    let is_clear = all.chunk_by(equal).all(|tied| {
        let alike = tied.iter().all(|(die, _)| *die == tied[0].0);
        alike || tied.iter().all(|(_, keeps)| *keeps == tied[0].1)
    });
    let kept = all.iter().filter(|(_, keeps)| **keeps);
    is_clear.then(|| kept.map(|(die, _)| **die).collect())
}

impl Roll {
    /// The result of a pool whose dice are selected before later changes.
    pub(super) fn of_multisets<W: Weight>(
        &self,
        limits: RollLimits,
        count: Option<&Count>,
        budget: &mut Budget,
    ) -> Answer<W> {
        let mut stages = self
            .changes
            .split(|change| matches!(change, Change::Select(_)));
        let mut runs = self.changes.iter().filter_map(|change| match change {
            Change::Select(run) => Some(run),
            _ => None,
        });
        let is_walked = self.multisets && self.dice > 0;
        let Some(first) = stages.next().filter(|_| is_walked) else {
            return Err(Refusal::NoClosedForm);
        };
        let mut later = &self.changes[first.len()..];
        let mut walk = Walk {
            roll: self,
            limits,
            residual: 0.0,
        };
        let rolled = DieDistribution::of_changes(self, first, limits, reads_faces(later), budget)?;
        let mut all = walk.added(Multisets::none(), &rolled, budget)?;
        let mut last = &[][..];
        for (run, changes) in runs.by_ref().zip(stages) {
            all = all.selected(run, budget).map_err(refused)?;
            // The selection, and the changes after it.
            later = &later[1 + changes.len()..];
            match later {
                [] => last = changes,
                _ => all = walk.changed(&all, changes, reads_faces(later), budget)?,
            }
        }
        let mut residual = 0.0_f64;
        let pmf = all.indices.bind(budget, |index, budget| {
            let total = walk.total(all.dice(index), last, count, budget);
            let total = total.map_err(stopped)?;
            residual = residual.max(total.residual);
            Ok(total.pmf)
        });
        let pmf = pmf.map_err(refused)?;
        fire(Shortcuts::MULTISETS);
        Ok(Truncated {
            pmf,
            residual: residual + walk.residual,
        })
    }
}

/// Whether any of these changes looks at faces.
fn reads_faces(changes: &[Change]) -> bool {
    changes.iter().any(Change::reads_faces)
}

/// A pool on its way through its changes.
struct Walk<'r> {
    roll: &'r Roll,
    limits: RollLimits,
    /// An upper bound on the probability that is left out.
    residual: f64,
}

impl Walk<'_> {
    /// The multisets with all dice of a distribution added.
    fn added<W: Weight>(
        &mut self,
        all: Multisets<W>,
        dice: &DieDistribution<W>,
        budget: &mut Budget,
    ) -> Result<Multisets<W>, Refusal> {
        // The dice that explosions add are not exchangeable with others.
        let die = dice.whole().ok_or(Refusal::NoClosedForm)?;
        let shown = |outcome| (dice.value(outcome), dice.face(outcome));
        self.residual += dice.residual;
        all.with(dice.dice, die, &shown, budget).map_err(refused)
    }

    /// The multisets after changes of their dice that are followed by another selection.
    fn changed<W: Weight>(
        &mut self,
        all: &Multisets<W>,
        changes: &[Change],
        faces: bool,
        budget: &mut Budget,
    ) -> Result<Multisets<W>, Refusal> {
        let mut next = Next::default();
        let (before, mut most) = (self.residual, self.residual);
        let indices = all.indices.bind(budget, |index, budget| {
            self.residual = before;
            let mut parts = Multisets::none();
            let pools = self.pools(all.dice(index), changes, faces, budget);
            for pool in pools.map_err(stopped)? {
                parts = self.added(parts, &pool, budget).map_err(stopped)?;
            }
            most = most.max(self.residual);
            parts.indices.map(budget, |part| {
                Ok::<_, Stop>(next.index(parts.dice(part).into()))
            })
        });
        self.residual = most;
        Ok(Multisets {
            indices: indices.map_err(refused)?,
            known: next.0,
        })
    }

    /// The result of dice that show this, after their last changes.
    fn total<W: Weight>(
        &self,
        dice: &[Shown],
        changes: &[Change],
        count: Option<&Count>,
        budget: &mut Budget,
    ) -> Answer<W> {
        let pools = self.pools(dice, changes, false, budget)?;
        selected(&pools, &self.roll.selects, count, self.limits, budget)
    }

    /// The distributions of dice that show this, after changes.
    fn pools<W: Weight>(
        &self,
        dice: &[Shown],
        changes: &[Change],
        faces: bool,
        budget: &mut Budget,
    ) -> Result<Vec<DieDistribution<W>>, Refusal> {
        let groups = dice.chunk_by(|left, right| left == right);
        // The limit on the dice of the pool, those set aside included, is shared out.
        let room = u64::from(self.limits.dice).saturating_sub(self.roll.dice);
        let room = room / (groups.clone().count() as u64).max(1);
        let pools = groups.map(|group| {
            let number = group.len() as u64;
            let most = u32::try_from(room.saturating_add(number)).unwrap_or(u32::MAX);
            let limits = RollLimits {
                dice: most,
                ..self.limits
            };
            let pool = (self.roll, number, group[0]);
            match DieDistribution::of_shown(pool, changes, limits, faces, budget) {
                // All dice together may be within it.
                Err(Refusal::Error(CombineError::Value(TrapCode::TooManyDice))) => {
                    Err(Refusal::NoClosedForm)
                }
                pool => pool,
            }
        });
        pools.collect()
    }
}

fn stopped(refusal: Refusal) -> CombineError<Stop> {
    match refusal {
        Refusal::NoClosedForm => CombineError::Value(None),
        Refusal::Error(CombineError::Value(code)) => CombineError::Value(Some(code)),
        Refusal::Error(CombineError::Exhausted(exhausted)) => CombineError::Exhausted(exhausted),
    }
}

fn refused(stop: CombineError<Stop>) -> Refusal {
    match stop {
        CombineError::Value(None) => Refusal::NoClosedForm,
        CombineError::Value(Some(code)) => code.into(),
        CombineError::Exhausted(exhausted) => exhausted.into(),
    }
}
