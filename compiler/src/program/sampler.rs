//! Samplers: kernels of a roll, compiled once and run for any number of simulations. Only this
//! module chooses the engine.

use super::bind::Bound;
use super::checked::SimulationCheck;
use super::failure::{Failure, Misuse};
use super::kernels::{Compiled, in_lanes, scalar};
use super::patterns::{Making, Pattern, PatternKernel};
use super::plan::plan;
use super::program::Roll;
use super::report::{Report, Results};
use super::simulation::{SCRIPT_NATIVE_FROM, Simulation, Wanted, native_from};
use dicec_lang::hir::Policy;
use dicec_native::ir::Module;
use dicec_native::pass::{Sampling, VectorForm};
use dicec_runtime::clock::Clock;
use dicec_runtime::control::Control;
use dicec_runtime::driver::{
    Element, Ended, Extent, Seen, Workers, sample, simulate_seen, summarise_seen,
};
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink};
use dicec_runtime::stats::{Summary, Tally};
use std::borrow::Cow;
use std::sync::Arc;

/// A compiled simulation of one roll, which any thread can run any number of times. Because of
/// that, [`Backend::Auto`](super::Backend::Auto) is native code here.
///
/// A sampler is made for one bound roll ([`Bound::sampler`]), or for any arguments and resources of
/// a roll ([`Roll::sampler`], [`Bound::sampler_for_any`]).
#[derive(Clone, Debug)]
pub struct Sampler {
    roll: Roll,
    policies: Arc<[Policy]>,
    /// The roll that it is made for; `None` for any arguments and resources.
    known: Option<Bound>,
    engines: Arc<Engines>,
    wanted: Wanted,
    simulation: Simulation,
}

/// A receiver of the results and events so far.
type Told<'t> = &'t mut dyn FnMut(Results, &Events);

/// Kernels and their inputs.
#[derive(Debug)]
enum Engines {
    /// Kernels that are made.
    Made(Made),
    /// A kernel for each pattern of arguments, which the program compiles and keeps.
    Patterns,
}

/// Kernels that are made.
#[derive(Debug)]
struct Made {
    usual: Arc<Compiled>,
    /// The kernel for resources that the vector form does not support, if such resources are
    /// possible.
    unusual: Option<Arc<Compiled>>,
    inputs: Inputs,
}

/// The inputs of a kernel.
#[derive(Debug)]
enum Inputs {
    /// These values: the kernel is made for known arguments.
    Known(Vec<i64>),
    /// The values of the resources.
    Resources,
    /// The arguments and resources in the layout of this module.
    Layout(Arc<Module>),
}

/// A kernel, and its inputs for a roll.
type Prepared<'b> = (Arc<Compiled>, Cow<'b, [i64]>);

impl Sampler {
    /// With this seed.
    pub fn seed(mut self, seed: u64) -> Self {
        self.simulation.seed = seed;
        self
    }

    /// For this long.
    pub fn extent(mut self, extent: Extent) -> Self {
        self.simulation.extent = extent;
        self
    }

    /// On these threads.
    pub fn workers(mut self, workers: Workers) -> Self {
        self.simulation.workers = workers;
        self
    }

    /// The simulation that it runs.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Runs the simulation for `bound`: the roll that the sampler was made for, with the same
    /// policies; if it was made for known arguments and resources, with these.
    ///
    /// # Errors
    /// A trap, a run that was cancelled, or a roll that the sampler was not made for.
    pub fn run(&self, bound: &Bound, control: &Control) -> Result<Report, Failure> {
        self.run_seen(bound, control, None)
    }

