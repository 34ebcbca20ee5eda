//! Sizes of creatures, in feet of the space that they control (SRD 5.1, "Movement and Position").

use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A size: tenths of feet, so that equal sizes are equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
#[schemars(with = "Value")]
pub struct Size(i64);

/// The sizes that have names.
const NAMED: [(&str, Size); 6] = [
    ("tiny", Size(25)),
    ("small", Size(50)),
    ("medium", Size(50)),
    ("large", Size(100)),
    ("huge", Size(150)),
    ("gargantuan", Size(200)),
];

impl Size {
    /// A size in feet.
    pub(in crate::encounter) fn of_feet(feet: f64) -> Self {
        Self((feet * 10.0).round() as i64)
    }
}

impl Default for Size {
    /// Medium, as most people are.
    fn default() -> Self {
        Self(50)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let named = |name: &str| {
            let mut all = NAMED.iter();
            let (_, size) = all.find(|(known, _)| known.eq_ignore_ascii_case(name.trim()))?;
            Some(*size)
        };
        let size = match Value::deserialize(deserializer)? {
            Value::String(name) => named(&name),
            other => {
                let feet = other.as_f64().filter(|feet| (0.0..=1000.0).contains(feet));
                feet.map(Self::of_feet)
            }
        };
        size.ok_or_else(|| {
            D::Error::custom("a size is a number of feet, or a word such as `large`")
        })
    }
}
