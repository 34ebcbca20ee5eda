//! What a simulation is asked for, and what it gives.

use crate::engine::{best_sink, summary_sink, vector_sink, vector_summary_sink};
use crate::hir::Kind;
use crate::ir::Module;
pub use crate::pass::Sampling;
use crate::pass::VectorForm;
use dicec_runtime::driver::{Extent, Workers};
use dicec_runtime::kernel::Sink;
use dicec_runtime::stats::Tally;
use std::time::Duration;

/// From so many trials on, native code is taken to earn back the time that the compilation of a rule of so many instructions takes, as it
/// is lowered.
///
/// In nanoseconds, fitted to rules of 3 to 78 instructions on one thread of a busy machine: compilation takes 320,000 and 9,000 an instruction; a trial of the interpreter
/// 15 and 5 an instruction, one of the evaluator, which fused sampling is interpreted by, 10 and 20. Native trials take next to nothing beside either. So `3d6` is compiled
/// from 4,900 trials on (11,500 faithful), `10d10kh5` from 650 (2,500). What was measured is mostly within a factor of 2 of that; `ratios` times some at their numbers.
pub(super) fn native_from(instructions: u64, sampling: Sampling) -> u64 {
    let compilation = 320_000 + 9_000 * instructions;
    let trial = match sampling {
        Sampling::Faithful => 15 + 5 * instructions,
        Sampling::Fused => 10 + 20 * instructions,
    };
    compilation / trial
}

/// The same for scripts, whose trials take a few hundred nanoseconds to tens of thousands, and their compilation as much longer.
pub(super) const SCRIPT_NATIVE_FROM: u64 = 500;

/// From so many trials on, a simulation of a script is compiled for its arguments, and holds what no trial changes as constants. With fewer
/// trials it runs a kernel for any arguments, which the rows of a table share ([`SharedKernel`](super::script::SharedKernel)).
///
/// A constant between the break-evens of two routines of very different shapes, the shared kernel being compiled already: `fullattack` takes some 6 ms to
/// be compiled for its arguments and gains 36 ns a trial (175,000), `duel` 2.5 ms and 59 ns (43,000).
pub const KNOWN_FROM: u64 = 100_000;

/// What runs the trials. For one sampling mode and seed all give the same result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Backend {
    /// Native code where the trials are enough to earn back its compilation, which depends on the rule
    /// ([`Bound::native_from`](super::Bound::native_from)), otherwise the interpreter.
    #[default]
    Auto,
    /// Native code.
    Jit,
    /// The interpreter: of the HIR in faithful sampling, of the IR in fused sampling.
    Interp,
}

/// A simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulation {
    /// How long it runs.
    pub extent: Extent,
    /// The seed of its rolls.
    pub seed: u64,
    /// How many threads it runs on; `None` takes as many as the machine has. It does not change the result.
    pub threads: Option<usize>,
    /// What runs it.
    pub backend: Backend,
    /// How it draws.
    pub sampling: Sampling,
}

impl Simulation {
    /// So many trials of seed 0 with fused sampling, on all threads.
    pub fn trials(trials: u64) -> Self {
        Self {
            extent: Extent::Trials(trials),
            seed: 0,
            threads: None,
            backend: Backend::default(),
            sampling: Sampling::default(),
        }
    }

    /// Whose threads run it.
    pub(super) fn workers(&self) -> Workers {
        self.threads.map_or(Workers::Auto, Workers::Threads)
    }

    /// Whether a simulation of a script is compiled for its arguments: the one rule of that choice, by the number of trials alone.
    pub(super) fn knows_arguments(&self) -> bool {
        !matches!(self.extent, Extent::Trials(trials) if trials < KNOWN_FROM)
    }

    /// The same with its back end chosen, if that was left to us, where native code is worth it from so many trials on. How many trials a
    /// precision takes is not known beforehand, and they are mostly many, so that it is native code.
    pub(super) fn settled(self, native_from: u64) -> Self {
        let few = matches!(self.extent, Extent::Trials(trials) if trials < native_from);
        let backend = match self.backend {
            Backend::Auto if few => Backend::Interp,
            Backend::Auto => Backend::Jit,
            chosen => chosen,
        };
        Self { backend, ..self }
    }
}

/// What a simulation is to find out: it decides what a kernel keeps of its results, and changes none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// How often each outcome comes.
    Outcomes,
    /// Mean, spread and extremes alone.
    Moments,
}

impl Wanted {
    /// What a summary of such a result is made of: of numbers their moments; a precision about anything else is one of its probabilities, and
    /// these take few words as they are.
    pub(super) fn for_summary(kind: Option<Kind>) -> Self {
        if kind.is_none_or(Kind::is_number) {
            Wanted::Moments
        } else {
            Wanted::Outcomes
        }
    }

    pub(super) fn sink(self, module: &Module) -> Sink {
        match self {
            Wanted::Outcomes => best_sink(module),
            Wanted::Moments => summary_sink(module),
        }
    }

    pub(super) fn vector_sink(self, form: &VectorForm) -> Sink {
        match self {
            Wanted::Outcomes => vector_sink(form),
            Wanted::Moments => vector_summary_sink(form),
        }
    }
}

/// The result of a simulation.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// How often each outcome came; a check's are 0 (false) and 1 (true).
    pub tally: Tally,
    /// How long the trials took, compilation aside.
    pub elapsed: Duration,
}
