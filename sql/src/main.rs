//! The program `dicec-sql`, which `dicec sql` runs: a statement of SQL in, a table out.
//!
//! ```text
//! arguments --args (clap)--> a session, here or on a cluster --> batches of rows
//!                                                                   |
//!             standard output or a file <-- output, columns --------+
//!             standard error            <-- report (findings)
//! ```

mod command;

use std::process::ExitCode;

fn main() -> ExitCode {
    command::run(std::env::args_os())
}
