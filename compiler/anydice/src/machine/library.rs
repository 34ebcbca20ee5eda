//! The functions that AnyDice brings along (section 10).

use super::Machine;
use super::call::{Argument, Arguments, Choice, makes_die, roundings};
use super::outcome::Mixed;
use crate::ast::{Signature, Type};
use crate::draws::Draws;
use crate::failure::{Failure, Unplaced};
use crate::value::{Dice, Value};
use dicec_lang::syntax::{Code, Diagnostic, nearest};
use dicec_runtime::bug;
use dicec_runtime::pmf::{Overflow, Weight};
use dicec_runtime::span::Span;
use std::rc::Rc;

/// The functions with the types of their parameters. `?` in a name is the place of a parameter.
const LIBRARY: [(&str, &[Type], Routine); 16] = [
    ("absolute ?", &[Type::Number], Routine::Absolute),
    (
        "? contains ?",
        &[Type::Any, Type::Number],
        Routine::Contains,
    ),
    ("count ? in ?", &[Type::Sequence, Type::Any], Routine::Count),
    ("explode ?", &[Type::Dice], Routine::Explode),
    (
        "highest ? of ?",
        &[Type::Number, Type::Dice],
        Routine::Highest,
    ),
    (
        "lowest ? of ?",
        &[Type::Number, Type::Dice],
        Routine::Lowest,
    ),
    (
        "middle ? of ?",
        &[Type::Number, Type::Dice],
        Routine::Middle,
    ),
    (
        "highest of ? and ?",
        &[Type::Number, Type::Number],
        Routine::Maximum,
    ),
    (
        "lowest of ? and ?",
        &[Type::Number, Type::Number],
        Routine::Minimum,
    ),
    ("highest ? of ? and ?", &MIXED_2, Routine::HighestOfSeveral),
    ("lowest ? of ? and ?", &MIXED_2, Routine::LowestOfSeveral),
    (
        "highest ? of ? and ? and ?",
        &MIXED_3,
        Routine::HighestOfSeveral,
    ),
    (
        "lowest ? of ? and ? and ?",
        &MIXED_3,
        Routine::LowestOfSeveral,
    ),
    ("maximum of ?", &[Type::Dice], Routine::GreatestSum),
    ("reverse ?", &[Type::Any], Routine::Reverse),
    ("sort ?", &[Type::Any], Routine::Sort),
];

const MIXED_2: [Type; 3] = [Type::Number, Type::Any, Type::Any];
const MIXED_3: [Type; 4] = [Type::Number, Type::Any, Type::Any, Type::Any];

/// The functions by what they compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Routine {
    Absolute,
    Contains,
    Count,
    Explode,
    Highest,
    Lowest,
    Middle,
    Maximum,
    Minimum,
    HighestOfSeveral,
    LowestOfSeveral,
    GreatestSum,
    Reverse,
    Sort,
}

impl<W: Weight> Machine<'_, '_, W> {
    /// A call of a function that the program does not define.
    pub(super) fn library_call(
        &mut self,
        signature: Signature,
        values: &[Value<W>],
        span: Span,
    ) -> Result<Value<W>, Failure> {
        let name = self.names.signature_of(signature);
        let found = LIBRARY.iter().find(|(known, ..)| *known == name);
        let Some((_, types, routine)) = found else {
            return Err(self.no_function(name, span).into());
        };
        let routine = *routine;
        let refs: Vec<&Value<W>> = values.iter().collect();
        if matches!(routine, Routine::Explode | Routine::GreatestSum) {
            for value in values {
                self.check_undrawn(value, span)?;
            }
        }
        let mut pairs = types.iter().zip(values);
        let is_die = pairs.any(|(&of, value)| makes_die(of, value));
        if is_die && self.drawing.is_some() {
            return self.one_call(&refs, span, |machine| {
                let arguments = machine.library_arguments(types, values, span)?;
                let mixture = machine.library_mixture(routine, values, &arguments, span)?;
                Ok((Draws::default(), mixture))
            });
        }
        let arguments = self.library_arguments(types, values, span)?;
        if !is_die {
            let draws = self.joined(&refs, span)?;
            let fixed = arguments.0.iter().filter_map(|argument| match argument {
                Argument::Fixed(value) => Some(value),
                Argument::Each(_) | Argument::Nothing => None,
            });
            let fixed: Vec<&Value<W>> = fixed.collect();
            let result = self.routine(routine, &fixed).map_err(|why| why.at(span))?;
            return Ok(result.depending(draws));
        }
        self.library_mixture(routine, values, &arguments, span)
    }

