//! Checks each answer before it is given: compares it with trials of the reference interpreter,
//! which are independent of the way in which the answer was computed.
//!
//! ```text
//! exact odds ---------------------\
//!                                  expected --\
//! simulation + its check's trials -/           compare --> Checked, or WrongAnswer in its place
//!                       interpreter --> sample --/
//! native code, evaluator, scalar code of its trials --> replay --/
//! ```
//!
//! `compare` decides, and bounds the probability of a false alarm; `tail` has the bounds, `sample`
//! the trials, `expected` the expectation. `setting` has the levels of thoroughness, `fault` the
//! failure that replaces a wrong answer. `thorough` does more than trials.
//!
//! The trials have a seed of their own, which follows from the question: a check always gives the
//! same verdict. Answers of the interpreter itself are not checked. A kernel that many simulations
//! share, such as those of the rows of a table, is checked when it first runs; if it is refuted, so
//! are all its answers.

mod compare;
mod expected;
mod fault;
pub(super) mod kept;
mod most;
mod outputs;
mod passed;
mod replay;
mod sample;
pub(super) mod setting;
mod tail;
#[cfg(test)]
mod tests;
mod thorough;
pub(super) mod wrong_answer;

use super::bind::Bound;
use super::failure::Failure;
use super::kernels::Compiled;
use super::report::{Report, Results};
use super::simulation::{Backend, Simulation};
use crate::answer::{Answer, Checked, Exactness};
use compare::{Disagreement, compare};
use dicec_exact::Odds;
use dicec_lang::hir::{Kind, Labels, written_set};
use dicec_lang::interp::InterpKernel;
use dicec_runtime::control::Control;
use dicec_runtime::driver::{Extent, Workers, simulate, summarise};
use dicec_runtime::events::Events;
use dicec_runtime::kernel::Sink;
use dicec_runtime::pmf::{Limits, Weight};
use dicec_runtime::scale::Scale;
use expected::Expected;
use kept::How;
use sample::Sample;
use std::any::TypeId;
use std::sync::OnceLock;

pub use setting::{Check, CheckLimits};
pub use wrong_answer::WrongAnswer;

/// The seed of the check's trials; it is mixed with that of a simulation.
const SEED: u64 = 0xc4ec_0dd5;

/// The check of a simulation may take this share of the steps that its trials would take in the
/// interpreter. Native code is 150 to 900 times as fast, so this is at most a twentieth of its
/// time.
const SHARE_OF_SIMULATION: f64 = 1.0 / 20_000.0;

/// With more different results than this, a simulation's check compares only the mean and the ends:
/// comparing all results would take too long.
const MAX_RESULTS: usize = 1 << 16;

/// The maximum number of times at which a simulation for a precision may end: its trials double
/// from a chunk of 2^16 up to 2^64.
const MAX_LOOKS: u32 = 64;

/// The minimum and maximum number of trials when a kernel's samples are checked.
const KERNEL_TRIALS: (usize, usize) = (1 << 8, 1 << 12);

impl Bound {
    /// The same roll with these limits on the check of its answers.
    pub fn checked_by(mut self, check: CheckLimits) -> Self {
        self.set_check(check.in_range());
        self
    }

    /// The reference interpreter as a kernel of this roll.
    pub(super) fn interp_kernel(&self) -> InterpKernel {
        let program = self.program();
        let (args, policies) = self.shared_arguments();
        InterpKernel {
            module: program.hir().clone(),
            function: self.definition().function_id(),
            args: args.clone(),
            policies: policies.clone(),
            rolls: program.limits().roll,
            limits: program.trial_limits(),
            sink: Sink::Values,
        }
    }

    /// Trials for the check of this roll's answers. `extra` is as for [`Sample::draw`].
    fn check_sample(&self, seed: u64, extra: impl Fn(f64) -> u64) -> Sample {
        let kernel = self.interp_kernel();
        Sample::draw(&kernel, (self.resources(), seed), self.check(), extra)
    }

