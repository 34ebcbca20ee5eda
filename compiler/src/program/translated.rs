//! AnyDice programs as scripts, each with the odds of its program: a translation is never given out
//! before they were compared, or a note says that they were not.

use super::anydice::{AnyDice, failed};
use super::compiler::Compiler;
use super::failure::Failure;
use super::guard::guarded;
use super::program::Program;
use dicec_anydice::Output;
use dicec_lang::syntax::{Code, Diagnostic, Diagnostics};
use dicec_runtime::control::Control;
use dicec_runtime::pmf::{Budget, Limits, Pmf};
use dicec_runtime::resource::ResourceTable;
use dicec_runtime::span::Span;
use serde_json::{Map, Value};

/// The relative difference that roundings of floats may make, and the probabilities below which
/// nothing is compared.
const CLOSE: f64 = 1e-9;
const SMALL: f64 = 1e-12;

/// The work that the comparison of all rolls may take, which is less than a second.
const COMPARED: u64 = 40_000_000;

/// An AnyDice program as a script of the rolling language.
#[derive(Clone, Debug)]
pub struct AnyDiceScript {
    /// The text, in its normal layout.
    pub text: String,
    /// The names of the rolls, one for each output.
    pub rolls: Vec<String>,
    /// Says how many outputs were not compared, if some were not.
    pub notes: Diagnostics,
}

impl AnyDice {
    /// The same program as a script, with a roll for each output; `given` are values of
    /// [`settable`](Self::settable) variables. Its odds are compared with those of the program, as
    /// far as these limits allow it.
    ///
    /// # Errors
    /// A construct without a translation, a mistake that shows when the program runs, a variable
    /// that cannot be given, or a budget that is too small for the program's odds.
    pub fn script(
        &self,
        given: &[(&str, i64)],
        limits: &Limits,
        control: &Control,
    ) -> Result<AnyDiceScript, Failure> {
        let written = guarded(|| self.written(given, limits, control));
        written.unwrap_or_else(|what| Err(self.bug(what)))
    }

    fn written(
        &self,
        given: &[(&str, i64)],
        limits: &Limits,
        control: &Control,
    ) -> Result<AnyDiceScript, Failure> {
        let mut budget = Budget::new(*limits).under(control);
        let translated = self.parsed().translated::<f64>(given, &mut budget);
        let (translations, outputs) = translated.map_err(failed)?;
        let mut compiled = Err(self.bug("there is no translation".to_owned()));
        for translation in translations {
            let script = Compiler::new().script(&translation.text);
            compiled = script.map(|script| (script, translation)).map_err(|found| {
                let messages: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
                self.bug(format!("the translation is wrong: {}", messages.join("; ")))
            });
            if compiled.is_ok() {
                break;
            }
        }
        let (script, translation) = compiled?;
        let most = COMPARED / (outputs.len() as u64).max(1);
        let limits = &Limits {
            work: limits.work.min(most),
            ..*limits
        };
        let mut left = 0;
        for (roll, output) in translation.rolls.iter().zip(&outputs) {
            left += usize::from(!self.is_compared(&script, roll, output, limits, control)?);
        }
        let mut notes = Diagnostics::new();
        if left > 0 {
            let (all, message) = (outputs.len(), "were not compared with those of the program");
            let message =
                format!("the odds of {left} of {all} rolls {message}: they take too long");
            let note = Diagnostic::note(Code::AnyDiceUntranslated, Span::default(), message);
            notes.push(note.help("compare dicec sim of the script with dicec odds of the program"));
        }
        Ok(AnyDiceScript {
            text: script.normal_form(),
            rolls: translation.rolls,
            notes,
        })
    }

    /// Whether the odds of a roll could be compared with those of an output.
    ///
    /// # Errors
    /// They differ.
    fn is_compared(
        &self,
        script: &Program,
        name: &str,
        output: &Output,
        limits: &Limits,
        control: &Control,
    ) -> Result<bool, Failure> {
        let missing = || self.bug(format!("the translation has no roll {name}"));
        let roll = script.roll(name).ok_or_else(missing)?;
        let data = roll.arguments(&Value::Object(Map::new()));
        let data = data.map_err(|_| missing())?;
        let bound = roll.bind(data, &ResourceTable::new());
        let bound = bound.map_err(|_| missing())?;
        let odds = match bound.solve_with::<f64>(limits, control) {
            Ok(odds) => odds,
            Err(Failure::Exhausted(_)) => return Ok(false),
            // Lists, calls and steps have limits in scripts.
            Err(Failure::Trap(trap)) => {
                let message = format!("the roll for \"{}\" would fail: {trap}", output.name);
                let found = Diagnostic::error(Code::AnyDiceUntranslated, Span::default(), message);
                let found = found.help("make its loops, calls or sequences shorter");
                return Err(Failure::AnyDice(Box::new(found)));
            }
            Err(cancelled @ Failure::Cancelled { .. }) => return Err(cancelled),
            Err(why) => return Err(self.bug(format!("the roll {name} fails: {why}"))),
        };
        let is_equal = match (&odds.result, &output.odds) {
            (Some(found), Some(wanted)) => are_close(found, wanted),
            _ => false,
        };
        match is_equal {
            true => Ok(true),
            false => Err(self.bug(format!(
                "the roll {name} has other odds than {}",
                output.name
            ))),
        }
    }
}

fn are_close(found: &Pmf<f64>, wanted: &Pmf<f64>) -> bool {
    let all = wanted.probabilities().chain(found.probabilities());
    let mut values: Vec<i64> = all.map(|(value, _)| value).collect();
    values.sort_unstable();
    values.dedup();
    values.into_iter().all(|value| {
        let (one, two) = (found.probability(value), wanted.probability(value));
        (one - two).abs() <= CLOSE * one.max(two) + SMALL
    })
}
