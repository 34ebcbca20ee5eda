//! Selections among dice of one kind whose sums lie close together, which most are: what `select` does, in arrays that are
//! allocated once.
//!
//! The states are the numbers of places taken. The sums of each are an array whose index counts from the least sum that its kept
//! dice can come to, so that a face moves a stretch of numbers by a fixed distance.

use super::kernel::Draw;
use super::select::{Places, Step, add_die};
use super::weight::Weight;

/// A selection on its way through the faces.
struct Ranks<'a, W> {
    places: &'a Places,
    /// The most that a kept die adds above the least.
    spread: usize,
    /// By places taken, the sums while a kept place is free; empty where there are none.
    partial: Vec<Vec<W>>,
    /// The sums of full selections.
    full: Vec<W>,
    /// What the next sums are made in.
    next: Vec<W>,
    rows: Rows<W>,
}

/// The weights of the sums over the kept places, from the least one on, for faces in the order of the places. `rests` holds the
/// weight of the faces after each one; `least` and `most` are the ends of what a kept die adds.
pub(super) fn sums<W: Weight>(
    places: &Places,
    steps: &[Step<W>],
    rests: &[W],
    least: i64,
    most: i64,
) -> Vec<W> {
    let (dice, reach) = (places.dice(), places.reach());
    // The budget has paid for an array of them, so that they fit.
    let spread = most.abs_diff(least) as usize;
    let mut partial = vec![Vec::new(); reach];
    partial[0] = vec![W::from_u64(1)];
    let mut ranks = Ranks {
        places,
        spread,
        partial,
        full: vec![W::zero(); spread * places.count() as usize + 1],
        next: Vec::new(),
        rows: Rows::new(reach),
    };
    for (step, rest) in steps.iter().zip(rests) {
        let above = step.counted.abs_diff(least) as usize;
        ranks.rows.fill(&W::draw(&step.weight, rest), dice);
        ranks.fill(above);
        if !rest.is_zero() {
            ranks.advance(above);
        }
    }
    ranks.full
}

impl<W: Weight> Ranks<'_, W> {
    /// The selections whose last free place is taken at a face that adds so much.
    fn fill(&mut self, above: usize) {
        let reach = self.places.reach();
        for (taken, sums) in self.partial.iter().enumerate() {
            let shift = above * self.places.between(taken, reach) as usize;
            let ways = self.rows.at_least(taken);
            if !sums.is_empty() {
                W::add_scaled(&mut self.full[shift..][..sums.len()], sums, ways);
            }
        }
    }

    /// The selections that still have a free place after it.
    fn advance(&mut self, above: usize) {
        for taken in (0..self.partial.len()).rev() {
            let kept = self.places.between(0, taken) as usize;
            self.next.clear();
            self.next.resize(self.spread * kept + 1, W::zero());
            let mut reached = false;
            for (from, sums) in self.partial[..=taken].iter().enumerate() {
                let ways = self.rows.exactly(from, taken - from);
                if !sums.is_empty() {
                    let shift = above * self.places.between(from, taken) as usize;
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

/// How many of the dice without a place yet show a face, by the places taken, while a kept place is free.
struct Rows<W> {
    reach: usize,
    /// Exactly so many, `reach` numbers for each number of places taken.
    exactly: Vec<W>,
    /// As many as there are places left, or more.
    at_least: Vec<W>,
    /// Of the dice so far exactly c, for c < reach.
    exact: Vec<W>,
    /// And at least c, for c <= reach.
    least: Vec<W>,
}

impl<W: Weight> Rows<W> {
    fn new(reach: usize) -> Self {
        Self {
            reach,
            exactly: vec![W::zero(); reach * reach],
            at_least: vec![W::zero(); reach],
            exact: vec![W::zero(); reach],
            least: vec![W::zero(); reach + 1],
        }
    }

    /// By Pascal's rule, die by die: for so many dice and fewer.
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
            // So many dice are left when the others have places.
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
