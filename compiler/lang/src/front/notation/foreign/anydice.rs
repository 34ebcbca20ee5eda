//! Functions of AnyDice in brackets, one in another as well: `[highest 3 of 4d6]`,
//! `3d[explode d6]`, `[count {5,6} in 7d6]`.
//!
//! A call becomes dice or an expression of this notation with the same odds. AnyDice's `explode`
//! adds at most two rolls, each of all dice, if the total is the greatest: that is a die that lists
//! its faces, not `!`.

use super::faces::{exploded, totals, written};
use super::{Found, WINDOW, after};
use std::collections::BTreeSet;
use std::ops::Range;

const TOOL: &str = "AnyDice";

/// AnyDice rolls exploding dice again at most this many times.
const DEPTH: u32 = 2;

/// The functions, by their first word.
const FUNCTIONS: [&str; 9] = [
    "highest", "lowest", "middle", "explode", "count", "absolute", "reverse", "sort", "maximum",
];

/// The equivalent of a part of a call.
enum Value {
    /// Equal dice: how many, and the text after their `d`.
    Dice(u32, String),
    /// A number of them that succeed, which needs braces next to operators.
    Count(String),
    /// Any other operand.
    Operand(String),
    /// Names for rolls, and an expression of them.
    Named(String, String),
}

/// What the brackets that open at an offset are, if they are not closed by the end of a name.
pub(super) enum Brackets {
    /// A call of AnyDice, with its equivalent, or none.
    Call(Found),
    /// A name that begins like a call: here, a resource.
    Name(Range<usize>),
}

/// The call in the brackets that open at `at`.
pub(super) fn brackets(rule: &str, at: usize) -> Option<Brackets> {
    let inner = inner(after(rule, at))?;
    let whole = at..at + inner.len() + 2;
    let is_call = begins_call(inner);
    if !is_call && !rolls_in(rule, at, inner) {
        return None;
    }
    let Some((range, instead)) = translated(rule, whole.clone(), inner) else {
        if has_dice(inner) {
            return Some(Brackets::Call(Found::without(whole, TOOL)));
        }
        return is_call.then_some(Brackets::Name(whole));
    };
    Some(Brackets::Call(Found::new(range, TOOL, &instead)))
}

/// The text between brackets, which may hold others.
fn inner(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices().take(WINDOW) {
        match c {
            '[' => depth += 1,
            ']' if depth == 1 => return Some(&text[1..at]),
            ']' => depth -= 1,
            '\n' | ';' | '"' => return None,
            _ => {}
        }
    }
    None
}

/// Whether the brackets begin like a call: `highest 3 of`, `explode d6`.
fn begins_call(inner: &str) -> bool {
    let mut words = inner.split_whitespace();
    let Some(name) = words.next().filter(|name| FUNCTIONS.contains(name)) else {
        return false;
    };
    let rest: Vec<&str> = words.collect();
    match name {
        "highest" | "lowest" | "middle" => rest.contains(&"of"),
        "count" => rest.contains(&"in"),
        _ => rest.iter().any(|word| has_dice(word)),
    }
}

/// Whether brackets with dice in them are the sides of a die, `3d[2d6]`, which no name is.
fn rolls_in(rule: &str, at: usize, inner: &str) -> bool {
    rule[..at].ends_with(['d', 'D']) && inner.contains('[')
}

/// Whether dice are written in a text.
fn has_dice(text: &str) -> bool {
    let mut letters = text.match_indices(['d', 'D']);
    letters.any(|(at, _)| {
        let is_word = text[..at].ends_with(char::is_alphabetic);
        let die = &text[at + 1..];
        !is_word && die.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '{' | '[' | '%'))
    })
}

/// What replaces which part of the rule.
fn translated(rule: &str, call: Range<usize>, inner: &str) -> Option<(Range<usize>, String)> {
    let value = function(inner)?;
    let before = &rule[..call.start];
    let Some(count) = before.strip_suffix(['d', 'D']) else {
        let is_whole = before.trim().is_empty() && rule[call.end..].trim().is_empty();
        return Some(match value {
            Value::Dice(count, die) => (call, dice(count, &die)),
            Value::Count(text) if is_whole => (call, text),
            Value::Count(text) => (call, format!("{{{text}}}")),
            Value::Operand(text) => (call, text),
            Value::Named(names, text) => {
                let around = [before.trim_start(), &rule[call.end..]];
                let rule_of = format!("{names}{}{text}{}", around[0], around[1].trim_end());
                (0..rule.len(), rule_of)
            }
        });
    };
    let digits = count.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = &count[digits.len()..];
    match value {
        Value::Dice(1, die) => Some((call.start - 1..call.end, format!("d{die}"))),
        // A rolled number of them does not give the ends of a sum.
        Value::Operand(_) if digits.ends_with(')') => None,
        Value::Operand(text) => {
            let whole = digits.len()..call.end;
            match number {
                "" | "1" => Some((whole, text)),
                _ => Some((whole, format!("sum({text} for i : 1..{number})"))),
            }
        }
        Value::Dice(..) | Value::Count(_) | Value::Named(..) => None,
    }
}

fn dice(count: u32, die: &str) -> String {
    match count {
        1 => format!("d{die}"),
        _ => format!("{count}d{die}"),
    }
}

