//! The command as a user runs it.

mod fmt;
mod hostile;
#[cfg(unix)]
mod interrupt;
#[cfg(unix)]
mod killed;
mod pictures;
mod plot;
mod repl;
#[cfg(feature = "serve")]
mod serve;
mod settings;
mod transcripts;

use std::io::{self, Write};
use std::process::{Command, Output, Stdio};

/// Runs the command with this standard input.
fn dicec(args: &[&str], stdin: &[u8]) -> io::Result<Output> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dicec"))
        .args(args)
        .env_remove("COLUMNS")
        .env("DICEC_CONFIG", "")
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        // It stops reading where it has seen enough.
        let _ = pipe.write_all(stdin);
    }
    child.wait_with_output()
}