    /// The name of a result.
    fn result_name(&self, value: i64) -> String {
        match self.kind() {
            Some(Kind::Check) => (value != 0).to_string(),
            Some(Kind::Degree(ladder)) => ladder.name(value).to_owned(),
            Some(Kind::Float) => Scale::Float.number(value).to_string(),
            Some(Kind::Label | Kind::Level(_)) => {
                let name = |names: &[String]| names.get(usize::try_from(value).ok()?).cloned();
                match self.program().hir().labels(self.definition().function_id()) {
                    Labels::Each(names) => name(&names).unwrap_or_else(|| value.to_string()),
                    Labels::Sets(flags) => written_set(&flags, value).into_owned(),
                }
            }
            Some(Kind::Number | Kind::Test) | None => value.to_string(),
        }
    }

    /// Compares an exact answer with trials.
    ///
    /// # Errors
    /// The answer is wrong.
    pub(super) fn check_answer(
        &self,
        answer: &mut Answer,
        exactness: Exactness,
        limits: &Limits,
        control: &Control,
    ) -> Result<(), Failure> {
        if self.check().skips_exact() {
            return Ok(());
        }
        let checked = self.passed_once(How::Answer(exactness), limits, || {
            let expected = Expected {
                most: self.most(),
                ..Expected::answer(answer, self.program().hir())
            };
            self.check_exact(&expected, limits, control)
        });
        answer.pass(checked?);
        Ok(())
    }

    /// The same for the odds of the engine.
    ///
    /// # Errors
    /// The odds are wrong.
    pub(super) fn check_odds<W: Weight>(
        &self,
        odds: &Odds<W>,
        limits: &Limits,
        control: &Control,
    ) -> Result<(), Failure> {
        if self.check().skips_exact() {
            return Ok(());
        }
        let checked = self.passed_once(How::Odds(TypeId::of::<W>()), limits, || {
            let expected = Expected {
                most: self.most(),
                ..Expected::odds(odds, self.kind(), self.program().hir())
            };
            self.check_exact(&expected, limits, control)
        });
        checked.map(|_| ())
    }

    fn check_exact(
        &self,
        expected: &Expected,
        limits: &Limits,
        control: &Control,
    ) -> Result<Checked, Failure> {
        let sample = self.check_sample(SEED, |_| 0);
        let checked = Checked {
            trials: sample.trials,
            replayed: 0,
        };
        let wrong = |found| self.refuted(found, "exact odds", (checked, None));
        if let Some(found) = compare(expected, &sample, &|value| self.result_name(value)) {
            return Err(wrong(found));
        }
        if self.check().again {
            self.solved_again(limits, control).map_err(wrong)?;
        }
        Ok(checked)
    }
}

/// The check of a simulation; its trials are drawn on first use.
pub(super) struct SimulationCheck<'c> {
    bound: &'c Bound,
    simulation: &'c Simulation,
    compiled: &'c Compiled,
    inputs: &'c [i64],
    looks: u32,
    sample: OnceLock<Sample>,
}

impl<'c> SimulationCheck<'c> {
    /// The check of a simulation by a kernel with these inputs; `is_seen` says whether intermediate
    /// results are shown. `None` if checks are off, or if the interpreter itself simulates.
    pub(super) fn new(
        bound: &'c Bound,
        simulation: &'c Simulation,
        (compiled, inputs): (&'c Compiled, &'c [i64]),
        is_seen: bool,
    ) -> Option<Self> {
        let is_fixed = matches!(simulation.extent, Extent::Trials(_)) && !is_seen;
        (!bound.check().is_off() && !simulation.is_walked()).then(|| Self {
            bound,
            simulation,
            compiled,
            inputs,
            looks: if is_fixed { 1 } else { MAX_LOOKS },
            sample: OnceLock::new(),
        })
    }

    fn sample(&self, ran: u64) -> &Sample {
        let extra = |steps: f64| (ran as f64 * steps * SHARE_OF_SIMULATION) as u64;
        let seed = SEED ^ self.simulation.seed;
        let draw = || self.bound.check_sample(seed, extra);
        self.sample.get_or_init(draw)
    }

    fn refuted(&self, found: Disagreement, checked: Checked) -> Failure {
        let engine = match self.simulation.backend {
            Backend::Interp => "simulation in the evaluator",
            _ => "simulation in native code",
        };
        let seed = Some(self.simulation.seed);
        self.bound.refuted(found, engine, (checked, seed))
    }

