//! Scripts on the command line: a file whose name ends in `.dice` in place of a rule.
//!
//! ```text
//! FILE.dice --crate::loaded--> Loaded --roll NAME--> Roll --arguments--> Bound --play--> text,
//! JSON
//! ```

mod advised;
mod arguments;
mod ask;
mod layout;
mod options;
mod play;
mod session;
mod steps;

pub(crate) use advised::Advising;
pub(crate) use arguments::{Given, advice, in_text, read_arguments};
pub(crate) use layout::laid_out;
pub(crate) use options::{DecisionArgs, OptionArgs};
pub(crate) use play::{How, PlayArgs, play};
pub(crate) use session::Remembered;
pub(crate) use steps::report as steps_report;

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

/// Refuses a flag of expressions that was given with a script.
///
/// # Errors
/// One of these flags was given.
pub(crate) fn not_for_scripts(flags: &[(&str, bool)]) -> Result<(), CliError> {
    let Some((flag, _)) = flags.iter().find(|(_, given)| *given) else {
        return Ok(());
    };
    let message = format!("{flag} is for expressions, and this is a script");
    let finding = Finding::general(FileCode::UnknownRoll.as_str(), message);
    Err(finding.help("leave it out").into())
}
