//! Single trials with a work limit, for checks of bounded cost. Work is a number of steps, not a
//! time, so the same trials run on every machine.

use super::host::Simulated;
use super::interpreter::Interpreter;
use super::kernel::InterpKernel;
use super::outcome::Value;
use dicec_runtime::events::Events;
use dicec_runtime::limits::ScriptLimits;
use dicec_runtime::rng::{AliasTable, Dice, Stream};
use dicec_runtime::trap::{Trap, TrapCode};

/// A trial and its work.
#[derive(Clone, Debug)]
pub struct CountedTrial {
    /// The result.
    pub result: Result<Option<Value>, Trap>,
    /// Its statements, fuel and dice.
    pub steps: u64,
    /// Whether it was given up because it was too much work; then the result means nothing.
    pub is_given_up: bool,
}

impl InterpKernel {
    /// The next trial of a stream, which is abandoned after about `most` units of fuel. `resources`
    /// are those of [`Kernel::run`](dicec_runtime::kernel::Kernel::run).
    pub fn counted(
        &self,
        stream: &mut Stream,
        resources: &[i64],
        events: &mut Events,
        most: u64,
    ) -> CountedTrial {
        let fuel = u32::try_from(most)
            .unwrap_or(u32::MAX)
            .min(self.limits.fuel);
        let limits = ScriptLimits {
            fuel,
            ..self.limits
        };
        let interpreter = Interpreter::new(&self.module, self.function, self.rolls, limits);
        let mut dice = CountedDice { stream, rolled: 0 };
        let mut host = Simulated {
            dice: &mut dice,
            policies: &self.policies,
            events,
            observer: (),
        };
        let mut trials = interpreter.trials(resources, &mut host);
        let result = trials.next(&self.args);
        let work = trials.work();
        let out_of_fuel = |trap: &Trap| trap.code == TrapCode::OutOfFuel;
        CountedTrial {
            is_given_up: fuel < self.limits.fuel && result.as_ref().is_err_and(out_of_fuel),
            result,
            steps: 1 + work + dice.rolled,
        }
    }
}

/// The dice of a stream, counted.
struct CountedDice<'s> {
    stream: &'s mut Stream,
    rolled: u64,
}

impl Dice for CountedDice<'_> {
    #[inline]
    fn roll(&mut self, sides: u64) -> Result<u64, TrapCode> {
        self.rolled += 1;
        self.stream.roll(sides)
    }

    fn packed(&mut self, count: u32, sides: u32) -> Result<u64, TrapCode> {
        self.rolled += u64::from(count);
        self.stream.packed(count, sides)
    }

    fn drawn(&mut self, table: &AliasTable) -> Result<i64, TrapCode> {
        self.rolled += 1;
        self.stream.drawn(table)
    }

    fn shared_word(&mut self, product: u64) -> Result<u64, TrapCode> {
        self.rolled += 1;
        self.stream.shared_word(product)
    }
}
