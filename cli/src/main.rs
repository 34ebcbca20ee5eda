//! The command `dicec`.
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
//! `scenario` reads, `encounter` fights, `features` has those of features of stat blocks.
//! `progress` and `interrupt` are about long work. `settings` are what the user prefers, `view` is
//! the help with them, `repl` a session at the keyboard. `plot` draws odds; `target` is the file
//! that a picture or a table is written to.

mod advice;
mod args;
mod batch;
mod blows;
mod cli;
mod commands;
mod dh2e;
mod encounter;
mod error;
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
mod repl;
mod report;
mod resources;
mod rule;
mod scenario;
mod script;
mod settings;
mod target;
mod text;
mod view;
mod welcome;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(std::env::args_os())
}
