//! `dicec odds FILE.dice`: what comes of a roll, exactly.

use super::answer::{Answer, AnswerJson, Stat};
use super::loaded::{Loaded, ScriptArgs};
use super::options::OptionArgs;
use crate::args::Shared;
use crate::distribution::{
    Distribution, FRACTION_WORK, Questions, exactness, heading, odds_body, significant,
};
use crate::error::CliError;
use crate::output;
use dicec_compiler::engine::exact::Odds;
use dicec_compiler::hir::Kind;
use dicec_compiler::{Bound, Failure};
use dicec_runtime::pmf::Limits;
use num_bigint::BigUint;
use serde::Serialize;
use std::path::Path;

/// The output of `dicec odds FILE.dice --json`.
#[derive(Serialize)]
struct OddsJson {
    #[serde(flatten)]
    answer: AnswerJson,
    /// A bound on the probability of the trials that are left out: loops and dice that go on for very long.
    left_out: f64,
}

/// Gives the odds of a roll of the script at `path`.
pub(crate) fn run(
    path: &Path,
    script: &ScriptArgs,
    options: &OptionArgs,
    limits: Limits,
    asked: &Questions,
    shared: &Shared,
) -> Result<(), CliError> {
    let loaded = Loaded::read(path, script, shared)?;
    let bound = options.decided(loaded.bind(script, shared)?)?;
    let whole = options.whole(&bound)?;
    let answer = solve(&bound, limits, &whole).map_err(|failure| loaded.failed(&failure))?;
    if shared.json {
        let roll = bound.definition();
        return output::json(&OddsJson {
            left_out: answer.left_out,
            answer: AnswerJson::new(roll.name(), roll.label(), &answer, asked),
        });
    }
    let width = output::width();
    let mut text = heading(&how_exact(&answer));
    if let Some(odds) = &answer.result {
        text += odds_body(odds, asked, width).trim_end();
        text += "\n\n";
    }
    text += &answer.report(asked, width);
    output::print(&(text.trim_end().to_owned() + "\n"))
}

fn how_exact(answer: &Answer) -> String {
    match &answer.result {
        Some(odds) => exactness(odds),
        None if answer.left_out == 0.0 => "exact odds".to_owned(),
        None => {
            let share = significant(answer.left_out, 2);
            format!("exact odds but for what goes on and on: at most {share} of all")
        }
    }
}

/// The exact answer: in fractions where they are cheap, else in floating point. That comes first: it tells soon what has no answer, and what has none in
/// fractions.
fn solve(bound: &Bound, limits: Limits, whole: &[usize]) -> Result<Answer, Failure> {
    let odds = bound.solve::<f64>(&limits)?;
    let cheap = Limits {
        work: limits.work.min(FRACTION_WORK),
        ..limits
    };
    // Weights of what is cut are no fractions of all trials.
    if odds.residual == 0.0
        && let Ok(fractions) = bound.solve::<BigUint>(&cheap)
    {
        return Ok(answer(bound, fractions, whole, Distribution::fractions));
    }
    Ok(answer(bound, odds, whole, Distribution::floats))
}

/// What exact odds say, with these statistics shown whole.
pub(super) fn answer<W>(
    bound: &Bound,
    odds: Odds<W>,
    whole: &[usize],
    distribution: fn(Kind, dicec_runtime::pmf::Pmf<W>) -> Distribution,
) -> Answer {
    let result = bound.kind().zip(odds.result);
    let stats = bound.program().stats().iter().zip(odds.stats);
    let stat = |(place, (name, noted)): (usize, (&String, _))| {
        let noted: dicec_compiler::engine::exact::Noted = noted;
        let known = noted.pmf.map(|pmf| Distribution::floats(Kind::Number, pmf));
        Stat {
            name: name.clone(),
            notes: noted.times,
            odds: known,
            error: None,
            whole: whole.contains(&place),
        }
    };
    Answer {
        left_out: odds.residual,
        result: result.map(|(kind, pmf)| distribution(kind, pmf).leaving_out(odds.residual)),
        lines: odds.lines,
        stats: stats.enumerate().map(stat).collect(),
    }
}
