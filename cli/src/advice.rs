//! The library's advice in terms of the command's flags.

use dicec_lang::syntax::{Advice, Limit};
use dicec_runtime::resource::{Owner, ResourceName};

/// Advice that names flags.
pub(crate) fn words(advice: &Advice) -> String {
    match advice {
        Advice::RaiseLimit(Limit::Exact) => {
            "raise the budget with --max-work or --max-outcomes".to_owned()
        }
        Advice::RaiseLimit(limit) => match flag(*limit) {
            Some(flag) => format!("raise the limit with {flag}"),
            None => advice.to_string(),
        },
        Advice::RaiseLimitTo(limit, to) => match flag(*limit) {
            Some(flag) => format!("raise the limit with {flag} {to}"),
            None => advice.to_string(),
        },
        Advice::GiveResource(name) => format!("give it a value: {}", given(name)),
        Advice::GiveValue(name) => format!("give it a value: --set {}", value_given(name)),
        Advice::UseNotation => "use --dialect notation".to_owned(),
        Advice::Simulate => "sample instead: dicec sim".to_owned(),
        Advice::Uncheck => "take the answer unchecked with --no-check".to_owned(),
        other => other.to_string(),
    }
}

/// The flag that raises a limit.
fn flag(limit: Limit) -> Option<&'static str> {
    Some(match limit {
        Limit::Source => "--max-source",
        Limit::Nesting => "--max-nesting",
        Limit::Dice => "--max-dice",
        Limit::TotalDice => "--max-total-dice",
        Limit::Explosions => "--max-explosions",
        Limit::Rerolls => "--max-rerolls",
        Limit::Fuel => "--fuel",
        Limit::Depth => "--max-depth",
        Limit::List => "--max-list",
        Limit::Shown => "--max-shown",
        _ => return None,
    })
}

/// How a value of a feature is given: `creature.STR=3`.
fn value_given(name: &str) -> String {
    match name.contains(['(', ' ']) {
        true => format!("'{name}=10'"),
        false => format!("{name}=3"),
    }
}

/// How a resource is given a value: `-r Strength=4`.
fn given(name: &ResourceName) -> String {
    let flag = match name.owner() {
        Owner::Actor => "-r",
        Owner::Target => "-t",
    };
    let name = name.name();
    if name.contains(' ') {
        format!("{flag} '{name}=4'")
    } else {
        format!("{flag} {name}=4")
    }
}
