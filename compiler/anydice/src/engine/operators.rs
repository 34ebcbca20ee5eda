//! Operators on values by their kinds (section 5).

use super::Engine;
use crate::arithmetic::{self, apply};
use crate::ast::{Binary, Prefix};
use crate::failure::Unplaced;
use crate::value::{Dice, Value};
use dicec_runtime::compare::CompareOp;
use dicec_runtime::pmf::{Pmf, Weight};
use std::rc::Rc;

/// What takes part in arithmetic: a number, or the distribution of a sum; none is the empty die.
enum Operand<W> {
    Number(i64),
    Sum(Option<Rc<Pmf<W>>>),
}

impl<W: Weight> Engine<'_, W> {
    /// An operator between two values.
    pub(crate) fn binary(
        &mut self,
        operator: Binary,
        left: &Value<W>,
        right: &Value<W>,
    ) -> Result<Value<W>, Unplaced> {
        if let Binary::Compare(comparison) = operator
            && let Some(counted) = compared(comparison, left, right)
        {
            return Ok(Value::Number(counted));
        }
        match (self.operand(left)?, self.operand(right)?) {
            (Operand::Number(left), Operand::Number(right)) => {
                apply(operator, left, right, false).map(Value::Number)
            }
            (left, right) => self.in_dice(operator, left, right),
        }
    }

    fn operand(&mut self, value: &Value<W>) -> Result<Operand<W>, Unplaced> {
        Ok(match value {
            Value::Number(number) => Operand::Number(*number),
            Value::Sequence(elements) => Operand::Number(arithmetic::sum(elements)?),
            Value::Dice(dice) => Operand::Sum(self.sum(dice)?),
        })
    }

    /// An operator of which at least one side is dice.
    fn in_dice(
        &mut self,
        operator: Binary,
        left: Operand<W>,
        right: Operand<W>,
    ) -> Result<Value<W>, Unplaced> {
        let is_empty = |side: &Operand<W>| matches!(side, Operand::Sum(None));
        let (left, right) = match (is_empty(&left), is_empty(&right)) {
            (false, false) => (left, right),
            (true, true) => return Ok(Value::empty()),
            // The empty die counts as 0 where a sum stays without it.
            _ if !matches!(operator, Binary::Add | Binary::Subtract | Binary::Or) => {
                return Ok(Value::empty());
            }
            (true, false) => (Operand::Number(0), right),
            (false, true) => (left, Operand::Number(0)),
        };
        let result = match (left, right) {
            (Operand::Sum(Some(left)), Operand::Sum(Some(right))) => {
                self.combined(operator, &left, &right)?
            }
            (Operand::Sum(Some(left)), Operand::Number(right)) => {
                left.map(self.budget, |left| apply(operator, left, right, true))?
            }
            (Operand::Number(left), Operand::Sum(Some(right))) => {
                right.map(self.budget, |right| apply(operator, left, right, true))?
            }
            (Operand::Number(left), Operand::Number(right)) => {
                Pmf::point(apply(operator, left, right, true)?)
            }
            (Operand::Sum(None), _) | (_, Operand::Sum(None)) => return Ok(Value::empty()),
        };
        Ok(Value::die(result))
    }

    fn combined(
        &mut self,
        operator: Binary,
        left: &Pmf<W>,
        right: &Pmf<W>,
    ) -> Result<Pmf<W>, Unplaced> {
        match operator {
            Binary::Add => Ok(left.sum(right, self.budget)?),
            Binary::Subtract => {
                let right = self.negated(right)?;
                Ok(left.sum(&right, self.budget)?)
            }
            Binary::Compare(comparison) => {
                let each = W::mul_cost(left.total(), right.total());
                self.pay(each.saturating_mul((left.len() + right.len()) as u64))?;
                Ok(left.relation(right).check(|order| comparison.holds(order)))
            }
            // Only whether a side is 0 matters, so the pairs are few.
            Binary::And | Binary::Or => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                self.pairs(operator, &left, &right)
            }
            Binary::Multiply | Binary::Divide | Binary::Power => self.pairs(operator, left, right),
        }
    }

    fn pairs(
        &mut self,
        operator: Binary,
        left: &Pmf<W>,
        right: &Pmf<W>,
    ) -> Result<Pmf<W>, Unplaced> {
        let of = |left, right| apply(operator, left, right, true);
        Ok(left.combine(right, self.budget, of)?)
    }

    fn truth(&mut self, of: &Pmf<W>) -> Result<Pmf<W>, Unplaced> {
        let truth = |value: i64| Ok::<_, Unplaced>(i64::from(value != 0));
        Ok(of.map(self.budget, truth)?)
    }

    /// A prefix operator.
    pub(crate) fn prefix(
        &mut self,
        operator: Prefix,
        value: &Value<W>,
    ) -> Result<Value<W>, Unplaced> {
        match (operator, value) {
            (Prefix::Plus, _) => Ok(value.clone()),
            (Prefix::Length, _) => Ok(Value::Number(length(value))),
            (Prefix::Minus, Value::Dice(dice)) => {
                let Some(die) = &dice.die else {
                    return Ok(value.clone());
                };
                let negated = Rc::new(self.negated(die)?);
                Ok(Value::Dice(Rc::new(Dice::new(negated, dice.count))))
            }
            (Prefix::Not, Value::Dice(dice)) => {
                let Some(sum) = self.sum(dice)? else {
                    return Ok(Value::empty());
                };
                let not = |value: i64| Ok::<_, Unplaced>(i64::from(value == 0));
                Ok(Value::die(sum.map(self.budget, not)?))
            }
            (Prefix::Minus, Value::Number(number)) => negative(*number),
            (Prefix::Minus, Value::Sequence(elements)) => negative(arithmetic::sum(elements)?),
            (Prefix::Not, Value::Number(number)) => Ok(Value::Number(i64::from(*number == 0))),
            (Prefix::Not, Value::Sequence(elements)) => {
                let sum = arithmetic::sum(elements)?;
                Ok(Value::Number(i64::from(sum == 0)))
            }
        }
    }
}

fn negative<W>(number: i64) -> Result<Value<W>, Unplaced> {
    let negated = number.checked_neg().ok_or(Unplaced::Overflow)?;
    Ok(Value::Number(negated))
}

/// `#`: digits, elements, or dice.
fn length<W>(value: &Value<W>) -> i64 {
    match value {
        Value::Number(number) => arithmetic::digits(*number).len() as i64,
        Value::Sequence(elements) => elements.len() as i64,
        Value::Dice(dice) => i64::try_from(dice.count).unwrap_or(i64::MAX),
    }
}

/// A comparison of a sequence with a number, which counts elements, or with another sequence.
fn compared<W>(comparison: CompareOp, left: &Value<W>, right: &Value<W>) -> Option<i64> {
    let count = |elements: &[i64], holds: &dyn Fn(i64) -> bool| {
        elements.iter().filter(|&&element| holds(element)).count() as i64
    };
    Some(match (left, right) {
        (Value::Sequence(elements), Value::Number(number)) => {
            count(elements, &|element| comparison.holds(element.cmp(number)))
        }
        (Value::Number(number), Value::Sequence(elements)) => {
            count(elements, &|element| comparison.holds(number.cmp(&element)))
        }
        (Value::Sequence(left), Value::Sequence(right)) => {
            i64::from(comparison.holds(left.cmp(right)))
        }
        _ => return None,
    })
}
