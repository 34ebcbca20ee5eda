//! Columns through a segment: the outcomes of a case are added to all states that have it at once.

use super::case::Case;
use super::column::Column;
use super::dist::Dist;
use super::flight::Flight;
use super::plan::Head;
use super::together::portion;
use super::walk::{Engine, LOOKED_UP_COST, OUTCOME_COST, Run};
use crate::engine::exact::ExactError;
use dicec_runtime::pmf::Weight;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

impl<'p, W: Weight> Engine<'p, W> {
    /// Takes the states of a column through a segment, those with the same case together.
    pub(super) fn convolve(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        column: &Column<W>,
    ) -> Result<(), ExactError> {
        let mut scale = 1.0;
        if let Some(Head::Call { function, .. }) = &run.segment.head {
            scale = self.scale(run, *function);
            if scale <= self.budget.cut() {
                run.frame.residual += run.input.mass();
                return Ok(());
            }
        }
        self.mixed |= column.mixed;
        let end = column.weights.len();
        let (mut number, mut case) = self.case(run, 0, scale)?;
        if self.is_common(run, column, &case) {
            return self.pour(run, (column, 0..end), number, &case);
        }
        let mut first = 0;
        let mut last = 0;
        for state in column.states(1..end) {
            let (other, found) = self.case(run, state, scale)?;
            if !Arc::ptr_eq(&case, &found) {
                self.pour(run, (column, first..last + 1), number, &case)?;
                (number, case, first) = (other, found, state);
            }
            last = state;
        }
        self.pour(run, (column, first..last + 1), number, &case)
    }

    fn is_common(&mut self, run: &Run<'_, 'p, W>, column: &Column<W>, case: &Arc<Case<W>>) -> bool {
        let place = (run.segment.number, run.frame.pinned);
        let begin = run.begin.as_ref().filter(|begin| self.cases.holds(begin));
        let is_it = |common: &Arc<_>| Arc::ptr_eq(common, case);
        let only = begin.and_then(|begin| self.cases.only(place.0, begin));
        only.is_some_and(is_it) || self.cases.common(place, column).is_some_and(is_it)
    }

    /// Takes states through their case; the first and the last of them have weights.
    fn pour(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        (column, states): (&Column<W>, Range<usize>),
        number: usize,
        case: &Case<W>,
    ) -> Result<(), ExactError> {
        let total = W::product_total(&run.input.total, &case.total);
        let each = W::mul_cost(&run.input.total, &case.total);
        let work = (case.outcomes() as u64).saturating_mul(each);
        let work = work.saturating_mul(states.len() as u64);
        self.pay(run, work.saturating_add(LOOKED_UP_COST))?;
        let mut packed = None;
        for flight in &case.flights {
            if !flight.convolve((column, states.clone()), &total, run.to(flight.exit)) {
                let input = run.input;
                let part = packed.get_or_insert_with(|| input.part(column, states.clone()));
                self.pour_packed(run, (part, &total), flight)?;
            }
        }
        self.meet(run, states, number, case);
        Ok(())
    }

    /// Adds the outcomes of a flight to packed states.
    fn pour_packed(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        (input, total): (&Dist<W>, &W),
        flight: &Flight<W>,
    ) -> Result<(), ExactError> {
        let outcomes = flight.outcomes.len();
        let each = OUTCOME_COST + input.layout().stride() as u64;
        let each = each.saturating_mul(outcomes as u64);
        let portion = portion(outcomes);
        for first in (0..input.len()).step_by(portion) {
            let states = first..input.len().min(first + portion);
            self.pay(run, each.saturating_mul(states.len() as u64))?;
            flight.pour(input, states, total, run.to(flight.exit));
        }
        Ok(())
    }
}

/// Where the outcomes of a flight lead the states of a column: to a column again.
struct Target {
    /// A row of it.
    row: Vec<i64>,
    /// The word that differs there, or 0.
    place: usize,
    /// The range of it.
    numbers: RangeInclusive<i64>,
    /// What the number of an outcome is added to.
    to: Source,
    /// The index of that number.
    added: usize,
    /// The least that the sum becomes.
    least: Option<i64>,
}

