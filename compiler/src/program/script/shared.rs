//! What simulations of one roll with different arguments share: a kernel for any arguments.
//!
//! A kernel for known arguments runs up to twice as fast, and takes some milliseconds to make, which a few thousand trials do not earn back.
//! Which of the two runs a simulation is decided here, by its number of trials alone ([`Simulation::knows_arguments`]): a row of a table gives what a
//! simulation of the same trials and seed gives by itself, whatever rows stand around it.

use super::{BoundScript, ScriptRoll};
use crate::engine::eval::EvalKernel;
use crate::engine::jit::JitKernel;
use crate::hir::Policy;
use crate::ir::Module;
use crate::program::failure::Failure;
use crate::program::simulate::{Backend, Sampling, Simulation, Wanted};
use dicec_runtime::kernel::Kernel;
use std::ptr;
use std::sync::{Arc, OnceLock};

/// A kernel for any arguments of a roll, made when a simulation first needs it. It may be shared between threads.
#[derive(Debug)]
pub struct SharedKernel<'s> {
    roll: ScriptRoll<'s>,
    made: OnceLock<Result<Made, Failure>>,
}

#[derive(Debug)]
struct Made {
    key: Key,
    module: Arc<Module>,
    kernel: Box<dyn Kernel>,
}

/// What a kernel depends on beside its roll.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    policies: Vec<Policy>,
    sampling: Sampling,
    is_native: bool,
    wanted: Wanted,
}

impl<'s> SharedKernel<'s> {
    /// Nothing yet, for this roll.
    pub fn new(roll: ScriptRoll<'s>) -> Self {
        let made = OnceLock::new();
        Self { roll, made }
    }
}

impl BoundScript<'_> {
    /// Gives `run` a kernel for any arguments, and these: the shared one if it is of this roll and its like, else one of its own.
    pub(super) fn with_unknown<T>(
        &self,
        shared: &SharedKernel<'_>,
        simulation: &Simulation,
        wanted: Wanted,
        run: impl FnOnce(&dyn Kernel, &[i64]) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let key = self.key(simulation, wanted);
        if self.is_of(shared.roll) {
            let made = shared.made.get_or_init(|| self.make(key.clone()));
            let made = made.as_ref().map_err(Clone::clone)?;
            if made.key == key {
                return self.with_made(made, run);
            }
        }
        self.with_made(&self.make(key)?, run)
    }

    fn is_of(&self, roll: ScriptRoll<'_>) -> bool {
        ptr::eq(self.script, roll.script) && ptr::eq(self.roll, roll.roll)
    }

    fn key(&self, simulation: &Simulation, wanted: Wanted) -> Key {
        Key {
            policies: self.policies.clone(),
            sampling: simulation.sampling,
            is_native: simulation.backend != Backend::Interp,
            wanted,
        }
    }

    fn make(&self, key: Key) -> Result<Made, Failure> {
        let module = Arc::new(self.optimised(key.sampling));
        let sink = key.wanted.sink(&module);
        let kernel: Box<dyn Kernel> = if key.is_native {
            Box::new(JitKernel::compile(module.clone(), sink)?)
        } else {
            Box::new(EvalKernel::new(module.clone(), sink))
        };
        Ok(Made {
            kernel,
            key,
            module,
        })
    }

    fn with_made<T>(
        &self,
        made: &Made,
        run: impl FnOnce(&dyn Kernel, &[i64]) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        run(made.kernel.as_ref(), &self.image(&made.module))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::simulate::KNOWN_FROM;
    use crate::{Compiler, Script, ScriptSimulated};
    use dicec_runtime::driver::Control;
    use dicec_runtime::resource::ResourceTable;
    use serde_json::json;

    const SCRIPT: &str = r#"
        defroll "Strike" strike(bonus: int, names: string list) {
            die = roll(d20);
            if (userOption("me", "Bless?")) { die += roll(d4); }
            for (name : names) { output(name + " watches"); }
            stat("die", die);
            if (die + bonus >= 15) { return roll(2d6) + bonus; }
            return 0;
        }
        defroll "Other" other(bonus: int) { return roll(d6) + bonus; }
    "#;

    fn script() -> Script {
        let compiled = Compiler::new().script(SCRIPT);
        compiled.unwrap_or_else(|found| unreachable!("{found:?}"))
    }

    fn bound<'s>(roll: ScriptRoll<'s>, args: &serde_json::Value) -> BoundScript<'s> {
        let args = roll.arguments(args).expect("they fit");
        let bound = roll.bind(args, &ResourceTable::new());
        bound.expect("it reads no resources")
    }

    /// Everything that a simulation gives.
    fn seen(got: Result<ScriptSimulated, Failure>) -> String {
        let got = got.expect("no traps");
        let tally: Vec<_> = got.tally.outcomes().collect();
        format!("{tally:?} {:?}", got.events)
    }

    #[test]
    fn what_is_shared_does_not_show() {
        let script = script();
        let roll = script.roll("strike").expect("it is there");
        let control = Control::default();
        for trials in [3_000, KNOWN_FROM] {
            let simulation = Simulation {
                seed: 7,
                threads: Some(1),
                ..Simulation::trials(trials)
            };
            let shared = SharedKernel::new(roll);
            for args in [
                json!({"bonus": 5, "names": []}),
                json!({"bonus": -3, "names": ["Ayla", "Bo"]}),
            ] {
                let bound = bound(roll, &args);
                let alone = seen(bound.simulate(&simulation));
                let row = seen(bound.simulate_sharing(&shared, &simulation, &control));
                assert_eq!(row, alone, "{trials} trials, {args}");
            }
            assert_eq!(shared.made.get().is_some(), trials < KNOWN_FROM);
        }
    }

    #[test]
    fn a_kernel_of_something_else_is_not_used() {
        let script = script();
        let [strike, other] =
            ["strike", "other"].map(|name| script.roll(name).expect("it is there"));
        let simulation = Simulation::trials(3_000);
        let control = Control::default();
        let shared = SharedKernel::new(strike);
        let plain = bound(strike, &json!({"bonus": 5, "names": []}));
        let never = seen(plain.simulate_sharing(&shared, &simulation, &control));
        let blessed = plain.clone().with_policy("Bless?", Policy::Always);
        let always = seen(blessed.simulate_sharing(&shared, &simulation, &control));
        assert_ne!(always, never);
        assert_eq!(always, seen(blessed.simulate(&simulation)));
        let other = bound(other, &json!({"bonus": 1}));
        let theirs = seen(other.simulate_sharing(&shared, &simulation, &control));
        assert_eq!(theirs, seen(other.simulate(&simulation)));
    }
}
