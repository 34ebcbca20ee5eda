//! The result of an expansion: the mixture of the results of its calls (section 6).

use crate::arithmetic;
use crate::engine::Engine;
use crate::failure::Unplaced;
use crate::value::Value;
use dicec_runtime::pmf::{Pmf, Weight};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The results of calls, with their weights. Calls without a result and with the empty die are
/// dropped.
pub(super) struct Mixed<W> {
    numbers: FxHashMap<i64, W>,
    /// Distributions by their places in memory, which they keep alive.
    tables: FxHashMap<*const Pmf<W>, (W, Rc<Pmf<W>>)>,
    /// The tables in the order in which they came, so that sums do not depend on places in memory.
    order: Vec<*const Pmf<W>>,
    /// A bound on the roundings of the weights of calls, and the additions of weights.
    roundings: u64,
}

impl<W: Weight> Mixed<W> {
    /// Nothing yet; the weights of calls will have at most this many roundings.
    pub(super) fn new(roundings: u64) -> Self {
        Self {
            roundings,
            numbers: FxHashMap::default(),
            tables: FxHashMap::default(),
            order: Vec::new(),
        }
    }

    /// Adds the result of a call.
    pub(super) fn add(
        &mut self,
        weight: W,
        result: Option<Value<W>>,
        engine: &mut Engine<'_, W>,
    ) -> Result<(), Unplaced> {
        self.roundings = self.roundings.saturating_add(1);
        let number = match result {
            None => return Ok(()),
            Some(Value::Number(number)) => number,
            Some(Value::Sequence(elements)) => arithmetic::sum(&elements)?,
            Some(Value::Dice(dice)) => {
                if let Some(sum) = engine.sum(&dice)? {
                    let place = Rc::as_ptr(&sum);
                    match self.tables.entry(place) {
                        std::collections::hash_map::Entry::Occupied(mut known) => {
                            known.get_mut().0.add(&weight);
                        }
                        std::collections::hash_map::Entry::Vacant(free) => {
                            free.insert((weight, sum));
                            self.order.push(place);
                        }
                    }
                }
                return Ok(());
            }
        };
        match self.numbers.entry(number) {
            std::collections::hash_map::Entry::Occupied(mut known) => known.get_mut().add(&weight),
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert(weight);
            }
        }
        Ok(())
    }

    /// One die with the mixture; the empty die if all calls were dropped.
    pub(super) fn finish(mut self, engine: &mut Engine<'_, W>) -> Result<Value<W>, Unplaced> {
        let mut numbers: Vec<(i64, W)> = self.numbers.into_iter().collect();
        numbers.sort_by_key(|(number, _)| *number);
        if self.order.is_empty() {
            engine.pay(numbers.len() as u64)?;
            return Ok(match Pmf::from_weights(numbers) {
                Some(die) => Value::die(die.with_roundings(self.roundings)),
                None => Value::empty(),
            });
        }
        let numbers = numbers.into_iter();
        let mut parts: Vec<(W, Rc<Pmf<W>>)> = numbers
            .map(|(number, weight)| (weight, Rc::new(Pmf::point(number))))
            .collect();
        let tables = self.order.iter();
        parts.extend(tables.filter_map(|place| self.tables.remove(place)));
        let mixture = engine.mixture(parts)?;
        let mixture = mixture.map(|die| die.with_roundings(self.roundings));
        Ok(mixture.map_or_else(Value::empty, Value::die))
    }
}
