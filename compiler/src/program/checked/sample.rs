//! The trials that an answer is compared with: faithful ones of the reference interpreter, with a
//! seed of their own.
//!
//! The number of trials depends on the work of earlier ones, never on the clock. It doubles as long
//! as twice as many are expected to fit the budget, so it is a power of two. That the number
//! depends on the trials is part of the probability of a false alarm: [`Sample::share`].
//! [`Sample::share`].

use super::setting::CheckLimits;
use dicec_lang::interp::{InterpKernel, Value};
use dicec_runtime::events::Events;
use dicec_runtime::rng::Stream;
use dicec_runtime::stats::Tally;
use dicec_runtime::trap::Trap;
use std::collections::BTreeMap;

/// Some trials of the interpreter.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    /// The number of trials.
    pub(super) trials: u64,
    /// The number of trials with each result.
    pub(super) results: BTreeMap<i64, u64>,
    /// The number of trials with a line of each template.
    pub(super) lines: BTreeMap<String, u64>,
    /// Their notes, by known statistics, and by the names of others.
    pub(super) stats: Vec<Notes>,
    pub(super) named: BTreeMap<String, Notes>,
    /// The number of trials that trapped, and the first trap.
    pub(super) traps: u64,
    pub(super) first_trap: Option<Trap>,
    /// Their steps.
    pub(super) steps: u64,
    /// The share of false alarms that is reserved for this number of trials.
    pub(super) share: f64,
}

/// The notes of trials under a statistic. The numbers of one trial are not independent, so trials
/// are counted, not numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    /// The number of trials with a note.
    pub(super) trials: u64,
    /// The number of trials with each number, with it as the minimum, and as the maximum.
    pub(super) numbers: BTreeMap<i64, u64>,
    pub(super) least: BTreeMap<i64, u64>,
    pub(super) greatest: BTreeMap<i64, u64>,
}

impl Notes {
    fn add(&mut self, noted: &Tally) {
        let (Some(least), Some(greatest)) = (noted.min(), noted.max()) else {
            return;
        };
        self.trials += 1;
        for (number, _) in noted.outcomes() {
            *self.numbers.entry(number).or_default() += 1;
        }
        *self.least.entry(least).or_default() += 1;
        *self.greatest.entry(greatest).or_default() += 1;
    }
}

impl Sample {
    /// Trials from this seed, as many as `allowed`. `extra` gives the additional budget if a trial
    /// takes this many steps.
    pub(super) fn draw(
        kernel: &InterpKernel,
        (resources, seed): (&[i64], u64),
        allowed: CheckLimits,
        extra: impl Fn(f64) -> u64,
    ) -> Self {
        let stats = &kernel.module.stats;
        let mut stream = Stream::from_seed(seed);
        let mut sample = Self {
            stats: vec![Notes::default(); stats.len()],
            ..Self::default()
        };
        let (mut kept, most) = (sample.clone(), u64::from(allowed.trials));
        let mut budget = allowed.steps;
        let (is_rule, mut events) = (kernel.module.rule().is_some(), Events::new(stats));
        while sample.trials < most {
            let end = (2 * sample.trials).clamp(1, most);
            while sample.trials < end {
                // A rule notes nothing.
                if !is_rule {
                    events = Events::new(stats);
                }
                // Planned trials are only abandoned if they take twice as long as expected.
                let left = budget.saturating_mul(2).saturating_sub(sample.steps);
                let trial = kernel.counted(&mut stream, resources, &mut events, left);
                if trial.is_given_up || trial.steps > left {
                    return kept.ended(most);
                }
                sample.steps += trial.steps;
                sample.add(trial.result, &events);
            }
            kept = sample.clone();
            let per_trial = sample.steps as f64 / sample.trials as f64;
            budget = allowed.steps.saturating_add(extra(per_trial));
            if sample.steps.saturating_mul(2) > budget {
                break;
            }
        }
        kept.ended(most)
    }

    /// Trials of an AnyDice program, as a sample of each output. `trials` runs them until it is
    /// told that there are enough; it tells the result of each output, if it has one, and the work.
    pub(super) fn of_outputs(
        outputs: usize,
        allowed: CheckLimits,
        trials: impl FnOnce(&mut dyn FnMut(&mut dyn Iterator<Item = Option<i64>>, u64) -> bool),
    ) -> Vec<Self> {
        let (mut samples, most) = (vec![Self::default(); outputs], u64::from(allowed.trials));
        let (mut kept, mut steps) = (samples.clone(), 0_u64);
        let (mut done, mut end) = (0, 1);
        trials(&mut |results, work| {
            for (sample, result) in samples.iter_mut().zip(results) {
                sample.trials += 1;
                if let Some(result) = result {
                    *sample.results.entry(result).or_default() += 1;
                }
            }
            (done, steps) = (done + 1, steps.saturating_add(work));
            if done == end {
                kept.clone_from(&samples);
                end *= 2;
                return done < most && steps.saturating_mul(2) <= allowed.steps;
            }
            // Planned trials are only abandoned if they take twice as long as expected.
            steps <= allowed.steps.saturating_mul(2)
        });
        kept.into_iter().map(|sample| sample.ended(most)).collect()
    }

    /// Half of the false alarms are reserved for the maximum number of trials, which is the usual
    /// one; the other numbers share the other half.
    fn ended(mut self, most: u64) -> Self {
        self.share = match self.trials == most {
            true => 0.5,
            false => 0.5 / f64::from(most.ilog2().max(1)),
        };
        self
    }

    fn add(&mut self, result: Result<Option<Value>, Trap>, events: &Events) {
        self.trials += 1;
        let value = match result {
            Ok(value) => value,
            Err(trap) => {
                self.traps += 1;
                self.first_trap.get_or_insert(trap);
                return;
            }
        };
        if let Some(value) = value {
            *self.results.entry(value.to_cell()).or_default() += 1;
        }
        for (template, _) in events.lines.iter() {
            match self.lines.get_mut(template) {
                Some(trials) => *trials += 1,
                None => drop(self.lines.insert(template.to_owned(), 1)),
            }
        }
        for (notes, noted) in self.stats.iter_mut().zip(events.stats()) {
            notes.add(noted);
        }
        for (name, noted) in events.named().iter() {
            self.named.entry(name.to_owned()).or_default().add(noted);
        }
    }
}