    /// The same; `seen` receives intermediate results, as if the run were interrupted there.
    ///
    /// # Errors
    /// As for [`Sampler::run`].
    pub fn run_seen(
        &self,
        bound: &Bound,
        control: &Control,
        seen: Option<&mut dyn FnMut(Report)>,
    ) -> Result<Report, Failure> {
        self.check(bound)?;
        let (compiled, inputs) = self.kernel(bound)?;
        let kernel = (&*compiled, &*inputs);
        let check = SimulationCheck::new(bound, &self.simulation, kernel, seen.is_some());
        let report = |(results, events, ended), elapsed| Report {
            simulation: self.simulation.clone(),
            results,
            events,
            ended,
            elapsed,
            checked: None,
        };
        let start = Clock::start();
        let mut tell = seen.map(|seen| {
            let check = check.as_ref();
            move |results, events: &Events| {
                // Wrong results are never shown: the run ends in the failure.
                if check.is_none_or(|check| check.compare(&results, events).is_ok()) {
                    let so_far = (results, events.clone(), Ended::Finished);
                    seen(report(so_far, start.elapsed()));
                }
            }
        });
        bound.answered(Some(self.simulation.seed), || {
            let tell = tell.as_mut().map(|tell| tell as Told<'_>);
            let ran = self.results(bound, (&*compiled.kernel, &inputs), control, tell)?;
            let mut report = report(ran, start.elapsed());
            report.checked = check
                .as_ref()
                .map(|check| check.report(&report))
                .transpose()?;
            Ok(report)
        })
    }

    fn results(
        &self,
        bound: &Bound,
        (kernel, inputs): (&dyn Kernel, &[i64]),
        control: &Control,
        tell: Option<Told<'_>>,
    ) -> Result<(Results, Events, Ended), Failure> {
        let plan = &plan(bound, &self.simulation);
        Ok(match self.wanted {
            Wanted::Moments => {
                let mut tell = tell.map(|tell| {
                    move |results: &Summary, events: &Events| {
                        tell(Results::Moments(results.clone()), events);
                    }
                });
                let seen = tell.as_mut().map(|tell| tell as Seen<'_, Summary>);
                let ran = bound.ran(summarise_seen(kernel, inputs, plan, control, seen))?;
                (Results::Moments(ran.results), ran.events, ran.ended)
            }
            Wanted::Outcomes | Wanted::Samples => {
                let mut tell = tell.map(|tell| {
                    move |results: &Tally, events: &Events| {
                        tell(Results::Outcomes(results.clone()), events);
                    }
                });
                let seen = tell.as_mut().map(|tell| tell as Seen<'_, Tally>);
                let ran = bound.ran(simulate_seen(kernel, inputs, plan, control, seen))?;
                (Results::Outcomes(ran.results), ran.events, ran.ended)
            }
        })
    }

    /// Runs a trial for each element of `samples`, whatever the simulation's extent, and stores its
    /// result there: the trials are those that [`Sampler::run`] counts, in order. In an array of
    /// `i64`, floats are stored as keys ([`Scale`](dicec_runtime::scale::Scale)); narrower whole
    /// numbers are for whole results.
    ///
    /// # Errors
    /// As for [`Sampler::run`], or a sampler that does not keep samples, or a result that is not
    /// among the numbers of the elements.
    pub fn fill<E: Element>(
        &self,
        bound: &Bound,
        samples: &mut [E],
        control: &Control,
    ) -> Result<Events, Failure> {
        self.check(bound)?;
        if self.wanted != Wanted::Samples {
            return Err(Misuse::NotKept.into());
        }
        let (compiled, inputs) = self.kernel(bound)?;
        let plan = plan(bound, &self.simulation);
        let kernel = (&*compiled, &*inputs);
        let check = SimulationCheck::new(bound, &self.simulation, kernel, false);
        bound.answered(Some(self.simulation.seed), || {
            let ran = sample(&*compiled.kernel, &inputs, samples, &plan, control);
            let events = bound.ran(ran)?;
            check
                .as_ref()
                .map(|check| check.kernel(samples.len()))
                .transpose()?;
            Ok(events)
        })
    }

    /// The kernel and the inputs for a roll that the sampler was checked to be made for.
    fn kernel<'b>(&self, bound: &'b Bound) -> Result<Prepared<'b>, Failure> {
        let made = match &*self.engines {
            Engines::Made(made) => made,
            Engines::Patterns => {
                let Simulation {
                    sampling, backend, ..
                } = self.simulation;
                let making = (sampling, backend, self.wanted);
                let make = |pattern: &Pattern| bound.pattern_made(pattern, making);
                let (kernel, inputs) = bound.pattern_kernel(making, make)?;
                return Ok((kernel, Cow::Owned(inputs)));
            }
        };
        let inputs = match &made.inputs {
            Inputs::Known(inputs) => Cow::Owned(inputs.clone()),
            Inputs::Resources => Cow::Borrowed(bound.resources()),
            Inputs::Layout(module) => Cow::Owned(bound.inputs(module)?),
        };
        let kernel = match &made.unusual {
            Some(kernel) if !VectorForm::takes(bound.resources()) => kernel,
            _ => &made.usual,
        };
        Ok((Arc::clone(kernel), inputs))
    }

    fn check(&self, bound: &Bound) -> Result<(), Failure> {
        let wrong = if *bound.definition() != self.roll {
            Misuse::OtherRoll
        } else if bound.policies() != &*self.policies {
            Misuse::OtherPolicies
        } else if let Some(known) = &self.known
            && (known.arguments() != bound.arguments() || known.resources() != bound.resources())
        {
            Misuse::OtherArguments
        } else {
            return Ok(());
        };
        Err(wrong.into())
    }
}

impl Roll {
    /// A sampler for any arguments and resources, for many different simulations; players take no
    /// option.
    ///
    /// # Errors
    /// A machine for which native code cannot be compiled.
    pub fn sampler(&self, simulation: &Simulation) -> Result<Sampler, Failure> {
        let resources = vec![0; self.program().resources().len()];
        let zeros = self.bind_values(self.zeros(), &resources)?;
        zeros.sampler_for_any(simulation)
    }
}

impl Bound {
    /// The number of trials at which native code is expected to pay off.
    pub fn native_from(&self, sampling: Sampling) -> u64 {
        if self.program().is_script() {
            return SCRIPT_NATIVE_FROM;
        }
        let instructions = self.lowered().trial().live_insts().count();
        native_from(instructions as u64, sampling)
    }

