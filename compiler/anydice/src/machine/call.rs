//! Calls of functions: arguments by the types of parameters, and the expansion of dice that are
//! given to parameters of numbers and sequences (section 6).

use super::drawing::shared;
use super::memory::CallKey;
use super::observing::{Observed, Plan};
use super::outcome::Mixed;
use super::{Flow, Machine};
use crate::arithmetic;
use crate::ast::{Expr, Function, Signature, Type, Variable};
use crate::draws::Draws;
use crate::effects::Reads;
use crate::engine::{distinct, observed, rolls};
use crate::failure::{Failure, Unplaced};
use crate::settings::MAX_DEPTH;
use crate::value::{Dice, Value};
use dicec_lang::syntax::{Code, Diagnostic};
use dicec_runtime::pmf::Weight;
use dicec_runtime::span::Span;
use std::rc::Rc;
use std::sync::Arc;

/// The stack that must be left before a call, and the size of a new piece of it.
const STACK_LEFT: usize = 128 * 1024;
const STACK_ADDED: usize = 2 * 1024 * 1024;

/// Rolls are observed if there are more than this many.
const FEW_ROLLS: u64 = 64;

/// The value of a parameter in one call of an expansion.
#[derive(Clone, Debug)]
pub(super) enum Choice<W> {
    Value(Value<W>),
    /// Numbers that the body asks for, instead of a roll.
    Numbers(Rc<Plan>, Rc<[i64]>),
}

/// The values that a parameter takes, with their weights.
pub(super) type Each<W> = Vec<(Choice<W>, W)>;

/// An argument, by the type of its parameter.
pub(super) enum Argument<W> {
    Fixed(Value<W>),
    Each(Each<W>),
    /// The empty die, where a number or a sequence is wanted.
    Nothing,
}

/// Arguments for all parameters.
pub(super) struct Arguments<W>(pub(super) Vec<Argument<W>>);

/// Whether a value, given to a parameter of this type, makes the result a die.
pub(super) fn makes_die<W>(of: Type, value: &Value<W>) -> bool {
    matches!(
        (of, value),
        (Type::Number, Value::Sequence(_)) | (Type::Number | Type::Sequence, Value::Dice(_))
    )
}

/// A bound on the roundings of a product of one weight of each argument: those of a roll have a
/// power for each die and a number of ways, and observed ones at most as many additions as there
/// are results.
pub(super) fn roundings<W: Weight>(values: &[Value<W>], arguments: &Arguments<W>) -> u64 {
    let dice = values.iter().map(|value| match value {
        Value::Dice(dice) => {
            let sum = dice.known_sum().and_then(Option::as_ref);
            let sum = sum.map_or(0, |sum| sum.roundings());
            let die = dice.die.as_ref().map_or(0, |die| die.roundings());
            sum.saturating_add(die.saturating_add(4).saturating_mul(dice.count))
        }
        Value::Number(_) | Value::Sequence(_) => 0,
    });
    let results = arguments.0.iter().map(|argument| match argument {
        Argument::Each(each) => each.len() as u64 + 1,
        Argument::Fixed(_) | Argument::Nothing => 0,
    });
    dice.chain(results).fold(0, u64::saturating_add)
}

impl<W: Weight> Machine<'_, '_, W> {
    /// A call.
    pub(super) fn call(
        &mut self,
        signature: Signature,
        arguments: &[Expr],
        call: &Expr,
    ) -> Result<Value<W>, Failure> {
        let span = call.span;
        let values = arguments.iter().map(|argument| self.value(argument));
        let values = values.collect::<Result<Vec<Value<W>>, Failure>>()?;
        match self.functions.get(&signature.0).cloned() {
            Some(function) => stacker::maybe_grow(STACK_LEFT, STACK_ADDED, || {
                self.user_call(&function, values, call)
            }),
            None => self.library_call(signature, &values, span),
        }
    }

