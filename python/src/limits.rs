//! `limits={"dice": 100_000}`: bounds on texts, rolls and exact answers, by name.

use dicec_compiler::{Compiler, Limits};
use dicec_lang::syntax::nearest;
use dicec_runtime::pmf::MAX_OUTCOMES;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::BTreeMap;

/// The names of all limits.
const NAMES: [&str; 13] = [
    "source",
    "nesting",
    "dice",
    "total_dice",
    "explosions",
    "rerolls",
    "fuel",
    "depth",
    "list",
    "shown",
    "work",
    "outcomes",
    "check",
];

/// Limits of these names, and the usual ones otherwise.
///
/// # Errors
/// A name that no limit has, or a value that it cannot have.
pub(crate) fn limits(given: Option<BTreeMap<String, u64>>) -> PyResult<Limits> {
    let mut limits = Limits::default();
    for (name, value) in given.into_iter().flatten() {
        let small = || {
            u32::try_from(value).map_err(|_| {
                PyValueError::new_err(format!("the limit \"{name}\" is at most {}", u32::MAX))
            })
        };
        match name.as_str() {
            "source" => limits.source.bytes = small()?,
            "nesting" => limits.source.nesting = small()?,
            "dice" => limits.roll.dice = small()?,
            "total_dice" => limits.roll.total = small()?,
            "explosions" => limits.roll.explosions = small()?,
            "rerolls" => limits.roll.rerolls = small()?,
            "fuel" => limits.script.fuel = small()?,
            "depth" => limits.script.depth = small()?,
            "list" => limits.script.list = small()?,
            "shown" => limits.play.bytes = small()?,
            "work" => limits.exact.work = value,
            "outcomes" if value <= MAX_OUTCOMES => limits.exact.outcomes = value,
            "check" => limits.check.trials = small()?,
            "outcomes" => {
                let message = format!("the limit \"outcomes\" is at most {MAX_OUTCOMES}");
                return Err(PyValueError::new_err(message));
            }
            _ => return Err(unknown(&name)),
        }
    }
    Ok(limits.in_range())
}

fn unknown(name: &str) -> PyErr {
    let help = match nearest(name, NAMES) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("there are: {}", NAMES.join(", ")),
    };
    PyValueError::new_err(format!("there is no limit \"{name}\"; {help}"))
}

/// A compiler under these limits.
pub(crate) fn compiler(limits: Limits) -> Compiler {
    Compiler::new().limits(limits)
}
