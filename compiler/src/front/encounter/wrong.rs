//! What is wrong with an encounter, and what it holds that changes nothing.

pub use crate::front::wrong::Wrong;

use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads a value that is at a path of its document.
///
/// # Errors
/// The path of what is wrong.
pub(super) fn read<T: DeserializeOwned>(json: &Value, path: &str) -> Result<T, Wrong> {
    serde_path_to_error::deserialize(json).map_err(|error| {
        let path = match error.path().to_string().as_str() {
            "." => path.to_owned(),
            below => format!("{path}.{below}"),
        };
        // The names of types in Rust mean nothing to the author of a document.
        let what = ["i64", "u32", "u8"]
            .into_iter()
            .fold(error.inner().to_string(), |what, name| {
                what.replace(&format!("expected {name}"), "expected a whole number")
            });
        Wrong::new(path, format!("is wrong: {what}"))
    })
}
