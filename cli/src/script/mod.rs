//! Scripts on the command line: a file whose name ends in `.dice` in the place of a rule.
//!
//! ```text
//! FILE.dice --loaded--> Script --roll NAME--> Roll --arguments--> Bound --play, simulate--> text or JSON
//! ```

mod arguments;
mod loaded;
mod odds;
mod options;
mod play;
mod session;
mod simulate;
mod steps;

pub(crate) use arguments::advice;
pub(crate) use loaded::{Loaded, ScriptArgs, compile};
pub(crate) use odds::run as odds;
pub(crate) use options::{DecisionArgs, OptionArgs};
pub(crate) use play::{PlayArgs, run as play};
pub(crate) use simulate::run as simulate;

use crate::error::{CliError, FileCode, Finding};

/// Refuses a flag of scripts that was given with something else.
///
/// # Errors
/// There is such a flag.
pub(crate) fn no_script(flag: Option<&str>) -> Result<(), CliError> {
    let Some(flag) = flag else { return Ok(()) };
    let message = format!("{flag} is for scripts, and this is an expression");
    let finding = Finding::general(FileCode::UnknownRoll.as_str(), message);
    Err(finding
        .help("name a script: a file whose name ends in .dice")
        .into())
}

/// A flag of expressions that was given with a script, as an error.
pub(crate) fn not_for_scripts(flag: &str) -> CliError {
    let message = format!("{flag} is for expressions, and this is a script");
    let finding = Finding::general(FileCode::UnknownRoll.as_str(), message);
    finding.help("leave it out").into()
}
