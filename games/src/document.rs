//! Deserialises documents to their types, for front ends that read JSON. Errors use the words of
//! the documents' authors: the names of Rust types mean nothing to them.

use super::wrong::{Wrong, instead};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads a document, or a value at a path of one.
///
/// # Errors
/// The path of the error.
pub(super) fn read<T: DeserializeOwned>(json: &Value, path: &str) -> Result<T, Wrong> {
    serde_path_to_error::deserialize(json).map_err(|error| {
        let path = match error.path().to_string().as_str() {
            "." => path.to_owned(),
            below => format!("{path}.{below}"),
        };
        reworded(path, &error.inner().to_string())
    })
}

/// A message of the deserialiser in plain words, with advice.
fn reworded(path: String, message: &str) -> Wrong {
    if let Some((name, known)) = unknown(message, "unknown field ") {
        return Wrong::new(path, "is not a member that is known").help(instead(name, known));
    }
    if let Some((name, known)) = unknown(message, "unknown variant ") {
        return Wrong::new(path, format!("cannot be `{name}`")).help(instead(name, known));
    }
    if let Some(name) = message.strip_prefix("missing field ") {
        let help = format!("add `\"{}\": ...`", name.trim_matches('`'));
        return Wrong::new(path, format!("needs a member {name}")).help(help);
    }
    if let Some(number) = too_great(message) {
        return Wrong::new(path, format!("is {number}, which is too great"))
            .help("write a smaller number");
    }
    if let Some(name) = message.strip_prefix("duplicate field ") {
        return Wrong::new(path, format!("has the member {name} twice")).help("leave one out");
    }
    if let Some((found, expected)) = invalid(message) {
        let wrong = Wrong::new(path, format!("is {found}, not {expected}"));
        return match expected {
            "a text" => wrong.help("write it in double quotes"),
            "a list" => wrong.help("write its elements in brackets, `[...]`"),
            "a whole number above 0" if matches!(found, "0" | "below 0") => {
                wrong.help("write 1 or a greater number")
            }
            "a whole number from 0 on" if found == "below 0" => {
                wrong.help("write 0 or a greater number")
            }
            number if number.starts_with("a whole number") => {
                wrong.help("write a number without quotes and without a fraction")
            }
            _ => wrong,
        };
    }
    Wrong::new(path, format!("is wrong: {message}"))
}

/// The name and the names that are known of a message such as ``unknown field `a`, expected one of
/// `b`, `c` ``.
fn unknown<'m>(message: &'m str, what: &str) -> Option<(&'m str, Vec<&'m str>)> {
    let mut quoted = message.strip_prefix(what)?.split('`').skip(1).step_by(2);
    Some((quoted.next()?, quoted.collect()))
}

/// Whole numbers from here on do not fit into 64 bits.
const BEYOND: f64 = 9_223_372_036_854_775_808.0;

/// The number that is beyond the range of its type, of a message such as `invalid value: integer
/// `300`, expected u8`.
fn too_great(message: &str) -> Option<&str> {
    // Beyond 64 bits, a whole number is read as a float.
    if let Some(number) = message.strip_prefix("invalid type: floating point `") {
        let (number, expected) = number.split_once('`')?;
        let is_beyond = number.parse::<f64>().is_ok_and(|value| value >= BEYOND);
        let is_whole = [", expected i", ", expected u"]
            .iter()
            .any(|word| expected.starts_with(word));
        return (is_beyond && is_whole).then_some(number);
    }
    let number = message.strip_prefix("invalid value: integer `")?;
    let (number, _) = number.split_once('`')?;
    (!number.starts_with('-'))
        .then_some(number)
        .filter(|&number| number != "0")
}

/// What a value is and what it should be, of a message such as `invalid type: string "a", expected
/// i64`.
fn invalid(message: &str) -> Option<(&str, &str)> {
    let rest = message
        .strip_prefix("invalid type: ")
        .or_else(|| message.strip_prefix("invalid value: "))?;
    let (found, expected) = rest.rsplit_once(", expected ")?;
    let kinds = [
        ("string", "a text"),
        ("integer `-", "below 0"),
        ("integer `0`", "0"),
        ("integer", "a number"),
        ("floating point", "a number with a fraction"),
        ("boolean", "`true` or `false`"),
        ("null", "`null`"),
        ("sequence", "a list"),
        ("map", "an object"),
    ];
    let kind = kinds
        .into_iter()
        .find(|(begin, _)| found.starts_with(begin));
    let found = kind.map_or(found, |(_, said)| said);
    let expected = match expected {
        "a nonzero u32" => "a whole number above 0",
        "i64" => "a whole number",
        "u32" | "u8" => "a whole number from 0 on",
        "a string" | "string or map" | "map with a single key" => "a text",
        unit if unit.starts_with("unit") => "a text",
        "a sequence" => "a list",
        "a map" => "an object",
        "an array of length 2" => "a list of two numbers",
        other if other.starts_with("struct ") => "an object",
        other => other,
    };
    Some((found, expected))
}
