//! Simulations of which the mean, the spread and the extremes alone are wanted. They run the same trials as others, and keep
//! what they need of a result in a few registers, where others count each outcome.
//!
//! ```
//! use dicec_compiler::{Compiler, Simulation};
//! use dicec_runtime::driver::Extent;
//!
//! let program = Compiler::new().compile("8d6 + 3d100")?;
//! let simulation = Simulation {
//!     // Until the mean is known to 0.1.
//!     extent: Extent::Precision { half_width: 0.1, most: 1 << 30 },
//!     ..Simulation::trials(0)
//! };
//! let damage = program.bind_values(&[]).summarise(&simulation)?.summary;
//! let (low, high) = damage.interval().unwrap_or_default();
//! assert!(low < 179.5 && 179.5 < high && high - low <= 0.2);
//! assert!(damage.min() >= Some(11) && damage.max() <= Some(348));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::bind::Bound;
use super::compile::Program;
use super::failure::Failure;
use super::sampler::Kernels;
use super::simulate::{Backend, Sampling, Simulation, Wanted};
use dicec_runtime::driver::{Control, simulate, summarise};
use dicec_runtime::stats::Summary;
use std::time::{Duration, Instant};

/// The result of a simulation, summarised.
#[derive(Clone, Debug)]
pub struct Summarised {
    /// The trials, their mean and spread, the lowest and the highest result; a check's results are 0 (false) and 1 (true), a
    /// degree's its rungs, a label's its places.
    pub summary: Summary,
    /// How long the trials took, compilation aside.
    pub elapsed: Duration,
}

/// Runs simulations of one program for their summaries, as a [`Sampler`](super::Sampler) does for all outcomes: made once, run as
/// often as wanted. [`Backend::Auto`] is native code here.
#[derive(Debug)]
pub struct Summariser<'p> {
    kernels: Kernels<'p>,
    wanted: Wanted,
}

impl<'p> Summariser<'p> {
    /// A summariser for any resource values.
    ///
    /// # Errors
    /// A machine that native code cannot be made for.
    pub fn new(
        program: &'p Program,
        backend: Backend,
        sampling: Sampling,
    ) -> Result<Self, Failure> {
        Self::make(program, None, (backend, sampling))
    }

    /// A faster summariser for these resource values alone.
    ///
    /// # Errors
    /// As for [`Summariser::new`].
    pub fn specialised(
        bound: &Bound<'p>,
        backend: Backend,
        sampling: Sampling,
    ) -> Result<Self, Failure> {
        Self::make(bound.program, Some(&bound.values), (backend, sampling))
    }

    fn make(
        program: &'p Program,
        resources: Option<&[i64]>,
        how: (Backend, Sampling),
    ) -> Result<Self, Failure> {
        let wanted = Wanted::for_summary(Some(program.kind()));
        let kernels = Kernels::new(program, resources, how, wanted)?;
        Ok(Self { kernels, wanted })
    }

    /// Runs a simulation; its back end and sampling are this summariser's. `resources` holds a value a slot. The trials are those
    /// that a [`Sampler`](super::Sampler) runs, and so is how many it takes for a precision.
    ///
    /// # Errors
    /// A trap, or that it was cancelled.
    pub fn run(
        &self,
        resources: &[i64],
        simulation: &Simulation,
        control: &Control,
    ) -> Result<Summarised, Failure> {
        let plan = self.kernels.plan(simulation);
        self.kernels.with(resources, |kernel| {
            let start = Instant::now();
            let summary = match self.wanted {
                Wanted::Moments => summarise(kernel, resources, &plan, control)?.0,
                Wanted::Outcomes => simulate(kernel, resources, &plan, control)?.0.summary(),
            };
            Ok(Summarised {
                summary,
                elapsed: start.elapsed(),
            })
        })
    }
}

impl Bound<'_> {
    /// A simulation of this rule, specialised on its resources, of which a summary is kept: [`Bound::simulate`] without the
    /// single outcomes, and mostly faster.
    ///
    /// # Errors
    /// A trap, or a machine that native code cannot be made for.
    pub fn summarise(&self, simulation: &Simulation) -> Result<Summarised, Failure> {
        self.summarise_with(simulation, &Control::default())
    }

    /// [`Bound::summarise`] under a caller's eye: `control` reports progress and can cancel.
    ///
    /// # Errors
    /// As for [`Bound::summarise`], or that it was cancelled.
    pub fn summarise_with(
        &self,
        simulation: &Simulation,
        control: &Control,
    ) -> Result<Summarised, Failure> {
        let simulation = self.settled(simulation);
        let summariser = Summariser::specialised(self, simulation.backend, simulation.sampling)?;
        summariser.run(&self.values, &simulation, control)
    }
}