    /// The arguments by the types of a function's parameters.
    fn library_arguments(
        &mut self,
        types: &[Type],
        values: &[Value<W>],
        span: Span,
    ) -> Result<Arguments<W>, Failure> {
        let pairs = types.iter().zip(values);
        let all = pairs.map(|(&of, value)| self.argument(of, value.clone()));
        let all = all.collect::<Result<Vec<Argument<W>>, Unplaced>>();
        all.map(Arguments).map_err(|why| why.at(span))
    }

    /// The mixture of all calls of an expansion.
    fn library_mixture(
        &mut self,
        routine: Routine,
        values: &[Value<W>],
        arguments: &Arguments<W>,
        span: Span,
    ) -> Result<Value<W>, Failure> {
        let mut mixed = Mixed::new(roundings(values, arguments));
        self.expand(arguments, span, |machine, choices, weight| {
            let values = choices.iter().filter_map(|choice| match choice {
                Choice::Value(value) => Some(value),
                Choice::Numbers(..) => None,
            });
            let values: Vec<&Value<W>> = values.collect();
            let result = machine.routine(routine, &values);
            let result = result.map_err(|why| why.at(span))?;
            let added = mixed.add(weight, Some(result), &mut machine.engine);
            added.map_err(|why| why.at(span))
        })?;
        mixed.finish(&mut self.engine).map_err(|why| why.at(span))
    }

    fn no_function(&self, name: &str, span: Span) -> Diagnostic {
        let shown = |name: &str| format!("[{name}]");
        let message = format!("there is no function {} here", shown(name));
        let found = Diagnostic::error(Code::AnyDiceFunction, span, message);
        let defined = self.functions.values();
        let defined = defined.map(|function| self.names.signature_of(function.signature));
        let library = LIBRARY.iter().map(|(name, ..)| *name);
        let mut known: Vec<&str> = library.chain(defined).collect();
        known.sort_unstable();
        found.help(match nearest(name, known) {
            Some(near) => format!("did you mean {}? Each ? is an argument", shown(near)),
            None => "define it before the call: function: roll N:n of D:d { result: NdD }".into(),
        })
    }

    /// A function on values of the types of its parameters, numbers and sequences already expanded.
    fn routine(&mut self, routine: Routine, values: &[&Value<W>]) -> Result<Value<W>, Unplaced> {
        match (routine, values) {
            (Routine::Absolute, [Value::Number(number)]) => {
                let absolute = number.checked_abs().ok_or(Unplaced::Overflow)?;
                Ok(Value::Number(absolute))
            }
            (Routine::Maximum, [Value::Number(one), Value::Number(two)]) => {
                Ok(Value::Number(*one.max(two)))
            }
            (Routine::Minimum, [Value::Number(one), Value::Number(two)]) => {
                Ok(Value::Number(*one.min(two)))
            }
            (Routine::Contains, [of, Value::Number(number)]) => self.contains(of, *number),
            (Routine::Count, [Value::Sequence(counted), of]) => self.counted(counted, of),
            (Routine::Explode, [Value::Dice(dice)]) => self.exploded(dice),
            (Routine::Highest, [Value::Number(number), Value::Dice(dice)]) => {
                let number = u64::try_from(*number).unwrap_or(0);
                self.engine
                    .range(dice, |count| count.saturating_sub(number)..count)
            }
            (Routine::Lowest, [Value::Number(number), Value::Dice(dice)]) => {
                let number = u64::try_from(*number).unwrap_or(0);
                self.engine.range(dice, |count| 0..number.min(count))
            }
            (Routine::Middle, [Value::Number(number), Value::Dice(dice)]) => {
                self.middle(*number, dice)
            }
            (Routine::HighestOfSeveral, [Value::Number(number), pools @ ..]) => {
                let pools = self.pools(pools)?;
                self.engine.of_several(*number, &pools, false)
            }
            (Routine::LowestOfSeveral, [Value::Number(number), pools @ ..]) => {
                let pools = self.pools(pools)?;
                self.engine.of_several(*number, &pools, true)
            }
            (Routine::GreatestSum, [Value::Dice(dice)]) => greatest(dice),
            (Routine::Reverse | Routine::Sort, [of]) => self.reordered(routine, of),
            // The types of the parameters leave nothing else.
            _ => bug!("{routine:?} of {values:?}").raise(),
        }
    }

