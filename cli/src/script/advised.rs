//! Executions of a roll for a player, with advice about the best play if it is asked for.

use crate::error::CliError;
use crate::loaded::Loaded;
use dicec_compiler::answer::{percent, significant};
use dicec_compiler::unstable::{Advice, BestAsked};
use dicec_compiler::{Bound, Played, ScriptSession};
use dicec_runtime::control::Control;
use dicec_runtime::pmf::Limits;

/// An execution, with the advice for its options, by their indices.
pub(super) struct Made {
    pub(super) played: Played,
    pub(super) advice: Vec<Option<String>>,
}

/// Executes a roll with the faces and choices of a session.
pub(super) type Make<'m> = dyn FnMut(&mut ScriptSession) -> Result<Made, CliError> + 'm;

/// What is wanted, and the budget for finding the best play.
pub(crate) struct Advising {
    pub(crate) asked: BestAsked,
    pub(crate) limits: Limits,
}

/// Calls `then` with executions of a roll.
///
/// # Errors
/// Best play that cannot be computed, or those of `then`.
pub(super) fn with_make<R>(
    loaded: &Loaded,
    bound: &Bound,
    advising: Option<&Advising>,
    then: impl FnOnce(&mut Make<'_>) -> Result<R, CliError>,
) -> Result<R, CliError> {
    let failed = |failure| loaded.failed(&failure);
    let Some(Advising { asked, limits }) = advising else {
        return then(&mut |session| {
            let played = bound.play(session).map_err(failed)?;
            let advice = Vec::new();
            Ok(Made { played, advice })
        });
    };
    let made = bound.with_best(asked, limits, &Control::default(), |advisor| {
        Ok(then(&mut |session| {
            let advised = advisor.play(session).map_err(failed)?;
            let advice = advised.advice.iter();
            let advice = advice.map(|advice| Some(line(advice.as_ref()?, asked)));
            Ok(Made {
                advice: advice.collect(),
                played: advised.played,
            })
        }))
    });
    made.map_err(failed)?
}

/// A line about what is best, and what others lose.
fn line(advice: &Advice, asked: &BestAsked) -> String {
    let number = |value: f64| match asked.goal.is_chance() {
        true => percent(value),
        false if value < 0.0 => format!("-{}", significant(-value, 6)),
        false => significant(value, 6),
    };
    let mut answers = advice.answers.iter();
    let best = answers.find(|(name, _)| *name == advice.best);
    let value = best.map_or_else(String::new, |(_, value)| number(*value));
    match advice.loss {
        Some(loss) => format!(
            "best: {} ({value}; the next loses {})",
            advice.best,
            number(loss)
        ),
        None => format!("best: {} ({value})", advice.best),
    }
}
