//! `dicec.sim`, and simulations as keywords say them.

use crate::asked::{Asked, Reading};
use crate::error::Answered;
use crate::odds::Odds;
use crate::watch::watched;
use dicec_compiler::unstable::{Backend, Extent, Workers};
use dicec_compiler::{Simulation, random_seed};
use dicec_runtime::bug;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use std::collections::BTreeMap;

/// Where a precision gives up.
const MAX_TRIALS: u64 = 10_000_000_000;

/// The greatest number of threads.
const MAX_THREADS: usize = 256;

/// How a simulation is asked for.
#[derive(Clone, Copy, Default)]
pub(crate) struct Wanted {
    pub(crate) trials: Option<u64>,
    pub(crate) precision: Option<f64>,
    pub(crate) seed: Option<u64>,
    pub(crate) threads: Option<usize>,
}

impl Wanted {
    /// Whether it is said how long the simulation is.
    pub(crate) fn has_extent(self) -> bool {
        self.trials.is_some() || self.precision.is_some()
    }

    /// The simulation, which is `usual` but for what is asked for.
    ///
    /// # Errors
    /// `ValueError` for numbers that no simulation has.
    pub(crate) fn simulation(self, usual: Simulation) -> PyResult<Simulation> {
        let extent = match (self.trials, self.precision) {
            (Some(_), Some(_)) => {
                return wrong("give trials or a precision, but not both".to_owned());
            }
            (Some(0), None) => return wrong("a simulation has at least 1 trial".to_owned()),
            (Some(trials), None) => Extent::Trials(trials),
            (None, Some(half_width)) if half_width > 0.0 && half_width.is_finite() => {
                Extent::Precision {
                    half_width,
                    most: MAX_TRIALS,
                }
            }
            (None, Some(other)) => {
                return wrong(format!("a precision is greater than 0, not {other}"));
            }
            (None, None) => usual.extent,
        };
        Ok(Simulation::of(extent)
            .backend(usual.backend)
            .sampling(usual.sampling)
            .seed(self.seed.unwrap_or_else(random_seed))
            .workers(self.workers()?))
    }

    /// Whose threads run it.
    fn workers(self) -> PyResult<Workers> {
        match self.threads {
            None => Ok(Workers::Auto),
            Some(threads) if (1..=MAX_THREADS).contains(&threads) => Ok(Workers::Threads(threads)),
            Some(other) => wrong(format!("there are 1 to {MAX_THREADS} threads, not {other}")),
        }
    }
}

fn wrong<T>(message: String) -> PyResult<T> {
    Err(PyValueError::new_err(message))
}

/// Simulate a rule in native code.
///
/// It runs `trials`, 10 million unless you say, or until the 95 % interval is at most `precision`
/// from its middle. The same `seed` gives the same result, with any number of `threads`.
/// `progress(done, most)` is called some 20 times a second; if it returns False, the simulation
/// ends with the trials done so far, and its odds are `interrupted`. Ctrl-C raises
/// KeyboardInterrupt. Other threads of Python run meanwhile.
#[pyfunction]
#[pyo3(signature = (
    rule, /, resources=None, *, trials=None, precision=None, seed=None, threads=None,
    progress=None, dialect=None, limits=None, **named
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
pub(crate) fn sim(
    py: Python<'_>,
    rule: &str,
    resources: Option<&Bound<'_, PyMapping>>,
    trials: Option<u64>,
    precision: Option<f64>,
    seed: Option<u64>,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
    dialect: Option<String>,
    limits: Option<BTreeMap<String, u64>>,
    named: Option<&Bound<'_, PyDict>>,
) -> Answered<Odds> {
    let wanted = Wanted {
        trials,
        precision,
        seed,
        threads,
    };
    let asked = Asked::new(py, rule, Reading { dialect, limits }, resources, named)?;
    let bound = &asked.bound;
    let usual = Simulation::usual(Backend::Auto, bound.program().is_script());
    let simulation = bound.resolved(&wanted.simulation(usual)?);
    let report = watched(py, progress, |control, _| {
        bound.simulate_with(&simulation, control)
    })?;
    let report = report.map_err(|failure| asked.failed(&failure))?;
    let run = report.run();
    let odds = bound.sampled(report).result;
    let odds = odds.ok_or_else(|| bug!("a rule without results"))?;
    Ok(Odds::new(bound.program().normal_form(), odds, Some(run)))
}
