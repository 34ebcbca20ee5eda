//! Rolls in the words of rule books and players: `best 2 of 4d8`, `3d6 exploding`,
//! `2d6 reroll 1s`, `5d6 successes on 5+`, `d20+5 vs AC 15`.

use super::Found;
use std::ops::Range;

/// The name of these words in messages.
pub(super) const TOOLS: &str = "plain English";

/// The maximum number of words that are looked at.
const MAX_WORDS: usize = 64;

/// A word, and its place in the rule.
struct Word<'r> {
    text: &'r str,
    at: Range<usize>,
}

/// The first roll in words in a rule that does not compile.
pub(super) fn find(rule: &str) -> Option<Found> {
    let words: Vec<Word<'_>> = words(rule).take(MAX_WORDS).collect();
    (0..words.len()).find_map(|first| {
        let words = &words[first..];
        selected(words)
            .or_else(|| changed(words))
            .or_else(|| target(words))
            .or_else(|| called(words))
    })
}

fn words(rule: &str) -> impl Iterator<Item = Word<'_>> {
    let mut next = 0;
    let pieces = rule.split_inclusive(char::is_whitespace).map(move |piece| {
        let (start, text) = (next, piece.trim_end());
        next += piece.len();
        let at = start..start + text.len();
        Word { text, at }
    });
    pieces.filter(|word| !word.text.is_empty())
}

/// `best 2 of 4d8`, `highest of 2d20`.
fn selected(words: &[Word<'_>]) -> Option<Found> {
    let [first, rest @ ..] = words else {
        return None;
    };
    let keep = match &*first.text.to_ascii_lowercase() {
        "best" | "highest" | "top" => "kh",
        "worst" | "lowest" => "kl",
        "middle" => "km",
        _ => return None,
    };
    let (kept, rest) = match rest {
        [number, rest @ ..] if is_number(number.text) => (number.text, rest),
        _ => ("1", rest),
    };
    let [of, dice, ..] = rest else {
        return None;
    };
    let length = leading_dice(dice.text).filter(|_| of.text.eq_ignore_ascii_case("of"))?;
    let instead = format!("{}{keep}{kept}", &dice.text[..length]);
    let at = first.at.start..dice.at.start + length;
    Some(Found::new(at, TOOLS, &instead))
}

/// Dice with words after them.
fn changed(words: &[Word<'_>]) -> Option<Found> {
    let [dice, after @ ..] = words else {
        return None;
    };
    let start = dice.at.start + trailing_dice(dice.text)?;
    let dice = &dice.text[start - dice.at.start..];
    let (instead, used, more) = change(dice, after)?;
    let end = after[used - 1].at.end;
    Some(Found::new(start..end, TOOLS, &instead).or(&more))
}

/// The equivalent of dice with these words, the number of words that it takes, and more help.
fn change(dice: &str, words: &[Word<'_>]) -> Option<(String, usize, String)> {
    let word = |index: usize| words.get(index).map(|word| word.text.to_ascii_lowercase());
    let one = |instead: String, used: usize| Some((instead, used, String::new()));
    match (&*word(0)?, word(1).as_deref()) {
        ("with", Some("advantage")) => one(format!("{dice} adv"), 2),
        ("with", Some("disadvantage")) => one(format!("{dice} dis"), 2),
        ("exploding" | "explode" | "explodes", next) => {
            let (used, value) = match next {
                Some("on" | "at") => (3, word(2)),
                _ => (2, word(1)),
            };
            match value.as_deref().and_then(threshold) {
                Some((sign, number)) => one(format!("{dice}!{sign}{number}"), used),
                None => one(format!("{dice}!"), 1),
            }
        }
        ("reroll" | "rerolling" | "rerolled", Some(face)) => {
            let face = face_named(face)?;
            let again = format!(" to reroll once, or `{dice}r={face}` until it is another number");
            Some((format!("{dice}ro={face}"), 2, again))
        }
        ("successes" | "hits", Some("on" | "at")) => {
            let value = word(2)?;
            let (sign, number) = threshold(&value)?;
            let sign = if sign == "==" { "=" } else { sign };
            one(format!("{dice} count{sign}{number}"), 3)
        }
        (face, _) if face.ends_with('s') => one(format!("{dice} count={}", face_named(face)?), 1),
        _ => None,
    }
}

/// `vs AC 15`.
fn target(words: &[Word<'_>]) -> Option<Found> {
    let [versus, name, number, ..] = words else {
        return None;
    };
    let is_versus = ["vs", "vs.", "against"].contains(&&*versus.text.to_ascii_lowercase());
    let is_name = ["ac", "dc", "tn"].contains(&&*name.text.to_ascii_lowercase());
    let at = versus.at.start..number.at.end;
    let fits = is_versus && is_name && is_number(number.text);
    fits.then(|| Found::new(at, TOOLS, &format!("vs {}", number.text)))
}

/// `advantage(1d20)`.
fn called(words: &[Word<'_>]) -> Option<Found> {
    let word = words.first()?;
    let (name, rest) = word.text.split_once('(')?;
    let edge = match &*name.to_ascii_lowercase() {
        "advantage" | "adv" => "adv",
        "disadvantage" | "dis" => "dis",
        _ => return None,
    };
    let (die, _) = rest.split_once(')')?;
    let end = word.at.start + name.len() + die.len() + "()".len();
    let is_die = leading_dice(die) == Some(die.len());
    is_die.then(|| Found::new(word.at.start..end, TOOLS, &format!("{die} {edge}")))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `9+` is at least 9; `9` is 9 only.
fn threshold(text: &str) -> Option<(&'static str, &str)> {
    let (sign, number) = match text.strip_suffix('+') {
        Some(number) => (">=", number),
        None => ("==", text),
    };
    is_number(number).then_some((sign, number))
}

/// The face in `1s`, `ones` or `1`.
pub(super) fn face_named(text: &str) -> Option<String> {
    let names = ["ones", "twos", "threes", "fours", "fives", "sixes"];
    if let Some(index) = names.iter().position(|name| *name == text) {
        return Some((index + 1).to_string());
    }
    let number = text.strip_suffix('s').unwrap_or(text);
    is_number(number).then(|| number.to_owned())
}

/// The length of the plain dice, as `4d6`, at the beginning of a text.
pub(super) fn leading_dice(text: &str) -> Option<usize> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let count = digits(text);
    let rest = text[count..].strip_prefix(['d', 'D'])?;
    let sides = digits(rest);
    (sides > 0).then_some(count + 1 + sides)
}

/// The place of the plain dice at the end of a text.
pub(super) fn trailing_dice(text: &str) -> Option<usize> {
    let die = text.rfind(['d', 'D'])?;
    let before = text[..die].trim_end_matches(|c: char| c.is_ascii_digit());
    let is_whole = !before.ends_with(|c: char| c.is_alphanumeric() || c == ')' || c == ']');
    let start = before.len();
    (is_whole && leading_dice(&text[start..]) == Some(text.len() - start)).then_some(start)
}