    fn contains(&mut self, of: &Value<W>, number: i64) -> Result<Value<W>, Unplaced> {
        match of {
            Value::Number(one) => Ok(Value::Number(i64::from(*one == number))),
            Value::Sequence(elements) => Ok(Value::Number(i64::from(elements.contains(&number)))),
            Value::Dice(dice) => {
                let counted = self.engine.count(dice, |face| i64::from(face == number))?;
                let Value::Dice(counted) = &counted else {
                    return Ok(counted);
                };
                let Some(sum) = self.engine.sum(counted)? else {
                    return Ok(Value::empty());
                };
                let any = |count: i64| Ok::<_, Overflow>(i64::from(count > 0));
                Ok(Value::die(sum.map(self.engine.budget, any)?))
            }
        }
    }

    fn counted(&mut self, counted: &[i64], of: &Value<W>) -> Result<Value<W>, Unplaced> {
        let times = |face: i64| counted.iter().filter(|&&one| one == face).count() as i64;
        match of {
            Value::Number(number) => Ok(Value::Number(times(*number))),
            Value::Sequence(elements) => {
                let work = elements.len().saturating_mul(counted.len());
                self.engine.pay(work as u64)?;
                Ok(Value::Number(elements.iter().map(|&one| times(one)).sum()))
            }
            Value::Dice(dice) => self.engine.count(dice, times),
        }
    }

    /// The sum; if it is the greatest possible one, another roll, up to the depth of the setting.
    fn exploded(&mut self, dice: &Dice<W>) -> Result<Value<W>, Unplaced> {
        let Some(sum) = self.engine.sum(dice)? else {
            return Ok(Value::empty());
        };
        self.engine.exploded(&sum, self.settings.explode_depth)
    }

    fn middle(&mut self, number: i64, dice: &Dice<W>) -> Result<Value<W>, Unplaced> {
        self.engine.range(dice, |count| {
            let number = u64::try_from(number).unwrap_or(0).min(count);
            // From the top, `1 + (count - number) / 2` is the first.
            let above = (count - number) / 2;
            count - above - number..count - above
        })
    }

    /// Dice, numbers as dice of one face, and the elements of sequences as such dice.
    fn pools(&mut self, values: &[&Value<W>]) -> Result<Vec<Rc<Dice<W>>>, Unplaced> {
        let mut pools = Vec::new();
        for value in values {
            match value {
                Value::Sequence(elements) => {
                    for &element in elements.iter() {
                        pools.push(self.engine.as_dice(&Value::Number(element))?);
                    }
                }
                other => pools.push(self.engine.as_dice(other)?),
            }
        }
        Ok(pools)
    }

    /// A sequence in another order; of dice, which an expansion makes a die again, their sum.
    fn reordered(&mut self, routine: Routine, of: &Value<W>) -> Result<Value<W>, Unplaced> {
        let mut elements = match of {
            Value::Number(number) => vec![*number],
            Value::Sequence(elements) => elements.to_vec(),
            Value::Dice(dice) => {
                let sum = self.engine.sum(dice)?;
                return Ok(
                    sum.map_or_else(Value::empty, |sum| Value::Dice(Rc::new(Dice::new(sum, 1))))
                );
            }
        };
        self.engine.pay(elements.len() as u64)?;
        match (routine, self.settings.lowest_first) {
            (Routine::Reverse, _) => elements.reverse(),
            (_, true) => elements.sort_unstable(),
            (_, false) => elements.sort_unstable_by(|one, two| two.cmp(one)),
        }
        Ok(Value::sequence(elements))
    }
}

/// The greatest possible sum; 0 for the empty die.
fn greatest<W: Weight>(dice: &Dice<W>) -> Result<Value<W>, Unplaced> {
    let Some(die) = &dice.die else {
        return Ok(Value::Number(0));
    };
    let count = i64::try_from(dice.count).map_err(|_| Unplaced::Overflow)?;
    let most = die.max().checked_mul(count).ok_or(Unplaced::Overflow)?;
    Ok(Value::Number(most))
}