    fn user_call(
        &mut self,
        function: &Arc<Function>,
        values: Vec<Value<W>>,
        call: &Expr,
    ) -> Result<Value<W>, Failure> {
        let span = call.span;
        if self.is_too_deep(span)? {
            if let Some(facts) = &mut self.facts {
                facts.cut(call);
            }
            return Ok(Value::empty());
        }
        let (reads, steps) = self.effects.of(&self.functions, function.signature.0);
        self.engine.pay(10 + steps).map_err(|why| why.at(span))?;
        let key = self.key(function, &reads, &values, false);
        if let Some(known) = key.as_ref().and_then(|key| self.memory.find(key)) {
            return Ok(known.unwrap_or_else(Value::empty));
        }
        self.frames.push();
        let result = self.in_frame(function, &reads, values, span);
        self.frames.pop();
        let result = result?;
        if let Some(key) = key {
            self.memory.keep(key, Some(result.clone()));
        }
        Ok(result)
    }

    /// Whether another call is deeper than the setting allows.
    fn is_too_deep(&mut self, span: Span) -> Result<bool, Failure> {
        let depth = self.frames.len() as u64;
        let most = self.settings.function_depth;
        if depth > most {
            let message = "functions call each other deeper than the setting allows: deeper calls \
                           give the empty die";
            let note = Diagnostic::note(Code::AnyDiceDepth, span, message);
            let next = most.saturating_mul(2).min(MAX_DEPTH);
            let help = format!("it is {most}; set \"maximum function depth\" to {next}");
            self.note(note.help(help));
            return Ok(true);
        }
        if depth > MAX_DEPTH {
            let message = format!("functions call each other more than {MAX_DEPTH} deep here");
            let found = Diagnostic::error(Code::AnyDiceDepth, span, message);
            let help = "end the calls earlier, or set \"maximum function depth\" to less";
            return Err(found.help(help).into());
        }
        Ok(false)
    }

    /// The key of a call that can be remembered.
    fn key(
        &mut self,
        function: &Function,
        reads: &Reads,
        values: &[Value<W>],
        is_one: bool,
    ) -> Option<CallKey> {
        if !self.options.remember || self.drawing.is_some() {
            return None;
        }
        let outside = reads.outside.iter();
        let outside = outside.map(|variable| self.read(*variable).map(Value::key));
        Some(CallKey {
            function: function.id,
            depth: self.frames.len() - usize::from(is_one),
            settings: self.settings,
            is_one,
            arguments: values.iter().map(Value::key).collect(),
            outside: outside.collect(),
        })
    }

    /// The call, in its own frame.
    fn in_frame(
        &mut self,
        function: &Arc<Function>,
        reads: &Reads,
        values: Vec<Value<W>>,
        span: Span,
    ) -> Result<Value<W>, Failure> {
        let given = values.clone();
        let parameters = function.parameters.iter();
        let rolled = parameters.zip(&given);
        let rolled = rolled.filter(|(parameter, value)| makes_die(parameter.of, value));
        let rolled: Vec<&Value<W>> = rolled.map(|(_, value)| value).collect();
        if self.drawing.is_some() && !rolled.is_empty() {
            if reads.shares {
                return Err(shared(span).into());
            }
            return self.one_call(&rolled, span, |machine| {
                let arguments = machine.arguments(function, reads, given.clone());
                let arguments = arguments.map_err(|why| why.at(span))?;
                machine.expanded(function, reads, &given, &arguments, span)
            });
        }
        let arguments = self.arguments(function, reads, values);
        let arguments = arguments.map_err(|why| why.at(span))?;
        if rolled.is_empty() {
            let fixed = arguments.0.into_iter();
            for (argument, parameter) in fixed.zip(&function.parameters).rev() {
                if let Argument::Fixed(value) = argument {
                    self.assign(parameter.variable, value);
                }
            }
            let result = self.body(function)?;
            if let (Some(facts), Some(result)) = (&mut self.facts, &result) {
                facts.result(function, result);
            }
            return Ok(result.unwrap_or_else(Value::empty));
        }
        let mixed = self.expanded(function, reads, &given, &arguments, span);
        mixed.map(|(_, mixture)| mixture)
    }

