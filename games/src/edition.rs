//! The editions of the rules of the fifth edition.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An edition of the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Edition {
    /// The System Reference Document 5.1.
    #[default]
    #[serde(rename = "5.1", alias = "2014")]
    Srd51,
    /// The System Reference Document 5.2.
    #[serde(rename = "5.2", alias = "2024")]
    Srd52,
}

impl Edition {
    /// Its number.
    pub fn name(self) -> &'static str {
        match self {
            Self::Srd51 => "5.1",
            Self::Srd52 => "5.2",
        }
    }
}
