//! Suggestions for a finding, as data: an application phrases them in terms of its own flags,
//! fields or buttons.

use dicec_runtime::resource::ResourceName;
use std::fmt;

/// A limit that the caller can raise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// The bytes of a text.
    Source,
    /// How deep parentheses and signs nest.
    Nesting,
    /// The dice of a pool.
    Dice,
    /// The explosions of a die.
    Explosions,
    /// The rerolls of a die.
    Rerolls,
    /// The steps of a script.
    Fuel,
    /// How deep functions call each other.
    Depth,
    /// The elements of a list.
    List,
    /// The dice of all pools of a roll.
    TotalDice,
    /// The bytes of what a roll shows.
    Shown,
    /// The work and the outcomes of an exact answer.
    Exact,
}

/// Something that the caller can do, besides changing the text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Advice {
    /// Raise this limit.
    RaiseLimit(Limit),
    /// Raise this limit to a value that suffices.
    RaiseLimitTo(Limit, u64),
    /// Give this resource a value.
    GiveResource(ResourceName),
    /// Give this value of a feature: `creature.STR`, `distance(creature,self)`.
    GiveValue(String),
    /// Read the text in the dialect of virtual tabletops.
    UseNotation,
    /// Simulate instead of asking for exact odds.
    Simulate,
    /// Take an answer that its check refutes.
    Uncheck,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Source => "length",
            Limit::Nesting => "nesting",
            Limit::Dice => "dice",
            Limit::Explosions => "explosions",
            Limit::Rerolls => "rerolls",
            Limit::Fuel => "steps",
            Limit::Depth => "nested calls",
            Limit::List => "elements of a list",
            Limit::TotalDice => "dice of a roll",
            Limit::Shown => "what a roll shows",
            Limit::Exact => "work and outcomes",
        })
    }
}

/// The advice in plain words, for an application that has none of its own.
impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Advice::RaiseLimit(limit) => write!(f, "raise the limit on {limit}"),
            Advice::RaiseLimitTo(limit, to) => write!(f, "raise the limit on {limit} to {to}"),
            Advice::GiveResource(name) => write!(f, "give [{name}] a value"),
            Advice::GiveValue(name) => write!(f, "give `{name}` a value"),
            Advice::UseNotation => f.write_str("use the dialect of virtual tabletops"),
            Advice::Simulate => f.write_str("simulate instead"),
            Advice::Uncheck => f.write_str("take the answer unchecked"),
        }
    }
}

/// A help text followed by advice, in the application's words.
pub fn worded(
    help: Option<&str>,
    advice: &[Advice],
    words: impl Fn(&Advice) -> String,
) -> Option<String> {
    let advice = advice.iter().map(words);
    let parts: Vec<String> = help.map(str::to_owned).into_iter().chain(advice).collect();
    (!parts.is_empty()).then(|| parts.join(", or "))
}
