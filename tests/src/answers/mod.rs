//! Every way in which a script is answered, held against what the interpreter says about it: exact
//! odds, native simulations of each kind, and all engines trial by trial.
//!
//! The reference is brute force if the rolls are few, and otherwise many faithful trials. A program
//! is a [`Fault`] if an answer differs; [`mod@shrink`] makes it small.

mod counts;
mod effort;
mod fit;
mod guard;
mod rewrites;
pub mod shrink;

use crate::engines;
use crate::enumerate_script::ScriptEnumeration;
use dashu_int::UBig;
use dicec_compiler::unstable::Sampling;
use dicec_compiler::{Bound, Compiler, Control, Failure, Keep, Odds, Report, Simulation};
use dicec_lang::hir::{CHANCE_SIDES, Policy};
use dicec_runtime::driver::RunError;
use dicec_runtime::limits::ScriptLimits;
use dicec_runtime::pmf::{Limits, Weight};
use dicec_runtime::resource::ResourceTable;
use dicec_runtime::trap::{Trap, TrapCode};
use fit::Expected;
use guard::guarded;
use serde_json::json;
use shrink::shrink;
use std::fmt;

pub use counts::{Check, Counts};
pub use effort::{Effort, REWRITES};
pub use rewrites::verified;

/// A wrong answer.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Whose answer is wrong.
    pub check: Check,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.check, self.what)
    }
}

/// The trials of each kind of simulation: from `KNOWN_FROM` on, from `SHARED_FROM` on, and fewer.
const KNOWN_TRIALS: u64 = 100_000;
const SHARED_TRIALS: u64 = 50_000;
const FEW_TRIALS: u64 = 20_000;

/// What goes on for ever ends like this some time, and exact odds leave that out.
const ENDLESS: [TrapCode; 4] = [
    TrapCode::OutOfFuel,
    TrapCode::TooManyExplosions,
    TrapCode::TooManyRerolls,
    TrapCode::TooManyDice,
];

/// Loops without an end trap soon.
const FUEL: u32 = 2_000;

/// The first roll of a script, with the defaults of its parameters or zeros; `None` if the script
/// is refused.
pub fn bound(text: &str) -> Option<Bound> {
    let limits = ScriptLimits {
        fuel: FUEL,
        ..ScriptLimits::default()
    };
    let program = Compiler::new().script_limits(limits).script(text).ok()?;
    let roll = program.rolls().next()?;
    let defaults = roll.arguments(&json!({})).ok();
    let args = defaults.unwrap_or_else(|| roll.zeros());
    let bound = roll.bind(args, &ResourceTable::new()).ok()?;
    // Players who decide by a coin, or who give a random answer.
    let policies = [Policy::Chance(CHANCE_SIDES / 2), Policy::Random];
    let options = bound.program().options().to_vec();
    let decided = options.iter().fold(bound, |bound, option| {
        let mut taken = policies.iter();
        let taken = taken.find_map(|policy| bound.clone().with_policy(option, *policy).ok());
        taken.unwrap_or(bound)
    });
    Some(decided)
}

/// Whether [`bound`] takes a script.
pub fn compiled(text: &str) -> bool {
    bound(text).is_some()
}

/// Exact odds as fractions.
///
/// # Errors
/// A panic, which is a fault.
pub fn guarded_solve(
    bound: &Bound,
    limits: &Limits,
) -> Result<Result<Odds<UBig>, Failure>, String> {
    let solved = guarded(Check::Fractions, || Ok(bound.solve(limits)));
    solved.map_err(|fault| fault.to_string())
}

/// Checks a script; whether it compiles.
///
/// # Errors
/// The fault, and a small script that has one of the same kind.
pub fn check_text(
    text: &str,
    effort: &Effort,
    counts: &mut Counts,
) -> Result<bool, (Fault, String)> {
    let Some(roll) = bound(text) else {
        return Ok(false);
    };
    let Err(fault) = check(&roll, effort, counts) else {
        return Ok(true);
    };
    let mut last = fault.clone();
    let mut is_wrong = |text: &str| {
        let roll = guarded(Check::Enumerated, || Ok(bound(text)));
        let Ok(Some(roll)) = roll else { return false };
        match check(&roll, effort, &mut Counts::default()) {
            Err(found) if found.check == fault.check => {
                last = found;
                true
            }
            _ => false,
        }
    };
    let small = shrink(text, &mut is_wrong);
    Err((last, small))
}

