//! The command as a user runs it.

mod fmt;
mod hostile;
#[cfg(unix)]
mod interrupt;
mod plot;
mod transcripts;
