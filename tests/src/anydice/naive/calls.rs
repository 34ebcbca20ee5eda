//! Calls of functions (section 6): every combination of the outcomes of the dice that are given to
//! parameters of numbers and sequences is a call.

use super::operators::number;
use super::value::{Odds, Pool, Value, mixed, multiplied};
use super::{Machine, Naive};
use crate::anydice::ast::{Function, Piece};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The values that a parameter takes, in order, with their weights.
type Each = Vec<(Value, u128)>;

/// The values of all parameters, and whether the result is a die.
pub(super) struct Arguments {
    each: Vec<Each>,
    is_expanded: bool,
}

impl Machine {
    pub(super) fn call(&mut self, pieces: &[Piece]) -> Naive<Value> {
        let mut signature = Vec::new();
        let mut values = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Word(word) => signature.push(word.as_str()),
                Piece::Argument(argument) => {
                    signature.push("?");
                    values.push(self.value(argument)?);
                }
            }
        }
        let signature = signature.join(" ");
        match self.functions.get(&signature).cloned() {
            Some(function) => self.user_call(&function, &values),
            None => self.library_call(&signature, &values),
        }
    }

    /// A call of a function of the program. All calls of one expansion have one frame.
    fn user_call(&mut self, function: &Rc<Function>, values: &[Value]) -> Naive<Value> {
        if self.frames.len() as i64 > self.function_depth {
            return Ok(Value::die(Odds::default()));
        }
        let parameters: Vec<(&str, &str)> = function.parameters().collect();
        let types: Vec<&str> = parameters.iter().map(|(_, of)| *of).collect();
        let arguments = self.arguments(&types, values)?;
        self.frames.push(BTreeMap::new());
        let result = self.expanded(&arguments, |machine, values| {
            // Of equal names the first one counts.
            for ((name, _), value) in parameters.iter().zip(values).rev() {
                machine.assign(name, value.clone());
            }
            machine.block(&function.body)
        });
        self.frames.pop();
        result
    }

    /// The values of the parameters by their types.
    pub(super) fn arguments(&mut self, types: &[&str], values: &[Value]) -> Naive<Arguments> {
        let mut each = Vec::new();
        let mut is_expanded = false;
        for (of, value) in types.iter().zip(values) {
            is_expanded |= match *of {
                "n" => !matches!(value, Value::Number(_)),
                "s" => matches!(value, Value::Dice(_)),
                _ => false,
            };
            each.push(self.argument(of, value)?);
        }
        Ok(Arguments { each, is_expanded })
    }

    fn argument(&mut self, of: &str, value: &Value) -> Naive<Each> {
        Ok(match (of, value) {
            ("n", Value::Dice(dice)) => {
                let sum = dice.sum(&mut self.steps)?;
                let each = sum.0.into_iter();
                each.map(|(value, weight)| (Value::Number(value), weight))
                    .collect()
            }
            ("s", Value::Dice(dice)) => {
                let each = dice
                    .sequences(self.lowest_first, &mut self.steps)?
                    .into_iter();
                each.map(|(roll, weight)| (Value::Sequence(roll), weight))
                    .collect()
            }
            ("n", value) => vec![(Value::Number(number(value)?), 1)],
            ("s", Value::Number(number)) => vec![(Value::Sequence(vec![*number]), 1)],
            ("d", value) => vec![(Value::Dice(as_dice(value)?), 1)],
            (_, value) => vec![(value.clone(), 1)],
        })
    }

    /// The result of a call, or the mixture of those of an expansion; the first parameter runs
    /// fastest. Calls without outcomes are dropped.
    pub(super) fn expanded(
        &mut self,
        arguments: &Arguments,
        mut of: impl FnMut(&mut Self, &[Value]) -> Naive<Option<Value>>,
    ) -> Naive<Value> {
        let mut combinations: Vec<(Vec<Value>, u128)> = vec![(Vec::new(), 1)];
        for each in arguments.each.iter().rev() {
            let mut longer = Vec::new();
            for (rest, weight) in &combinations {
                for (value, one) in each {
                    self.steps.take(1)?;
                    let mut values = vec![value.clone()];
                    values.extend(rest.iter().cloned());
                    longer.push((values, multiplied(*weight, *one)?));
                }
            }
            combinations = longer;
        }
        let mut parts = Vec::new();
        for (values, weight) in combinations {
            let result = of(self, &values)?;
            let result = result.unwrap_or_else(|| Value::die(Odds::default()));
            if !arguments.is_expanded {
                return Ok(result);
            }
            parts.push((weight, result.summed(&mut self.steps)?));
        }
        Ok(Value::die(mixed(&parts)?))
    }
}

/// A value for a parameter of dice: a number has one face, and a sequence its sum.
pub(super) fn as_dice(value: &Value) -> Naive<Pool> {
    Ok(match value {
        Value::Dice(dice) => dice.clone(),
        other => Pool::single(Odds::point(number(other)?)),
    })
}
