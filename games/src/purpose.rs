//! The report form of a generated script of a fight: `encounter` and `dh2e` write different forms
//! for trials and for exact odds.

/// A report form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Many trials, each with little to do.
    Trials,
    /// Exact odds: few fights that differ.
    Odds,
    /// One fight with a narration: its rounds and misses are output, too.
    Telling,
}
