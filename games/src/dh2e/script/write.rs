//! Pieces of script that all generators write.

use crate::dh2e::modifier::Resolved;
use crate::dh2e::predicate::Options;
use crate::script_text::{self, Joined, ScriptCode, code};
pub(super) use crate::script_text::{ScriptText, quoted};
use dicec_lang::front::script::is_reserved;

/// Writes the modifiers of a roll as a comment. `when` names the option that a modifier waits for,
/// by its index.
pub(super) fn breakdown(
    out: &mut ScriptText,
    resolved: &Resolved,
    when: impl Fn(usize) -> Option<String>,
) {
    for (index, line) in resolved.lines.iter().enumerate() {
        let (label, value) = (&line.label, line.value);
        out.comment(match (&line.why_not, when(index)) {
            (None, _) => format!("{value:+} {label}"),
            (Some(_), Some(option)) => format!("{value:+} {label}, while {option}"),
            (Some(why), None) => format!("not {value:+} {label}: {why}"),
        });
    }
}

/// A name of the script for words of an item: `target:stunned` is `targetStunned`. Short ones are
/// made longer: some are words of the language, and `d6` would be a die.
pub(super) fn identifier(words: &str) -> ScriptCode {
    // Words of other letters would all be the same name.
    let others = words
        .chars()
        .filter(|c| c.is_alphanumeric() && !c.is_ascii());
    let numbers: String = others.map(|c| format!(" u{:x}", u32::from(c))).collect();
    let name = script_text::identifier(&format!("{words}{numbers}"));
    match name.as_str().len() < 4 || is_reserved(name.as_str()) {
        true => code!("{name}Is", name),
        false => name,
    }
}

/// An option that changes, and its condition in the script.
#[derive(Clone, Debug)]
pub(super) struct Changing {
    pub(super) option: String,
    pub(super) condition: ScriptCode,
}

/// The values of `value` for each setting of the changing options, as an expression: nested
/// conditions, without those that make no difference.
pub(super) fn by_options<E>(
    changing: &[Changing],
    options: &Options,
    value: &mut dyn FnMut(&Options) -> Result<ScriptCode, E>,
) -> Result<ScriptCode, E> {
    let Some((first, rest)) = changing.split_first() else {
        return value(options);
    };
    let unset = by_options(rest, options, value)?;
    let mut with = options.clone();
    with.set(&first.option);
    let set = by_options(rest, &with, value)?;
    Ok(match set == unset {
        true => unset,
        false => code!("({} ? {set} : {unset})", first.condition, set, unset),
    })
}

/// Numbers by location as a `match`, the most frequent one as its `else`.
pub(super) fn by_location(place: &'static str, points: &[(&'static str, i64)]) -> ScriptCode {
    let often = |number: i64| points.iter().filter(|(_, other)| *other == number).count();
    let usual = points
        .iter()
        .map(|&(_, number)| number)
        .max_by_key(|&number| often(number));
    let usual = usual.unwrap_or_default();
    let others: Vec<ScriptCode> = points
        .iter()
        .filter(|(_, number)| *number != usual)
        .map(|(location, number)| code!("{location}: {number}", location, number))
        .collect();
    match others.is_empty() {
        true => usual.into(),
        false => code!(
            "match ({place}) {{ {}, else: {usual} }}",
            others.joined(", "),
            place,
            usual
        ),
    }
}

/// The value of a number from 0 on, as an expression; the last value is the `else`. There is at
/// least one.
pub(super) fn by_number(number: &'static str, values: &[ScriptCode]) -> ScriptCode {
    let Some((last, others)) = values.split_last() else {
        return ScriptCode::default();
    };
    let mut arms: Vec<(ScriptCode, &ScriptCode)> = Vec::new();
    for (index, value) in others
        .iter()
        .enumerate()
        .filter(|(_, value)| *value != last)
    {
        match arms.iter_mut().find(|(_, other)| *other == value) {
            Some((numbers, _)) => {
                let more = code!("{}, {index}", *numbers, index);
                *numbers = more;
            }
            None => arms.push((index.into(), value)),
        }
    }
    let arms = arms
        .iter()
        .map(|(numbers, value)| code!("{numbers}: {value}", numbers, value));
    let arms: Vec<ScriptCode> = arms.collect();
    match arms.is_empty() {
        true => last.clone(),
        false => code!(
            "match ({number}) {{ {}, else: {last} }}",
            arms.joined(", "),
            number,
            last
        ),
    }
}

/// A count with its noun: `1 round`, `2 rounds`.
pub(super) fn counted(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
