//! `dicec sql`: starts the program `dicec-sql`, as cargo does with its commands. That program
//! contains a database engine, so it is built separately (the workspace in `sql/`), and a build
//! without it does not wait for it.

use crate::error::{CliError, FileCode, Finding};
use crate::exit::ExitCode;
use crate::guard::unguard;
use clap::Args;
use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// The program, without the ending that programs have on some systems.
const PROGRAM: &str = "dicec-sql";

/// Answer a statement of SQL over tables in files, with the odds of dice as functions
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub(crate) struct SqlArgs {
    /// The statement and the flags of dicec-sql; `dicec sql --help` lists them
    #[arg(
        value_name = "SQL",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    words: Vec<OsString>,
}

/// Runs the command.
///
/// # Errors
/// The program is not installed, or cannot be run.
pub(crate) fn run(args: &SqlArgs) -> Result<ExitCode, CliError> {
    let typed = args.words.iter().map(|word| match word.to_str() {
        Some(text) => OsStr::new(unguard(text)),
        None => word,
    });
    hand_over(typed)
}

/// Runs the program with these arguments; its exit code.
///
/// # Errors
/// As for [`run`].
pub(crate) fn hand_over<'w>(
    words: impl IntoIterator<Item = &'w OsStr>,
) -> Result<ExitCode, CliError> {
    let program = program(env::current_exe().ok().as_deref());
    let ended = Command::new(&program).args(words).status();
    ended.map(code).map_err(|error| failed(&program, &error))
}

/// The program: the one next to this one, else the one that the system finds.
fn program(this: Option<&Path>) -> PathBuf {
    let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    let beside = this.and_then(Path::parent).map(|folder| folder.join(&name));
    beside
        .filter(|path| path.is_file())
        .unwrap_or_else(|| PathBuf::from(name))
}

/// Its exit code; one that a signal ended failed.
fn code(status: ExitStatus) -> ExitCode {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}

fn failed(program: &Path, error: &io::Error) -> CliError {
    let message = match error.kind() {
        io::ErrorKind::NotFound => format!("the program {PROGRAM} is not installed"),
        _ => format!("cannot run {}: {error}", program.display()),
    };
    let help = "in the sources of dicec, `cargo install --path sql` installs it";
    Finding::general(FileCode::NotInstalled.as_str(), message)
        .help(help)
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_next_to_this_one_comes_first() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let this = folder.path().join("dicec");
        let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
        assert_eq!(program(Some(&this)), Path::new(&name));
        let beside = folder.path().join(&name);
        std::fs::write(&beside, "").expect("a writable folder");
        assert_eq!(program(Some(&this)), beside);
        assert_eq!(program(None), Path::new(&name));
    }

    #[test]
    fn a_program_that_is_not_there_is_told() {
        let missing = io::Error::from(io::ErrorKind::NotFound);
        let error = failed(Path::new(PROGRAM), &missing);
        let [finding] = &error.findings[..] else {
            panic!("one finding: {error:?}");
        };
        assert_eq!(finding.code, "D0533");
        assert_eq!(finding.message, "the program dicec-sql is not installed");
    }
}
