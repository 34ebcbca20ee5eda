//! Damage in stat blocks.

use schemars::JsonSchema;
use serde::Deserialize;

/// Damage of a type, or one of several.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Damage {
    /// `{ "dice": "1d8+3", "type": "slashing" }`
    Part(Part),
    /// `{ "choose": 1, "from": [...] }`: a weapon for one or two hands.
    Choice {
        /// How many of them; always 1.
        choose: u32,
        /// The alternatives.
        from: Vec<Part>,
    },
}

/// A part of damage.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Part {
    /// Its dice: `2d6+3`.
    pub dice: String,
    /// Its type: `fire`.
    #[serde(rename = "type")]
    pub damage_type: String,
}