/// The call between brackets.
fn function(inner: &str) -> Option<Value> {
    let (name, rest) = inner.trim().split_once(char::is_whitespace)?;
    let rest = rest.trim();
    match name {
        "highest" | "lowest" if rest.starts_with("of ") => {
            let (left, right) = rest.strip_prefix("of ")?.split_once(" and ")?;
            let function = if name == "highest" { "max" } else { "min" };
            let [left, right] = [operand(left)?, operand(right)?];
            Some(Value::Operand(format!("{function}({left}, {right})")))
        }
        "highest" | "lowest" | "middle" => {
            let (number, of) = rest.split_once(" of ")?;
            let Value::Dice(count, die) = value(of)? else {
                return None;
            };
            let number: u32 = number.trim().parse().ok()?;
            let keep = match name {
                "highest" => "kh",
                "lowest" => "kl",
                _ => "km",
            };
            Some(Value::Operand(format!(
                "{}{keep}{number}",
                dice(count, &die)
            )))
        }
        "explode" => explode(rest),
        "count" => count(rest),
        "absolute" => Some(Value::Operand(format!("abs({})", operand(rest)?))),
        _ => None,
    }
}

/// An operand of a function of numbers.
fn operand(text: &str) -> Option<String> {
    match value(text) {
        Some(Value::Dice(count, die)) => Some(dice(count, &die)),
        Some(Value::Count(text)) => Some(format!("{{{text}}}")),
        Some(Value::Operand(text)) => Some(text),
        Some(Value::Named(..)) => None,
        None => (!text.contains(['[', ']'])).then(|| text.trim().to_owned()),
    }
}

/// Dice, a call, or a number.
fn value(text: &str) -> Option<Value> {
    let text = text.trim();
    if let Some(call) = text.strip_prefix('[') {
        return function(call.strip_suffix(']')?);
    }
    if text.parse::<u32>().is_ok() {
        return Some(Value::Operand(text.to_owned()));
    }
    let (count, die) = text.split_once(['d', 'D'])?;
    let count = match count {
        "" => 1,
        count => count.parse().ok()?,
    };
    if let Some(call) = die.strip_prefix('[') {
        let Value::Dice(1, die) = function(call.strip_suffix(']')?)? else {
            return None;
        };
        return Some(Value::Dice(count, die));
    }
    let listed = die.strip_prefix('{').and_then(|die| die.strip_suffix('}'));
    let is_die = die.parse::<u64>().is_ok() || listed.is_some_and(|die| !die.contains(['{', '}']));
    is_die.then(|| Value::Dice(count, die.to_owned()))
}

/// `[explode d6]`: the faces if there are few enough, otherwise an expression.
fn explode(text: &str) -> Option<Value> {
    let Value::Dice(count, die) = value(text)? else {
        return None;
    };
    let sides: u64 = die.parse().ok()?;
    let most = sides.checked_mul(count.into())?;
    let faces = totals(count, sides).and_then(|dice| exploded(&dice, DEPTH, &|sum| sum == most));
    if let Some(faces) = faces {
        return Some(Value::Dice(1, written(&faces)));
    }
    if count == 1 {
        // A die that does not show its highest face is a die with one side less.
        let less = sides.checked_sub(1).filter(|less| *less > 0)?;
        let other = format!("d{less}");
        let last = format!("({most} = d{die} ? {most} + d{die} : {other})");
        return Some(Value::Operand(format!(
            "({most} = d{die} ? {most} + {last} : {other})"
        )));
    }
    let dice = dice(count, &die);
    let names = format!("let a = {dice}; let b = {dice}; let c = {dice}; ");
    let more = format!("(b = {most} ? {} + c : {most} + b)", most.checked_mul(2)?);
    Some(Value::Named(names, format!("(a = {most} ? {more} : a)")))
}

/// `[count {5,6} in 7d6]`
fn count(text: &str) -> Option<Value> {
    let (values, of) = text.split_once(" in ")?;
    let Value::Dice(count, die) = value(of)? else {
        return None;
    };
    let values = numbers(values.trim())?;
    let (first, last) = (*values.first()?, *values.last()?);
    let is_range = last - first + 1 == values.len() as i64;
    let what = match die.parse::<i64>() {
        _ if first == last => format!("={first}"),
        Ok(sides) if is_range && last >= sides => format!(">={first}"),
        Ok(_) if is_range && first <= 1 => format!("<={last}"),
        _ => {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            format!("={{{}}}", values.join(","))
        }
    };
    Some(Value::Count(format!("{} count{what}", dice(count, &die))))
}

/// The numbers of `6`, `{5,6}` or `{1..3, 6}`, each once: AnyDice counts a number twice if it is
/// there twice.
fn numbers(text: &str) -> Option<BTreeSet<i64>> {
    const MOST: i64 = 100;
    let listed = text.strip_prefix('{').map(|list| list.strip_suffix('}'));
    let list = match listed {
        Some(list) => list?,
        None => text,
    };
    let mut numbers = BTreeSet::new();
    for part in list.split(',') {
        let (first, last) = part.split_once("..").unwrap_or((part, part));
        let (first, last): (i64, i64) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        if last.checked_sub(first)? > MOST {
            return None;
        }
        for number in first..=last {
            if !numbers.insert(number) {
                return None;
            }
        }
    }
    Some(numbers)
}
