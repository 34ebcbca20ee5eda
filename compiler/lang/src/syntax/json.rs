//! JSON as people and other programs write it: a byte order mark is skipped, `2.0` is a whole
//! number, and a member that is there twice is refused, because one of the two would be lost.

use super::{FileCode, Finding};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// Reads a JSON document.
///
/// # Errors
/// It is not JSON, or an object has a member twice.
pub fn read_json(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    let mut json = serde_json::Deserializer::from_slice(without_mark(bytes));
    let value = Strict.deserialize(&mut json)?;
    json.end()?;
    Ok(value)
}

/// Reads a JSON document of this name.
///
/// # Errors
/// As for [`read_json`], as a finding of this code.
pub fn json_in(origin: &str, bytes: &[u8], code: FileCode) -> Result<Value, Box<Finding>> {
    read_json(bytes).map_err(|error| {
        let place = Some((error.line() as u64, error.column() as u64));
        let full = error.to_string();
        // The place is shown on its own.
        let shown = format!(" at line {} column {}", error.line(), error.column());
        let what = full.strip_suffix(&shown).unwrap_or(&full);
        let message = format!("this is not JSON: {what}");
        Box::new(Finding::in_file(code.as_str(), origin, place, message))
    })
}

/// A text without the byte order mark that some editors put before it.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// A number without a fraction: `2`, `2.0`, `2e0`.
pub fn whole(number: &Number) -> Option<i64> {
    // Every whole number up to here is a float, and none of them saturates.
    let is_whole = |value: &f64| value.fract() == 0.0 && value.abs() <= (1_u64 << 53) as f64;
    let float = number.as_f64().filter(is_whole);
    number.as_i64().or(float.map(|value| value as i64))
}

/// Reads a value whose objects have each member once.
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = elements.next_element_seed(Strict)? {
            list.push(element);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let value = members.next_value_seed(Strict)?;
            if object.contains_key(&name) {
                return Err(A::Error::custom(format!("{name:?} is there twice")));
            }
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn documents_are_read_as_they_are() {
        let text = r#"{"a": [1, -2, 2.5, 1e3, true, null, "x\n"], "b": {"c": {}}}"#;
        let read = read_json(text.as_bytes()).expect("JSON");
        assert_eq!(read, serde_json::from_str::<Value>(text).expect("JSON"));
        let marked = format!("\u{feff}{text}");
        assert_eq!(read_json(marked.as_bytes()).expect("JSON"), read);
    }

    #[test]
    fn members_are_there_once() {
        for text in [r#"{"a": 1, "a": 2}"#, r#"[{"b": {"a": 1, "a": 1}}]"#] {
            let wrong = read_json(text.as_bytes()).expect_err(text).to_string();
            assert!(wrong.starts_with("\"a\" is there twice"), "{wrong}");
        }
        for text in ["", "{", "{} {}", "\u{feff}\u{feff}1"] {
            assert!(read_json(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn whole_numbers_may_have_a_point() {
        for (value, expected) in [
            (json!(2), Some(2)),
            (json!(2.0), Some(2)),
            (json!(-1e3), Some(-1000)),
            (json!(2.5), None),
            (json!(i64::MAX), Some(i64::MAX)),
            (json!(1e18), None),
            (json!(u64::MAX), None),
        ] {
            let number = value.as_number().expect("a number");
            assert_eq!(whole(number), expected, "{value}");
        }
    }
}
