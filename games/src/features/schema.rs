//! The JSON Schema of feature files, for editors: the forms that [`super::read_features`] reads
//! without a note. Words in phrases are checked only during reading.

use schemars::Schema;

/// The JSON Schema of a file of features, as it is in `schema.json`.
pub fn schema() -> Option<Schema> {
    serde_json::from_str(include_str!("schema.json")).ok()
}
