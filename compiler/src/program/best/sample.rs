//! The check of best play: trials of the interpreter whose options are answered by the policy give
//! the value within an interval.

use super::guided::{Guided, Noted};
use super::{Advisor, BestGoal};
use crate::answer::Checked;
use crate::program::checked::WrongAnswer;
use crate::program::failure::Failure;
use dicec_exact::Best;
use dicec_lang::hir::{CHANCE_SIDES, Data, Float, PartNote, Policy, StatId, Type};
use dicec_lang::interp::{Decision, Dice, Host, Offer, OptionSite, Outcome, RollSite, Value};
use dicec_runtime::float::from_key;
use dicec_runtime::rng::Stream;
use dicec_runtime::text::Text;
use dicec_runtime::trap::TrapCode;

/// The trials of a check for each of a usual one, and the rolls and options of all.
const TRIALS: u64 = 16;
const EVENTS: u64 = 4;

/// The logarithm of two divided by the chance that a right answer is refuted: one in a billion.
const SURE: f64 = 21.4;

/// The seed of the trials: an answer is the same each time.
const SEED: u64 = 0xbe57;

/// The trials that an answer was compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampled {
    /// How many.
    pub trials: u64,
    /// Their mean.
    pub mean: f64,
    /// Half of the interval around the value in which the mean has to be.
    pub within: f64,
}

struct Trial<'t> {
    dice: &'t mut Stream,
    policies: &'t [Policy],
    stats: Vec<(StatId, i64)>,
    named: Vec<String>,
    unwatched: (),
}

impl Host for Trial<'_> {
    type Dice = Stream;
    type Observer = ();

    const PATHS: bool = false;

    fn dice(&mut self) -> &mut Stream {
        self.dice
    }

    fn observer(&mut self) -> &mut () {
        &mut self.unwatched
    }

    fn begin_roll(&mut self, _site: RollSite<'_>) -> Result<(), TrapCode> {
        Ok(())
    }

    fn end_roll(&mut self, _site: RollSite<'_>, _outcome: Option<&Outcome>) {}

    fn option(&mut self, site: OptionSite<'_>) -> Result<bool, TrapCode> {
        Ok(match self.policies.get(site.option.index()) {
            None | Some(Policy::Never | Policy::Answer(_) | Policy::Random) => false,
            Some(Policy::Always) => true,
            Some(Policy::Chance(times)) => {
                self.dice.roll(CHANCE_SIDES.into())? <= u64::from(*times)
            }
        })
    }

    fn answer(&mut self, site: OptionSite<'_>, offer: Offer) -> Result<Decision, TrapCode> {
        let policy = self.policies.get(site.option.index());
        let policy = policy.copied().unwrap_or_default();
        let answer = policy.answer(offer.first, offer.last);
        Ok(answer.map_or(Decision::Random, Decision::Number))
    }

    fn output(&mut self, _line: &Text) -> Result<(), TrapCode> {
        Ok(())
    }

    fn start_group(&mut self) -> Result<(), TrapCode> {
        Ok(())
    }

    fn end_group(&mut self) {}

    fn stat(&mut self, stat: StatId, value: i64) -> Result<(), TrapCode> {
        self.stats.push((stat, value));
        Ok(())
    }

    fn named_stat(&mut self, name: &Text, _value: i64) -> Result<(), TrapCode> {
        self.named.push(name.template());
        Ok(())
    }
}

