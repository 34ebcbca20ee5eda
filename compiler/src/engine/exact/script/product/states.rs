//! States at one point that differ in independent random numbers only: a row of cells, each of them
//! a word or a function of these numbers, and the distributions of the numbers.

use super::factor::{Factor, Sums};
use crate::engine::exact::script::live::Live;
use crate::engine::exact::script::notes::Mean;
use crate::engine::exact::script::reads::is_small;
use dicec_runtime::pmf::Weight;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Most products have at most this many numbers.
const FEW: usize = 16;

/// The word of a variable, by the random numbers.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    /// The same in all states.
    Word(i64),
    /// `times` (1 or -1) a number, and `add`.
    Number { of: usize, times: i64, add: i64 },
    /// By the index of a number.
    Table { of: usize, words: Arc<[i64]> },
    /// A number and what is added to it: `times` another number, and `add`. If that is less than
    /// `least`, it counts as `least`. The sum is only worked out where its value matters: what is
    /// added may be one of several, with one distribution for all of them.
    Sum {
        to: usize,
        of: usize,
        times: i64,
        add: i64,
        least: Option<i64>,
    },
}

impl Cell {
    /// The numbers that it depends on.
    pub(super) fn factors(&self) -> impl Iterator<Item = usize> + use<> {
        let factors = match self {
            Cell::Word(_) => [None, None],
            Cell::Number { of, .. } | Cell::Table { of, .. } => [Some(*of), None],
            Cell::Sum { to, of, .. } => [Some(*to), Some(*of)],
        };
        factors.into_iter().flatten()
    }

    /// Whether it depends on a number.
    pub(super) fn depends_on(&self, factor: usize) -> bool {
        self.factors().any(|of| of == factor)
    }

    /// The number that it is the sum of.
    pub(super) fn is_sum(&self) -> bool {
        matches!(self, Cell::Sum { .. })
    }

    fn renumber(&mut self, new: impl Fn(usize) -> usize) {
        match self {
            Cell::Word(_) => {}
            Cell::Number { of, .. } | Cell::Table { of, .. } => *of = new(*of),
            Cell::Sum { to, of, .. } => (*to, *of) = (new(*to), new(*of)),
        }
    }
}

/// See the module. The probability of a state is the product of the weights of its numbers and of
/// `mass`.
#[derive(Clone, Debug)]
pub(super) struct Product<W> {
    /// The variables of the function and of its callers, those of the outermost first.
    pub(super) cells: Vec<Cell>,
    /// The words of the records that can change, one after another. A reference is the index of the
    /// first word.
    pub(super) heap: Vec<Cell>,
    pub(super) factors: Vec<Factor<W>>,
    pub(super) mass: W,
    pub(super) roundings: u64,
    /// The maximum fuel of any path to one of the states.
    pub(super) fuel: u64,
}

impl<W: Weight> Product<W> {
    /// One state.
    pub(super) fn certain(cells: Vec<Cell>) -> Self {
        Self {
            cells,
            heap: Vec::new(),
            factors: Vec::new(),
            mass: W::from_u64(1),
            roundings: 0,
            fuel: 0,
        }
    }

    /// Adds a random number.
    pub(super) fn add(&mut self, factor: Factor<W>) -> usize {
        self.factors.push(factor);
        self.factors.len() - 1
    }

    /// All cells: those of variables, then those of the heap.
    pub(super) fn all(&self) -> impl Iterator<Item = &Cell> + Clone {
        self.cells.iter().chain(&self.heap)
    }

    /// The same, to change them.
    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut Cell> {
        self.cells.iter_mut().chain(&mut self.heap)
    }

    /// How many cells there are.
    pub(super) fn len(&self) -> usize {
        self.cells.len() + self.heap.len()
    }

    /// One of all cells.
    pub(super) fn cell(&self, at: usize) -> &Cell {
        match at.checked_sub(self.cells.len()) {
            Some(at) => &self.heap[at],
            None => &self.cells[at],
        }
    }