/// What the number of an outcome is added to.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    /// To each number of the column.
    Each,
    /// To this one, for all states.
    Only(i64),
}

impl Target {
    /// Sets the word that differs, if it is the only one.
    fn differs(
        &mut self,
        place: usize,
        numbers: RangeInclusive<i64>,
        (to, added, least): (Source, usize, Option<i64>),
    ) -> Option<()> {
        if self.place != 0 {
            return None;
        }
        *self = Self {
            row: std::mem::take(&mut self.row),
            place,
            numbers,
            to,
            added,
            least,
        };
        Some(())
    }
}

impl<W: Weight> Flight<W> {
    /// Where the outcomes lead some states of a column; `None` if more than one word differs there.
    fn target(&self, column: &Column<W>, states: &Range<usize>) -> Option<Target> {
        let (made, added) = self.ranges.split_at(self.made.len());
        let length = made.first().map_or(0, |length| *length.start());
        let mut target = Target {
            row: vec![0; length as usize],
            place: 0,
            numbers: 0..=0,
            to: Source::Only(0),
            added: 0,
            least: None,
        };
        let made = self.made.iter().zip(made).enumerate();
        for (index, (place, numbers)) in made.skip(1) {
            target.row[place - 1] = *numbers.start();
            if numbers.start() != numbers.end() {
                target.differs(*place, numbers.clone(), (Source::Only(0), index, None))?;
            }
        }
        let handed = self.handed.iter().zip(added);
        for (index, (handed, added)) in (self.made.len()..).zip(handed) {
            let least = handed.least.map(i64::from);
            let floored = |number: i64| number.max(least.unwrap_or(i64::MIN));
            let word = column.word(states.start, handed.place);
            let first = floored(word.saturating_add(*added.start()));
            target.row[handed.column - 1] = first;
            if handed.place == column.place() && states.len() > 1 {
                let last = column.number(states.end - 1).saturating_add(*added.end());
                let how = (Source::Each, index, least);
                target.differs(handed.column, first..=floored(last), how)?;
            } else if added.start() != added.end() {
                let last = floored(word.saturating_add(*added.end()));
                let how = (Source::Only(word), index, least);
                target.differs(handed.column, first..=last, how)?;
            }
        }
        Some(target)
    }

    /// Adds the outcomes of some states of a column to the distribution that they lead to; `total`
    /// is the total of the weights. `false` if they do not make a column there.
    fn convolve(
        &self,
        (column, states): (&Column<W>, Range<usize>),
        total: &W,
        to: &mut Dist<W>,
    ) -> bool {
        let Some(target) = self.target(column, &states) else {
            return false;
        };
        let factor = to.align(total);
        let made = (states.len() as u64).saturating_mul(self.outcomes.len() as u64);
        let new = to.is_empty();
        let Some(sums) = to.column_for(&target.row, target.place, &target.numbers, made) else {
            return false;
        };
        let (mut roundings, mut fuel, mut least_fuel) = (0, 0, u64::MAX);
        let mut add = Addition::new(column, states.clone(), &target, &mut *sums);
        for (outcome, numbers) in self.outcomes.iter().zip(self.numbers.chunks(self.width())) {
            roundings = outcome.roundings().max(roundings);
            fuel = outcome.fuel().max(fuel);
            least_fuel = outcome.fuel().min(least_fuel);
            match &factor {
                Some(factor) => add.outcome(numbers, &outcome.weight.mul(factor)),
                None => add.outcome(numbers, &outcome.weight),
            }
        }
        let (products, additions) = add.finish(self.outcomes.len());
        let roundings = column.roundings.saturating_add(roundings);
        let fuel = column.fuel.saturating_add(fuel);
        sums.add_bounds(new, roundings.saturating_add(products), fuel);
        sums.roundings = sums.roundings.saturating_add(additions - u64::from(new));
        sums.mixed |= column.mixed || column.fuel.saturating_add(least_fuel) != fuel;
        true
    }
}

