//! Commands of other tools, and their equivalents here. None of these words begins a rule, so one
//! is a mistake. A rule that begins with a typo of a command of ours gets a hint in its error.

use clap::Command;
use clap::error::ErrorKind;
use std::ffi::OsString;

/// Words that other tools have as commands, and what to write here.
const ELSEWHERE: [(&[&str], &str); 8] = [
    (&["shell", "interactive", "console"], "dicec repl"),
    (
        &["stats", "distribution", "probability", "prob"],
        "dicec odds 4d6kh3",
    ),
    (&["compare", "diff"], "dicec odds 4d6kh3 --compare 3d6"),
    (
        &["plot", "chart", "graph"],
        "dicec odds 4d6kh3 --plot chart.svg",
    ),
    (&["run", "play", "exec"], "dicec roll attack.dice"),
    (&["simulate", "simulation", "mc"], "dicec sim 4d6kh3"),
    (
        &["table", "csv"],
        "dicec batch table.csv -e '1d8 + [Damage]'",
    ),
    (&["lint", "validate", "parse"], "dicec check 4d6kh3"),
];

/// The error of a command line that begins with a command of another tool.
pub(crate) fn misnamed(args: &[OsString], cli: &mut Command) -> Option<clap::Error> {
    let word = args.get(1)?.to_str()?;
    let mut known = ELSEWHERE.iter();
    let (_, instead) = known.find(|(words, _)| words.contains(&word))?;
    let message = format!("dicec has no command '{word}'\n\n  tip: write {instead}");
    Some(cli.error(ErrorKind::InvalidSubcommand, message))
}
