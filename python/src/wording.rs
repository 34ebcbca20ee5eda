//! The libraries' advice in terms of the functions of the package.

use dicec_lang::syntax::{Advice, Limit};

/// Advice as a user of Python follows it.
pub(crate) fn words(advice: &Advice) -> String {
    match advice {
        Advice::RaiseLimit(Limit::Exact) => {
            "raise the budget: limits={\"work\": ..., \"outcomes\": ...}".to_owned()
        }
        Advice::RaiseLimit(limit) => match limit_name(*limit) {
            Some(name) => format!("raise the limit: limits={{\"{name}\": ...}}"),
            None => advice.to_string(),
        },
        Advice::RaiseLimitTo(limit, to) => match limit_name(*limit) {
            Some(name) => format!("raise the limit: limits={{\"{name}\": {to}}}"),
            None => advice.to_string(),
        },
        Advice::GiveResource(name) => format!("give it a value: resources={{\"{name}\": 4}}"),
        Advice::UseNotation => "use dialect=\"notation\"".to_owned(),
        Advice::Simulate => "sample instead: dicec.sim".to_owned(),
        Advice::Uncheck => "take the answer unchecked: limits={\"check\": 0}".to_owned(),
        other => other.to_string(),
    }
}

/// Help of the libraries that names words of the command, as a user of Python follows it.
pub(crate) fn of_python(help: &str) -> String {
    const COMMAND: &str = "`dicec encounter --list` names all creatures; --bestiary FILE adds some";
    help.replace(
        COMMAND,
        "`dicec.creatures()` has all creatures; `bestiary=` adds some",
    )
}

/// What a limit is called in `limits`.
fn limit_name(limit: Limit) -> Option<&'static str> {
    Some(match limit {
        Limit::Source => "source",
        Limit::Nesting => "nesting",
        Limit::Dice => "dice",
        Limit::TotalDice => "total_dice",
        Limit::Explosions => "explosions",
        Limit::Rerolls => "rerolls",
        Limit::Fuel => "fuel",
        Limit::Depth => "depth",
        Limit::List => "list",
        Limit::Shown => "shown",
        _ => return None,
    })
}
