//! Values: numbers, sequences, and dice as lists of faces with whole weights.

use super::{Naive, Refusal, Steps, Stop};
use num_integer::gcd;
use std::collections::BTreeMap;

/// Outcomes, ascending, with weights that have no common divisor; none are the empty die.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Odds(pub Vec<(i64, u128)>);

impl Odds {
    /// The outcomes in any order, where equal ones add up.
    pub fn of(pairs: impl IntoIterator<Item = (i64, u128)>) -> Naive<Self> {
        let mut all: BTreeMap<i64, u128> = BTreeMap::new();
        for (value, weight) in pairs {
            let known = all.entry(value).or_default();
            *known = known.checked_add(weight).ok_or(Stop::TooLong)?;
        }
        let divisor = all
            .values()
            .fold(0, |divisor, weight| gcd(divisor, *weight));
        let reduced = all
            .into_iter()
            .map(|(value, weight)| (value, weight / divisor));
        Ok(Self(reduced.collect()))
    }

    /// A single outcome.
    pub fn point(value: i64) -> Self {
        Self(vec![(value, 1)])
    }

    /// The sum of all weights.
    pub fn total(&self) -> Naive<u128> {
        let mut weights = self.0.iter().map(|(_, weight)| *weight);
        weights
            .try_fold(0_u128, u128::checked_add)
            .ok_or(Stop::TooLong)
    }

    /// The outcomes after a function of each.
    pub fn map(&self, of: impl Fn(i64) -> Naive<i64>) -> Naive<Self> {
        let pairs = self
            .0
            .iter()
            .map(|&(value, weight)| Ok((of(value)?, weight)));
        Self::of(pairs.collect::<Naive<Vec<_>>>()?)
    }
}

/// The mixture of some odds by their weights; those without outcomes are dropped.
pub(super) fn mixed(parts: &[(u128, Odds)]) -> Naive<Odds> {
    let parts = parts.iter().filter(|(_, odds)| !odds.0.is_empty());
    let parts = parts.map(|(weight, odds)| Ok((*weight, odds, odds.total()?)));
    let parts = parts.collect::<Naive<Vec<_>>>()?;
    let mut common = 1_u128;
    for (_, _, total) in &parts {
        common = multiplied(common / gcd(common, *total), *total)?;
    }
    let mut pairs = Vec::new();
    for (weight, odds, total) in parts {
        for &(value, one) in &odds.0 {
            pairs.push((value, multiplied(multiplied(weight, one)?, common / total)?));
        }
    }
    Odds::of(pairs)
}

/// A product of weights.
pub(super) fn multiplied(one: u128, two: u128) -> Naive<u128> {
    one.checked_mul(two).ok_or(Stop::TooLong)
}

/// Some dice with equal faces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// The faces of one die.
    pub die: Odds,
    /// The number of dice; of the empty die, its length.
    pub count: u64,
}

impl Pool {
    /// A single die; without faces, the empty die.
    pub fn single(die: Odds) -> Self {
        let count = u64::from(!die.0.is_empty());
        Self { die, count }
    }

    /// Whether it is the empty die.
    pub fn is_empty(&self) -> bool {
        self.die.0.is_empty()
    }

    /// Every roll of these dice in the order of the dice, with its weight.
    pub fn rolls(&self, steps: &mut Steps) -> Naive<Vec<(Vec<i64>, u128)>> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let mut rolls: Vec<(Vec<i64>, u128)> = vec![(Vec::new(), 1)];
        for dice in 0..self.count {
            let mut longer = Vec::new();
            for (roll, weight) in &rolls {
                for (face, one) in &self.die.0 {
                    steps.take(1 + dice)?;
                    let mut roll = roll.clone();
                    roll.push(*face);
                    longer.push((roll, multiplied(*weight, *one)?));
                }
            }
            rolls = longer;
        }
        Ok(rolls)
    }

    /// The odds of the sum.
    pub fn sum(&self, steps: &mut Steps) -> Naive<Odds> {
        let rolls = self.rolls(steps)?.into_iter();
        let sums = rolls.map(|(roll, weight)| Ok((sum(&roll)?, weight)));
        Odds::of(sums.collect::<Naive<Vec<_>>>()?)
    }

    /// Every roll as a sequence, once, in the order in which an expansion has them (section 6,
    /// variables): single dice ascend, and pools go by the dictionary from the first die.
    pub fn sequences(&self, lowest_first: bool, steps: &mut Steps) -> Naive<Vec<(Vec<i64>, u128)>> {
        let mut distinct: BTreeMap<Vec<i64>, u128> = BTreeMap::new();
        for (mut roll, weight) in self.rolls(steps)? {
            sort(&mut roll, lowest_first);
            let known = distinct.entry(roll).or_default();
            *known = known.checked_add(weight).ok_or(Stop::TooLong)?;
        }
        let ascending = distinct.into_iter();
        Ok(match lowest_first || self.count == 1 {
            true => ascending.collect(),
            false => ascending.rev().collect(),
        })
    }
}

/// Sorts by the position order.
pub(super) fn sort(elements: &mut [i64], lowest_first: bool) {
    elements.sort_unstable();
    if !lowest_first {
        elements.reverse();
    }
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(i64),
    /// A list of numbers.
    Sequence(Vec<i64>),
    /// One or more dice, or the empty die.
    Dice(Pool),
}

impl Value {
    /// A single die.
    pub fn die(odds: Odds) -> Self {
        Self::Dice(Pool::single(odds))
    }

    /// The odds of its sum.
    pub fn summed(&self, steps: &mut Steps) -> Naive<Odds> {
        match self {
            Self::Number(number) => Ok(Odds::point(*number)),
            Self::Sequence(elements) => Ok(Odds::point(sum(elements)?)),
            Self::Dice(dice) => dice.sum(steps),
        }
    }

    /// As a name has it (section 9).
    pub fn shown(&self) -> String {
        let dice = match self {
            Self::Number(number) => return number.to_string(),
            Self::Sequence(elements) if elements.is_empty() => return "{}".to_owned(),
            Self::Sequence(_) => return "{?}".to_owned(),
            Self::Dice(dice) => dice,
        };
        let faces = &dice.die.0;
        let (Some(first), Some(last)) = (faces.first(), faces.last()) else {
            return "d{}".to_owned();
        };
        let is_run = (0_i64..)
            .zip(faces)
            .all(|(place, (face, _))| first.0.checked_add(place) == Some(*face));
        let is_fair = faces.iter().all(|(_, weight)| *weight == first.1);
        let die = match (is_run && is_fair, first.0) {
            (true, 1) => format!("d{}", last.0),
            (true, _) => format!("d{{{}..{}}}", first.0, last.0),
            (false, _) => "d{?}".to_owned(),
        };
        match dice.count {
            1 => die,
            count => format!("{count}{die}"),
        }
    }
}

/// The sum of a sequence.
pub(super) fn sum(elements: &[i64]) -> Naive<i64> {
    let mut elements = elements.iter().copied();
    let sum = elements.try_fold(0_i64, i64::checked_add);
    sum.ok_or(Stop::Refused(Refusal::Number))
}
