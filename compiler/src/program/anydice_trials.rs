//! Simulated AnyDice programs, for those without exact odds and without a script.

use super::anydice::{AnyDice, AnyDiceOutputs, distinct, failed};
use super::failure::Failure;
use super::guard::guarded;
use super::simulation::Simulation;
use crate::answer::{Answer, Distribution, NamedAnswer, NamedAnswers, Run};
use dicec_anydice::Sampled;
use dicec_lang::hir::Kind;
use dicec_lang::syntax::{Diagnostic, Diagnostics};
use dicec_runtime::clock::Clock;
use dicec_runtime::control::Control;
use dicec_runtime::driver::{Ended, Extent};
use dicec_runtime::pmf::{Budget, Limits};
use dicec_runtime::stats::{Tally, Z95, standard_error};

/// A precision is looked at after this many trials, and whenever they have doubled.
const FIRST_LOOK: u64 = 1_024;

/// The trials of a run so far.
struct Trials<'a> {
    extent: Extent,
    control: &'a Control,
    tallies: Vec<Tally>,
    names: Vec<(String, String)>,
    done: u64,
    next_look: u64,
    ended: Option<Ended>,
}

impl AnyDice {
    /// The outputs as `simulation` samples them: its extent and its seed, on one thread. `given`
    /// are values of [`settable`](Self::settable) variables, `limits` those of one trial.
    ///
    /// # Errors
    /// A mistake that shows when the program runs, a program of which one trial says nothing, a
    /// budget that is too small, or a cancellation before the first trial.
    pub fn simulate(
        &self,
        given: &[(&str, i64)],
        simulation: &Simulation,
        limits: &Limits,
        control: &Control,
    ) -> Result<(AnyDiceOutputs, Run), Failure> {
        let sampled = guarded(|| self.sampled(given, simulation, limits, control));
        sampled.unwrap_or_else(|what| Err(self.bug(what)))
    }

    fn sampled(
        &self,
        given: &[(&str, i64)],
        simulation: &Simulation,
        limits: &Limits,
        control: &Control,
    ) -> Result<(AnyDiceOutputs, Run), Failure> {
        let clock = Clock::start();
        let mut trials = Trials {
            extent: simulation.extent,
            control,
            tallies: Vec::new(),
            names: Vec::new(),
            done: 0,
            next_look: FIRST_LOOK,
            ended: None,
        };
        // A cancelled budget would throw away the trials that are done.
        let mut budget = Budget::new(*limits);
        let each = |sampled: &[Sampled], _| trials.goes_on(sampled);
        let notes = self
            .parsed()
            .trials(given, simulation.seed, &mut budget, each);
        let notes = notes.map_err(failed)?;
        if control.is_cancelled() {
            return Err(Failure::Cancelled {
                done: trials.done,
                units: "trials",
            });
        }
        let run = Run {
            extent: simulation.extent,
            seed: simulation.seed,
            backend: "interp",
            sampling: "faithful",
            trials: trials.done,
            ended: trials.ended.unwrap_or(Ended::Trials),
            elapsed: clock.elapsed(),
            checked: None,
        };
        Ok((trials.outputs(notes), run))
    }
}

impl Trials<'_> {
    /// Counts a trial; whether there is to be another one.
    fn goes_on(&mut self, sampled: &[Sampled]) -> bool {
        if self.done == 0 {
            self.tallies = vec![Tally::sparse(); sampled.len()];
            let names = sampled
                .iter()
                .map(|it| (it.name.clone(), it.heading.clone()));
            self.names = names.collect();
        }
        for (tally, sampled) in self.tallies.iter_mut().zip(sampled) {
            if let Some(result) = sampled.result {
                tally.record(result);
            }
        }
        self.done += 1;
        self.ended = self.end();
        self.ended.is_none()
    }

    fn end(&mut self) -> Option<Ended> {
        let most = self.extent.most();
        if self.done == self.next_look {
            self.next_look *= 2;
            self.control.report(self.done, most);
            if self.tallies.iter().all(|tally| self.is_precise(tally)) {
                return Some(Ended::Precise);
            }
        }
        if self.done >= most {
            return Some(match self.extent {
                Extent::Trials(_) => Ended::Trials,
                Extent::Precision { .. } | Extent::OfRange { .. } => Ended::Most,
            });
        }
        self.control.is_stopping().then_some(Ended::Finished)
    }

    /// Whether the mean is as precise as the extent asks.
    fn is_precise(&self, tally: &Tally) -> bool {
        let range = match (tally.min(), tally.max()) {
            (Some(least), Some(most)) => most.abs_diff(least) as f64,
            _ => return true,
        };
        let error = tally.sd().map(|sd| standard_error(sd, tally.count()) * Z95);
        let is_within = |wanted: f64| error.is_some_and(|error| error <= wanted);
        match self.extent {
            Extent::Trials(_) => false,
            Extent::Precision { half_width, .. } => is_within(half_width),
            Extent::OfRange { share, .. } => is_within(share * range),
        }
    }

    fn outputs(self, found: Vec<Diagnostic>) -> AnyDiceOutputs {
        let mut notes = Diagnostics::new();
        found.into_iter().for_each(|note| notes.push(note));
        let headings = distinct(self.names.iter().map(|(_, heading)| heading.as_str()));
        let named = self.names.into_iter().zip(self.tallies);
        let answers = named.map(|((name, _), tally)| NamedAnswer {
            label: name.clone(),
            name,
            answer: Answer {
                result: (tally.count() > 0).then(|| Distribution::sampled(Kind::Number, tally)),
                ..Answer::empty()
            },
        });
        AnyDiceOutputs {
            answers: NamedAnswers::new(answers.collect()),
            headings,
            notes,
        }
    }
}
