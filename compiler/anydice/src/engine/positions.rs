//! Dice by their positions in a sorted roll: `P@X`, and the highest, lowest and middle of a pool.

use super::{Engine, Observer, observed};
use crate::arithmetic::digits;
use crate::failure::Unplaced;
use crate::value::{Dice, Value};
use dicec_runtime::pmf::{Overflow, Pmf, Weight};
use std::ops::Range;
use std::rc::Rc;

impl<W: Weight> Engine<'_, W> {
    /// The sum of the elements of `value` at these positions, counted from 1; those that do not
    /// exist count 0.
    pub(crate) fn at(
        &mut self,
        positions: &[i64],
        value: &Value<W>,
        lowest_first: bool,
    ) -> Result<Value<W>, Unplaced> {
        match value {
            Value::Number(number) => {
                let mut digits = digits(*number);
                if lowest_first {
                    digits.reverse();
                }
                elements_at(positions, &digits).map(Value::Number)
            }
            Value::Sequence(elements) => elements_at(positions, elements).map(Value::Number),
            Value::Dice(dice) => self.dice_at(positions, dice, lowest_first),
        }
    }

    fn dice_at(
        &mut self,
        positions: &[i64],
        dice: &Dice<W>,
        lowest_first: bool,
    ) -> Result<Value<W>, Unplaced> {
        let Some(die) = &dice.die else {
            return Ok(Value::empty());
        };
        self.budget.spend(dice.count, dice.count)?;
        // How often each die counts, the lowest first.
        let mut times = vec![0_i64; dice.count as usize];
        for &position in positions {
            let index = u64::try_from(position).ok().and_then(|p| p.checked_sub(1));
            let Some(index) = index.filter(|&index| index < dice.count) else {
                continue;
            };
            let index = if lowest_first {
                index
            } else {
                dice.count - 1 - index
            };
            times[index as usize] += 1;
        }
        if times.iter().all(|&times| times <= 1) {
            return self.chosen(die, dice.count, |index| times[index as usize] == 1);
        }
        let seen = observed(die, &[Observer::Positions(times)], dice.count, self.budget)?;
        let sums = seen.into_iter().map(|(sums, weight)| (sums[0], weight));
        let roundings = die.roundings().saturating_add(4).saturating_mul(dice.count);
        let sums = Pmf::from_weights(sums).ok_or(Unplaced::Overflow)?;
        Ok(Value::die(sums.with_roundings(roundings)))
    }

    /// The sum of those of `count` dice whose index is chosen, the lowest die first.
    fn chosen(
        &mut self,
        die: &Pmf<W>,
        count: u64,
        is_chosen: impl Fn(u64) -> bool,
    ) -> Result<Value<W>, Unplaced> {
        let sum = die.select_sum(count, self.budget, is_chosen, |face| face);
        Ok(Value::die(sum?))
    }

    /// The sum of the dice of a pool from one index to another, the lowest die first.
    pub(crate) fn range(
        &mut self,
        dice: &Dice<W>,
        range: impl FnOnce(u64) -> Range<u64>,
    ) -> Result<Value<W>, Unplaced> {
        let Some(die) = &dice.die else {
            return Ok(Value::empty());
        };
        let range = range(dice.count);
        self.chosen(die, dice.count, |index| range.contains(&index))
    }

    /// The sum of some of the highest or lowest dice of several pools together.
    pub(crate) fn of_several(
        &mut self,
        number: i64,
        pools: &[Rc<Dice<W>>],
        is_lowest: bool,
    ) -> Result<Value<W>, Unplaced> {
        let kinds: Vec<(&Pmf<W>, u64)> = pools
            .iter()
            .filter_map(|pool| Some((pool.die.as_deref()?, pool.count)))
            .collect();
        if kinds.is_empty() {
            return Ok(Value::empty());
        }
        let number = u64::try_from(number).unwrap_or(0);
        let keep = |index: u64, dice: u64| match is_lowest {
            true => index < number,
            false => index >= dice.saturating_sub(number),
        };
        let sum = Pmf::select_mixed(&kinds, self.budget, &keep, |face| face);
        Ok(Value::die(sum?))
    }

    /// The number of dice whose face is among some values, where `times` counts a face.
    pub(crate) fn count(
        &mut self,
        dice: &Dice<W>,
        times: impl Fn(i64) -> i64,
    ) -> Result<Value<W>, Unplaced> {
        let Some(die) = &dice.die else {
            return Ok(Value::empty());
        };
        let counted = die.map(self.budget, |face| Ok::<_, Overflow>(times(face)))?;
        Ok(Value::die(counted.n_fold(dice.count, self.budget)?))
    }
}

fn elements_at(positions: &[i64], elements: &[i64]) -> Result<i64, Unplaced> {
    let mut sum = 0_i64;
    for &position in positions {
        let index = usize::try_from(position)
            .ok()
            .and_then(|p| p.checked_sub(1));
        let element = index.and_then(|index| elements.get(index));
        let element = element.copied().unwrap_or(0);
        sum = sum.checked_add(element).ok_or(Unplaced::Overflow)?;
    }
    Ok(sum)
}
