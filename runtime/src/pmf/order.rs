//! Keep and drop: sums over some of a pool's dice, chosen by their place in ascending order.
//!
//! Instead of the rolls, the faces are gone through in their order. Dice that show none of the earlier faces
//! show the next one or a later one, so how many of m show it is binomial, and they take the next places in
//! the order. The state is the number of places taken and the sum so far. (Liu, Icepool: Efficient
//! Computation of Dice Pool Probabilities, AIIDE 2022.) Two things make it faster: going
//! through the faces from the end where the kept places are, the rest does not matter once all of them are
//! taken; and neighbouring faces that count the same are one face.

use super::accumulate::Accumulator;
use super::budget::{Budget, Exhausted};
use super::combine::{CombineError, Overflow};
use super::fold::{power, times};
use super::kernel::Draw;
use super::table::Pmf;
use super::weight::Weight;

impl<W: Weight> Pmf<W> {
    /// Of `n` independent dice with these faces, in ascending order, those at the places 0..n for which `keep`
    /// holds: the distribution of the sum of `value` over their faces. 0 when there are none.
    ///
    /// `value` is the identity for keep and drop, and 1, 0 or -1 to count successes among the kept dice; it
    /// need not be monotonic. Between equal faces it does not matter which is kept. The exact total is that
    /// of this table to the power of `n`.
    ///
    /// # Errors
    /// [`Overflow`] when a possible sum is out of range, or [`Exhausted`], at once.
    pub fn select_sum(
        &self,
        n: u64,
        budget: &mut Budget,
        keep: impl Fn(u64) -> bool,
        value: impl Fn(i64) -> i64,
    ) -> Result<Self, CombineError<Overflow>> {
        // The places, and the faces to be counted.
        let faces = self.len() as u64;
        let additions = faces.saturating_mul(W::add_cost(&self.total));
        budget.spend(n.saturating_add(additions), n)?;
        let kept: Vec<bool> = (0..n).map(keep).collect();
        let count = kept.iter().filter(|k| **k).count() as u64;
        if count == n {
            let counted = self.map(budget, |v| Ok::<_, Overflow>(value(v)))?;
            return counted.n_fold(n, budget);
        }
        let mut faces = counted_faces(self, value);
        let values = || faces.iter().map(|(v, _)| *v);
        let (least, most) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
        let ends = (times(least, count)?, times(most, count)?);
        if least == most || count == 0 {
            return Ok(Self::point(ends.0));
        }
        let order = Order::new(kept);
        if order.descending {
            faces.reverse();
        }
        let total = power(&self.total, n, budget)?;
        // A sum's weight and a row's number have the size of the total between them.
        let half = power(&self.total, n / 2 + 1, budget)?;
        let cost = Cost {
            row: W::mul_cost(&total, &self.total),
            pass: W::mul_cost(&half, &half),
            storage: W::storage(&total, &W::from_u64(1)),
        };
        order.pay(faces.len() as u64, most.abs_diff(least), &cost, budget)?;
        // For each die the weight of what it shows, and the total: the sums of later faces' weights between cancel, as
        // each divides what the one before has multiplied by. Then for each face four roundings a die in the rows
        // (division, their sum, product, addition), and a product and additions of sums.
        let steps = faces.len() as u64;
        let weights = (self.roundings.saturating_add(self.len() as u64 + steps)).saturating_mul(2);
        let rows = n.saturating_mul(4).saturating_add(order.reach as u64 + 2);
        let roundings = (n.saturating_mul(weights)).saturating_add(steps.saturating_mul(rows));
        let sums = order.sums(&faces, &total, budget)?;
        Ok(sums.finish(total, roundings)?)
    }
}

/// The values of the faces in order, neighbours of one value merged, with their weights.
fn counted_faces<W: Weight>(die: &Pmf<W>, value: impl Fn(i64) -> i64) -> Vec<(i64, W)> {
    let mut faces: Vec<(i64, W)> = Vec::new();
    for (face, weight) in die.iter() {
        let counted = value(face);
        match faces.last_mut() {
            Some((last, sum)) if *last == counted => sum.add(weight),
            _ => faces.push((counted, weight.clone())),
        }
    }
    faces
}

/// What things count for in the budget.
struct Cost {
    /// A number of a binomial row.
    row: u64,
    /// A sum's weight times such a number.
    pass: u64,
    /// An entry of a table.
    storage: u64,
}

/// The places of a pool, from the end where the kept ones are.
struct Order {
    /// Whether the first place is that of the highest die.
    descending: bool,
    dice: usize,
    /// How many places there are up to the last kept one, at least 1.
    reach: usize,
    /// How many of the first so many places are kept, for 0..=reach.
    kept: Vec<u64>,
}

impl Order {
    /// Needs a kept place.
    fn new(mut places: Vec<bool>) -> Self {
        let dice = places.len();
        let from_low = places.iter().rposition(|k| *k).map_or(0, |last| last + 1);
        let from_high = dice - places.iter().position(|k| *k).unwrap_or(0);
        let descending = from_high < from_low;
        if descending {
            places.reverse();
        }
        let reach = from_low.min(from_high);
        let mut kept = Vec::with_capacity(reach + 1);
        let mut count = 0;
        kept.push(count);
        for place in places.iter().take(reach) {
            count += u64::from(*place);
            kept.push(count);
        }
        Self {
            descending,
            dice,
            reach,
            kept,
        }
    }

