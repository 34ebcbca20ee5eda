//! The library's advice on what is wrong with a rule, in terms of SQL.

use dicec_lang::syntax::{Advice, Limit};

/// The words of an advice.
pub(crate) fn words(advice: &Advice) -> String {
    match advice {
        Advice::Simulate | Advice::RaiseLimit(Limit::Exact) => {
            "sample instead: dice_sim(rule, trials, seed, resources...)".to_owned()
        }
        Advice::GiveResource(name) => format!("give [{name}] as an argument after the rule"),
        Advice::UseNotation => {
            "work the table out with `dicec batch --dialect notation`".to_owned()
        }
        other => other.to_string(),
    }
}
