//! Documents of JSON that the command line names: a file, or standard input.

use crate::error::{CliError, FileCode, Finding};
use dicec_lang::syntax::json_in;
use serde_json::Value;
use std::fs::File;
use std::io::{self, Read};

/// A file larger than this is not a document that somebody wrote.
const MAX_BYTES: u64 = 64 << 20;

/// Reads a file of JSON, or standard input for `-`. `what` says what it holds.
///
/// # Errors
/// It cannot be read, or is not JSON: a finding of this code.
pub(crate) fn json_of(path: &str, code: FileCode, what: &str) -> Result<Value, CliError> {
    parse_json(path, &bytes_of(path, what)?, code)
}

/// The bytes of a file, or of standard input for `-`. `what` says what it holds.
///
/// # Errors
/// It cannot be read.
pub(crate) fn bytes_of(path: &str, what: &str) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    let read = match path {
        "-" => io::stdin().take(MAX_BYTES + 1).read_to_end(&mut bytes),
        path => {
            let file = File::open(path);
            file.and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        }
    };
    let unreadable = |why: String| {
        let message = format!("cannot read the {what}: {why}");
        CliError::from(Finding::in_file(
            FileCode::Unreadable.as_str(),
            path,
            None,
            message,
        ))
    };
    read.map_err(|error| unreadable(error.to_string()))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(unreadable("it is larger than 64 MiB".to_owned()));
    }
    Ok(bytes)
}

/// Reads a document of JSON.
///
/// # Errors
/// It is not JSON, or has a member twice: a finding of this code.
pub(crate) fn parse_json(origin: &str, bytes: &[u8], code: FileCode) -> Result<Value, CliError> {
    Ok(json_in(origin, bytes, code)?)
}
