//! Damage: a few changes to a document or to bytes.

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value, json};

/// At most this many changes.
const MAX_CHANGES: usize = 6;

/// Texts that look like something else, or are too long.
const TEXTS: [&str; 14] = [
    "",
    " ",
    "\u{0}",
    "\"); hp = 0; output(\"",
    "${x}",
    "d6",
    "[Attack]",
    "999999999d999999999",
    "-9223372036854775808",
    "1e308",
    "name",
    "\u{202e}abc\u{1f600}",
    "1d6 fire plus",
    "__proto__",
];

/// A document with a few changes.
///
/// # Errors
/// Never for lack of bytes: missing ones count as zeros.
pub(super) fn damaged(document: &Value, bytes: &mut Unstructured<'_>) -> Result<Value> {
    let mut document = document.clone();
    for _ in 0..bytes.int_in_range(1..=MAX_CHANGES)? {
        let count = count(&document);
        let wanted = bytes.int_in_range(0..=count - 1)?;
        let other = nth(&mut document, &mut bytes.int_in_range(0..=count - 1)?).cloned();
        if let Some(place) = nth(&mut document, &mut { wanted }) {
            change(place, other, bytes)?;
        }
    }
    Ok(document)
}

/// How many values there are in a value, with it.
fn count(value: &Value) -> usize {
    match value {
        Value::Array(all) => 1 + all.iter().map(count).sum::<usize>(),
        Value::Object(all) => 1 + all.values().map(count).sum::<usize>(),
        _ => 1,
    }
}

/// One of them, in the order of the text.
fn nth<'v>(value: &'v mut Value, left: &mut usize) -> Option<&'v mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Value::Array(all) => all.iter_mut().find_map(|one| nth(one, left)),
        Value::Object(all) => all.values_mut().find_map(|one| nth(one, left)),
        _ => None,
    }
}

/// Changes one value; `other` is another one of the document.
fn change(place: &mut Value, other: Option<Value>, bytes: &mut Unstructured<'_>) -> Result<()> {
    match bytes.int_in_range(0..=9)? {
        0 => *place = other.unwrap_or_default(),
        1 => *place = number(bytes)?,
        2 => *place = json!(*bytes.choose(&TEXTS)?),
        3 => *place = json!([place.take(), other]),
        4 => *place = json!({ "name": place.take(), *bytes.choose(&TEXTS)?: other }),
        5 => {
            *place = bytes
                .choose(&[Value::Null, json!(true), json!([]), json!({})])?
                .clone()
        }
        6 => change_text(place, bytes)?,
        7 => remove(place, bytes)?,
        8 => repeat(place, other, bytes)?,
        _ => *place = number(bytes)?,
    }
    Ok(())
}

fn number(bytes: &mut Unstructured<'_>) -> Result<Value> {
    Ok(match bytes.int_in_range(0..=4)? {
        0 => json!(bytes.int_in_range(-3..=30_i64)?),
        1 => json!(*bytes.choose(&[i64::MIN, i64::MAX, i64::MAX - 1, 1 << 31, 1 << 53, -1])?),
        2 => json!(bytes.arbitrary::<i64>()?),
        3 => json!(*bytes.choose(&[0.5, -0.0, 1e308, 5e-324, 2.000_000_1])?),
        _ => json!(bytes.int_in_range(0..=100_000_u64)?),
    })
}

/// A piece of a text is replaced, or doubled until it is long.
fn change_text(place: &mut Value, bytes: &mut Unstructured<'_>) -> Result<()> {
    let Value::String(text) = place else {
        return Ok(());
    };
    let letters: Vec<char> = text.chars().collect();
    let at = bytes.int_in_range(0..=letters.len())?;
    let (before, after) = letters.split_at(at);
    let middle = match bytes.int_in_range(0..=2)? {
        0 => (*bytes.choose(&TEXTS)?).to_owned(),
        1 => bytes.arbitrary::<char>()?.to_string(),
        _ => text.repeat(bytes.int_in_range(1..=40)?),
    };
    let [before, after] = [before, after].map(|part| part.iter().collect::<String>());
    *text = before + &middle + &after;
    Ok(())
}

fn remove(place: &mut Value, bytes: &mut Unstructured<'_>) -> Result<()> {
    match place {
        Value::Array(all) if !all.is_empty() => {
            all.remove(bytes.choose_index(all.len())?);
        }
        Value::Object(all) if !all.is_empty() => {
            let name = all.keys().nth(bytes.choose_index(all.len())?).cloned();
            name.and_then(|name| all.remove(&name));
        }
        _ => *place = Value::Null,
    }
    Ok(())
}

/// An element is there often, or a member has another's value.
fn repeat(place: &mut Value, other: Option<Value>, bytes: &mut Unstructured<'_>) -> Result<()> {
    match place {
        Value::Array(all) if !all.is_empty() => {
            let one = bytes.choose(all)?.clone();
            all.extend(std::iter::repeat_n(one, bytes.int_in_range(1..=30)?));
        }
        Value::Object(all) if !all.is_empty() => {
            let names: Vec<String> = all.keys().cloned().collect();
            put(all, bytes.choose(&names)?, other);
        }
        _ => *place = other.unwrap_or_default(),
    }
    Ok(())
}

fn put(all: &mut Map<String, Value>, name: &str, value: Option<Value>) {
    all.insert(name.to_owned(), value.unwrap_or_default());
}

/// Bytes with a few changes.
///
/// # Errors
/// Never for lack of bytes: missing ones count as zeros.
pub(super) fn damaged_bytes(whole: &[u8], bytes: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut damaged = whole.to_vec();
    for _ in 0..bytes.int_in_range(1..=MAX_CHANGES)? {
        if damaged.is_empty() {
            break;
        }
        let at = bytes.choose_index(damaged.len())?;
        let end = damaged.len().min(at + bytes.int_in_range(1..=64)?);
        match bytes.int_in_range(0..=5)? {
            0 => damaged[at] ^= 1 << bytes.int_in_range(0..=7)?,
            1 => damaged[at] = bytes.arbitrary()?,
            2 => {
                let word = number(bytes)?.as_i64().unwrap_or(1 << 60).to_le_bytes();
                let end = damaged.len().min(at + word.len());
                damaged[at..end].copy_from_slice(&word[..end - at]);
            }
            3 => drop(damaged.drain(at..end)),
            4 => damaged.truncate(at),
            _ => {
                let piece = damaged[at..end].to_vec();
                let to = bytes.choose_index(damaged.len())?;
                damaged.splice(to..to, piece);
            }
        }
    }
    Ok(damaged)
}