/// The addition of outcomes to the states of a column.
struct Addition<'a, W> {
    target: &'a Target,
    /// The weights of the states, and the number of the first.
    weights: &'a [W],
    first: i64,
    /// The sums of the weights up to each; or only that of all.
    merged: Vec<W>,
    /// The state that all lead to, if the target has one.
    single: Option<usize>,
    /// What gets to the least number.
    least: W,
    sums: &'a mut Column<W>,
}

impl<'a, W: Weight> Addition<'a, W> {
    fn new(
        column: &'a Column<W>,
        states: Range<usize>,
        target: &'a Target,
        sums: &'a mut Column<W>,
    ) -> Self {
        let weights = &column.weights[states.clone()];
        let merged = match (target.to, target.least) {
            (Source::Each, None) => Vec::new(),
            (Source::Each, Some(_)) => running_sums(weights),
            (Source::Only(_), _) => vec![column.sum(states.clone())],
        };
        let single = (target.place == 0).then(|| match sums.place() {
            0 => 0,
            place => sums.state(target.row[place - 1]),
        });
        Self {
            target,
            weights,
            first: column.number(states.start),
            merged,
            single,
            least: W::zero(),
            sums,
        }
    }

    /// Adds an outcome of these numbers and this weight.
    fn outcome(&mut self, numbers: &[i64], weight: &W) {
        let least = self.target.least;
        if let Some(single) = self.single {
            return self.merge(0, single, weight);
        }
        let add = numbers[self.target.added];
        match self.target.to {
            Source::Only(number) => {
                let number = number.saturating_add(add).max(least.unwrap_or(i64::MIN));
                self.merge(0, self.sums.state(number), weight);
            }
            Source::Each => {
                let first = self.first.saturating_add(add);
                // The first ones may not get above the least number.
                let low = least.and_then(|least| usize::try_from(least.saturating_sub(first)).ok());
                let low = low.map_or(0, |low| low.saturating_add(1).min(self.weights.len()));
                if let Some(last) = low.checked_sub(1) {
                    self.least.add(&self.merged[last].mul(weight));
                }
                let above = &self.weights[low..];
                if !above.is_empty() {
                    let state = self.sums.state(first + low as i64);
                    let sums = &mut self.sums.weights[state..][..above.len()];
                    W::add_scaled(sums, above, weight);
                }
            }
        }
    }

    /// Ends with the least number, after this many outcomes. The maximum number of roundings of
    /// what is added to a number, and of its additions.
    fn finish(self, outcomes: usize) -> (u64, u64) {
        if let Some(least) = self.target.least.filter(|_| !self.least.is_zero()) {
            let state = self.sums.state(least);
            self.sums.weights[state].add(&self.least);
        }
        let states = self.weights.len();
        let Target {
            place, to, least, ..
        } = self.target;
        let additions = match to {
            // Those of the least number are added up before.
            _ if *place == 0 || least.is_some() => outcomes + 1,
            // Outcomes differ in their numbers.
            Source::Only(_) => 1,
            Source::Each => outcomes.min(states),
        };
        let merged = if self.merged.is_empty() {
            0
        } else {
            states - 1
        };
        (merged as u64 + 1, additions as u64)
    }

    /// Adds several states at once to one.
    fn merge(&mut self, merged: usize, state: usize, weight: &W) {
        let sums = &mut self.sums.weights[state..=state];
        W::add_scaled(sums, &self.merged[merged..=merged], weight);
    }
}

/// The sums of the weights up to each of them.
fn running_sums<W: Weight>(weights: &[W]) -> Vec<W> {
    let mut sum = W::zero();
    let sums = weights.iter().map(|weight| {
        sum.add(weight);
        sum.clone()
    });
    sums.collect()
}
