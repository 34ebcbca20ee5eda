//! What a simulation is asked for, and what it gives.

use dicec_runtime::driver::Extent;
use dicec_runtime::stats::Tally;
use std::time::Duration;

/// What runs the trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Backend {
    /// Native code.
    #[default]
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
    /// So many trials of seed 0, in native code with fused sampling, on all threads.
    pub fn trials(trials: u64) -> Self {
        Self {
            extent: Extent::Trials(trials),
            seed: 0,
            threads: None,
            backend: Backend::default(),
            sampling: Sampling::default(),
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
