//! Solves the pending tuples of some questions, rules or rolls of scripts: exactly, or by sampling
//! if that is requested or the exact answer is too large.
//!
//! Of the answers, those of a sample of tuples are checked, see [`CHECKED_FIRST`].
//!
//! Every tuple is sampled from the same seed. So a row's numbers are those of one simulation of its
//! resources, whatever rows come before it, and rows differ by their resources, not by luck.

use crate::answer::Answer;
use crate::back_off::Approach;
use crate::memo::{Memo, Solved};
use crate::outputs::Outputs;
use crate::wanted::Numbers;
use dicec_compiler::answer::{Answer as RollAnswer, Exactness, Weights};
use dicec_compiler::unstable::{CheckLimits, Misuse};
use dicec_compiler::{Bound, Failure, Keep, Program, Report, Sampler, Simulation};
use dicec_runtime::driver::Control;
use dicec_runtime::pmf::Limits;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::OnceLock;

/// How answers are found.
#[derive(Clone, Debug)]
pub enum Method {
    /// Exactly within a budget, or by the simulation, if there is one.
    Exact(Limits, Option<Simulation>),
    /// By this simulation.
    Sample(Simulation),
}

impl Method {
    /// The simulation that some answers may come from.
    pub fn simulation(&self) -> Option<&Simulation> {
        match self {
            Method::Exact(_, fallback) => fallback.as_ref(),
            Method::Sample(simulation) => Some(simulation),
        }
    }
}

/// What a tuple is an argument of.
#[derive(Clone, Copy)]
pub(crate) enum Posed<'a> {
    /// A roll, which can be sampled.
    Roll(&'a dyn Question),
    /// An AnyDice program, which never rolls.
    Outputs(&'a Outputs),
}

/// A roll with an answer for each tuple.
pub(crate) trait Question: Sync {
    /// The roll with the values of the tuple with this number.
    fn bound(&self, number: usize, tuple: &[i64]) -> Result<Bound, Failure>;

    /// The columns of its numbers.
    fn numbers(&self) -> &Numbers;

    /// The columns' numbers.
    fn reduced(&self, answer: RollAnswer, is_sampled: bool) -> Answer;

    /// Runs a simulation: one of many of the same roll.
    fn simulate(
        &self,
        bound: &Bound,
        asked: &Simulation,
        control: &Control,
    ) -> Result<Report, Failure> {
        bound.simulate_shared(asked, control)
    }

    /// The shape of the tuple with this number, which is shared with others that are probably as
    /// large, if finding out their size takes long.
    fn shape(&self, _number: usize) -> Option<Vec<i64>> {
        None
    }
}

/// A rule as a question: compiled once for all tuples.
pub(crate) struct Rule {
    pub(crate) program: Program,
    pub(crate) numbers: Numbers,
    /// Made when the first tuple needs it.
    sampler: OnceLock<Result<Sampler, Failure>>,
}

impl Rule {
    pub(crate) fn new(program: Program, numbers: Numbers) -> Self {
        Self {
            program,
            numbers,
            sampler: OnceLock::new(),
        }
    }
}

impl Question for Rule {
    fn bound(&self, _number: usize, tuple: &[i64]) -> Result<Bound, Failure> {
        Ok(self.program.bind_values(tuple)?)
    }

    fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    fn reduced(&self, answer: RollAnswer, is_sampled: bool) -> Answer {
        Answer::new(answer, &self.numbers, is_sampled, false)
    }

    fn simulate(
        &self,
        bound: &Bound,
        asked: &Simulation,
        control: &Control,
    ) -> Result<Report, Failure> {
        let sampler = self.sampler.get_or_init(|| bound.sampler_for_any(asked));
        let sampler = sampler.clone()?.workers(asked.workers.clone());
        sampler.run(bound, control)
    }
}

/// Is called for each tuple that is worked out, from any thread.
pub(crate) type Tick<'a> = dyn Fn() + Sync + 'a;

/// A question with tuples to work out.
pub(crate) struct Job<'a> {
    pub(crate) question: Posed<'a>,
    pub(crate) memo: &'a mut Memo,
    /// The number of its first tuple among those of which some are checked: texts of a column are
    /// counted on.
    pub(crate) first: usize,
}

/// Works out tuples, several at a time.
pub(crate) struct Solver {
    method: Method,
    threads: usize,
    /// The workers, if there are several.
    pool: Option<ThreadPool>,
    control: Control,
    /// How answers are checked, if not as their programs say.
    pub(crate) check: Option<CheckLimits>,
}

/// Of the tuples of a question, the answers of these first ones are checked each by itself, and
/// then that of every 512th. Which these are depends on the table only: a tuple's number is that of
/// the first row that has it, of all that differ. Every kernel of a simulation is checked as well,
/// with the first tuple that it runs for, and if it is refuted then, so are all its answers.
const CHECKED_FIRST: usize = 8;
const CHECKED_EVERY: usize = 512;

impl Solver {
    /// A solver on this many threads, or on all, which `control` can stop.
    ///
    /// # Errors
    /// The system gives no threads.
    pub(crate) fn new(
        method: Method,
        threads: Option<usize>,
        control: Control,
    ) -> Result<Self, String> {
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.unwrap_or_else(available);
        let build = || ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = (threads > 1)
            .then(build)
            .transpose()
            .map_err(|error| format!("could not start the worker threads: {error}"))?;
        Ok(Self {
            method,
            threads,
            pool,
            control,
            check: None,
        })
    }

    /// How it works.
    pub(crate) fn method(&self) -> &Method {
        &self.method
    }

