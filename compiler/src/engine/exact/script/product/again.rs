//! Iterations of a loop that do the same to other numbers: what is added to the hit points of a
//! target is worked out once, with numbers that stand for them. It does not depend on them
//! ([`super::regions`]), but on the other variables that are read.

use super::factor::Factor;
use super::regions::Region;
use super::states::{Cell, Product};
use super::walk::{Frame, Products};
use super::{Stop, Walker, join::join};
use crate::engine::exact::script::live::Live;
use crate::engine::exact::script::plan::Segment;
use crate::engine::exact::script::reads::is_small;
use dicec_runtime::pmf::Weight;
use std::rc::Rc;

/// The maximum number of results that are kept.
const MAX_KEPT: usize = 8;

/// What regions did.
pub(super) struct Repeated<W> {
    kept: Vec<Rc<Ends<W>>>,
    /// Whether a region is being taken with numbers that stand for others.
    pub(super) is_open: bool,
}

/// What a region does to states.
struct Ends<W> {
    /// The number of its first segment, and where the variables of its function begin.
    number: usize,
    first: usize,
    /// The words that it read; none if it cannot be repeated.
    words: Option<Vec<i64>>,
    /// The states at the end of the block, after a `break`, a `continue` and a `return`.
    exits: [Products<W>; 4],
}

impl<W: Weight> Default for Repeated<W> {
    fn default() -> Self {
        Self {
            kept: Vec::new(),
            is_open: false,
        }
    }
}

impl<'p, W: Weight> Walker<'_, 'p, W> {
    /// Takes states through the rest of a block in a loop, if an earlier iteration did the same or
    /// a later one may. Returns those that reach the end.
    pub(super) fn again(
        &mut self,
        frame: &mut Frame<'p, W>,
        block: &'p [Segment],
        states: &[Product<W>],
        end: &'p Live,
    ) -> Result<Option<Products<W>>, Stop> {
        let plans = self.plans;
        let Some(region) = &plans.regions[block[0].number] else {
            return Ok(None);
        };
        let [product] = states else {
            return Ok(None);
        };
        if frame.loops.is_empty() || self.repeated.is_open {
            return Ok(None);
        }
        let Some((words, numbers)) = parts(region, product, frame.first) else {
            return Ok(None);
        };
        let number = block[0].number;
        let mut all = self.repeated.kept.iter().rev();
        let known = all.find(|ends| {
            let words = ends.words.as_ref().is_none_or(|known| *known == words);
            words && ends.number == number && ends.first == frame.first
        });
        let ends = match known {
            Some(ends) => ends.clone(),
            None => self.first_time(frame, block, (region, product, words), end)?,
        };
        if ends.words.is_none() {
            return Ok(None);
        }
        self.repeat(frame, (region, product, &numbers), &ends, end)
            .map(Some)
    }

    /// What a region does, with numbers that stand for those that it adds to.
    fn first_time(
        &mut self,
        frame: &mut Frame<'p, W>,
        block: &'p [Segment],
        (region, product, words): (&Region, &Product<W>, Vec<i64>),
        end: &'p Live,
    ) -> Result<Rc<Ends<W>>, Stop> {
        let mut cells = product.cells.clone();
        let mut factors = Vec::with_capacity(region.sums.len());
        for sum in &region.sums {
            let (of, times, add) = (factors.len(), 1, 0);
            factors.push(Factor::any());
            cells[frame.first + sum] = Cell::Number { of, times, add };
        }
        let start = Product {
            factors,
            heap: product.heap.clone(),
            ..Product::certain(cells)
        };
        let (observed, residual) = (self.observed, self.residual);
        let returns = std::mem::take(&mut frame.returns);
        let exits = frame.loops.last_mut().ok_or(Stop::Apart)?;
        let breaks = std::mem::take(&mut exits.breaks);
        let continues = std::mem::take(&mut exits.continues);
        self.repeated.is_open = true;
        let next = self.block(frame, block, vec![start], end)?;
        self.repeated.is_open = false;
        let exits = frame.loops.last_mut().ok_or(Stop::Apart)?;
        let ends = Ends {
            number: block[0].number,
            first: frame.first,
            // What is left out depends on how probable the states are.
            words: (observed == self.observed).then_some(words),
            exits: [
                next,
                std::mem::replace(&mut exits.breaks, breaks),
                std::mem::replace(&mut exits.continues, continues),
                std::mem::replace(&mut frame.returns, returns),
            ],
        };
        self.residual = residual;
        let ends = Rc::new(ends);
        if self.repeated.kept.len() == MAX_KEPT {
            self.repeated.kept.remove(0);
        }
        self.repeated.kept.push(ends.clone());
        Ok(ends)
    }

    /// Does the same to these states.
    fn repeat(
        &mut self,
        frame: &mut Frame<'p, W>,
        (region, product, numbers): (&Region, &Product<W>, &[Factor<W>]),
        ends: &Ends<W>,
        end: &'p Live,
    ) -> Result<Products<W>, Stop> {
        let mut next = Vec::new();
        let first = frame.first;
        for (exit, states) in ends.exits.iter().enumerate() {
            for done in states {
                let mut states = self.repeated(product, done);
                self.burn(&mut states, product.fuel)?;
                for local in &region.sets {
                    states.cells[first + local] = done.cells[first + local].clone();
                }
                for (local, number) in region.sums.iter().zip(numbers) {
                    let mut factors = states.cells[first + local].factors();
                    let place = factors.find(|of| states.factors[*of].is_any);
                    match place {
                        Some(of) => states.factors[of] = number.clone(),
                        None if number.is_whole => {}
                        None => {
                            let (mass, roundings) = number.mass();
                            states.times(&mass, roundings);
                        }
                    }
                    if !states.is_small(first + local) {
                        return Err(Stop::Apart);
                    }
                }
                let exits = frame.loops.last_mut().ok_or(Stop::Apart)?;
                let (live, into) = match exit {
                    0 => (end, &mut next),
                    1 => (exits.after, &mut exits.breaks),
                    2 => (exits.again, &mut exits.continues),
                    _ => (&*frame.plan.end, &mut frame.returns),
                };
                states.keep(first, live);
                join(into, states)?;
            }
        }
        Ok(next)
    }

    /// These states after what was done with numbers that stand for theirs.
    fn repeated(&self, product: &Product<W>, done: &Product<W>) -> Product<W> {
        let mut states = Product {
            cells: product.cells.clone(),
            heap: product.heap.clone(),
            factors: done.factors.clone(),
            ..done.clone()
        };
        states.times(&product.mass, product.roundings);
        states
    }
}

/// The words that a region reads of states, and the numbers that it adds to; `None` if it reads
/// anything else, or if anything else depends on these.
fn parts<W: Weight>(
    region: &Region,
    product: &Product<W>,
    first: usize,
) -> Option<(Vec<i64>, Vec<Factor<W>>)> {
    let word = |local: &usize| match product.cells[first + local] {
        Cell::Word(word) => Some(word),
        _ => None,
    };
    let words = region.reads.iter().map(word).collect::<Option<Vec<i64>>>()?;
    let mut found = 0;
    let number = |local: &usize| match product.cells[first + local] {
        Cell::Word(word) => is_small(word).then(|| Factor::certain(word)),
        Cell::Number { of, times: 1, add: 0 } => {
            found += 1;
            let is_own = product.uses(of) == 1 && product.is_small(first + local);
            is_own.then(|| product.factors[of].clone())
        }
        _ => None,
    };
    let numbers = region.sums.iter().map(number).collect::<Option<Vec<Factor<W>>>>()?;
    (found == product.factors.len()).then_some((words, numbers))
}
