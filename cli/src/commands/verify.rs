//! `dicec emit --verify`: runs all checks on one program, and reports the first rewrite or shortcut
//! that changes its meaning.

use crate::error::{CliError, Finding};
use crate::output;
use dicec_compiler::unstable::{Fault, Verification};
use dicec_compiler::verify::Effort;
use dicec_compiler::{Bound, Failure};
use dicec_lang::syntax::Code;
use serde::Serialize;
use std::fmt::Write;

/// The output of `dicec emit --verify --json`.
#[derive(Serialize)]
struct VerifyJson<'v> {
    checks: Vec<CheckJson<'v>>,
    /// What changes the meaning; absent if nothing does.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<FaultJson<'v>>,
}

#[derive(Serialize)]
struct CheckJson<'v> {
    part: &'v str,
    extent: &'v str,
}

#[derive(Serialize)]
struct FaultJson<'v> {
    name: &'v str,
    place: &'v str,
    of: &'v str,
    before: &'v str,
    after: &'v str,
    switch: &'v str,
}

/// Verifies a roll, and prints what was checked.
///
/// # Errors
/// The fault, if there is one.
pub(super) fn run(bound: &Bound, json: bool) -> Result<Result<(), CliError>, Failure> {
    let limits = bound.program().limits().exact;
    let found = bound.verify(&Effort::THOROUGH, &limits)?;
    Ok(match json {
        true => print_json(&found),
        false => print(&found),
    })
}

fn print(found: &Verification) -> Result<(), CliError> {
    let mut text = String::new();
    for check in &found.checks {
        // Writing to a text never fails.
        let _ = writeln!(text, "{}: {}", check.part, check.extent);
    }
    if found.fault.is_none() {
        text += "no rewrite and no shortcut changes the meaning\n";
    }
    output::print(&text)?;
    CliError::of(found.fault.as_ref().map(finding))
}

fn print_json(found: &Verification) -> Result<(), CliError> {
    let checks = found.checks.iter().map(|check| CheckJson {
        part: &check.part,
        extent: &check.extent,
    });
    let fault = found.fault.as_ref().map(|fault| FaultJson {
        name: &fault.name,
        place: &fault.place,
        of: &fault.difference.of,
        before: &fault.difference.before,
        after: &fault.difference.after,
        switch: &fault.switch,
    });
    output::json(&VerifyJson {
        checks: checks.collect(),
        fault,
    })?;
    CliError::of(found.fault.as_ref().map(finding))
}

/// A fault as an error.
fn finding(fault: &Fault) -> Finding {
    let Fault {
        name,
        place,
        difference,
        switch,
    } = fault;
    let place = match place.is_empty() {
        true => String::new(),
        false => format!(" ({place})"),
    };
    let message = format!("`{name}` changes the meaning of the program{place}: {difference}");
    let finding = Finding::general(Code::Internal.as_str(), message);
    let report = "this is a mistake in the compiler: please report it with the program";
    finding.help(match switch.is_empty() {
        true => report.to_owned(),
        false => format!("{report}; `{switch}` in the environment leaves it out"),
    })
}
