//! What Ctrl-C means to long work.

use std::io::{self, IsTerminal};
use std::process::{ExitCode, exit};
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a command that was interrupted, as shells count it: 128 and SIGINT's 2.
const INTERRUPTED: u8 = 130;

/// The exit code of a command that was interrupted.
pub(crate) fn interrupted() -> ExitCode {
    ExitCode::from(INTERRUPTED)
}

/// Calls `stop` at the first Ctrl-C, so that the command can end in order; a second one ends it at
/// once. Without a handler Ctrl-C still works, but loses what was done.
pub(crate) fn on_interrupt(stop: impl Fn() + Send + 'static) {
    let pressed = AtomicBool::new(false);
    let _ = ctrlc::set_handler(move || {
        if pressed.swap(true, Ordering::Relaxed) {
            if io::stderr().is_terminal() {
                // The line of the progress stays.
                eprintln!();
            }
            exit(i32::from(INTERRUPTED));
        }
        stop();
    });
}