    /// A simulation with its back end chosen, if that was left open. The result is the same on all.
    pub fn resolved(&self, simulation: &Simulation) -> Simulation {
        let native_from = self.native_from(simulation.sampling);
        simulation.clone().resolved(native_from)
    }

    /// Runs a simulation. A rule is compiled for its resources, a script for its arguments if the
    /// trials are many ([`KNOWN_FROM`](super::KNOWN_FROM)); the kernel of short simulations is kept
    /// by the program, whatever their arguments.
    ///
    /// # Errors
    /// A trap, or a machine for which native code cannot be compiled.
    pub fn simulate(&self, simulation: &Simulation) -> Result<Report, Failure> {
        self.simulate_with(simulation, &Control::default())
    }

    /// [`Bound::simulate`] under a caller's control.
    ///
    /// # Errors
    /// As for [`Bound::simulate`], or that it was cancelled.
    pub fn simulate_with(
        &self,
        simulation: &Simulation,
        control: &Control,
    ) -> Result<Report, Failure> {
        self.simulate_seen(simulation, control, None)
    }

    /// The same; `seen` receives intermediate results, as if the run were interrupted there.
    ///
    /// # Errors
    /// As for [`Bound::simulate_with`].
    pub fn simulate_seen(
        &self,
        simulation: &Simulation,
        control: &Control,
        seen: Option<&mut dyn FnMut(Report)>,
    ) -> Result<Report, Failure> {
        let simulation = self.resolved(simulation);
        let any = self.program().is_script() && !simulation.knows_arguments(self.kind());
        let sampler = if any {
            self.sampler_of(&simulation, Self::engines_for_few)?
        } else {
            self.sampler(&simulation)?
        };
        sampler.run_seen(self, control, seen)
    }

    /// Runs a simulation as one of many of the same roll, such as the rows of a table. At or above
    /// [`SHARED_FROM`](super::SHARED_FROM) trials, a script runs a kernel that the program keeps
    /// for all arguments that differ only in numbers, except numbers that decide the count or sides
    /// of dice or the trip count of a loop. With faithful sampling the results are those of
    /// [`Bound::simulate`]; with fused sampling the odds are. Neither depends on other simulations.
    ///
    /// # Errors
    /// As for [`Bound::simulate_with`].
    pub fn simulate_shared(
        &self,
        simulation: &Simulation,
        control: &Control,
    ) -> Result<Report, Failure> {
        let simulation = self.resolved(simulation);
        if !self.program().is_script() || !simulation.shares_pattern(self.kind()) {
            return self.simulate_with(&simulation, control);
        }
        self.sampler_for_any(&simulation)?.run(self, control)
    }

    /// A sampler for this roll with these arguments and resources.
    ///
    /// # Errors
    /// A machine for which native code cannot be compiled.
    pub fn sampler(&self, simulation: &Simulation) -> Result<Sampler, Failure> {
        let sampler = self.sampler_of(simulation, Self::engines)?;
        Ok(Sampler {
            known: Some(self.clone()),
            ..sampler
        })
    }

    /// A sampler for any arguments and resources of this roll, with these policies: somewhat slower
    /// for each of them. A rule's is compiled once; that of a script, when it runs, for all
    /// arguments that differ in numbers only ([`Bound::simulate_shared`]).
    ///
    /// # Errors
    /// A machine for which native code cannot be compiled.
    pub fn sampler_for_any(&self, simulation: &Simulation) -> Result<Sampler, Failure> {
        self.sampler_of(simulation, Self::engines_for_any)
    }

