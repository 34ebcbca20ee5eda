//! The command `dicec`, as a library of one function: the binary calls it, and so does the package
//! for Python (`python -m dicec`).
//!
//! ```text
//! arguments --guard, cli (clap)--> commands --> loaded (read, compile, bind) --> the library
//!                                                                                   |
//!                     standard output <-- output <-- text, commands' own reports ---+
//!                     standard error  <-- report <-- error (findings)
//! ```
//!
//! `args`, `resources`, `rule` and `number` are the flags that commands share, `script` has those
//! of scripts; `batch` is the command for tables, `dh2e` those of the d100 rules, whose files
//! `scenario` reads, `encounter` fights a `scene` between creatures of the `bestiary`, `features`
//! has those of features of stat blocks. `progress` and `interrupt` are about long work. `settings`
//! are what the user prefers, `view` is the help with them, `cli/repl` a session at the keyboard.
//! `plot` draws odds; `target` is the file that a picture or a table is written to.

mod advice;
mod anydice;
mod args;
mod batch;
mod bestiary;
mod blows;
mod checks;
mod cli;
mod commands;
mod day;
mod dh2e;
mod encounter;
mod error;
mod exit;
mod features;
mod guard;
mod interrupt;
mod json;
mod loaded;
mod location;
mod misnamed;
mod number;
mod order;
mod output;
mod plot;
mod progress;
mod report;
mod resources;
mod rule;
mod scenario;
mod scene;
mod script;
mod settings;
mod target;
mod text;
mod view;
mod welcome;

pub use exit::ExitCode;

use std::ffi::OsString;

/// Runs the command with these words, of which the first is its name. Reports go to standard
/// output, errors and notes to standard error. It is for a process of its own: it takes Ctrl-C, and
/// ends the process at the second one.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    cli::run(args)
}
