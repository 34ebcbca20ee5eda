//! Whole rules in words: `if d20+5 >= 15 then 1d8 else 0`, `half of 8d6`, `count 6s in 10d6`,
//! `count(5d10 >= 7)`, `2d6 between 6 and 8`, `sum of 3d6`.

use super::Found;
use super::english::{TOOLS, face_named, leading_dice, trailing_dice};
use std::ops::Range;

/// The first of these phrases in a rule that does not compile.
pub(super) fn find(rule: &str) -> Option<Found> {
    let phrases = [
        chosen(rule),
        halved(rule),
        counted(rule),
        called(rule),
        between(rule),
        summed(rule),
    ];
    let phrases = phrases.into_iter().flatten();
    phrases.min_by_key(|found| found.at.start)
}

/// `if a then b else c`.
fn chosen(rule: &str) -> Option<Found> {
    let [first, then] = ["if", "then"].map(|name| word(rule, name, 0));
    let (first, then) = (first?, then?);
    let otherwise = word(rule, "else", then.end)?;
    let part = |range: Range<usize>| rule.get(range).map(str::trim);
    let condition = part(first.end..then.start)?;
    let [yes, no] = [
        part(then.end..otherwise.start)?,
        part(otherwise.end..rule.len())?,
    ];
    let is_plain = [condition, yes, no].iter().all(|part| !part.is_empty());
    let instead = format!("{condition} ? {yes} : {no}");
    is_plain.then(|| Found::new(first.start..rule.len(), TOOLS, &instead))
}

/// `half of 8d6`, `half 8d6`.
fn halved(rule: &str) -> Option<Found> {
    let half = word(rule, "half", 0)?;
    let dice = dice_after(rule, skipped(rule, half.end, &["of"]))?;
    let instead = format!("{} / 2", &rule[dice.clone()]);
    Some(Found::new(half.start..dice.end, TOOLS, &instead))
}

/// `count 6s in 10d6`.
fn counted(rule: &str) -> Option<Found> {
    let count = word(rule, "count", 0).or_else(|| word(rule, "number", 0))?;
    let at = skipped(rule, count.end, &["of"]);
    let face = next_word(rule, at)?;
    let number = face_named(&rule[face.clone()].to_ascii_lowercase())?;
    let among = next_word(rule, face.end)?;
    let is_among = ["in", "of", "on", "among"].contains(&&rule[among.clone()]);
    let dice = dice_after(rule, among.end).filter(|_| is_among)?;
    let instead = format!("{} count={number}", &rule[dice.clone()]);
    Some(Found::new(count.start..dice.end, TOOLS, &instead))
}

/// `count(5d10 >= 7)`.
fn called(rule: &str) -> Option<Found> {
    let start = rule.find("count(")?;
    let inner = &rule[start + "count(".len()..];
    let inner = &inner[..inner.find(')')?];
    let sign = inner.find(['<', '>', '='])?;
    let (dice, condition) = (inner[..sign].trim(), &inner[sign..]);
    let condition: String = condition.chars().filter(|c| !c.is_whitespace()).collect();
    let number = condition.trim_start_matches(['<', '>', '=']);
    let is_plain = leading_dice(dice) == Some(dice.len())
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit());
    let end = start + "count(".len() + inner.len() + 1;
    let instead = format!("{dice} count{}", condition.replace("==", "="));
    is_plain.then(|| Found::new(start..end, TOOLS, &instead))
}

/// `2d6 between 6 and 8`, both included.
fn between(rule: &str) -> Option<Found> {
    let between = word(rule, "between", 0)?;
    let rolled = rule[..between.start].trim();
    let and = word(rule, "and", between.end)?;
    let low = rule[between.end..and.start].trim();
    let high = rule[and.end..].trim();
    let is_plain = !rolled.is_empty() && is_number(low) && is_number(high);
    let instead = format!("let r = {rolled}; r >= {low} and r <= {high}");
    is_plain.then(|| Found::new(0..rule.len(), TOOLS, &instead))
}

/// `sum of 3d6`, which is `3d6`.
fn summed(rule: &str) -> Option<Found> {
    let sum = word(rule, "sum", 0).or_else(|| word(rule, "total", 0))?;
    let of = word(rule, "of", sum.end).filter(|of| rule[sum.end..of.start].trim().is_empty())?;
    let dice = dice_after(rule, of.end)?;
    let instead = rule[dice.clone()].to_owned();
    Some(Found::new(sum.start..dice.end, TOOLS, &instead))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The first place of a word from an offset on, in capitals or not.
fn word(rule: &str, name: &str, from: usize) -> Option<Range<usize>> {
    let mut at = from;
    loop {
        let next = next_word(rule, at)?;
        if rule[next.clone()].eq_ignore_ascii_case(name) {
            return Some(next);
        }
        at = next.end;
    }
}

/// The next word between white space.
fn next_word(rule: &str, from: usize) -> Option<Range<usize>> {
    let rest = &rule[from..];
    let start = from + rest.find(|c: char| !c.is_whitespace())?;
    let length = rule[start..].find(char::is_whitespace);
    Some(start..length.map_or(rule.len(), |length| start + length))
}

/// Behind one of these words, if it comes next.
fn skipped(rule: &str, from: usize, words: &[&str]) -> usize {
    let next = next_word(rule, from);
    let next = next.filter(|next| words.contains(&&*rule[next.clone()].to_ascii_lowercase()));
    next.map_or(from, |next| next.end)
}

/// The plain dice that come next.
fn dice_after(rule: &str, from: usize) -> Option<Range<usize>> {
    let next = next_word(rule, from)?;
    let length = leading_dice(&rule[next.clone()])?;
    let dice = next.start..next.start + length;
    (trailing_dice(&rule[dice.clone()]) == Some(0)).then_some(dice)
}