    /// Compares results and events with trials.
    ///
    /// # Errors
    /// The results or events are wrong.
    pub(super) fn compare(&self, results: &Results, events: &Events) -> Result<u64, Failure> {
        let ran = match results {
            Results::Outcomes(tally) => tally.count(),
            Results::Moments(summary) => summary.count(),
        };
        let sample = self.sample(ran);
        let kind = self.bound.kind();
        let module = self.bound.program().hir();
        let many;
        let results = match results {
            Results::Outcomes(tally) if tally.distinct() > MAX_RESULTS => {
                many = Results::Moments(tally.summary());
                &many
            }
            results => results,
        };
        let expected = Expected {
            looks: self.looks,
            most: self.bound.most(),
            ..Expected::sampled((results, events), (kind, module), sample)
        };
        match compare(&expected, sample, &|value| self.bound.result_name(value)) {
            None => Ok(sample.trials),
            Some(found) => Err(self.refuted(
                found,
                Checked {
                    trials: sample.trials,
                    replayed: 0,
                },
            )),
        }
    }

    /// Compares the results of a run with trials, and replays its first trials if its kernel was
    /// not checked before.
    ///
    /// # Errors
    /// The results are wrong.
    pub(super) fn report(&self, report: &Report) -> Result<Checked, Failure> {
        let compare = || self.compare(&report.results, &report.events);
        let replay = |trials| self.replay(trials, report.trials());
        let verdict = self.compiled.verdict();
        if self.bound.check().once {
            return verdict.get_or_init(|| replay(compare()?)).clone();
        }
        let trials = compare()?;
        let replayed = verdict.get_or_init(|| replay(trials)).clone()?.replayed;
        Ok(Checked { trials, replayed })
    }

    /// Replays the first trials.
    fn replay(&self, trials: u64, ran: u64) -> Result<Checked, Failure> {
        let sample = self.sample(ran);
        let checked = Checked {
            trials,
            replayed: 0,
        };
        // The evaluator takes about as long for a trial as the interpreter.
        let check = self.bound.check();
        let per_trial = sample.steps.checked_div(sample.trials);
        let allowed = per_trial.map_or(0, |steps| check.steps / steps.max(1));
        let allowed = allowed.max((ran as f64 * SHARE_OF_SIMULATION) as u64);
        let most = allowed.min(check.trials.into()).min(ran);
        let seed = self.simulation.seed;
        match replay::replay(self.compiled, self.inputs, seed, (most, check.steps)) {
            Ok(replayed) => Ok(Checked {
                replayed,
                ..checked
            }),
            Err(found) => Err(self.refuted(
                found,
                Checked {
                    replayed: most,
                    ..checked
                },
            )),
        }
    }

    /// The verdict on a kernel that stored this many samples in an array, from its first trials
    /// with these inputs. It is computed only once.
    ///
    /// # Errors
    /// The samples are wrong.
    pub(super) fn kernel(&self, trials: usize) -> Result<Checked, Failure> {
        let verdict = self.compiled.verdict().get_or_init(|| {
            let ran = trials.clamp(KERNEL_TRIALS.0, KERNEL_TRIALS.1) as u64;
            // The array may have ended before a trial that traps.
            let Ok((results, events)) = self.first_trials(ran) else {
                return Ok(Checked::default());
            };
            self.replay(self.compare(&results, &events)?, ran)
        });
        verdict.clone()
    }

    /// The results of the kernel's first trials.
    fn first_trials(&self, trials: u64) -> Result<(Results, Events), Failure> {
        let kernel = &self.compiled.kernel;
        let mut plan = super::plan::plan(self.bound, self.simulation);
        plan.extent = Extent::Trials(trials);
        // Other threads may wait for the verdict, including those that would do the work.
        plan.workers = Workers::Threads(1);
        let control = Control::default();
        let ran = match kernel.sink() {
            Sink::Moments(_) => {
                let ran = summarise(&**kernel, self.inputs, &plan, &control);
                let ran = self.bound.ran(ran)?;
                (Results::Moments(ran.results), ran.events)
            }
            _ => {
                let ran = simulate(&**kernel, self.inputs, &plan, &control);
                let ran = self.bound.ran(ran)?;
                (Results::Outcomes(ran.results), ran.events)
            }
        };
        Ok(ran)
    }
}
