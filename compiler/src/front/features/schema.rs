//! The JSON Schema of files of features, for editors: what [`super::read_features`] reads without a
//! note about the form of the file. The words within phrases are checked only when it is read.

use schemars::Schema;

/// The JSON Schema of a file of features, as it is in `schema.json`.
pub fn schema() -> Option<Schema> {
    serde_json::from_str(include_str!("schema.json")).ok()
}
