//! What a simulation is asked for, and what it gives.

use dicec_runtime::driver::Extent;
use dicec_runtime::stats::Tally;
use std::time::Duration;

/// From so many trials on, native code is taken to have earned back the time that its compilation takes.
///
/// A constant between the break-evens of rules of several shapes, measured with fused sampling on one thread: `3d6` about 5,000, `3d6!` and
/// `1d20+7>=15` 1,500, `4d6kh3` 1,000, `100d6` 8,000. Most lose a fraction of a millisecond by it at worst. `ratios` times them at this number.
pub const NATIVE_FROM: u64 = 2_000;

/// From so many trials on, a simulation of a script is compiled for its arguments, and holds what no trial changes as constants. With fewer
/// trials it runs a kernel for any arguments, which the rows of a table share ([`SharedKernel`](super::script::SharedKernel)).
///
/// A constant between the break-evens of two routines of very different shapes, the shared kernel being compiled already: `fullattack` takes some 14 ms to
/// be compiled for its arguments and gains 36 ns a trial (400,000), `duel` 2.5 ms and 59 ns (43,000).
pub const KNOWN_FROM: u64 = 100_000;

/// What runs the trials. For one sampling mode and seed all give the same result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Backend {
    /// Native code for [`NATIVE_FROM`] trials or more, the interpreter for fewer.
    #[default]
    Auto,
    /// Native code.
    Jit,
    /// The interpreter: of the HIR in faithful sampling, of the IR in fused sampling.
    Interp,
}

/// Which random words become which dice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// Every die takes a word of its own, in source order, as at the table.
    Faithful,
    /// Several dice may share a word. The odds are the same, exactly; a seed gives other rolls.
    #[default]
    Fused,
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

    /// Whether a simulation of a script is compiled for its arguments: the one rule of that choice, by the number of trials alone.
    pub(super) fn knows_arguments(&self) -> bool {
        !matches!(self.extent, Extent::Trials(trials) if trials < KNOWN_FROM)
    }

    /// The same with its back end chosen, if that was left to us. How many trials a precision takes is not known beforehand, and they
    /// are mostly many, so that it is native code.
    #[must_use]
    pub fn settled(self) -> Self {
        let few = matches!(self.extent, Extent::Trials(trials) if trials < NATIVE_FROM);
        let backend = match self.backend {
            Backend::Auto if few => Backend::Interp,
            Backend::Auto => Backend::Jit,
            chosen => chosen,
        };
        Self { backend, ..self }
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
