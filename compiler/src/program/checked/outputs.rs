//! Checks the outputs of an AnyDice program: compares each with trials of the program, which draw
//! one call of each expansion, remember none and observe no rolls.
//!
//! A program that has no trials, because calls share variables or a draw would be used twice, is
//! not checked by them: its outputs say that they were compared with 0 trials.

use super::compare::{Disagreement, compare};
use super::expected::{Chances, Expected};
use super::sample::Sample;
use super::wrong_answer::WrongAnswer;
use super::{CheckLimits, SEED};
use crate::answer::{Checked, Distribution, NamedAnswers, percent};
use crate::program::anydice::AnyDice;
use crate::program::failure::Failure;
use dicec_anydice::Options;
use dicec_runtime::pmf::{Budget, Limits, Pmf};

/// The difference that roundings of floats may make to a probability.
const CLOSE: f64 = 1e-9;

impl AnyDice {
    /// Compares exact outputs with trials, for these values of variables; a thorough check computes
    /// them again, too.
    ///
    /// # Errors
    /// An output is wrong.
    pub(in crate::program) fn check_outputs(
        &self,
        answers: &mut NamedAnswers,
        given: &[(&str, i64)],
        limits: &Limits,
    ) -> Result<(), Failure> {
        let check = self.check();
        if check.skips_exact() {
            return Ok(());
        }
        let outputs = answers.iter().count();
        let samples = self.samples(outputs, check, given, limits);
        for (named, sample) in answers.iter_mut().zip(samples) {
            let Some(odds) = &named.answer.result else {
                continue;
            };
            let expected = Expected {
                // Each output takes its share of the false alarms.
                looks: u32::try_from(outputs).unwrap_or(u32::MAX),
                ..Expected::output(Chances::of_odds(odds, 1.0))
            };
            let checked = Checked {
                trials: sample.trials,
                replayed: 0,
            };
            if let Some(found) = compare(&expected, &sample, &|value| value.to_string()) {
                return Err(self.refuted(&named.name, found, checked));
            }
            named.answer.pass(checked);
        }
        match check.again {
            true => self.run_again(answers, given, limits),
            false => Ok(()),
        }
    }

    /// Trials of each output; none of a program that has no trials, or too long ones.
    fn samples(
        &self,
        outputs: usize,
        check: CheckLimits,
        given: &[(&str, i64)],
        limits: &Limits,
    ) -> Vec<Sample> {
        Sample::of_outputs(outputs, check, |each| {
            let mut budget = Budget::new(Limits {
                work: limits.work.min(check.steps),
                ..*limits
            });
            let trial = |trial: &[dicec_anydice::Sampled], work: u64| {
                each(&mut trial.iter().map(|sampled| sampled.result), work)
            };
            // The trials until the failure count.
            let _ = self.parsed().trials(given, SEED, &mut budget, trial);
        })
    }

    /// Computes the outputs without shortcuts, as far as the budget allows it.
    ///
    /// # Errors
    /// They differ.
    fn run_again(
        &self,
        answers: &NamedAnswers,
        given: &[(&str, i64)],
        limits: &Limits,
    ) -> Result<(), Failure> {
        let plain = Options {
            remember: false,
            observe: false,
        };
        let mut budget = Budget::new(*limits);
        let Ok(again) = self.parsed().run::<f64>(given, plain, &mut budget) else {
            return Ok(());
        };
        for (named, output) in answers.iter().zip(&again.outputs) {
            let (Some(odds), Some(other)) = (&named.answer.result, &output.odds) else {
                continue;
            };
            if let Some(found) = difference(odds, other) {
                let checked = odds.checked().unwrap_or_default();
                return Err(self.refuted(&named.name, found, checked));
            }
        }
        Ok(())
    }

    fn refuted(&self, output: &str, found: Disagreement, checked: Checked) -> Failure {
        Failure::WrongAnswer(Box::new(WrongAnswer {
            part: format!("{} of {output}", found.part),
            answer: found.answer,
            check: found.trials,
            engine: "exact odds",
            checked,
            program: self.text().to_owned(),
            seed: None,
            command: "dicec odds --verify FILE.anydice".to_owned(),
        }))
    }
}

/// The first result whose chances differ.
fn difference(odds: &Distribution, other: &Pmf<f64>) -> Option<Disagreement> {
    let known = odds.as_trials();
    let (value, one, two) = known
        .map(|(value, p)| (value, p, other.probability(value)))
        .find(|(_, one, two)| (one - two).abs() > CLOSE)?;
    let part = format!("the chance of {value}");
    Some(Disagreement::certain(&part, &percent(one), &percent(two)))
}

#[cfg(test)]
mod tests {
    use crate::answer::{Distribution, NamedAnswer, NamedAnswers};
    use crate::program::{Check, Compiler, Failure};
    use dicec_lang::hir::Kind;
    use dicec_runtime::pmf::{Limits, Pmf};

    /// A fair six-sided die instead of the highest of two.
    fn wrong() -> NamedAnswers {
        let die = Pmf::from_weights((1..=6).map(|face| (face, 1.0))).expect("six faces");
        let odds = Distribution::floats(Kind::Number, die);
        NamedAnswers::new(vec![NamedAnswer::of_odds("output 1", odds)])
    }

    fn checked(text: &str, check: Check) -> Result<u64, Failure> {
        let program = Compiler::new().anydice(text).expect("a program");
        let program = program.checked_by(check.limits());
        let mut answers = wrong();
        program.check_outputs(&mut answers, &[], &Limits::default())?;
        let odds = answers
            .iter()
            .next()
            .and_then(|named| named.answer.result.as_ref());
        Ok(odds
            .and_then(Distribution::checked)
            .map_or(0, |checked| checked.trials))
    }

    #[test]
    fn a_wrong_output_is_refuted() {
        for check in [Check::Usual, Check::Thorough] {
            let found = checked("function: f S:s { result: 1@S } output [f 2d6]", check);
            let Err(Failure::WrongAnswer(wrong)) = found else {
                panic!("{found:?}");
            };
            assert!(wrong.part.ends_with(" of output 1"), "{wrong:?}");
        }
    }

    #[test]
    fn a_right_output_passes() {
        assert_eq!(checked("output d6", Check::Usual), Ok(256));
        assert_eq!(checked("output d6", Check::Off), Ok(0));
    }

    /// Trials say nothing here, and computing again does.
    #[test]
    fn a_program_without_trials_is_computed_again() {
        let text = "function: f N:n { C: C + N result: C } C: 0 output [f d6]";
        assert_eq!(checked(text, Check::Usual), Ok(0));
        assert!(checked(text, Check::Thorough).is_err());
    }
}
