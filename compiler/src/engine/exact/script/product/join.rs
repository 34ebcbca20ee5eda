//! Two products are one if they differ in one cell only: its distribution is then that of either.

use super::factor::{Factor, Sums};
use super::states::{Cell, Product};
use super::Stop;
use dicec_runtime::pmf::Weight;

/// The maximum number of products at one point.
const MAX_PRODUCTS: usize = 16;

/// Adds states to those at a point.
///
/// # Errors
/// They are too many.
pub(super) fn join<W: Weight>(
    all: &mut Vec<Product<W>>,
    mut product: Product<W>,
) -> Result<(), Stop> {
    for known in &mut *all {
        if known.take_in(&mut product) {
            return Ok(());
        }
    }
    all.push(product);
    match all.len() > MAX_PRODUCTS {
        true => Err(Stop::Apart),
        false => Ok(()),
    }
}

impl<W: Weight> Product<W> {
    /// Adds states that differ from these in one cell at most; `false` if they do in more.
    fn take_in(&mut self, other: &mut Self) -> bool {
        let lengths = [&*self, other].map(|product| (product.cells.len(), product.heap.len()));
        if lengths[0] != lengths[1] || self.factors.len().abs_diff(other.factors.len()) > 1 {
            return false;
        }
        let Ok(differs) = self.differs(other) else {
            return false;
        };
        let Some(at) = differs else {
            self.add_mass(other);
            return true;
        };
        self.mix_added(other, at)
            || (self.work_out(at) && other.work_out(at) && self.mix(other, at))
    }

    /// The only cell in which others differ, if they do.
    fn differs(&self, other: &Self) -> Result<Option<usize>, ()> {
        let cells = self.all().zip(other.all()).enumerate();
        let mut differ = cells.filter(|(_, (one, two))| !self.is_same(one, (other, two)));
        let first = differ.next().map(|(at, _)| at);
        match differ.next() {
            None => Ok(first),
            Some(_) => Err(()),
        }
    }

    /// Whether a cell is the same function of the same numbers as one of other states.
    fn is_same(&self, one: &Cell, (other, two): (&Self, &Cell)) -> bool {
        let is = |one: usize, two: usize| self.factors[one].is(&other.factors[two]);
        match (one, two) {
            (Cell::Word(one), Cell::Word(two)) => one == two,
            (Cell::Number { of, times, add }, Cell::Number { of: two, times: by, add: plus }) => {
                times == by && add == plus && is(*of, *two)
            }
            (Cell::Table { of, words }, Cell::Table { of: two, words: others }) => {
                is(*of, *two) && words == others
            }
            (
                Cell::Sum { to, of, times, add, least },
                Cell::Sum { to: two, of: by, times: other, add: plus, least: low },
            ) => {
                (times, add, least) == (other, plus, low) && is(*to, *two) && is(*of, *by)
            }
            _ => false,
        }
    }

    /// Adds the probability of the same states.
    fn add_mass(&mut self, other: &Self) {
        self.mass.add(&other.mass);
        self.roundings = self.roundings.max(other.roundings).saturating_add(1);
        self.fuel = self.fuel.max(other.fuel);
    }

    /// Adds states that differ in a cell of one number, or of none.
    fn mix(&mut self, other: &Self, at: usize) -> bool {
        let [one, two] = [&*self, other].map(|product| {
            let mut factors = product.cell(at).factors();
            let factor = factors.next();
            (factor, factor.is_none_or(|factor| product.uses(factor) == 1))
        });
        if !one.1 || !two.1 {
            return false;
        }
        let factor = mixed((self, self.cell(at), one.0), (other, other.cell(at), two.0));
        let Some(factor) = factor else {
            return false;
        };
        self.fuel = self.fuel.max(other.fuel);
        (self.mass, self.roundings) = (W::from_u64(1), 0);
        let of = match one.0 {
            Some(of) => {
                self.factors[of] = factor;
                of
            }
            None => self.add(factor),
        };
        self.set(at, Cell::Number { of, times: 1, add: 0 });
        true
    }

    /// Adds states in which something else is added to the same number.
    fn mix_added(&mut self, other: &Self, at: usize) -> bool {
        let (Some(one), Some(two)) = (self.added(at), other.added(at)) else {
            return false;
        };
        if !self.factors[one.0].is(&other.factors[two.0]) {
            return false;
        }
        let factor = mixed((self, &one.1, one.2), (other, &two.1, two.2));
        let Some(factor) = factor else {
            return false;
        };
        self.fuel = self.fuel.max(other.fuel);
        (self.mass, self.roundings) = (W::from_u64(1), 0);
        let of = match one.2 {
            Some(of) => {
                self.factors[of] = factor;
                of
            }
            None => self.add(factor),
        };
        let (to, times, add, least) = (one.0, 1, 0, one.3.max(two.3));
        self.set(at, Cell::Sum { to, of, times, add, least });
        true
    }

    /// The number that a cell is the sum of, what is added to it, the number that this depends on,
    /// and the least number of the cell; none if something else depends on these.
    fn added(&self, at: usize) -> Option<(usize, Cell, Option<usize>, Option<i64>)> {
        let added = match *self.cell(at) {
            Cell::Sum { to, of, times, add, least } => {
                (to, Cell::Number { of, times, add }, Some(of), least)
            }
            Cell::Number { of, times: 1, add } => (of, Cell::Word(add), None, None),
            _ => return None,
        };
        let is_own = |factor: Option<usize>| factor.is_none_or(|factor| self.uses(factor) == 1);
        (is_own(Some(added.0)) && is_own(added.2)).then_some(added)
    }
}

/// A cell of some states, and the number that it depends on.
type Part<'a, W> = (&'a Product<W>, &'a Cell, Option<usize>);

/// The distribution of a cell that is one of two.
fn mixed<W: Weight>(one: Part<'_, W>, two: Part<'_, W>) -> Option<Factor<W>> {
    let is_any = |(product, _, factor): &Part<'_, W>| {
        factor.is_some_and(|factor| product.factors[factor].is_any)
    };
    if is_any(&one) || is_any(&two) {
        return None;
    }
    let roundings = [&one, &two].map(|(product, _, factor)| {
        let factor = factor.map_or(0, |factor| product.factors[factor].roundings);
        product.roundings.saturating_add(factor).saturating_add(1)
    });
    let ranges = [&one, &two].map(|(product, cell, _)| product.range(cell));
    let least = *ranges[0].start().min(ranges[1].start());
    let most = *ranges[0].end().max(ranges[1].end());
    let count = one.0.count(one.1) + two.0.count(two.1);
    let mut sums = Sums::new(least, most, count)?;
    for (product, cell, _) in [one, two] {
        product.add_to(&mut sums, cell, &product.mass);
    }
    Some(sums.factor(roundings[0].max(roundings[1])))
}
