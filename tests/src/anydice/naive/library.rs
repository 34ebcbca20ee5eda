//! The function library (section 10), each function as its sentence says it.

use super::calls::as_dice;
use super::operators::selected;
use super::value::{Odds, Pool, Value, multiplied, sort};
use super::{Machine, Naive, Refusal, Steps, Stop};
use std::slice::from_ref;

/// The functions with the types of their parameters.
const LIBRARY: [(&str, &[&str]); 16] = [
    ("absolute ?", &["n"]),
    ("? contains ?", &["s", "n"]),
    ("count ? in ?", &["s", "s"]),
    ("explode ?", &["d"]),
    ("highest ? of ?", &["n", "d"]),
    ("lowest ? of ?", &["n", "d"]),
    ("middle ? of ?", &["n", "d"]),
    ("highest of ? and ?", &["n", "n"]),
    ("lowest of ? and ?", &["n", "n"]),
    ("highest ? of ? and ?", &["n", "?", "?"]),
    ("lowest ? of ? and ?", &["n", "?", "?"]),
    ("highest ? of ? and ? and ?", &["n", "?", "?", "?"]),
    ("lowest ? of ? and ? and ?", &["n", "?", "?", "?"]),
    ("maximum of ?", &["d"]),
    ("reverse ?", &["s"]),
    ("sort ?", &["s"]),
];

impl Machine {
    /// A call of a function that the program does not define.
    pub(super) fn library_call(&mut self, signature: &str, values: &[Value]) -> Naive<Value> {
        let found = LIBRARY.iter().find(|(name, _)| *name == signature);
        let (_, types) = found.ok_or(Stop::Refused(Refusal::Function))?;
        let arguments = self.arguments(types, values)?;
        self.expanded(&arguments, |machine, values| {
            machine.library(signature, values).map(Some)
        })
    }

    fn library(&mut self, signature: &str, values: &[Value]) -> Naive<Value> {
        use Value::{Dice, Number, Sequence};
        let lowest_first = self.lowest_first;
        Ok(match (signature, values) {
            ("absolute ?", [Number(number)]) => {
                Number(number.checked_abs().ok_or(Stop::Refused(Refusal::Number))?)
            }
            ("? contains ?", [Sequence(elements), Number(number)]) => {
                Number(i64::from(elements.contains(number)))
            }
            ("count ? in ?", [Sequence(counted), Sequence(elements)]) => {
                let pairs = elements
                    .iter()
                    .flat_map(|one| counted.iter().map(move |two| (one, two)));
                Number(pairs.filter(|(one, two)| one == two).count() as i64)
            }
            ("explode ?", [Dice(dice)]) => self.exploded(dice)?,
            ("highest ? of ?", [Number(number), Dice(dice)]) => {
                kept(from_ref(dice), 1, *number, false, &mut self.steps)?
            }
            ("lowest ? of ?", [Number(number), Dice(dice)]) => {
                kept(from_ref(dice), 1, *number, true, &mut self.steps)?
            }
            ("middle ? of ?", [Number(number), Dice(dice)]) => {
                let first = 1 + (dice.count as i64).saturating_sub(*number) / 2;
                kept(from_ref(dice), first, *number, false, &mut self.steps)?
            }
            ("highest of ? and ?", [Number(one), Number(two)]) => Number(*one.max(two)),
            ("lowest of ? and ?", [Number(one), Number(two)]) => Number(*one.min(two)),
            ("maximum of ?", [Dice(dice)]) => {
                let sum = dice.sum(&mut self.steps)?;
                Number(sum.0.last().map_or(0, |(value, _)| *value))
            }
            ("reverse ?", [Sequence(elements)]) => {
                Sequence(elements.iter().rev().copied().collect())
            }
            ("sort ?", [Sequence(elements)]) => {
                let mut elements = elements.clone();
                sort(&mut elements, lowest_first);
                Sequence(elements)
            }
            (_, [Number(number), pools @ ..]) => {
                let is_lowest = signature.starts_with("lowest");
                kept(&together(pools)?, 1, *number, is_lowest, &mut self.steps)?
            }
            other => panic!("{other:?} does not have the types of the library"),
        })
    }

    /// The sum of the dice; at the maximum they are rolled again and added, as often as the setting
    /// allows.
    fn exploded(&mut self, dice: &Pool) -> Naive<Value> {
        let sum = dice.sum(&mut self.steps)?;
        let most = sum.0.last().map(|(value, _)| *value);
        let mut pairs = Vec::new();
        let mut going = vec![(0_i64, 1_u128)];
        for roll in 0..=self.explode_depth {
            let mut next = Vec::new();
            for (before, weight) in going {
                for &(value, one) in &sum.0 {
                    self.steps.take(1)?;
                    let after = before.checked_add(value);
                    let after = after.ok_or(Stop::Refused(Refusal::Number))?;
                    let weight = multiplied(weight, one)?;
                    match Some(value) == most && roll < self.explode_depth {
                        true => next.push((after, weight)),
                        // All paths have as many rolls, so that their weights have one total.
                        false => {
                            let mut weight = weight;
                            for _ in roll..self.explode_depth {
                                weight = multiplied(weight, sum.total()?)?;
                            }
                            pairs.push((after, weight));
                        }
                    }
                }
            }
            going = next;
        }
        Ok(Value::die(Odds::of(pairs)?))
    }
}

/// All dice together: numbers are dice of one face, and sequences bring their elements.
fn together(values: &[Value]) -> Naive<Vec<Pool>> {
    let mut pools = Vec::new();
    for value in values {
        match value {
            Value::Sequence(elements) => {
                pools.extend(elements.iter().map(|one| Pool::single(Odds::point(*one))));
            }
            other => pools.push(as_dice(other)?),
        }
    }
    Ok(pools)
}

/// The sum of this number of dice of a sorted roll, from a position on.
fn kept(
    pools: &[Pool],
    first: i64,
    number: i64,
    is_lowest: bool,
    steps: &mut Steps,
) -> Naive<Value> {
    let mut all: Vec<(Vec<i64>, u128)> = vec![(Vec::new(), 1)];
    for pool in pools.iter().filter(|pool| !pool.is_empty()) {
        let mut longer = Vec::new();
        for (roll, weight) in pool.rolls(steps)? {
            for (rest, other) in &all {
                steps.take(1 + roll.len() as u64)?;
                longer.push(([&roll[..], rest].concat(), multiplied(weight, *other)?));
            }
        }
        all = longer;
    }
    if pools.iter().all(Pool::is_empty) {
        return Ok(Value::die(Odds::default()));
    }
    let mut pairs = Vec::new();
    for (mut roll, weight) in all {
        sort(&mut roll, is_lowest);
        let positions: Vec<i64> = (1..=roll.len() as i64)
            .filter(|place| *place >= first && place - first < number)
            .collect();
        pairs.push((selected(&positions, &roll)?, weight));
    }
    Ok(Value::die(Odds::of(pairs)?))
}