    /// The mixture of all calls of an expansion, and the draws that their results depend on.
    fn expanded(
        &mut self,
        function: &Arc<Function>,
        reads: &Reads,
        given: &[Value<W>],
        arguments: &Arguments<W>,
        span: Span,
    ) -> Result<(Draws, Value<W>), Failure> {
        // The calls of an expansion can be told apart by what they remember only if they share
        // variables; then each is made, in order.
        let is_remembered = reads.calls && !reads.shares;
        let mut mixed = Mixed::new(roundings(given, arguments));
        let mut draws = Draws::default();
        self.expand(arguments, span, |machine, choices, weight| {
            let mut observed = Vec::new();
            let mut plain = Vec::new();
            for (choice, parameter) in choices.iter().zip(&function.parameters).rev() {
                match choice {
                    Choice::Value(value) => {
                        machine.assign(parameter.variable, value.clone());
                        plain.push(value.clone());
                    }
                    Choice::Numbers(plan, numbers) => {
                        observed.push((Rc::clone(plan), Rc::clone(numbers)));
                    }
                }
            }
            let key = match is_remembered && observed.is_empty() {
                true => machine.key(function, reads, &plain, true),
                false => None,
            };
            let result = match key.as_ref().and_then(|key| machine.memory.find(key)) {
                Some(known) => known,
                None => {
                    let observed = (!observed.is_empty()).then_some(Observed(observed));
                    machine.frames.observe(observed);
                    let result = machine.body(function)?;
                    if let Some(key) = key {
                        machine.memory.keep(key, result.clone());
                    }
                    result
                }
            };
            if let Some(result) = &result {
                draws = draws.with(&result.draws());
            }
            let added = mixed.add(weight, result, &mut machine.engine);
            added.map_err(|why| why.at(span))
        })?;
        let mixture = mixed.finish(&mut self.engine);
        Ok((draws, mixture.map_err(|why| why.at(span))?))
    }

    /// The result of a body, in its frame; none if it ended without one.
    fn body(&mut self, function: &Function) -> Result<Option<Value<W>>, Failure> {
        match self.block(&function.body)? {
            Flow::Result(result) => Ok(Some(result)),
            Flow::On => {
                if let Some(facts) = &mut self.facts {
                    facts.endless.get_or_insert(function.span);
                }
                let message = "this function can end without a result: it gives the empty die, \
                               which an expansion leaves out";
                let note = Diagnostic::note(Code::AnyDiceNoResult, function.span, message);
                self.note(note.help("end every branch with result: ..., result: 0 for nothing"));
                Ok(None)
            }
        }
    }

    /// The arguments by the types of the parameters.
    fn arguments(
        &mut self,
        function: &Arc<Function>,
        reads: &Reads,
        values: Vec<Value<W>>,
    ) -> Result<Arguments<W>, Unplaced> {
        let mut all = Vec::with_capacity(values.len());
        let mut pools: Vec<(usize, Variable, Rc<Dice<W>>)> = Vec::new();
        let mut expanded = Vec::new();
        for (parameter, value) in function.parameters.iter().zip(values) {
            if makes_die(parameter.of, &value) && matches!(value, Value::Dice(_)) {
                expanded.push(parameter.variable);
            }
            all.push(match (parameter.of, value) {
                (Type::Sequence, Value::Dice(dice)) if dice.die.is_some() && dice.count > 1 => {
                    pools.push((all.len(), parameter.variable, dice));
                    Argument::Nothing
                }
                (of, value) => self.argument(of, value)?,
            });
        }
        for (place, variable, dice) in pools {
            let observed = match self.options.observe && !reads.shares && self.drawing.is_none() {
                true => self.observed(function, variable, &expanded, &all, &dice)?,
                false => None,
            };
            all[place] = match observed {
                Some(each) => Argument::Each(each),
                None => self.rolled(&dice)?,
            };
        }
        Ok(Arguments(all))
    }

    /// An argument for a parameter of this type.
    pub(super) fn argument(&mut self, of: Type, value: Value<W>) -> Result<Argument<W>, Unplaced> {
        Ok(match (of, value) {
            (Type::Any, value)
            | (Type::Number, value @ Value::Number(_))
            | (Type::Sequence, value @ Value::Sequence(_)) => Argument::Fixed(value),
            (Type::Number, Value::Sequence(elements)) => {
                Argument::Fixed(Value::Number(arithmetic::sum(&elements)?))
            }
            (Type::Sequence, Value::Number(number)) => {
                Argument::Fixed(Value::sequence(vec![number]))
            }
            (Type::Dice, value) => Argument::Fixed(Value::Dice(self.engine.as_dice(&value)?)),
            (Type::Number, Value::Dice(dice)) => {
                let Some(sum) = self.engine.sum(&dice)? else {
                    return Ok(Argument::Nothing);
                };
                self.engine.pay(sum.len() as u64)?;
                if let Some(drawing) = &mut self.drawing {
                    let number = Value::Number(drawing.number(&*sum));
                    return Ok(Argument::Each(vec![(
                        Choice::Value(number),
                        W::from_u64(1),
                    )]));
                }
                let each = sum
                    .iter()
                    .map(|(value, weight)| (Choice::Value(Value::Number(value)), weight.clone()));
                Argument::Each(each.collect())
            }
            (Type::Sequence, Value::Dice(dice)) => self.rolled(&dice)?,
        })
    }