    /// Asks the budget for [`sums`](Self::sums): binomial rows, and for each face and number of places taken before
    /// and after it a pass over the sums so far, of which there are at most as many as values between the ends, and
    /// as multisets of faces.
    fn pay(
        &self,
        faces: u64,
        spread: u64,
        cost: &Cost,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let (dice, reach) = (self.dice as u64, self.reach as u64);
        let mut passes = 0_u64;
        let mut stored = 0_u64;
        let mut multisets = 1.0_f64;
        let mut counted = 0;
        for (taken, &kept) in self.kept.iter().enumerate() {
            if kept > counted {
                counted = kept;
                multisets *= (faces - 1 + kept) as f64 / kept as f64;
            }
            // A conversion from float saturates.
            let length = spread
                .saturating_mul(kept)
                .saturating_add(1)
                .min(((multisets * 1.01) as u64).saturating_add(1));
            passes = passes.saturating_add(length.saturating_mul(reach + 1 - taken as u64));
            stored = stored.saturating_add(length);
        }
        let rows = dice.saturating_mul(reach).saturating_mul(2 * cost.row);
        let work = rows.saturating_add(passes.saturating_mul(cost.pass));
        let stored = stored.saturating_add(reach.saturating_mul(reach) / 2);
        budget.spend(
            work.saturating_mul(faces),
            stored.saturating_mul(cost.storage),
        )
    }

    /// The sums over the kept places, for faces in the order of the places. The weights of all together are `total`.
    fn sums<W: Weight>(
        &self,
        faces: &[(i64, W)],
        total: &W,
        budget: &Budget,
    ) -> Result<Accumulator<W>, Exhausted> {
        let storage = W::storage(total, &W::from_u64(1));
        let gather = |additions: usize| {
            let mut gathered = Accumulator::new();
            gathered.expect(additions as u64, storage, budget);
            gathered
        };
        // The sums so far, by the number of places taken, while a kept place is free; and those of full selections.
        let mut partial: Vec<Option<Pmf<W>>> = vec![None; self.reach];
        partial[0] = Some(Pmf::point(0));
        let mut full = gather(1);
        let mut rests = rests(faces);
        for (value, weight) in faces {
            let rest = rests.pop().unwrap_or_else(W::zero);
            let rows = Rows::new(&W::draw(weight, &rest), self.dice, self.reach);
            let shift = |from: usize, to: usize| {
                // Between zero and the sum of all kept dice at this value, which fits.
                value.wrapping_mul(self.kept[to].wrapping_sub(self.kept[from]) as i64)
            };
            for (taken, sums) in partial.iter().enumerate() {
                if let Some(sums) = sums {
                    full.expect(sums.len() as u64, storage, budget);
                    let shift = shift(taken, self.reach);
                    full.add_scaled(sums, shift, &rows.all_from[taken])?;
                }
            }
            if rest.is_zero() {
                // All remaining dice show this face.
                break;
            }
            for after in (0..self.reach).rev() {
                let before = &partial[..=after];
                let mut gathered = gather(before.iter().flatten().map(Pmf::len).sum());
                for (taken, sums) in before.iter().enumerate() {
                    if let Some(sums) = sums {
                        let ways = &rows.exactly[taken][after - taken];
                        gathered.add_scaled(sums, shift(taken, after), ways)?;
                    }
                }
                partial[after] = Some(gathered.finish(total.clone(), 0)?);
            }
        }
        Ok(full)
    }
}

/// The weight of the faces after each one, the first face's last.
fn rests<W: Weight>(faces: &[(i64, W)]) -> Vec<W> {
    let mut sum = W::zero();
    let after = faces.iter().rev().map(|(_, weight)| {
        let rest = sum.clone();
        sum.add(weight);
        rest
    });
    after.collect()
}

/// How many of the dice without a place yet show a face.
struct Rows<W> {
    /// By the places taken, and by the number that shows it: exactly so many, as far as a kept place stays free.
    exactly: Vec<Vec<W>>,
    /// By the places taken: so many that none does.
    all_from: Vec<W>,
}

impl<W: Weight> Rows<W> {
    /// By Pascal's rule, die by die: for so many dice and fewer.
    fn new(draw: &Draw<W>, dice: usize, reach: usize) -> Self {
        // Of the dice so far exactly c, for c < reach; and at least c, for c <= reach.
        let mut exact = vec![W::zero(); reach];
        let mut least = vec![W::zero(); reach + 1];
        exact[0] = W::from_u64(1);
        least[0] = W::from_u64(1);
        let mut any = draw.face.clone();
        any.add(&draw.any_later);
        let mut rows = Self {
            exactly: vec![Vec::new(); reach],
            all_from: vec![W::zero(); reach],
        };
        for count in 0..=dice {
            if count > 0 {
                add_die(&mut exact, &draw.face, &draw.later, &draw.later);
                add_die(&mut least, &draw.face, &draw.any_later, &any);
            }
            // So many dice are left when the others have places.
            let taken = dice - count;
            if taken < reach {
                rows.exactly[taken] = exact[..reach - taken].to_vec();
                rows.all_from[taken] = least[reach - taken].clone();
            }
        }
        rows
    }
}

/// Each number from itself (another die shows a later face) and the one before it; `first` is the factor of none.
fn add_die<W: Weight>(row: &mut [W], face: &W, later: &W, first: &W) {
    for index in (1..row.len()).rev() {
        let mut sum = row[index].mul(later);
        sum.add(&row[index - 1].mul(face));
        row[index] = sum;
    }
    if let Some(none) = row.first_mut() {
        *none = none.mul(first);
    }
}
