//! From an encounter or a scenario to a roll.

use dicec_compiler::unstable::BugReport;
use dicec_compiler::{Bound, Compiler, Failure, Program};
use dicec_games::GENERATED;
use dicec_games::encounter::{DayPlan, Plan, Purpose, Told, Wrong, day_script, encounter_script};
use dicec_lang::syntax::Diagnostics;
use thiserror::Error;

/// The reason why an encounter gives no roll.
#[derive(Clone, Debug, Error)]
pub enum EncounterError {
    /// The encounter's own functions do not fit its script.
    #[error("{}", first_message(.0))]
    Functions(Diagnostics),
    /// The encounter is too large.
    #[error(transparent)]
    Encounter(#[from] Wrong),
    /// Any other failure: a mistake in the compiler.
    #[error(transparent)]
    Failure(#[from] Failure),
}

fn first_message(found: &Diagnostics) -> String {
    let first = found.iter().next();
    first.map_or_else(String::new, |found| found.message.clone())
}

/// Compiles the script of an encounter; returns its roll with its usual arguments. The odds do not
/// depend on the report form.
///
/// # Errors
/// Functions of the encounter that have errors, an encounter that is too large, or an internal
/// error.
pub fn compile_encounter(
    compiler: &Compiler,
    plan: &Plan,
    told: Told,
    purpose: Purpose,
) -> Result<Bound, EncounterError> {
    let script = encounter_script(plan, told, purpose)?;
    match (plan.functions(), compile(compiler, &script)) {
        (Some(_), Err(found)) => Err(EncounterError::Functions(found)),
        (_, compiled) => Ok(usual(&script, compiled)?),
    }
}

/// Compiles the script of a day, as [`compile_encounter`] does.
///
/// # Errors
/// As for [`compile_encounter`].
pub fn compile_day(
    compiler: &Compiler,
    plan: &DayPlan,
    told: Told,
) -> Result<Bound, EncounterError> {
    let script = day_script(plan, told)?;
    Ok(usual(&script, compile(compiler, &script))?)
}

/// Compiles a script that a [`Scenario`](dicec_games::dh2e::Scenario) generated; returns its roll
/// with its usual arguments.
///
/// # Errors
/// An internal one.
pub fn compile_generated(compiler: &Compiler, script: &str) -> Result<Bound, Failure> {
    usual(script, compile(compiler, script))
}

/// We wrote the script, so its length is that which games need.
fn compile(compiler: &Compiler, script: &str) -> Result<Program, Diagnostics> {
    compiler.source_limits(GENERATED).script(script)
}

/// The only roll of a generated script, with its usual arguments.
fn usual(script: &str, compiled: Result<Program, Diagnostics>) -> Result<Bound, Failure> {
    let wrong = |what: String| {
        Failure::Bug(Box::new(BugReport {
            what,
            program: script.to_owned(),
            seed: None,
        }))
    };
    let program = compiled.map_err(|found| wrong(format!("a generated script: {found:?}")))?;
    let roll = program.only_roll();
    let roll = roll.ok_or_else(|| wrong("a generated script without a roll".to_owned()))?;
    Ok(roll.bind_values(roll.zeros(), &[])?)
}
