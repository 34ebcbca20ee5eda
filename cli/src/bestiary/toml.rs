//! Documents of TOML, as the JSON with the same members: sheets of characters.

use crate::error::{CliError, FileCode, Finding};
use crate::json::bytes_of;
use serde_json::Value;

/// Reads a file of TOML.
///
/// # Errors
/// It cannot be read, or is not TOML.
pub(crate) fn json_of_toml(origin: &str) -> Result<Value, CliError> {
    let bytes = bytes_of(origin, "character")?;
    let text = String::from_utf8_lossy(&bytes);
    toml::from_str(&text).map_err(|error| {
        let code = FileCode::BadEncounter.as_str();
        Finding::in_file(
            code,
            origin,
            None,
            format!("is not TOML: {}", error.message()),
        )
        .into()
    })
}
