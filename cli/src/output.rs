//! Standard output. All output of a command goes through here, so that a closed pipe ends it
//! quietly, a full disk is an error, and colours are omitted where they cannot be shown.

use crate::error::{CliError, FileCode, Finding};
use serde::Serialize;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use terminal_size::Width;

/// Prints a report. Its styles are dropped unless standard output shows colours.
pub(crate) fn print(text: &str) -> Result<(), CliError> {
    let mut stream = anstream::stdout().lock();
    stream
        .write_all(text.as_bytes())
        .and_then(|()| stream.flush())
        .map_err(write_failed)
}

/// Whether standard output shows colours: it is a terminal, and the environment does not say
/// otherwise.
pub(crate) fn shows_colours() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// Prints a value as one line of JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<(), CliError> {
    let mut stream = stdout();
    serde_json::to_writer(&mut stream, value)
        .map_err(io::Error::from)
        .and_then(|()| stream.write_all(b"\n"))
        .and_then(|()| stream.flush())
        .map_err(write_failed)
}

/// Standard output for bulk text without styles. The caller flushes it, and maps errors with
/// [`write_failed`].
pub(crate) fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// What a failure to write to standard output means for the command.
pub(crate) fn write_failed(error: io::Error) -> CliError {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return CliError::closed_pipe();
    }
    let message = format!("cannot write to standard output: {error}");
    Finding::general(FileCode::Unwritable.as_str(), message).into()
}

/// How many columns a report may have: `COLUMNS`, else the terminal's, else 80.
pub(crate) fn width() -> usize {
    width_of(
        io::stdout()
            .is_terminal()
            .then(terminal_size::terminal_size),
    )
}

/// [`width`] for standard error.
pub(crate) fn error_width() -> usize {
    let size = || terminal_size::terminal_size_of(io::stderr());
    width_of(io::stderr().is_terminal().then(size))
}

fn width_of(terminal: Option<Option<(Width, terminal_size::Height)>>) -> usize {
    let wanted = std::env::var("COLUMNS").ok();
    let wanted = wanted.and_then(|columns| columns.parse::<usize>().ok());
    let terminal = terminal
        .flatten()
        .map(|(Width(columns), _)| usize::from(columns));
    // Narrower than 20 nothing can be laid out; wider than 200 nobody reads.
    wanted.or(terminal).unwrap_or(80).clamp(20, 200)
}