impl Advisor<'_, '_, '_> {
    /// Compares the value with trials; none if checks are off.
    ///
    /// # Errors
    /// Trials refute the value, or end in an error.
    pub(super) fn check(&mut self, best: &Best) -> Result<Option<Sampled>, Failure> {
        let limits = self.bound.check();
        let most = u64::from(limits.trials) * TRIALS;
        let events = limits.steps * EVENTS;
        let mut dice = Stream::from_seed(SEED);
        let (mut noted, mut sum, mut squares) = (Noted::default(), 0.0, 0.0);
        let (mut trials, mut furthest) = (0, 0.0_f64);
        while trials < most && noted.events < events {
            let number = self.trial(&mut dice, &mut noted)?;
            trials += 1;
            sum += number;
            squares += (number - best.value) * (number - best.value);
            furthest = furthest.max((number - best.value).abs());
        }
        if trials == 0 {
            return Ok(None);
        }
        let count = trials as f64;
        let (variance, furthest) = match self.spread(best)? {
            Some(spread) => spread,
            // The spread of a statistic is only known from the trials.
            None => (squares / count, 2.0 * furthest.max(best.value.abs())),
        };
        // Bernstein's inequality.
        let within = (2.0 * variance * SURE / count).sqrt() + 2.0 * furthest * SURE / (3.0 * count);
        let sampled = Sampled {
            trials,
            mean: sum / count,
            within,
        };
        let left_out = (best.left_out + best.unfinished) * furthest;
        let allowed = within + best.error + left_out + 1e-9 * best.value.abs();
        if (sampled.mean - best.value).abs() <= allowed {
            return Ok(Some(sampled));
        }
        Err(Failure::WrongAnswer(Box::new(WrongAnswer {
            part: format!("the value of {}", self.asked.goal.text()),
            answer: best.value.to_string(),
            check: format!("{} in {trials} trials", sampled.mean),
            engine: "best play",
            checked: Checked {
                trials,
                replayed: 0,
            },
            program: self.bound.program().text().to_owned(),
            seed: Some(SEED),
            command: "dicec best".to_owned(),
        })))
    }

    /// The variance of the goal under best play, and the furthest that a result is from its mean;
    /// none for a statistic.
    fn spread(&self, best: &Best) -> Result<Option<(f64, f64)>, Failure> {
        let BestGoal::Result(condition) = &self.asked.goal else {
            return Ok(None);
        };
        let (mut variance, mut furthest) = (0.0, 0.0_f64);
        for (parts, p) in &best.results {
            let number = condition.number(parts);
            let apart = number.map_err(|trap| self.bound.failed(trap.into()))? - best.value;
            variance += p * apart * apart;
            furthest = furthest.max(apart.abs());
        }
        Ok(Some((variance, furthest)))
    }

    /// The number that a trial of the policy gives.
    fn trial(&mut self, dice: &mut Stream, noted: &mut Noted) -> Result<f64, Failure> {
        let bound = self.bound;
        let tracker = self.solved.track();
        let tracker = tracker.map_err(|error| bound.failed(error.into()))?;
        let mut trial = Trial {
            dice,
            policies: bound.policies(),
            stats: Vec::new(),
            named: Vec::new(),
            unwatched: (),
        };
        let mut guided = Guided {
            inner: &mut trial,
            tracker,
            decided: self.decided,
            answers: true,
            noted,
        };
        let interpreter = bound.interpreter();
        let result = interpreter.run(bound.arguments(), bound.resources(), &mut guided);
        if let Some(error) = noted.failed.take() {
            return Err(bound.failed(error.into()));
        }
        let result = result.map_err(|trap| bound.failed(trap.into()))?;
        let number = match &self.asked.goal {
            BestGoal::Statistic(stat, _) => {
                let is_float = bound.program().hir().float_stats.contains(stat);
                let numbers = trial.stats.iter().filter(|(noted, _)| noted == stat);
                let numbers = numbers.map(|(_, number)| match is_float {
                    true => from_key(*number),
                    false => *number as f64,
                });
                Ok(numbers.sum())
            }
            goal @ BestGoal::Result(_) => goal.number(&trial.parts(bound, result)),
        };
        number.map_err(|trap| bound.failed(trap.into()))
    }
}

impl Trial<'_> {
    /// The parts of the result of the trial.
    fn parts(&self, bound: &crate::Bound, result: Option<Value>) -> Vec<Data> {
        let module = bound.program().hir();
        let Some(parts) = bound.definition().parts() else {
            let ty = &module.function(bound.definition().function_id()).result;
            return result
                .map(|value| data(value.to_cell(), ty))
                .into_iter()
                .collect();
        };
        let parts = parts.all.iter().map(|part| match &part.note {
            PartNote::Number(stat) => {
                let mut noted = self.stats.iter().rev();
                let number = noted.find(|(noted, _)| noted == stat);
                data(number.map_or(0, |(_, number)| *number), &part.ty)
            }
            PartNote::Text(before) => {
                let mut noted = self.named.iter().rev();
                let text = noted.find_map(|name| name.strip_prefix(before.as_str()));
                Data::Text(text.unwrap_or_default().to_owned())
            }
        });
        parts.collect()
    }
}

/// A cell as a value of a type.
fn data(cell: i64, ty: &Type) -> Data {
    match ty {
        Type::Bool => Data::Bool(cell != 0),
        Type::Float => Float::new(from_key(cell)).map_or(Data::Int(0), Data::Float),
        Type::Degree(_) | Type::Enum(_) | Type::Flags(_) => Data::Named(cell),
        _ => Data::Int(cell),
    }
}
