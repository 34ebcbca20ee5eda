//! Computes selections.
//!
//! The algorithm visits the faces in order instead of enumerating rolls. A die that shows none of
//! the earlier faces shows the next face or a later one, so the number of such dice with the next
//! face is binomial, and these dice take the next positions. The state is the number of positions
//! that each kind of dice has taken, and the sum so far. (Liu, Icepool: Efficient Computation of
//! Dice Pool Probabilities, AIIDE 2022.) Two improvements make it faster: the faces are visited
//! from the end at which the kept positions are, so it stops when all of them are taken; and a kind
//! of dice with a single face takes its positions at once. For one kind of dice with dense sums,
//! `rank` is faster.

use super::accumulate::Accumulator;
use super::budget::{Budget, Exhausted};
use super::combine::Overflow;
use super::cost::Cost;
use super::kernel::Draw;
use super::number::Number;
use super::table::Pmf;
use super::weight::Weight;
use crate::bug;

/// A face of a kind of dice.
pub(super) struct Step<W> {
    pub(super) kind: usize,
    /// The value that each kept die with this face adds to the sum.
    pub(super) counted: i64,
    pub(super) weight: W,
}

/// The positions of a pool, from the end at which the kept ones are.
pub(super) struct Positions {
    /// Whether the first position is that of the highest die.
    descending: bool,
    dice: usize,
    /// The number of positions up to the last kept one, at least 1.
    reach: usize,
    /// The number of kept positions among the first n, for n in 0..=reach.
    kept: Vec<u64>,
}

impl Positions {
    /// Whether each position in ascending order is kept; at least one is.
    pub(super) fn in_order(mut positions: Vec<bool>) -> Self {
        let dice = positions.len();
        let (first, last) = (
            positions.iter().position(|k| *k),
            positions.iter().rposition(|k| *k),
        );
        let (Some(first), Some(last)) = (first, last) else {
            bug!("a selection that keeps nothing").raise()
        };
        let (from_low, from_high) = (last + 1, dice - first);
        let descending = from_high < from_low;
        if descending {
            positions.reverse();
        }
        let reach = from_low.min(from_high);
        let mut kept = Vec::with_capacity(reach + 1);
        let mut count = 0;
        kept.push(count);
        for position in positions.iter().take(reach) {
            count += u64::from(*position);
            kept.push(count);
        }
        Self {
            descending,
            dice,
            reach,
            kept,
        }
    }

    /// Whether the faces are visited from the highest one.
    pub(super) fn descending(&self) -> bool {
        self.descending
    }

    /// The number of positions that matter.
    pub(super) fn reach(&self) -> usize {
        self.reach
    }

    /// The number of dice.
    pub(super) fn dice(&self) -> usize {
        self.dice
    }

    /// The number of kept dice.
    pub(super) fn count(&self) -> u64 {
        self.kept[self.reach]
    }

    /// Checks the sums of kept dice, position by position, of a roll with the given number of dice
    /// for each face.
    pub(super) fn check_sums(
        &self,
        mut dice: Vec<(i64, u64)>,
        value: impl Fn(i64) -> i64,
    ) -> Result<(), Overflow> {
        dice.sort_unstable();
        if self.descending {
            dice.reverse();
        }
        let (mut sum, mut taken) = (0_i128, 0_usize);
        for (face, n) in dice {
            let next = taken.saturating_add(n as usize).min(self.reach);
            sum += i128::from(value(face)) * i128::from(self.between(taken, next));
            i64::try_from(sum).map_err(|_| Overflow)?;
            taken = next;
        }
        Ok(())
    }

    /// The number of kept positions in `from..to`.
    pub(super) fn between(&self, from: usize, to: usize) -> u64 {
        self.kept[to].wrapping_sub(self.kept[from])
    }
}

/// The possible numbers of positions that a kind of dice has taken while a kept position is free:
/// multiples of `unit`.
struct Axis {
    dice: usize,
    unit: usize,
    /// The number of multiples, from 0 on.
    levels: usize,
    /// The distance of neighbouring levels in the space.
    stride: usize,
}

