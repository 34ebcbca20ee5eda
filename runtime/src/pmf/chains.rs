//! Keep and drop in a pool whose dice explode: the extra dice are dice of the pool, so that their number is random.
//!
//! Given the number x of explosions, the pool's faces are those of n dice that did not explode and of x that
//! did, all independent: a chain's length says nothing about its faces. In ascending order the two kinds of face
//! form blocks, mostly two: `!` explodes on the highest face only. A block's dice take neighbouring places, so given
//! how many dice it has, its kept sum is that of an ordinary selection.

use super::budget::{Budget, Exhausted};
use super::combine::{CombineError, Overflow};
use super::face::{DieError, Truncated};
use super::series::{Extra, SERIES_CUT};
use super::table::Pmf;
use super::weight::Weight;

impl<W: Weight> Pmf<W> {
    /// Of a pool of `n` dice that each add a die when `explodes` holds for the face, which may do so too: the
    /// distribution of the sum of `value` over the faces at the places for which `keep(place, dice)` holds, in
    /// ascending order of all the pool's dice, `dice` in number. Dice are told apart by their faces alone, so added
    /// dice count what they show.
    ///
    /// The series is cut as in [`exploded`](Self::exploded): for each die, and for the number of all
    /// explosions where that leaves no more than [`SERIES_CUT`].
    ///
    /// # Errors
    /// [`DieError::Endless`] when every face explodes, or the others.
    pub fn select_exploding(
        &self,
        n: u64,
        budget: &mut Budget,
        limit: u64,
        explodes: impl Fn(i64) -> bool,
        keep: impl Fn(u64, u64) -> bool,
        value: impl Fn(i64) -> i64,
    ) -> Result<Truncated<W>, DieError> {
        if n == 0 {
            return Ok(Truncated {
                pmf: Self::point(0),
                residual: 0.0,
            });
        }
        let one = self.map(budget, |v| Ok::<_, Overflow>(i64::from(explodes(v))))?;
        let one = one.exploded(budget, Extra::AsShown, limit, |v| v == 1, |v| v)?;
        let all = one.pmf.n_fold(n, budget)?;
        let most = last_likely(&all);
        let unlikely = most.checked_add(1).map_or(0.0, |x| all.at_least(x));
        let unlikely = if most < all.max() { unlikely } else { 0.0 };
        let likely = all.given(budget, |x| x <= most)?.ok_or(DieError::Endless)?;
        let runs = self.runs(budget, explodes)?;
        // Each block but the last two divides its kind's dice in every way.
        let dice = n.saturating_add(most.unsigned_abs());
        let splits = u32::try_from(runs.len().saturating_sub(2)).unwrap_or(u32::MAX);
        budget.spend(dice.saturating_add(1).saturating_pow(splits), 1)?;
        let blocks = self.blocks(budget, &runs)?;
        let pmf = likely.bind(budget, |explosions, budget| {
            let explosions = explosions.unsigned_abs();
            let pool = Pool {
                blocks: &blocks,
                dice: n.saturating_add(explosions),
                keep: &keep,
                value: &value,
            };
            pool.rest_from(0, [n, explosions], budget)
        })?;
        Ok(Truncated {
            pmf,
            residual: (one.residual_of(n) + unlikely).min(1.0),
        })
    }

    /// Where the kind of face changes.
    fn runs(
        &self,
        budget: &mut Budget,
        explodes: impl Fn(i64) -> bool,
    ) -> Result<Vec<Run>, Exhausted> {
        budget.spend(self.len() as u64, 1)?;
        let mut runs: Vec<Run> = Vec::new();
        for (face, _) in self.iter() {
            let explodes = explodes(face);
            match runs.last_mut() {
                Some(run) if run.explodes == explodes => run.to = face,
                _ => runs.push(Run {
                    explodes,
                    from: face,
                    to: face,
                }),
            }
        }
        Ok(runs)
    }

    /// The faces of each run, whose number the budget has bounded.
    fn blocks(
        &self,
        budget: &mut Budget,
        runs: &[Run],
    ) -> Result<Vec<Block<W>>, CombineError<Overflow>> {
        let mut blocks = Vec::with_capacity(runs.len());
        for (index, run) in runs.iter().enumerate() {
            let Some(faces) = self.given(budget, |v| run.holds(v))? else {
                continue;
            };
            let same_kind = |other: &&Run| other.explodes == run.explodes;
            let later: Vec<&Run> = runs[index + 1..].iter().filter(same_kind).collect();
            let mut here = None;
            if !later.is_empty() {
                budget.spend(runs.len() as u64 * self.len() as u64, 1)?;
                let left = |v| run.holds(v) || later.iter().any(|run| run.holds(v));
                if let Some(left) = self.given(budget, left)? {
                    here = Some(left.map(budget, |v| Ok(i64::from(run.holds(v))))?);
                }
            }
            blocks.push(Block {
                explodes: run.explodes,
                faces,
                here,
            });
        }
        Ok(blocks)
    }
}

/// The ends of a block.
struct Run {
    explodes: bool,
    from: i64,
    to: i64,
}

impl Run {
    fn holds(&self, face: i64) -> bool {
        self.from <= face && face <= self.to
    }
}

/// The largest value that is not among the last ones whose mass is at most [`SERIES_CUT`].
fn last_likely<W: Weight>(table: &Pmf<W>) -> i64 {
    let mut last = table.max();
    let mut mass = 0.0;
    for (value, probability) in table.probabilities().rev() {
        last = value;
        mass += probability;
        if mass > SERIES_CUT {
            break;
        }
    }
    last
}

/// Neighbouring faces of one kind.
struct Block<W> {
    explodes: bool,
    /// A die that shows one of them.
    faces: Pmf<W>,
    /// Whether (1) a die of this kind shows one of them, given that it shows none of the earlier blocks; `None`
    /// in the last block of the kind.
    here: Option<Pmf<W>>,
}

/// A pool with a known number of dice.
struct Pool<'a, W, K, V> {
    blocks: &'a [Block<W>],
    dice: u64,
    keep: &'a K,
    value: &'a V,
}

impl<W: Weight, K: Fn(u64, u64) -> bool, V: Fn(i64) -> i64> Pool<'_, W, K, V> {
    /// The kept sum from a block on, given the numbers of dice of the two kinds that show none of the earlier
    /// blocks. As deep as there are blocks, whose number the budget has bounded.
    fn rest_from(
        &self,
        index: usize,
        left: [u64; 2],
        budget: &mut Budget,
    ) -> Result<Pmf<W>, CombineError<Overflow>> {
        let Some(block) = self.blocks.get(index) else {
            return Ok(Pmf::point(0));
        };
        let kind = usize::from(block.explodes);
        let with = |dice: u64, budget: &mut Budget| {
            let mut left_after = left;
            left_after[kind] -= dice;
            let taken = self.dice - left[0] - left[1];
            let keep = |place: u64| (self.keep)(taken + place, self.dice);
            let sum = block.faces.select_sum(dice, budget, keep, self.value)?;
            let rest = self.rest_from(index + 1, left_after, budget)?;
            sum.sum(&rest, budget)
        };
        match &block.here {
            None => with(left[kind], budget),
            Some(here) => {
                let number = here.n_fold(left[kind], budget)?;
                number.bind(budget, |dice, budget| with(dice.unsigned_abs(), budget))
            }
        }
    }
}
