//! What the script of a fight is written for: generators of such scripts, `encounter` and `dh2e`,
//! write other forms for trials and for exact odds.

/// What a script of a fight is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Many trials, each with little to do.
    Trials,
    /// Exact odds: few fights that differ.
    Odds,
    /// One fight that people read: its rounds and its misses are told, too.
    Telling,
}
