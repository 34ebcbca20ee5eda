//! The command as a user runs it.

mod fmt;
mod hostile;
mod plot;
mod transcripts;