    /// Whether it was stopped. Answers that came afterwards mean nothing.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.control.is_cancelled()
    }

    /// Solves every pending tuple of these questions, and reports each.
    pub(crate) fn solve(&self, jobs: &mut [Job<'_>], tick: &Tick<'_>) {
        while jobs.iter().any(|job| !job.memo.pending().is_empty()) {
            self.pass(jobs, tick);
        }
    }

    /// Works out pending tuples, those up to the first that had better wait for the others.
    fn pass(&self, jobs: &mut [Job<'_>], tick: &Tick<'_>) {
        let plans: Vec<Vec<Planned>> = jobs.iter_mut().map(|job| self.plan(job)).collect();
        let tuples: Vec<Pending<'_>> = jobs
            .iter()
            .zip(&plans)
            .flat_map(|(job, plan)| {
                let tuple = |(number, planned): (usize, &Planned)| Pending {
                    question: job.question,
                    number,
                    first: job.first,
                    tuple: job.memo.tuple(number),
                    way: planned.way,
                };
                job.memo.pending().zip(plan).map(tuple)
            })
            .collect();
        let answer = |pending: &Pending<'_>, threads| {
            let solved = self.answer(pending, threads);
            tick();
            solved
        };
        // Many tuples are spread over the threads; a few are worked out one after another, each on
        // all threads.
        let mut solved = match &self.pool {
            Some(pool) if tuples.len() >= self.threads => pool.install(|| {
                let tuples = tuples.par_iter();
                let solved: Vec<Solved> = tuples.map(|tuple| answer(tuple, 1)).collect();
                solved
            }),
            _ => tuples
                .iter()
                .map(|tuple| answer(tuple, self.threads))
                .collect(),
        }
        .into_iter();
        for (job, plan) in jobs.iter_mut().zip(plans) {
            let solved: Vec<Solved> = solved.by_ref().take(plan.len()).collect();
            for (planned, solved) in plan.iter().zip(&solved) {
                if let (Approach::Try, Some(shape)) = (planned.way, &planned.shape) {
                    let sampled = solved.as_ref().ok().map(|answer| answer.is_sampled);
                    job.memo.back_off.tell(shape, sampled);
                }
            }
            job.memo.answer(solved);
        }
    }

    /// The decision about each pending tuple of a question, up to the first that has to wait.
    fn plan(&self, job: &mut Job<'_>) -> Vec<Planned> {
        let falls_back = matches!(self.method, Method::Exact(_, Some(_)));
        let mut plan = Vec::new();
        for number in job.memo.pending() {
            let shape = match job.question {
                Posed::Roll(question) if falls_back => question.shape(number),
                Posed::Roll(_) | Posed::Outputs(_) => None,
            };
            let way = shape.as_ref().map(|shape| job.memo.back_off.ask(shape));
            match way.unwrap_or(Approach::Try) {
                Approach::Wait => break,
                way => plan.push(Planned { shape, way }),
            }
        }
        plan
    }

    /// The roll of the tuple of this number, with the check that its answer has to pass.
    fn checking(&self, bound: Bound, number: usize) -> Bound {
        let check = self.check.unwrap_or_else(|| bound.check());
        let is_sampled = number < CHECKED_FIRST || number.is_multiple_of(CHECKED_EVERY);
        bound.checked_by(CheckLimits {
            once: !is_sampled && !check.again,
            ..check
        })
    }

    /// Works out one tuple.
    fn answer(&self, pending: &Pending<'_>, threads: usize) -> Solved {
        let way = pending.way;
        if self.is_cancelled() {
            let units = "rows";
            return Err(Box::new(Failure::Cancelled { done: 0, units }));
        }
        let question = match pending.question {
            Posed::Roll(question) => question,
            Posed::Outputs(outputs) => {
                let Method::Exact(limits, _) = &self.method else {
                    return Err(Box::new(Misuse::NeverRolls.into()));
                };
                return outputs.solve(pending.tuple, limits, &self.control);
            }
        };
        let bound = question
            .bound(pending.number, pending.tuple)
            .map_err(Box::new)?;
        let bound = self.checking(bound, pending.first + pending.number);
        let simulation = match &self.method {
            Method::Sample(simulation) => simulation,
            Method::Exact(_, Some(simulation)) if way == Approach::Sample => simulation,
            Method::Exact(limits, fallback) => {
                let exactness = Exactness {
                    weights: Weights::Floats,
                    extremes: *question.numbers() == Numbers::Ends,
                };
                match (bound.answer(limits, exactness, &self.control), fallback) {
                    (Err(Failure::Exhausted(_)), Some(simulation)) => simulation,
                    (answer, _) => {
                        let answer = answer.map_err(Box::new)?;
                        return Ok(question.reduced(answer, false));
                    }
                }
            }
        };
        let keep = match question.numbers() {
            Numbers::Ends => Keep::Moments,
            Numbers::Quantiles | Numbers::Asked(_) | Numbers::Results => Keep::Outcomes,
        };
        let asked = simulation.clone().threads(threads).keep(keep);
        let report = question.simulate(&bound, &asked, &self.control);
        let answer = bound.sampled(report.map_err(Box::new)?);
        Ok(question.reduced(answer, true))
    }
}

/// A tuple to work out.
struct Pending<'a> {
    question: Posed<'a>,
    number: usize,
    /// See [`Job::first`].
    first: usize,
    tuple: &'a [i64],
    way: Approach,
}

/// The decision about a tuple, and its shape.
struct Planned {
    shape: Option<Vec<i64>>,
    way: Approach,
}
