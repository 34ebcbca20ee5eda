//! Conditions as files have them. Any name is valid: conditions without rules only set options.

use super::json::Wrong;
use super::modifier::slug;
use dicec_lang::syntax::nearest;
use schemars::JsonSchema;
use serde::Deserialize;
use std::num::NonZeroU32;

/// A condition of somebody, and how long it lasts.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "a condition is a text, or an object with `condition` and `rounds`, a whole number \
                 above 0"
)]
pub enum Condition {
    /// Its name: it has no end.
    Endless(String),
    /// One that may end.
    Lasting(Lasting),
}

/// A condition that may end.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lasting {
    /// Its name: `stunned`.
    pub condition: String,
    /// How many turns of whoever has it begin before it is gone; without this, it has no end.
    #[serde(default)]
    pub rounds: Option<NonZeroU32>,
}

impl Condition {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Endless(name) => name,
            Self::Lasting(lasting) => &lasting.condition,
        }
    }

    /// How many rounds it lasts; `None` if it has no end.
    pub fn rounds(&self) -> Option<NonZeroU32> {
        match self {
            Self::Endless(_) => None,
            Self::Lasting(lasting) => lasting.rounds,
        }
    }
}

/// The condition that ends a life.
pub(super) const DEAD: &str = "dead";

/// Conditions with rules of their own.
pub(super) const RULED: [&str; 7] = [
    "stunned",
    "prone",
    "helpless",
    "unconscious",
    DEAD,
    "onFire",
    "bleeding",
];

/// Shorter names are too easily near another one.
const SHORTEST: usize = 5;

/// Whether a condition has rules of its own, however its name is written: `On Fire`.
pub(super) fn is_ruled(name: &str) -> bool {
    RULED.iter().any(|ruled| plain(ruled) == plain(name))
}

fn plain(name: &str) -> String {
    slug(name).replace('-', "")
}

/// Refuses a name at a path that is almost that of a condition with rules: as written, it would
/// have no effect.
///
/// # Errors
/// The condition that was probably meant.
pub(super) fn check_condition(name: &str, path: &str) -> Result<(), Wrong> {
    let is_long = name.chars().count() >= SHORTEST;
    let near = nearest(name, RULED).filter(|_| is_long && !is_ruled(name));
    near.map_or(Ok(()), |near| {
        let wrong = Wrong::new(
            path,
            format!("has `{name}`, which is not a condition with rules"),
        );
        Err(wrong.help(format!("did you mean `{near}`?")))
    })
}
