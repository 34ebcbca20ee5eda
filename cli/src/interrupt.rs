//! The handling of Ctrl-C during long work.

use crate::exit::ExitCode;
use std::io::{self, IsTerminal};
use std::process::exit;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The exit code of a command that was interrupted, as shells count it: 128 and SIGINT's 2.
const INTERRUPTED: u8 = 130;

/// The exit code of a command that was interrupted.
pub(crate) fn interrupted() -> ExitCode {
    ExitCode::from(INTERRUPTED)
}

/// Calls `stop` at the first Ctrl-C, so that the command can end in order; a second one ends the
/// program at once. Without a handler Ctrl-C still works, but loses what was done.
pub(crate) fn on_interrupt(stop: impl Fn() + Send + 'static) {
    *work() = Some(Work {
        stop: Box::new(stop),
        is_pressed: false,
    });
    // In a session, the handler is there from the command before.
    let _ = ctrlc::set_handler(pressed);
}

/// The command is done: Ctrl-C ends the program again.
pub(crate) fn forget() {
    *work() = None;
}

/// What runs now.
struct Work {
    stop: Box<dyn Fn() + Send>,
    is_pressed: bool,
}

static WORK: Mutex<Option<Work>> = Mutex::new(None);

fn work() -> MutexGuard<'static, Option<Work>> {
    WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

fn pressed() {
    match &mut *work() {
        Some(work) if !work.is_pressed => {
            work.is_pressed = true;
            (work.stop)();
        }
        _ => {
            if io::stderr().is_terminal() {
                // The line of the progress stays.
                eprintln!();
            }
            exit(i32::from(INTERRUPTED));
        }
    }
}
