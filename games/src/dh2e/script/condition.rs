//! Conditions of fighters in scripts: the number of rounds left, 0 without the condition, `ENDLESS`
//! for one without an end.

use super::said::SUFFERS;
use super::write::{counted, identifier};
use crate::dh2e::condition::{DEAD, RULED};
use crate::script_text::ScriptCode;
use std::num::NonZeroU32;

/// The conditions that end a fighter's participation.
pub(super) const OUT: [&str; 3] = ["helpless", "unconscious", DEAD];

/// The field of a fighter that has a condition: `stunned`, `isDeafened`.
pub(super) fn field(name: &str) -> ScriptCode {
    let field = identifier(name);
    match RULED.contains(&field.as_str()) {
        true => field,
        // No other field of a fighter and no word of the language begins like this.
        false => identifier(&format!("is {field}")),
    }
}

/// A condition as options name it: `self:onFire`, however it was written.
pub(super) fn option_name(name: &str) -> String {
    let field = identifier(name);
    match RULED.contains(&field.as_str()) {
        true => field.to_string(),
        false => name.to_owned(),
    }
}

/// The duration of a condition, given its stated duration: death has no end.
pub(super) fn lasts(name: &str, rounds: Option<NonZeroU32>) -> Option<NonZeroU32> {
    rounds.filter(|_| field(name) != DEAD)
}

/// The text about a fighter that gets a condition, after the name: ` is stunned for 2 rounds`.
pub(super) fn suffers(name: &str, rounds: Option<NonZeroU32>) -> String {
    let said = match field(name).as_str() {
        "onFire" => "on fire",
        _ => name,
    };
    match lasts(name, rounds) {
        None => format!("{SUFFERS}{said}"),
        Some(rounds) => {
            let rounds = counted(rounds.get().into(), "round");
            format!("{SUFFERS}{said} for {rounds}")
        }
    }
}

/// How long a condition lasts, as the script has it.
pub(super) fn duration(name: &str, rounds: Option<NonZeroU32>) -> ScriptCode {
    lasts(name, rounds).map_or("ENDLESS".into(), |rounds| rounds.get().into())
}
