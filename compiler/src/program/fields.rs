//! The fields of a JSON object in written order; nested objects have joined names such as
//! `abilities.str`. Reads sheets and rows of tables.

use dicec_lang::syntax::without_mark;
use rustc_hash::FxHashSet;
use serde::Deserialize;
use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};
use std::fmt;
use thiserror::Error;

/// The reason why a text is not an object, with its location.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message} at line {line} column {column}")]
pub struct BadSheet {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The error.
    pub message: String,
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// `null`.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Value>),
}

/// Reads an object.
///
/// # Errors
/// It is not one JSON object, or two of its fields have one name.
pub fn read_fields(bytes: &[u8]) -> Result<Vec<(String, Field)>, BadSheet> {
    let mut fields = Fields::default();
    let mut json = serde_json::Deserializer::from_slice(without_mark(bytes));
    let object = Object {
        fields: &mut fields,
        prefix: "",
    };
    let read = de::Deserializer::deserialize_map(&mut json, object).and_then(|()| json.end());
    match read {
        Ok(()) => Ok(fields.all),
        Err(error) => {
            let full = error.to_string();
            // The location is shown separately.
            let place = format!(" at line {} column {}", error.line(), error.column());
            let what = full.strip_suffix(&place).unwrap_or(&full);
            let message = match (&fields.open, error.is_data()) {
                (Some(name), true) => format!("`{name}`: {what}"),
                _ => what.to_owned(),
            };
            Err(BadSheet {
                line: error.line(),
                column: error.column(),
                message,
            })
        }
    }
}

/// The fields so far; kept outside of serde's visitors so that an error can name its field.
#[derive(Default)]
struct Fields {
    all: Vec<(String, Field)>,
    names: FxHashSet<String>,
    open: Option<String>,
}

/// An object whose fields' names have this prefix.
struct Object<'f> {
    fields: &'f mut Fields,
    prefix: &'f str,
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            let name = format!("{}{key}", self.prefix);
            self.fields.open = Some(name.clone());
            map.next_value_seed(Named {
                fields: self.fields,
                name,
            })?;
            self.fields.open = None;
        }
        Ok(())
    }
}

/// The value of the field of this name.
struct Named<'f> {
    fields: &'f mut Fields,
    name: String,
}

impl Named<'_> {
    fn add<E: de::Error>(self, field: Field) -> Result<(), E> {
        if !self.fields.names.insert(self.name.clone()) {
            return Err(E::custom("the name is there twice"));
        }
        self.fields.all.push((self.name, field));
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Named<'_> {
    type Value = ();

    fn deserialize<D: de::Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Named<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.add(Field::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.add(Field::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.add(Field::Number(value.into()))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.add(Field::Number(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        let number = Number::from_f64(value).ok_or_else(|| E::custom("the number is too large"))?;
        self.add(Field::Number(number))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<(), E> {
        self.add(Field::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        let list = Vec::deserialize(de::value::SeqAccessDeserializer::new(list))?;
        self.add(Field::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        let prefix = format!("{}.", self.name);
        Object {
            fields: self.fields,
            prefix: &prefix,
        }
        .visit_map(map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_objects_are_flattened_in_order() {
        let text = br#"{"name": "Orc", "hp": 15, "abilities": {"str": 3, "save": {"dex": -1}},
            "cr": 0.5, "boss": false, "note": null, "attacks": [{"bonus": 5}], "empty": {}}"#;
        let fields = read_fields(text).expect("an object");
        let shown: Vec<String> = fields
            .iter()
            .map(|(name, field)| match field {
                Field::Null => format!("{name} null"),
                Field::Bool(truth) => format!("{name} {truth}"),
                Field::Number(number) => format!("{name} {number}"),
                Field::Text(text) => format!("{name} {text:?}"),
                Field::List(list) => format!("{name} {}", list.len()),
            })
            .collect();
        let expected = [
            "name \"Orc\"",
            "hp 15",
            "abilities.str 3",
            "abilities.save.dex -1",
            "cr 0.5",
            "boss false",
            "note null",
            "attacks 1",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_is_not_an_object_is_refused() {
        for (text, start) in [
            ("{\"a\": 1, \"a\": 2}", "`a`: the name is there twice"),
            (
                "{\"a\": {\"b\": 1}, \"a.b\": 2}",
                "`a.b`: the name is there twice",
            ),
            ("[1]", "invalid type: sequence, expected an object"),
            ("{\"a\": 1", "EOF while parsing an object"),
            ("{} {}", "trailing characters"),
        ] {
            let wrong = read_fields(text.as_bytes()).expect_err(text);
            assert!(wrong.message.starts_with(start), "{text}: {wrong:?}");
        }
    }
}
