//! Selections from dice of one kind whose sums are close to each other, the usual case. It computes
//! the same as `select`, in arrays that are allocated once.
//!
//! The state is the number of positions taken. The sums of each state are an array whose index
//! counts from the least sum of its kept dice, so a face moves a range of numbers by a fixed
//! distance.

use super::kernel::Draw;
use super::number::Number;
use super::select::{Positions, Step, add_die, rests};
use super::weight::Weight;

/// A selection while it visits the faces.
struct Ranks<'a, W> {
    positions: &'a Positions,
    /// The largest difference between the values of two kept dice.
    spread: usize,
    /// By the number of positions taken, the sums while a kept position is free; empty if there are
    /// none.
    partial: Vec<Vec<W>>,
    /// The sums of full selections.
    full: Vec<W>,
    /// Scratch memory for the next sums.
    next: Vec<W>,
    rows: Rows<W>,
}

/// The weights of the sums over the kept positions, from the least sum on, for faces in the order
/// of the positions. `ends` bound the value of a kept die, and `total` is the number of all
/// combinations: if it is a machine integer, so are all weights on the way.
pub(super) fn sums<W: Weight>(
    positions: &Positions,
    steps: &[Step<W>],
    ends: (i64, i64),
    total: &W,
) -> Vec<W> {
    let total = total.to_machine();
    // Half the width takes a third of the multiplications.
    let machine = match total.map(u64::try_from) {
        Some(Ok(_)) => by_machine::<u64, W>(positions, steps, ends),
        Some(Err(_)) => by_machine::<u128, W>(positions, steps, ends),
        None => None,
    };
    machine.unwrap_or_else(|| counted(positions, steps, ends))
}

/// The same in machine integers, if the weights of the faces are such.
fn by_machine<M, W: Weight>(
    positions: &Positions,
    steps: &[Step<W>],
    ends: (i64, i64),
) -> Option<Vec<W>>
where
    M: Number + TryFrom<u128> + Into<u128>,
{
    let steps = steps.iter().map(|step| {
        Some(Step {
            kind: step.kind,
            counted: step.counted,
            weight: M::try_from(step.weight.to_machine()?).ok()?,
        })
    });
    let steps = steps.collect::<Option<Vec<Step<M>>>>()?;
    let weights = counted(positions, &steps, ends);
    let weights = weights.into_iter().map(Into::into).map(W::from_machine);
    Some(weights.collect())
}

/// The same in the numbers of the faces' weights.
fn counted<W: Number>(positions: &Positions, steps: &[Step<W>], ends: (i64, i64)) -> Vec<W> {
    let (least, most) = ends;
    let (dice, reach) = (positions.dice(), positions.reach());
    // The budget has paid for an array of them, so they fit.
    let spread = most.abs_diff(least) as usize;
    let mut partial = vec![Vec::new(); reach];
    partial[0] = vec![W::from_u64(1)];
    let mut ranks = Ranks {
        positions,
        spread,
        partial,
        full: vec![W::zero(); spread * positions.count() as usize + 1],
        next: Vec::new(),
        rows: Rows::new(reach),
    };
    for (step, rest) in steps.iter().zip(&rests(steps, 1)) {
        let above = step.counted.abs_diff(least) as usize;
        ranks.rows.fill(&W::draw(&step.weight, rest), dice);
        ranks.fill(above);
        if !rest.is_zero() {
            ranks.advance(above);
        }
    }
    ranks.full
}

impl<W: Number> Ranks<'_, W> {
    /// Adds the selections whose last free position is taken at a face that adds this much.
    fn fill(&mut self, above: usize) {
        let reach = self.positions.reach();
        for (taken, sums) in self.partial.iter().enumerate() {
            let shift = above * self.positions.between(taken, reach) as usize;
            let ways = self.rows.at_least(taken);
            if !sums.is_empty() {
                W::add_scaled(&mut self.full[shift..][..sums.len()], sums, ways);
            }
        }
    }

    /// Keeps the selections that still have a free position after it.
    fn advance(&mut self, above: usize) {
        for taken in (0..self.partial.len()).rev() {
            let kept = self.positions.between(0, taken) as usize;
            self.next.clear();
            self.next.resize(self.spread * kept + 1, W::zero());
            let mut reached = false;
            for (from, sums) in self.partial[..=taken].iter().enumerate() {
                let ways = self.rows.exactly(from, taken - from);
                if !sums.is_empty() {
                    let shift = above * self.positions.between(from, taken) as usize;
                    W::add_scaled(&mut self.next[shift..][..sums.len()], sums, ways);
                    reached = true;
                }
            }
            if reached {
                std::mem::swap(&mut self.partial[taken], &mut self.next);
            }
        }
    }
}

/// The number of dice without a position that show a face, by the number of positions taken, while
/// a kept position is free.
struct Rows<W> {
    reach: usize,
    /// Exactly that many: `reach` numbers for each number of positions taken.
    exactly: Vec<W>,
    /// At least as many as there are positions left.
    at_least: Vec<W>,
    /// Of the dice so far exactly c, for c < reach.
    exact: Vec<W>,
    /// And at least c, for c <= reach.
    least: Vec<W>,
}

impl<W: Number> Rows<W> {
    fn new(reach: usize) -> Self {
        Self {
            reach,
            exactly: vec![W::zero(); reach * reach],
            at_least: vec![W::zero(); reach],
            exact: vec![W::zero(); reach],
            least: vec![W::zero(); reach + 1],
        }
    }

    /// By Pascal's rule, die by die: for this many dice and fewer.
    fn fill(&mut self, draw: &Draw<W>, dice: usize) {
        let reach = self.reach;
        let mut any = draw.face.clone();
        any.add(&draw.any_later);
        for row in [&mut self.exact, &mut self.least] {
            row.fill(W::zero());
            row[0] = W::from_u64(1);
        }
        for count in 0..=dice {
            if count > 0 {
                add_die(&mut self.exact, &draw.face, &draw.later, &draw.later);
                add_die(&mut self.least, &draw.face, &draw.any_later, &any);
            }
            // The number of dice left when the others have positions.
            let taken = dice - count;
            if taken < reach {
                let row = &mut self.exactly[taken * reach..][..reach - taken];
                row.clone_from_slice(&self.exact[..reach - taken]);
                self.at_least[taken] = self.least[reach - taken].clone();
            }
        }
    }

    fn exactly(&self, taken: usize, showing: usize) -> &W {
        &self.exactly[taken * self.reach + showing]
    }

    fn at_least(&self, taken: usize) -> &W {
        &self.at_least[taken]
    }
}
