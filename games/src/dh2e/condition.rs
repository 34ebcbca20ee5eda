//! The names of conditions. Any name is valid: conditions without rules only set options.

use super::json::Wrong;
use super::modifier::slug;
use dicec_lang::syntax::nearest;

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