/// The states of a selection: the number of positions that each kind has taken.
pub(super) struct Space {
    axes: Vec<Axis>,
    dice: usize,
    reach: usize,
}

impl Space {
    pub(super) fn new<W: Weight>(
        kinds: &[(&Pmf<W>, u64)],
        steps: &[Step<W>],
        positions: &Positions,
    ) -> Self {
        let mut stride = 1_usize;
        let axes = kinds.iter().enumerate().map(|(kind, (_, dice))| {
            let dice = *dice as usize;
            let faces = steps.iter().filter(|step| step.kind == kind).count();
            let unit = if faces == 1 { dice } else { 1 };
            let levels = dice.min(positions.reach - 1) / unit + 1;
            let axis = Axis {
                dice,
                unit,
                levels,
                stride,
            };
            stride = stride.saturating_mul(levels);
            axis
        });
        Self {
            axes: axes.collect(),
            dice: positions.dice,
            reach: positions.reach,
        }
    }

    /// The number of states.
    fn len(&self) -> usize {
        self.axes
            .iter()
            .fold(1, |len: usize, axis| len.saturating_mul(axis.levels))
    }

    /// The number of positions that a kind has taken in a state.
    fn level(&self, state: usize, kind: usize) -> usize {
        let axis = &self.axes[kind];
        state / axis.stride % axis.levels
    }

    /// The places taken in each state.
    fn taken(&self) -> Vec<usize> {
        let mut taken = vec![0];
        for axis in &self.axes {
            let below: Vec<usize> = std::mem::take(&mut taken);
            for level in 0..axis.levels {
                taken.extend(below.iter().map(|taken| taken + level * axis.unit));
            }
        }
        taken
    }

    /// Charges for [`sums`](Self::sums): binomial rows, and for each face and each pair of states
    /// before and after it, a pass over the sums so far. The number of sums is bounded by the
    /// number of values between the ends, and by the number of multisets of faces.
    pub(super) fn pay<W: Weight>(
        &self,
        positions: &Positions,
        spread: u64,
        steps: &[Step<W>],
        cost: &Cost<W>,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let (dice, reach) = (self.dice as u64, self.reach as u64);
        let count = steps.len() as u64;
        budget.spend(
            (self.len() as u64).saturating_add(reach),
            (self.len() as u64).saturating_add(reach),
        )?;
        let lengths = lengths(positions, spread, steps.len() as u64);
        let widest = self.axes.iter().map(|axis| axis.levels).max().unwrap_or(1) as u64;
        let mut passes = 0_u64;
        let mut stored = 0_u64;
        for taken in self.taken().into_iter().filter(|taken| *taken < self.reach) {
            let after = (reach - taken as u64).min(widest) + 1;
            passes = passes.saturating_add(lengths[taken].saturating_mul(after));
            stored = stored.saturating_add(lengths[taken]);
        }
        let rows = dice.saturating_mul(reach).saturating_mul(2 * cost.row);
        let work = rows.saturating_add(passes.saturating_mul(cost.pass));
        let stored = stored.saturating_add(reach.saturating_mul(reach));
        budget.spend(
            work.saturating_mul(count),
            stored.saturating_mul(cost.storage),
        )
    }

    /// The sums over the kept positions, for faces in the order of the positions. All weights
    /// together are `total`.
    pub(super) fn sums<W: Weight>(
        &self,
        positions: &Positions,
        kinds: &[(&Pmf<W>, u64)],
        steps: Vec<Step<W>>,
        total: &W,
        budget: &Budget,
    ) -> Result<Accumulator<W>, Exhausted> {
        let mut walk = Walk::new(self, positions, kinds, total, budget);
        let rests = rests(&steps, kinds.len());
        for (step, rest) in steps.into_iter().zip(rests) {
            let rows = Rows::new(
                &W::draw(&step.weight, &rest),
                &self.axes[step.kind],
                self.reach,
            );
            walk.fill(&step, &rows)?;
            walk.advance(&step, &rows, rest.is_zero())?;
            walk.set_left(step.kind, &rest);
        }
        Ok(walk.full)
    }
}

