//! Several results of one roll, as chats write them: `6#4d6dl1`, `6x(4d6kh3)`.
//!
//! A rule has one result here. The rule that is rolled several times is the suggestion.

use super::{Found, after, dice_before};
use crate::front::frame::outside_brackets;

/// `6#4d6dl1`: here, what follows `#` is a comment.
pub(super) fn commented(text: &str) -> Option<Found> {
    let (at, _) = outside_brackets(text).find(|(_, c)| *c == '#')?;
    let start = number_before(text, at)?;
    let before = text[..start].trim();
    let rule = text[at + 1..].trim_end();
    let is_chat = before.is_empty() || before.starts_with(['/', '!']);
    (is_chat && begins_roll(rule)).then(|| {
        let (number, end) = (&text[start..at], at + 1 + rule.len());
        results(start..end, "Avrae and other chats", number, rule)
    })
}

/// `6x(4d6kh3)`: here, `x` is not a sign of multiplication.
pub(super) fn multiplied(rule: &str) -> Option<Found> {
    outside_brackets(rule).find_map(|(at, c)| {
        if !matches!(c, 'x' | 'X') {
            return None;
        }
        let number_end = rule[..at].trim_end().len();
        let start = number_before(rule, number_end)?;
        let number = &rule[start..number_end];
        let rest = after(rule, at + 1);
        let begin = at + 1 + (rest.len() - rest.trim_start().len());
        let roll = operand(after(rule, begin))?;
        let found = results(start..begin + roll.len(), "other chats", number, roll);
        begins_roll(roll).then(|| found.or(&format!("; to multiply, write `{number} * {roll}`")))
    })
}

fn results(at: std::ops::Range<usize>, tools: &'static str, number: &str, roll: &str) -> Found {
    Found::new(at, tools, roll).or(&format!(
        ", which is one of the {number} results, and roll it {number} times"
    ))
}

/// The start of the number that ends at an offset, if no dice or name precede it.
fn number_before(text: &str, end: usize) -> Option<usize> {
    let start = text[..end]
        .trim_end_matches(|c: char| c.is_ascii_digit())
        .len();
    let is_alone = !text[..start].ends_with(|c: char| c.is_alphanumeric() || c == ')');
    (start < end && is_alone).then_some(start)
}

/// Whether dice begin here, directly or in parentheses or braces.
fn begins_roll(text: &str) -> bool {
    let end = text
        .find([' ', '+', '-', '*', '/', ','])
        .unwrap_or(text.len());
    let roll = text[..end].trim_start_matches(['(', '{']);
    dice_before(roll, roll.len()) == Some(0)
}

/// The dice or the parentheses at the beginning of a text.
fn operand(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' if depth == 0 => return Some(&text[..at]),
            ')' | '}' => depth -= 1,
            ' ' | '+' | '-' | '*' | '/' | ',' if depth == 0 => return Some(&text[..at]),
            _ => {}
        }
    }
    (depth == 0).then_some(text)
}