    fn sampler_of(
        &self,
        simulation: &Simulation,
        engines: impl FnOnce(&Self, &Simulation, Wanted) -> Result<Engines, Failure>,
    ) -> Result<Sampler, Failure> {
        let wanted = Wanted::new(simulation.keep, self.kind());
        let make = || engines(self, simulation, wanted);
        let engines = self.answered(Some(simulation.seed), make)?;
        // The interpreter of a script is made for known arguments.
        let walks = simulation.is_walked() && self.program().is_script();
        Ok(Sampler {
            roll: self.definition().clone(),
            policies: Arc::clone(self.shared_arguments().1),
            known: walks.then(|| self.clone()),
            engines: Arc::new(engines),
            wanted,
            simulation: simulation.clone(),
        })
    }

    /// The kernels for these arguments and resources.
    fn engines(&self, simulation: &Simulation, wanted: Wanted) -> Result<Engines, Failure> {
        if simulation.is_walked() {
            return self.walk(wanted);
        }
        let (backend, sampling) = (simulation.backend, simulation.sampling);
        let (simulated, inputs) = self.simulated(sampling)?;
        let usual = match simulated {
            Ok(form) => in_lanes(&Arc::new(form), backend, wanted)?,
            Err(module) => scalar(&Arc::from(module), backend, wanted)?,
        };
        Ok(Engines::only(usual, Inputs::Known(inputs)))
    }

    /// The kernel of a script for any arguments, which the program keeps.
    fn engines_for_few(&self, simulation: &Simulation, wanted: Wanted) -> Result<Engines, Failure> {
        if simulation.is_walked() {
            return self.walk(wanted);
        }
        let (backend, sampling) = (simulation.backend, simulation.sampling);
        let module = self.optimised(sampling);
        let make = || scalar(module, backend, wanted);
        let usual = self.stages().kernel((sampling, backend, wanted), make)?;
        Ok(Engines::only(usual, Inputs::Layout(Arc::clone(module))))
    }

    /// The kernel of a pattern.
    fn pattern_made(
        &self,
        pattern: &Pattern,
        (sampling, backend, wanted): Making,
    ) -> Result<PatternKernel, Failure> {
        Ok(
            match self.patterned(pattern, sampling, &mut self.rewrites())? {
                Ok(form) => PatternKernel {
                    module: Arc::clone(&form.module),
                    kernel: in_lanes(&Arc::new(form), backend, wanted)?,
                },
                Err(module) => {
                    let module = Arc::from(module);
                    let kernel = scalar(&module, backend, wanted)?;
                    PatternKernel { kernel, module }
                }
            },
        )
    }

    /// The kernels for any arguments and resources.
    fn engines_for_any(&self, simulation: &Simulation, wanted: Wanted) -> Result<Engines, Failure> {
        if simulation.is_walked() {
            return self.walk(wanted);
        }
        if self.program().is_script() {
            return Ok(Engines::Patterns);
        }
        let (backend, sampling) = (simulation.backend, simulation.sampling);
        let module = self.optimised(sampling);
        let make = || scalar(module, backend, wanted);
        let form = match sampling {
            Sampling::Fused => self.vector_form().ok(),
            Sampling::Faithful => None,
        };
        let (usual, unusual) = match form {
            None => (make()?, None),
            Some(form) if self.resources().is_empty() => (in_lanes(form, backend, wanted)?, None),
            Some(form) => (in_lanes(form, backend, wanted)?, Some(make()?)),
        };
        Ok(Engines::Made(Made {
            usual,
            unusual,
            inputs: Inputs::Resources,
        }))
    }

    /// The interpreter of the HIR.
    fn walk(&self, wanted: Wanted) -> Result<Engines, Failure> {
        let sink = match self.program().is_script() {
            true => Sink::Values,
            false => wanted.sink(self.optimised(Sampling::Faithful)),
        };
        let kernel = Compiled::interpreter(self.interpreter_kernel(sink));
        Ok(Engines::only(kernel, Inputs::Resources))
    }
}

impl Engines {
    /// One kernel.
    fn only(usual: Arc<Compiled>, inputs: Inputs) -> Self {
        Self::Made(Made {
            usual,
            unusual: None,
            inputs,
        })
    }
}
