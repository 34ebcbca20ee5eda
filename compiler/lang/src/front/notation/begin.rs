//! Finds the beginning of dice in a script. The parser finds their kind and their end
//! ([`super::parse`]).
//!
//! A script has variables and a remainder, so not every `d` is a die: `d20`, `d%`, `dF` and
//! `d{1,1,2}` are dice, `d(n, s)` is a call, `d[0]` an element of a list, `d%2` a remainder.

use super::token::TokenKind;
use super::words;

/// Whether dice begin here, with or without a count: `2d6`, `[Level]d6`, `d20`.
pub fn begins_dice(rest: &str) -> bool {
    let die = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    if die.len() < rest.len() {
        // Whatever is wrong with dice after a number is theirs: no name begins with one.
        return die.starts_with(['d', 'D']);
    }
    if let Some(name) = rest.strip_prefix('[') {
        let end = name.find(['[', ']', '\n', ';']);
        let die = end.and_then(|end| name[end..].strip_prefix(']'));
        return die.is_some_and(begins_counted_dice);
    }
    match rest.as_bytes() {
        [b'd' | b'D', b'{', ..] => {
            let list = &rest[2..];
            let end = list.find(['{', '}', '\n', ';', '"']);
            end.is_some_and(|end| list[end..].starts_with('}'))
        }
        [b'd' | b'D', b'(' | b'[', ..] => false,
        _ => begins_counted_dice(rest),
    }
}

/// Whether dice begin here, directly after something in parentheses that can only count them.
pub fn begins_counted_dice(rest: &str) -> bool {
    let Some(die) = rest.strip_prefix(['d', 'D']) else {
        return false;
    };
    let mut after = die.chars();
    match after.next() {
        Some(c) if c.is_ascii_digit() => true,
        Some('(' | '[' | '{') => true,
        Some('%') => !after.next().is_some_and(is_divisor),
        Some('f' | 'F') => begins_fate_dice(rest),
        _ => false,
    }
}

/// Whether modifiers begin here, after dice that a call rolls. `!=` compares.
pub fn begins_modifiers(rest: &str) -> bool {
    if rest.starts_with('!') {
        return !rest.starts_with("!=");
    }
    let end = rest.find(|c: char| !c.is_alphabetic());
    let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
    let pieces = words::split(word).unwrap_or_default();
    let mut kinds = pieces.iter().map(|(kind, _)| kind);
    let are_modifiers = kinds.all(|kind| matches!(kind, TokenKind::Modifier(_)));
    let is_spelt_out = ["keep", "drop"]
        .iter()
        .any(|keeps| word.eq_ignore_ascii_case(keeps));
    let goes_on = after
        .trim_start()
        .starts_with(|c: char| c.is_alphanumeric());
    !pieces.is_empty() && are_modifiers || is_spelt_out && goes_on
}

/// Whether this begins the divisor of `%`. Letters are modifiers: `d%kh1`.
fn is_divisor(c: char) -> bool {
    !c.is_ascii_alphabetic() && (c.is_alphanumeric() || matches!(c, '(' | '_' | '['))
}

/// `dF` and the words that can follow it; `dFoo` is a name.
fn begins_fate_dice(rest: &str) -> bool {
    let end = rest.find(|c: char| !c.is_alphabetic());
    let (run, rest) = rest.split_at(end.unwrap_or(rest.len()));
    let pieces = words::split(run).unwrap_or_default();
    let is_fate = matches!(pieces.first(), Some((TokenKind::FateDice, _)));
    is_fate && !rest.starts_with('_')
}
