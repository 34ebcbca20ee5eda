//! Damage, sizes, types of damage and conditions, as stat blocks write them.

use super::draft::part;
use super::words::Cursor;
use crate::encounter::{ALL_DAMAGE, condition_named};
use serde_json::Value;

/// The abilities, and their short names.
pub(super) const ABILITIES: [(&str, &str); 6] = [
    ("strength", "STR"),
    ("dexterity", "DEX"),
    ("constitution", "CON"),
    ("intelligence", "INT"),
    ("wisdom", "WIS"),
    ("charisma", "CHA"),
];

/// Words after which what was said before holds only sometimes.
pub(super) const SOMETIMES: [&str; 6] = ["if", "unless", "while", "when", "per", "instead"];

/// The sizes of creatures.
pub(super) const SIZES: [&str; 6] = ["tiny", "small", "medium", "large", "huge", "gargantuan"];

/// The short name of an ability.
pub(super) fn ability(word: &str) -> Option<&'static str> {
    let mut all = ABILITIES.into_iter();
    let found = all.find(|(long, short)| *long == word || short.eq_ignore_ascii_case(word));
    found.map(|(_, short)| short)
}

/// Whether a word is dice: `2d6`.
pub(super) fn is_dice(word: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
    let parts = word.split_once('d');
    parts.is_some_and(|(count, sides)| is_number(count) && is_number(sides))
}

/// Takes dice with what is added to them: `2d6 + 3`.
fn dice(words: &mut Cursor<'_>) -> Option<String> {
    let mut text = Some(words.peek()).filter(|word| is_dice(word))?.to_owned();
    words.next();
    for sign in ["+", "-"] {
        if let Some(added) = words.take(&format!("{sign} #")) {
            text.push_str(sign);
            text.push_str(&added[0].to_string());
        }
    }
    Some(text)
}

/// Takes an average and its dice, dice, or a number: `7 (2d6)`.
pub(super) fn amount(words: &mut Cursor<'_>) -> Option<String> {
    words.attempt(|words| {
        if let Some(dice) = dice(words) {
            return Some(dice);
        }
        let number = words.number()?;
        let in_brackets = words.attempt(|words| {
            words.take("(")?;
            let dice = dice(words)?;
            words.take(")").map(|_| dice)
        });
        Some(in_brackets.unwrap_or_else(|| number.to_string()))
    })
}

/// Takes parts of damage, joined by `plus` or `and`: `7 (2d6) fire damage plus 3 cold damage`.
pub(super) fn damage(words: &mut Cursor<'_>) -> Option<Vec<Value>> {
    let mut parts = vec![one_part(words)?];
    let mut before = words.at;
    while let Some(more) = words.attempt(|words| {
        words.eat(",");
        words.take("plus|and an|a? additional?")?;
        one_part(words)
    }) {
        // Only the last of several is conditional.
        if SOMETIMES.contains(&words.peek()) {
            words.at = before;
            break;
        }
        parts.push(more);
        before = words.at;
    }
    Some(parts)
}

fn one_part(words: &mut Cursor<'_>) -> Option<Value> {
    words.attempt(|words| {
        let dice = amount(words)?;
        let kind = ALL_DAMAGE.iter().find(|kind| **kind == words.peek())?;
        words.next();
        words.take("damage").map(|_| part(&dice, kind))
    })
}

/// Takes a size and `or smaller`.
pub(super) fn or_smaller(words: &mut Cursor<'_>) -> Option<String> {
    words.attempt(|words| {
        let size = SIZES.iter().find(|size| **size == words.peek())?;
        words.next();
        words.take("or smaller").map(|_| (*size).to_owned())
    })
}

/// Takes a condition that fights play.
pub(super) fn condition(words: &mut Cursor<'_>) -> Option<&'static str> {
    let found = condition_named(words.peek())?;
    words.next();
    Some(found)
}
