//! The interpreter of one roll.

use super::host::{AtTable, Host};
use super::outcome::{Outcome, Value};
use super::trace::Observer;
use super::walk::{Walk, at};
use crate::hir::{Data, Function, FunctionId, Module, Roll};
use dicec_runtime::bug;
use dicec_runtime::limits::{RollLimits, ScriptLimits};
use dicec_runtime::rng::Dice;
use dicec_runtime::trap::Trap;

/// Runs a roll of a checked module.
#[derive(Clone, Copy, Debug)]
pub struct Interpreter<'a> {
    module: &'a Module,
    function: FunctionId,
    rolls: RollLimits,
    limits: ScriptLimits,
}

impl<'a> Interpreter<'a> {
    /// An interpreter of one function of `module`, usually the body of a roll.
    pub fn new(
        module: &'a Module,
        function: FunctionId,
        rolls: RollLimits,
        limits: ScriptLimits,
    ) -> Self {
        Self {
            module,
            function,
            rolls,
            limits,
        }
    }

    /// An interpreter of a rule.
    pub fn of_rule(module: &'a Module, rolls: RollLimits) -> Self {
        Self::new(module, FunctionId(0), rolls, ScriptLimits::default())
    }

    /// One trial with these arguments, one per parameter, and resources, one per slot of the
    /// module. Returns the result of the roll: a number, a truth value, a degree, the index of a
    /// rule's label, or nothing.
    ///
    /// # Errors
    /// The first trap, in evaluation order.
    pub fn run(
        &self,
        args: &[Data],
        resources: &[i64],
        host: &mut impl Host,
    ) -> Result<Option<Value>, Trap> {
        self.trials(resources, host).next(args)
    }

    /// Trials with these resources at a host, one after another.
    pub(super) fn trials<'w, H: Host>(&self, resources: &'w [i64], host: &'w mut H) -> Trials<'w, H>
    where
        'a: 'w,
    {
        Trials {
            rule: self.module.rule(),
            function: self.module.function(self.function),
            walk: Walk::new(self.module, self.rolls, self.limits, resources, host),
        }
    }

    /// One trial of a rule, with the dice that led to its result.
    ///
    /// # Errors
    /// The first trap, in evaluation order.
    pub fn roll(
        &self,
        resources: &[i64],
        dice: &mut impl Dice,
        observer: &mut impl Observer,
    ) -> Result<Outcome, Trap> {
        let mut host = AtTable { dice, observer };
        let mut trials = self.trials(resources, &mut host);
        let Some(roll) = trials.rule else {
            let span = trials.function.span;
            return Err(at(span)(bug!("a script is rolled like a rule").into()));
        };
        trials.roll(roll)
    }
}

/// Trials of a roll, one after another. After a trap there are no more.
pub(super) struct Trials<'w, H> {
    /// The roll of a rule.
    rule: Option<&'w Roll>,
    function: &'w Function,
    walk: Walk<'w, H>,
}

impl<H: Host> Trials<'_, H> {
    /// The result of the next trial as sinks hold it; 0 if it has none.
    #[inline]
    pub(super) fn cell(&mut self, args: &[Data]) -> Result<i64, Trap> {
        match self.rule {
            Some(roll) => self.roll(roll).map(|outcome| outcome.value.to_cell()),
            None => {
                let value = self.next(args)?;
                Ok(value.map_or(0, Value::to_cell))
            }
        }
    }

    /// See [`Interpreter::run`].
    pub(super) fn next(&mut self, args: &[Data]) -> Result<Option<Value>, Trap> {
        if let Some(roll) = self.rule {
            return self.roll(roll).map(|outcome| Some(outcome.value));
        }
        self.walk.restart();
        let values = args.iter().map(|data| self.walk.heap.load(data)).collect();
        let value = self.walk.body(self.function, values)?;
        Ok(Value::of(&value, &self.function.result))
    }

    /// The work of the trial so far, but for its dice.
    pub(super) fn work(&self) -> u64 {
        self.walk.work()
    }

    /// A rule leaves no state that its next trial would have to clear.
    #[inline]
    fn roll(&mut self, roll: &Roll) -> Result<Outcome, Trap> {
        let Function { span, result, .. } = self.function;
        self.walk.rolled(roll, result, *span)
    }
}