/// Whether arrays of all sums between the ends, while a kept position is free, are no longer than
/// [`Space::pay`] counts.
pub(super) fn is_compact(positions: &Positions, spread: u64, faces: u64) -> bool {
    let sums = |kept: &u64| spread.saturating_mul(*kept).saturating_add(1);
    let most = lengths(positions, spread, faces);
    positions
        .kept
        .iter()
        .zip(most)
        .all(|(k, most)| sums(k) == most)
}

/// The maximum number of sums by the number of positions taken: bounded by the number of values
/// between the ends, and by the number of multisets of faces.
fn lengths(positions: &Positions, spread: u64, faces: u64) -> Vec<u64> {
    let mut multisets = 1.0_f64;
    let mut counted = 0;
    let lengths = positions.kept.iter().take(positions.reach).map(|&kept| {
        if kept > counted {
            counted = kept;
            multisets *= (faces - 1 + kept) as f64 / kept as f64;
        }
        // A conversion from float saturates.
        let multisets = ((multisets * 1.01) as u64).saturating_add(1);
        spread.saturating_mul(kept).saturating_add(1).min(multisets)
    });
    lengths.collect()
}

/// A selection while it visits the faces.
struct Walk<'a, W> {
    space: &'a Space,
    positions: &'a Positions,
    budget: &'a Budget,
    total: &'a W,
    storage: u64,
    /// The places taken in each state.
    taken: Vec<usize>,
    /// The sums so far, by state, while a kept position is free.
    partial: Vec<Option<Pmf<W>>>,
    /// The sums of full selections.
    full: Accumulator<W>,
    /// By kind and level: the weight of the dice without a position, whatever their faces.
    left: Vec<Vec<W>>,
}

impl<'a, W: Weight> Walk<'a, W> {
    fn new(
        space: &'a Space,
        positions: &'a Positions,
        kinds: &[(&Pmf<W>, u64)],
        total: &'a W,
        budget: &'a Budget,
    ) -> Self {
        let mut partial = vec![None; space.len()];
        partial[0] = Some(Pmf::point(0));
        let storage = W::storage(total, &W::from_u64(1));
        let mut full = Accumulator::new();
        full.prepare(1, storage, budget);
        let mut walk = Self {
            space,
            positions,
            budget,
            total,
            storage,
            taken: space.taken(),
            partial,
            full,
            left: vec![Vec::new(); kinds.len()],
        };
        for (kind, (die, _)) in kinds.iter().enumerate() {
            walk.set_left(kind, &die.total);
        }
        walk
    }

    /// Stores the remaining weight of each die of a kind.
    fn set_left(&mut self, kind: usize, rest: &W) {
        if self.left.len() == 1 {
            // It is never read.
            return;
        }
        let axis = &self.space.axes[kind];
        let each = if rest.is_zero() {
            // No die is left in any existing state.
            W::from_u64(1)
        } else {
            W::draw(rest, &W::zero()).face
        };
        let mut ways = W::from_u64(1);
        let mut left = vec![W::zero(); axis.levels];
        for dice in 0..=axis.dice {
            let taken = axis.dice - dice;
            if taken.is_multiple_of(axis.unit)
                && let Some(left) = left.get_mut(taken / axis.unit)
            {
                *left = ways.clone();
            }
            ways = ways.mul(&each);
        }
        self.left[kind] = left;
    }

    /// The sum that kept dice with this face add: between zero and the sum of all kept dice with
    /// it, which fits.
    fn shift(&self, step: &Step<W>, from: usize, to: usize) -> i64 {
        (step.counted).wrapping_mul(self.positions.between(from, to) as i64)
    }

    /// Adds the selections whose last free position is taken at this face.
    fn fill(&mut self, step: &Step<W>, rows: &Rows<W>) -> Result<(), Exhausted> {
        let space = self.space;
        for (state, sums) in self.partial.iter().enumerate() {
            let Some(sums) = sums else { continue };
            let (taken, level) = (self.taken[state], space.level(state, step.kind));
            let Some(ways) = rows.at_least[level].get(space.reach - taken) else {
                continue;
            };
            if ways.is_zero() {
                continue;
            }
            let mut ways = ways.clone();
            for (kind, left) in self.left.iter().enumerate() {
                if kind != step.kind {
                    ways = ways.mul(&left[space.level(state, kind)]);
                }
            }
            let shift = self.shift(step, taken, space.reach);
            self.full
                .prepare(sums.len() as u64, self.storage, self.budget);
            self.full.add_scaled(sums, shift, &ways)?;
        }
        Ok(())
    }