    /// Each distinct roll of dice, as a sequence.
    fn rolled(&mut self, dice: &Dice<W>) -> Result<Argument<W>, Unplaced> {
        let Some(die) = &dice.die else {
            return Ok(Argument::Nothing);
        };
        let lowest_first = self.settings.lowest_first;
        if let Some(drawing) = &mut self.drawing {
            let work = dice.count.saturating_mul(die.len() as u64);
            self.engine.pay(work)?;
            let roll = Value::sequence(drawing.roll(&**die, dice.count, lowest_first));
            return Ok(Argument::Each(vec![(Choice::Value(roll), W::from_u64(1))]));
        }
        let rolls = rolls(die, dice.count, lowest_first, self.engine.budget)?;
        let rolls = rolls.into_iter();
        let each = rolls.map(|(roll, weight)| (Choice::Value(Value::Sequence(roll)), weight));
        Ok(Argument::Each(each.collect()))
    }

    /// The numbers that the body asks about a roll, instead of the rolls; none if it asks for more,
    /// or if the rolls are few.
    fn observed(
        &mut self,
        function: &Arc<Function>,
        variable: Variable,
        expanded: &[Variable],
        all: &[Argument<W>],
        dice: &Rc<Dice<W>>,
    ) -> Result<Option<Each<W>>, Unplaced> {
        let Some(die) = &dice.die else {
            return Ok(None);
        };
        let number = distinct(dice.count, die.len() as u64);
        let same = function.parameters.iter();
        let is_named_twice = same.filter(|one| one.variable == variable).count() > 1;
        if number.is_some_and(|number| number <= FEW_ROLLS) || is_named_twice {
            return Ok(None);
        }
        for (argument, parameter) in all.iter().zip(&function.parameters).rev() {
            if let Argument::Fixed(value) = argument {
                self.assign(parameter.variable, value.clone());
            }
        }
        let Some(plan) = self.plan(function, variable, expanded, dice) else {
            return Ok(None);
        };
        let seen = observed(die, &plan.observers, dice.count, self.engine.budget)?;
        let plan = Rc::new(plan);
        let each = seen
            .into_iter()
            .map(|(numbers, weight)| (Choice::Numbers(Rc::clone(&plan), numbers.into()), weight));
        Ok(Some(each.collect()))
    }

    /// Calls `of` for all combinations of the arguments; the first one runs fastest.
    pub(super) fn expand(
        &mut self,
        arguments: &Arguments<W>,
        span: Span,
        mut of: impl FnMut(&mut Self, &[Choice<W>], W) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut places = vec![0_usize; arguments.0.len()];
        loop {
            self.engine
                .pay(1 + places.len() as u64)
                .map_err(|why| why.at(span))?;
            let mut weight = W::from_u64(1);
            let mut choices = Vec::with_capacity(places.len());
            for (argument, &place) in arguments.0.iter().zip(&places) {
                choices.push(match argument {
                    Argument::Nothing => return Ok(()),
                    Argument::Fixed(value) => Choice::Value(value.clone()),
                    Argument::Each(each) => {
                        let (choice, one) = &each[place];
                        // Fractions grow with each expansion of an expansion.
                        let work = W::mul_cost(&weight, one);
                        self.engine.pay(work).map_err(|why| why.at(span))?;
                        weight = weight.mul(one);
                        choice.clone()
                    }
                });
            }
            of(self, &choices, weight)?;
            let mut is_over = true;
            for (argument, place) in arguments.0.iter().zip(&mut places) {
                let Argument::Each(each) = argument else {
                    continue;
                };
                *place += 1;
                if *place < each.len() {
                    is_over = false;
                    break;
                }
                *place = 0;
            }
            if is_over {
                return Ok(());
            }
        }
    }
}
