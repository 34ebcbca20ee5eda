//! Reads texts from files, or from any reader, within the limits on a source.

use super::{Code, FileCode, Finding, SourceLimits};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use thiserror::Error;

/// Why a text cannot be had.
#[derive(Debug, Error)]
pub enum Unreadable {
    /// The system does not give it.
    #[error(transparent)]
    Io(io::Error),
    /// It is not UTF-8.
    #[error("it is not UTF-8 text (byte {byte})")]
    NotText {
        /// The first byte that is not.
        byte: usize,
    },
    /// It is longer than a source may be.
    #[error("it has more than {limit} bytes")]
    TooLong {
        /// The bytes that it may have.
        limit: u32,
    },
}

impl Unreadable {
    /// The finding that the `what` (a script, say) at `origin` cannot be read.
    pub fn finding(&self, origin: &str, what: &str) -> Finding {
        let code = match self {
            Unreadable::Io(_) | Unreadable::NotText { .. } => FileCode::Unreadable.as_str(),
            Unreadable::TooLong { .. } => Code::SourceTooLong.as_str(),
        };
        let message = format!("cannot read the {what}: {self}");
        Finding::in_file(code, origin, None, message)
    }
}

/// The text of a file.
///
/// # Errors
/// It cannot be read, is not text, or is too long.
pub fn read_file(path: &Path, limits: SourceLimits) -> Result<String, Unreadable> {
    let file = File::open(path).map_err(Unreadable::Io)?;
    read_text(file, limits)
}

/// A text; of one that is too long no more is read than it takes to see that.
///
/// # Errors
/// As for [`read_file`].
pub fn read_text(from: impl Read, limits: SourceLimits) -> Result<String, Unreadable> {
    let limit = limits.bytes;
    let mut bytes = Vec::new();
    from.take(u64::from(limit) + 1)
        .read_to_end(&mut bytes)
        .map_err(Unreadable::Io)?;
    if bytes.len() > limit as usize {
        return Err(Unreadable::TooLong { limit });
    }
    String::from_utf8(bytes).map_err(|error| Unreadable::NotText {
        byte: error.utf8_error().valid_up_to(),
    })
}