    /// Keeps the selections that still have a free position after this face; `last` if no die of
    /// the kind shows a later one.
    fn advance(&mut self, step: &Step<W>, rows: &Rows<W>, last: bool) -> Result<(), Exhausted> {
        let space = self.space;
        let axis = &space.axes[step.kind];
        for state in (0..self.partial.len()).rev() {
            let (taken, level) = (self.taken[state], space.level(state, step.kind));
            if taken >= space.reach || (last && level * axis.unit < axis.dice) {
                self.partial[state] = None;
                continue;
            }
            let sources = (0..=level).map(|from| (from, state - (level - from) * axis.stride));
            let additions = (sources.clone())
                .filter_map(|(_, source)| self.partial[source].as_ref())
                .map(Pmf::len)
                .sum::<usize>();
            if additions == 0 {
                continue;
            }
            let mut gathered = Accumulator::new();
            gathered.prepare(additions as u64, self.storage, self.budget);
            for (from, source) in sources {
                let showing = (level - from) * axis.unit;
                if let Some(sums) = &self.partial[source] {
                    let shift = self.shift(step, taken - showing, taken);
                    gathered.add_scaled(sums, shift, &rows.exactly[from][showing])?;
                }
            }
            self.partial[state] = Some(gathered.finish(self.total.clone(), 0)?);
        }
        Ok(())
    }
}

/// The weight of the faces of a step's kind after it.
pub(super) fn rests<W: Number>(steps: &[Step<W>], kinds: usize) -> Vec<W> {
    let mut sums = vec![W::zero(); kinds];
    let after = steps.iter().rev().map(|step| {
        let rest = sums[step.kind].clone();
        sums[step.kind].add(&step.weight);
        rest
    });
    let mut rests: Vec<W> = after.collect();
    rests.reverse();
    rests
}

/// The number of dice of a kind without a position that show a face, by the level.
struct Rows<W> {
    /// Exactly that many, as long as a kept position may stay free.
    exactly: Vec<Vec<W>>,
    /// At least that many.
    at_least: Vec<Vec<W>>,
}

impl<W: Weight> Rows<W> {
    /// By Pascal's rule, die by die: for this many dice and fewer.
    fn new(draw: &Draw<W>, axis: &Axis, reach: usize) -> Self {
        // Of the dice so far exactly c, for c < reach; and at least c, for c <= reach.
        let mut exact = vec![W::zero(); reach];
        let mut least = vec![W::zero(); reach + 1];
        exact[0] = W::from_u64(1);
        least[0] = W::from_u64(1);
        let mut any = draw.face.clone();
        any.add(&draw.any_later);
        let mut rows = Self {
            exactly: vec![Vec::new(); axis.levels],
            at_least: vec![Vec::new(); axis.levels],
        };
        for count in 0..=axis.dice {
            if count > 0 {
                add_die(&mut exact, &draw.face, &draw.later, &draw.later);
                add_die(&mut least, &draw.face, &draw.any_later, &any);
            }
            // The number of dice left when the others have positions.
            let taken = axis.dice - count;
            if taken < reach && taken.is_multiple_of(axis.unit) {
                rows.exactly[taken / axis.unit] = exact[..reach - taken].to_vec();
                rows.at_least[taken / axis.unit] = least[..=reach - taken].to_vec();
            }
        }
        rows
    }
}

/// Computes each number from itself (the other die shows a later face) and from the one before it;
/// `first` is the new factor at index 0.
pub(super) fn add_die<W: Number>(row: &mut [W], face: &W, later: &W, first: &W) {
    for index in (1..row.len()).rev() {
        let mut sum = row[index].mul(later);
        sum.add(&row[index - 1].mul(face));
        row[index] = sum;
    }
    if let Some(none) = row.first_mut() {
        *none = none.mul(first);
    }
}
