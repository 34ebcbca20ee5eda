//! Works out the pending tuples of some questions, expressions or the roll of a script: exactly, or sampled where that is asked for or the exact answer is too
//! large.
//!
//! Every tuple is sampled from the same seed. So a row's numbers are those of `dicec sim` for its resources, whatever
//! rows stand before it, and rows differ by their resources and not by luck.

use super::answer::{Answer, Numbers};
use super::memo::{Memo, Solved};
use crate::distribution::Distribution;
use crate::error::{CliError, FileCode, Finding};
use dicec_compiler::{Failure, Program, Sampler, Simulation, Summariser};
use dicec_runtime::driver::{Control, RunError};
use dicec_runtime::pmf::Limits;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, OnceLock};

/// How answers are found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Method {
    /// Exactly within a budget, or by the simulation, if there is one.
    Exact(Limits, Option<Simulation>),
    /// By this simulation.
    Sample(Simulation),
}

impl Method {
    /// The simulation that some answers may come from.
    pub(super) fn simulation(&self) -> Option<&Simulation> {
        match self {
            Method::Exact(_, fallback) => fallback.as_ref(),
            Method::Sample(simulation) => Some(simulation),
        }
    }
}

/// What has an answer for each tuple.
pub(super) trait Question: Sync {
    /// The exact answer.
    fn exact(&self, tuple: &[i64], limits: &Limits) -> Result<Answer, Failure>;

    /// The sampled answer.
    fn sampled(
        &self,
        tuple: &[i64],
        asked: Simulation,
        control: &Control<'_>,
    ) -> Result<Answer, Failure>;
}

/// An expression as a question: compiled once for all tuples.
pub(super) struct Expression<'p> {
    pub(super) program: &'p Program,
    pub(super) numbers: Numbers,
    /// Compiled when the first tuple needs it.
    compiled: OnceLock<Result<Compiled<'p>, Failure>>,
}

/// What samples an expression.
enum Compiled<'p> {
    Outcomes(Sampler<'p>),
    Moments(Summariser<'p>),
}

impl<'p> Expression<'p> {
    pub(super) fn new(program: &'p Program, numbers: Numbers) -> Self {
        Self {
            program,
            numbers,
            compiled: OnceLock::new(),
        }
    }

    fn compile(&self, asked: &Simulation) -> Result<Compiled<'p>, Failure> {
        let (program, backend, sampling) = (self.program, asked.backend, asked.sampling);
        Ok(match self.numbers {
            Numbers::Ends if program.kind().is_number() => {
                Compiled::Moments(Summariser::new(program, backend, sampling)?)
            }
            _ => Compiled::Outcomes(Sampler::new(program, backend, sampling)?),
        })
    }
}

impl Question for Expression<'_> {
    fn exact(&self, tuple: &[i64], limits: &Limits) -> Result<Answer, Failure> {
        let odds = self.program.bind_values(tuple).distribution(limits)?;
        let odds = Distribution::floats(self.program.kind(), odds);
        Ok(Answer::exact(&odds.labelled(self.program), self.numbers))
    }

    fn sampled(
        &self,
        tuple: &[i64],
        asked: Simulation,
        control: &Control<'_>,
    ) -> Result<Answer, Failure> {
        let kind = self.program.kind();
        let compiled = self.compiled.get_or_init(|| self.compile(&asked)).as_ref();
        let odds = match compiled.map_err(Clone::clone)? {
            Compiled::Outcomes(sampler) => {
                Distribution::sampled(kind, sampler.run(tuple, &asked, control)?.tally)
            }
            Compiled::Moments(summariser) => {
                Distribution::summed(kind, summariser.run(tuple, &asked, control)?.summary)
            }
        };
        Ok(Answer::sampled(&odds.labelled(self.program), self.numbers))
    }
}

/// A question with tuples to work out.
pub(super) struct Job<'a> {
    pub(super) question: &'a dyn Question,
    pub(super) memo: &'a mut Memo,
}

/// Works out tuples, several at a time.
pub(super) struct Solver {
    method: Method,
    threads: usize,
    /// The workers, if there are several.
    pool: Option<ThreadPool>,
    control: Arc<Control<'static>>,
}

impl Solver {
    /// A solver on so many threads, or on all, which `control` can stop.
    ///
    /// # Errors
    /// The system gives no threads.
    pub(super) fn new(
        method: Method,
        threads: Option<usize>,
        control: Arc<Control<'static>>,
    ) -> Result<Self, CliError> {
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.unwrap_or_else(available);
        let build = || ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = (threads > 1).then(build).transpose().map_err(|error| {
            let message = format!("could not start the worker threads: {error}");
            Finding::general(FileCode::NoNativeCode, message)
        })?;
        Ok(Self {
            method,
            threads,
            pool,
            control,
        })
    }

    /// How it works.
    pub(super) fn method(&self) -> &Method {
        &self.method
    }

    /// Whether it was stopped. Answers that came afterwards mean nothing.
    pub(super) fn is_cancelled(&self) -> bool {
        self.control.is_cancelled()
    }

    /// Works out every pending tuple of these questions.
    pub(super) fn solve(&self, jobs: &mut [Job<'_>]) {
        let tuples: Vec<(&dyn Question, &[i64])> = jobs
            .iter()
            .flat_map(|job| {
                let tuple = |number| (job.question, job.memo.tuple(number));
                job.memo.pending().map(tuple)
            })
            .collect();
        // Many tuples are spread over the threads; a few are worked out one after another, each on all threads.
        let mut solved = match &self.pool {
            Some(pool) if tuples.len() >= self.threads => pool.install(|| {
                let tuples = tuples.par_iter();
                let solved: Vec<Solved> = tuples
                    .map(|(question, tuple)| self.answer(*question, tuple, 1))
                    .collect();
                solved
            }),
            _ => tuples
                .iter()
                .map(|(question, tuple)| self.answer(*question, tuple, self.threads))
                .collect(),
        }
        .into_iter();
        for job in jobs {
            let count = job.memo.pending().len();
            job.memo.answer(solved.by_ref().take(count));
        }
    }

    /// Works out one tuple.
    fn answer(&self, question: &dyn Question, tuple: &[i64], threads: usize) -> Solved {
        if self.is_cancelled() {
            return Err(Box::new(RunError::Cancelled { done: 0 }.into()));
        }
        let simulation = match &self.method {
            Method::Sample(simulation) => simulation,
            Method::Exact(limits, fallback) => match (question.exact(tuple, limits), fallback) {
                (Err(Failure::Exhausted(_)), Some(simulation)) => simulation,
                (answer, _) => return answer.map_err(Box::new),
            },
        };
        let asked = Simulation {
            threads: Some(threads),
            ..*simulation
        };
        let answer = question.sampled(tuple, asked, &self.control);
        answer.map_err(Box::new)
    }
}
