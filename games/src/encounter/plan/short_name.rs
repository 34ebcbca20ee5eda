//! Names of stat blocks without what they add in parentheses.

/// A name without its part in parentheses: `Claw (Fiend Form Only)` is `Claw`.
pub(in crate::encounter) fn short(name: &str) -> &str {
    name.split(" (").next().unwrap_or(name)
}