    /// Sets one of all cells.
    pub(super) fn set(&mut self, at: usize, cell: Cell) {
        match at.checked_sub(self.cells.len()) {
            Some(at) => self.heap[at] = cell,
            None => self.cells[at] = cell,
        }
    }

    /// How many cells depend on a number.
    pub(super) fn uses(&self, factor: usize) -> usize {
        self.all().filter(|cell| cell.depends_on(factor)).count()
    }

    /// The probability of its states.
    pub(super) fn mean(&self) -> Mean {
        let (mut mass, mut roundings) = (self.mass.clone(), self.roundings);
        for factor in self.factors.iter().filter(|factor| !factor.is_whole) {
            let (sum, more) = factor.mass();
            mass = mass.mul(&sum);
            roundings = roundings.saturating_add(more).saturating_add(1);
        }
        Mean {
            value: mass.ratio(&W::from_u64(1)),
            roundings,
        }
    }

    /// Multiplies the probability of its states.
    pub(super) fn times(&mut self, weight: &W, roundings: u64) {
        self.mass = self.mass.mul(weight);
        self.roundings = self.roundings.saturating_add(roundings).saturating_add(1);
    }

    /// The range of the words of a cell.
    pub(super) fn range(&self, cell: &Cell) -> RangeInclusive<i64> {
        let number = |of: usize, times: i64, add: i64| {
            let numbers = self.factors[of].numbers();
            let [one, two] = [*numbers.start(), *numbers.end()].map(|end| end * times + add);
            one.min(two)..=one.max(two)
        };
        match cell {
            Cell::Word(word) => *word..=*word,
            Cell::Number { of, times, add } => number(*of, *times, *add),
            Cell::Table { of, words } => {
                let words = self.factors[*of].indices().map(|index| words[index]);
                let (least, most) = words.fold((i64::MAX, i64::MIN), |(least, most), word| {
                    (word.min(least), word.max(most))
                });
                least..=most
            }
            Cell::Sum {
                to,
                of,
                times,
                add,
                least,
            } => {
                let (to, by) = (number(*to, 1, 0), number(*of, *times, *add));
                let raised = |number: i64| least.map_or(number, |least| number.max(least));
                raised(to.start() + by.start())..=raised(to.end() + by.end())
            }
        }
    }

    /// Whether the words of a cell can be added to.
    pub(super) fn is_small(&self, at: usize) -> bool {
        let range = self.range(self.cell(at));
        is_small(*range.start()) && is_small(*range.end())
    }

    /// The word of a cell, by the index of the number that it depends on.
    pub(super) fn word(&self, cell: &Cell, index: usize) -> i64 {
        match cell {
            Cell::Word(word) => *word,
            Cell::Number { of, times, add } => {
                (self.factors[*of].first + index as i64) * times + add
            }
            Cell::Table { words, .. } => words[index],
            // Sums are worked out before.
            Cell::Sum { add, .. } => *add,
        }
    }

    /// Calls `see` with the words of a cell of one number at most, and their weights.
    pub(super) fn each_word(&self, cell: &Cell, mut see: impl FnMut(i64, &W)) {
        let Some(of) = cell.factors().next() else {
            return see(self.word(cell, 0), &W::from_u64(1));
        };
        let weights = self.factors[of].weights.iter().enumerate();
        for (index, weight) in weights.filter(|(_, weight)| !weight.is_zero()) {
            see(self.word(cell, index), weight);
        }
    }

    /// How many words a cell of one number has, at most.
    pub(super) fn count(&self, cell: &Cell) -> u64 {
        let of = cell.factors().next();
        of.map_or(1, |of| self.factors[of].len() as u64)
    }

    /// Adds the weights of a cell of one number at most, times `weight`.
    pub(super) fn add_to(&self, sums: &mut Sums<W>, cell: &Cell, weight: &W) {
        match cell {
            Cell::Number { of, times: 1, add } => {
                let factor = &self.factors[*of];
                sums.add_all(factor.first + add, &factor.weights, weight);
            }
            cell => self.each_word(cell, |word, share| sums.add(word, &share.mul(weight))),
        }
    }

