//! What is wrong with an encounter, and what it holds that changes nothing.

use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

/// Something that is wrong with a document or a line of text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{path}` {what}")]
pub struct Wrong {
    /// Where: a path that begins with `$`, or the text.
    pub path: String,
    /// What is wrong with it, after its path.
    pub what: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl Wrong {
    /// Something wrong at a path.
    pub fn new(path: impl Into<String>, what: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            what: what.into(),
            help: None,
        }
    }

    /// The same with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

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