/// Compares all answers about a roll with the reference, and counts the comparisons.
///
/// # Errors
/// The first answer that is wrong.
pub fn check(bound: &Bound, effort: &Effort, counts: &mut Counts) -> Result<(), Fault> {
    let all = guarded(Check::Enumerated, || {
        Ok(ScriptEnumeration::of(&bound.question(), effort.rolls))
    })?;
    let is_endless = |all: &ScriptEnumeration| {
        !all.traps.is_empty() && all.traps.iter().all(|trap| ENDLESS.contains(&trap.code))
    };
    let all = all.filter(|all| !is_endless(all));
    if let Some(all) = all.as_ref().filter(|all| !all.traps.is_empty()) {
        counts.note(Check::Trapped);
        guarded(Check::Odds, || traps(bound, effort, all))?;
        return stages_agree(bound, effort, counts);
    }
    let simulation = Simulation::trials(KNOWN_TRIALS).threads(1).seed(1);
    let faithful = simulation.clone().sampling(Sampling::Faithful);
    let expected = match &all {
        Some(all) => {
            counts.note(Check::Enumerated);
            Expected::enumerated(all)
        }
        None => {
            let report = guarded(Check::Faithful, || ran(bound.simulate(&faithful)))?;
            let Some(report) = report else {
                counts.note(Check::Trapped);
                return stages_agree(bound, effort, counts);
            };
            counts.note(Check::Sampled);
            Expected::sampled(bound, &report)
        }
    };
    guarded(Check::Odds, || {
        odds::<f64>(bound, effort, all.as_ref(), &expected, counts, Check::Odds)
    })?;
    guarded(Check::Fractions, || {
        odds::<UBig>(
            bound,
            effort,
            all.as_ref(),
            &expected,
            counts,
            Check::Fractions,
        )
    })?;
    let mut fits = |check: Check, run: &dyn Fn() -> Result<Report, Failure>| {
        guarded(check, || {
            let report = run().map_err(|failure| failure.to_string())?;
            expected.fits(bound, &report)
        })?;
        counts.note(check);
        Ok(())
    };
    fits(Check::Known, &|| bound.simulate(&simulation))?;
    if effort.all_kernels {
        let control = Control::default();
        let shared = Simulation::trials(SHARED_TRIALS).threads(1).seed(2);
        fits(Check::Shared, &|| bound.simulate_shared(&shared, &control))?;
        let few = Simulation::trials(FEW_TRIALS).threads(1).seed(3);
        fits(Check::Few, &|| bound.simulate(&few))?;
        let moments = simulation.clone().seed(4).keep(Keep::Moments);
        fits(Check::Moments, &|| bound.simulate(&moments))?;
        if all.is_some() {
            fits(Check::Faithful, &|| bound.simulate(&faithful))?;
        }
    }
    if matches!(bound.specialised_vector_form(), Ok(Ok(_))) {
        counts.note(Check::Lanes);
    }
    if effort.all_kernels && !bound.arguments().is_empty() {
        guarded(Check::OtherArguments, || {
            other_arguments(bound, effort, counts)
        })?;
    }
    stages_agree(bound, effort, counts)
}

/// The same script with other numbers in its arguments.
fn other_arguments(bound: &Bound, effort: &Effort, counts: &mut Counts) -> Result<(), String> {
    for other in engines::changed(bound) {
        let all = ScriptEnumeration::of(&other.question(), effort.rolls);
        let Some(all) = all.filter(|all| all.traps.is_empty()) else {
            continue;
        };
        match other.solve::<f64>(&limits(effort)) {
            Ok(odds) => all.expect(&odds, ""),
            Err(Failure::Exhausted(_)) => {}
            Err(failure) => return Err(failure.to_string()),
        }
        let simulation = Simulation::trials(SHARED_TRIALS).threads(1).seed(5);
        let report = other.simulate_shared(&simulation, &Control::default());
        let report = report.map_err(|failure| failure.to_string())?;
        let given = || format!("with {:?}: ", other.arguments());
        let fits = Expected::enumerated(&all).fits(&other, &report);
        fits.map_err(|what| given() + &what)?;
        counts.note(Check::OtherArguments);
    }
    Ok(())
}

/// All engines trial by trial, and each rewrite by its contract.
fn stages_agree(bound: &Bound, effort: &Effort, counts: &mut Counts) -> Result<(), Fault> {
    if effort.engines > 0 {
        guarded(Check::Engines, || {
            engines::check(bound, 7, effort.engines, &"");
            Ok(())
        })?;
        counts.note(Check::Engines);
    }
    match &effort.rewrites {
        Some(rewrites) => verified(bound, rewrites, effort, counts),
        None => Ok(()),
    }
}

/// The report of a simulation; `None` if a trial trapped.
fn ran(report: Result<Report, Failure>) -> Result<Option<Report>, String> {
    match report {
        Ok(report) => Ok(Some(report)),
        Err(Failure::Run(RunError::Trapped { .. })) => Ok(None),
        Err(other) => Err(other.to_string()),
    }
}

fn limits(effort: &Effort) -> Limits {
    Limits {
        work: effort.work,
        ..Limits::default()
    }
}

/// Exact odds are those of the reference, if there are any.
fn odds<W: Weight>(
    bound: &Bound,
    effort: &Effort,
    all: Option<&ScriptEnumeration>,
    expected: &Expected,
    counts: &mut Counts,
    check: Check,
) -> Result<(), String> {
    let odds: Odds<W> = match bound.solve(&limits(effort)) {
        Ok(odds) => odds,
        Err(Failure::Exhausted(_)) => {
            counts.note(Check::Refused);
            return Ok(());
        }
        // What trials did not meet may happen.
        Err(Failure::Trap(_)) if all.is_none() => return Ok(()),
        Err(failure) => return Err(failure.to_string()),
    };
    match all {
        Some(all) => all.expect(&odds, ""),
        None => expected.fits_odds(bound, &odds)?,
    }
    counts.note(check);
    Ok(())
}

/// A roll that may trap has no exact odds.
fn traps(bound: &Bound, effort: &Effort, all: &ScriptEnumeration) -> Result<(), String> {
    match bound.solve::<f64>(&limits(effort)) {
        Ok(_) => Err(format!(
            "there are odds, but rolls trap: {:?}",
            all.traps[0]
        )),
        Err(Failure::Exhausted(_)) => Ok(()),
        Err(Failure::Trap(trap)) => {
            // Engines know no tables.
            let code = match trap.code {
                TrapCode::NoRow => TrapCode::NoElement,
                code => code,
            };
            let raw = Trap { code, ..trap };
            match all.traps.contains(&raw) {
                true => Ok(()),
                false => Err(format!("{trap:?} is not among {:?}", all.traps)),
            }
        }
        Err(failure) => Err(failure.to_string()),
    }
}