    /// The distribution of a cell of one number as a number of its own.
    pub(super) fn distribution(&self, cell: &Cell) -> Option<Factor<W>> {
        let of = &self.factors[cell.factors().next()?];
        let range = self.range(cell);
        let mut sums = Sums::new(*range.start(), *range.end(), of.len() as u64)?;
        self.each_word(cell, |word, weight| sums.add(word, weight));
        Some(Factor {
            is_whole: of.is_whole,
            ..sums.factor(of.roundings)
        })
    }

    /// Keeps the variables of callers, and those that are live of the function whose variables
    /// begin at `first`.
    pub(super) fn keep(&mut self, first: usize, live: &Live) {
        let no_objects = live.objects.is_empty();
        let mut values = live.values.iter().peekable();
        let mut objects = live.objects.iter().peekable();
        for (local, cell) in self.cells[first..].iter_mut().enumerate() {
            let value = values.next_if(|live| **live == local);
            if value.is_some() {
                continue;
            }
            if no_objects || objects.next_if(|(live, _)| *live == local).is_none() {
                *cell = Cell::Word(0);
            }
        }
        self.settle();
    }

    /// Keeps only the numbers that a cell depends on, each as simple as possible.
    pub(super) fn settle(&mut self) {
        if self.factors.is_empty() {
            return;
        }
        let mut few = [0_u32; FEW];
        let mut many = Vec::new();
        let uses: &mut [u32] = match few.get_mut(..self.factors.len()) {
            Some(uses) => uses,
            None => {
                many.resize(self.factors.len(), 0);
                &mut many
            }
        };
        for cells in [&self.cells, &self.heap] {
            for cell in cells {
                match cell {
                    Cell::Word(_) => {}
                    cell => cell.factors().for_each(|of| uses[of] += 1),
                }
            }
        }
        for at in 0..self.len() {
            if matches!(self.cell(at), Cell::Word(_)) {
                continue;
            }
            let (Cell::Number { of, .. } | Cell::Table { of, .. }) = *self.cell(at) else {
                continue;
            };
            if matches!(self.cell(at), Cell::Table { .. })
                && uses[of] == 1
                && let Some(factor) = self.distribution(self.cell(at))
            {
                self.factors[of] = factor;
                let (times, add) = (1, 0);
                self.set(at, Cell::Number { of, times, add });
            }
            if self.factors[of].len() == 1 {
                self.set(at, Cell::Word(self.word(self.cell(at), 0)));
                uses[of] -= 1;
            }
        }
        if uses.iter().all(|uses| *uses > 0) {
            return;
        }
        // From here on, the new index of each.
        let mut kept = 0;
        for (of, uses) in uses.iter_mut().enumerate() {
            if *uses > 0 {
                self.factors.swap(kept as usize, of);
                (*uses, kept) = (kept, kept + 1);
            }
        }
        for factor in self.factors.split_off(kept as usize) {
            if !factor.is_whole {
                let (sum, roundings) = factor.mass();
                self.times(&sum, roundings);
            }
        }
        self.all_mut()
            .for_each(|cell| cell.renumber(|of| uses[of] as usize));
    }

    /// Works a sum out. `false` if something else depends on its numbers, or if the sums are too
    /// far apart.
    pub(super) fn work_out(&mut self, at: usize) -> bool {
        let Cell::Sum {
            to,
            of,
            times,
            add,
            least,
        } = *self.cell(at)
        else {
            return true;
        };
        if self.uses(to) > 1 || self.uses(of) > 1 {
            return false;
        }
        let sum = self.factors[to].plus((&self.factors[of], times, add), least);
        let Some(sum) = sum else {
            return false;
        };
        self.factors[to] = sum;
        let (times, add) = (1, 0);
        self.set(at, Cell::Number { of: to, times, add });
        self.settle_after(of);
        true
    }

    /// After a number is part of a sum, only the sum has its weights.
    fn settle_after(&mut self, of: usize) {
        self.factors[of] = Factor::certain(0);
        self.settle();
    }
}
