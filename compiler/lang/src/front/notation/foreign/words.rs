//! Modifiers of other tools: `4d6rr1`, `3d6x>=5`, `4d6pl1`.

use super::faces::{exploded, totals, written};
use super::{Found, dice_before};

/// The equivalent of another tool's modifier.
#[derive(Clone, Copy)]
enum Meaning {
    /// This one, with the number or the comparison that follows: `dl1`.
    Takes(&'static str),
    /// This one; a number without a comparison is the only one meant: `r=1`.
    Compares(&'static str),
    /// An explosion, which is a multiplication for others.
    Explodes,
    /// An explosion that does not go on.
    ExplodesOnce,
    /// A count, from which the failures after it are taken.
    Counts,
}

use Meaning::{Compares, Counts, Explodes, ExplodesOnce, Takes};

/// The words, the tools that have them, and their equivalents here.
const WORDS: [(&str, &str, Meaning); 10] = [
    ("x", "Foundry VTT", Explodes),
    ("e", "Avrae", Explodes),
    ("xo", "Foundry VTT", ExplodesOnce),
    ("ra", "Avrae", ExplodesOnce),
    ("rr", "Foundry VTT and Avrae", Compares("r")),
    ("pl", "Avrae", Takes("dl")),
    ("ph", "Avrae", Takes("dh")),
    ("mi", "Avrae", Takes("min")),
    ("ma", "Avrae", Takes("max")),
    ("cs", "Foundry VTT", Counts),
];

/// The number after a word, its comparison, and where they end.
struct Value<'r> {
    op: &'r str,
    number: &'r str,
    end: usize,
}

/// The value after a word that ends at `start`.
fn value(rule: &str, start: usize) -> Value<'_> {
    let rest = &rule[start..];
    let sign = |c: char| matches!(c, '<' | '>' | '=' | '≤' | '≥');
    let number = rest.trim_start_matches(sign);
    let op = &rest[..rest.len() - number.len()];
    let after = number.trim_start_matches(|c: char| c.is_ascii_digit());
    Value {
        op,
        number: &number[..number.len() - after.len()],
        end: rule.len() - after.len(),
    }
}

/// The first of these modifiers in a rule.
pub(super) fn find(rule: &str) -> Option<Found> {
    let is_letter = |c: char| c.is_alphabetic();
    let mut from = 0;
    while let Some(begins) = rule[from..].find(is_letter) {
        let start = from + begins;
        let letters = rule[start..].find(|c| !is_letter(c));
        let end = letters.map_or(rule.len(), |letters| start + letters);
        if let Some(found) = word(rule, start, end) {
            return Some(found);
        }
        from = end;
    }
    None
}

/// The modifier at `start..end`, if it is one.
fn word(rule: &str, start: usize, end: usize) -> Option<Found> {
    let written = &rule[start..end];
    let is_written = |word: &str| written.eq_ignore_ascii_case(word);
    let mut words = WORDS.iter();
    let &(_, tools, meaning) = words.find(|(word, ..)| is_written(word))?;
    let dice = dice_before(rule, start)?;
    let value = value(rule, end);
    let Value { op, number, .. } = value;
    let at = start..value.end;
    let equal = if op.is_empty() { "=" } else { op };
    Some(match meaning {
        Takes(ours) => Found::new(at, tools, &format!("{ours}{op}{number}")),
        Compares(ours) => {
            let number = if number.is_empty() { "1" } else { number };
            Found::new(at, tools, &format!("{ours}{equal}{number}"))
        }
        Explodes if number.is_empty() => Found::new(at, tools, "!"),
        Explodes => {
            let found = Found::new(at, tools, &format!("!{}{number}", explosion(op)));
            let multiplies = op.is_empty() && is_written("x");
            match multiplies {
                true => found.or(&format!(", or `*{number}` to multiply")),
                false => found,
            }
        }
        ExplodesOnce => once(rule, dice..value.end, start, &value, tools)?,
        Counts => return failures(rule, start, &value, tools),
    })
}

/// How the comparison of an explosion is written; `!=7` compares in one dialect.
fn explosion(op: &str) -> &str {
    match op {
        "" | "=" => "==",
        other => other,
    }
}

/// `4d6xo`: dice that explode once.
fn once(
    rule: &str,
    whole: std::ops::Range<usize>,
    end: usize,
    value: &Value<'_>,
    tools: &'static str,
) -> Option<Found> {
    let dice = &rule[whole.start..end];
    let (count, sides) = dice.split_once(['d', 'D'])?;
    let sides: u64 = sides.parse().ok()?;
    let limit = match value.number {
        "" => sides,
        number => number.parse().ok()?,
    };
    let explodes: &dyn Fn(u64) -> bool = match value.op {
        "" | "=" => &|face| face == limit,
        "<" => &|face| face < limit,
        ">" => &|face| face > limit,
        "<=" | "≤" => &|face| face <= limit,
        ">=" | "≥" => &|face| face >= limit,
        _ => return None,
    };
    let faces = totals(1, sides).and_then(|die| exploded(&die, 1, explodes));
    Some(match faces {
        Some(faces) => Found::new(whole, tools, &format!("{count}d{}", written(&faces))),
        None => Found::without(whole, tools),
    })
}

/// `cs>=8df=1`: a count that is less the failures.
fn failures(rule: &str, start: usize, count: &Value<'_>, tools: &'static str) -> Option<Found> {
    let word = rule.get(count.end..count.end + 2)?;
    if !word.eq_ignore_ascii_case("df") {
        return None;
    }
    let fail = value(rule, count.end + 2);
    let op = if count.op.is_empty() { "=" } else { count.op };
    let fail_op = if fail.op.is_empty() { "=" } else { fail.op };
    let instead = format!("count{op}{}fail{fail_op}{}", count.number, fail.number);
    Some(Found::new(start..fail.end, tools, &instead))
}
