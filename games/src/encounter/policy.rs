//! The policy of a side: a named one, or a function of a script.

use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A policy.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(untagged)]
pub enum Policy<T> {
    /// A known one: `"weakest"`.
    Known(T),
    /// A function of the encounter's `functions`: `{ "function": "mostDangerous" }`.
    Function {
        /// Its name.
        function: String,
    },
}

impl<T: Default> Default for Policy<T> {
    fn default() -> Self {
        Self::Known(T::default())
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Policy<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let Some(members) = value.as_object() else {
            let known = serde_json::from_value(value);
            return known.map(Self::Known).map_err(D::Error::custom);
        };
        match (members.len(), members.get("function")) {
            (1, Some(Value::String(name))) => Ok(Self::Function {
                function: name.clone(),
            }),
            _ => Err(D::Error::custom(
                "a policy is a name, or `{ \"function\": NAME }`",
            )),
        }
    }
}

impl<T> Policy<T> {
    /// The name of the function, if it is one.
    pub(super) fn function(&self) -> Option<&str> {
        match self {
            Self::Known(_) => None,
            Self::Function { function } => Some(function),
        }
    }

    /// The known policy; `None` for a function.
    pub(super) fn known(&self) -> Option<&T> {
        match self {
            Self::Known(known) => Some(known),
            Self::Function { .. } => None,
        }
    }
}
