//! Sheets: the resources of a character as a JSON object of names and whole numbers.

use super::fields::BadSheet;
use rustc_hash::FxHashSet;
use serde::de::{self, DeserializeSeed, MapAccess, Visitor};
use std::fmt;

/// Reads a sheet: its names and values, in order.
///
/// # Errors
/// It is not a JSON object of names, each there once, and whole numbers.
pub fn read_sheet(bytes: &[u8]) -> Result<Vec<(String, i64)>, BadSheet> {
    let mut sheet = Sheet::default();
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let read = sheet.deserialize_from(&mut json).and_then(|()| json.end());
    read.map_err(|error| {
        let full = error.to_string();
        // The place is shown on its own.
        let place = format!(" at line {} column {}", error.line(), error.column());
        let what = full.strip_suffix(&place).unwrap_or(&full);
        let message = match (&sheet.open_key, error.is_data()) {
            (Some(key), true) => format!("`{key}`: {what}"),
            _ => what.to_owned(),
        };
        BadSheet {
            line: error.line(),
            column: error.column(),
            message,
        }
    })?;
    Ok(sheet.entries)
}

/// What has been read of a sheet; kept outside of serde's visitors so that an error can name the
/// key it is about.
#[derive(Default)]
struct Sheet {
    entries: Vec<(String, i64)>,
    names: FxHashSet<String>,
    open_key: Option<String>,
}

impl Sheet {
    fn deserialize_from<'de, D: de::Deserializer<'de>>(&mut self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(SheetVisitor(self))
    }
}

struct SheetVisitor<'s>(&'s mut Sheet);

impl<'de> Visitor<'de> for SheetVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of names and whole numbers")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let sheet = self.0;
        while let Some(key) = map.next_key::<String>()? {
            sheet.open_key = Some(key.clone());
            let value = map.next_value_seed(WholeNumber)?;
            if !sheet.names.insert(key.clone()) {
                return Err(de::Error::custom("the name is there twice"));
            }
            sheet.entries.push((key, value));
            sheet.open_key = None;
        }
        Ok(())
    }
}

/// Reads an `i64` and says so in its own words when it is something else.
struct WholeNumber;

impl<'de> DeserializeSeed<'de> for WholeNumber {
    type Value = i64;

    fn deserialize<D: de::Deserializer<'de>>(self, json: D) -> Result<i64, D::Error> {
        json.deserialize_i64(self)
    }
}

impl Visitor<'_> for WholeNumber {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<i64, E> {
        Ok(value)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<i64, E> {
        i64::try_from(value).map_err(|_| E::custom("the number is too large"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets() {
        let entries = read_sheet(br#"{"Strength": 4, "Max Health": -2}"#);
        let expected = vec![("Strength".to_owned(), 4), ("Max Health".to_owned(), -2)];
        assert_eq!(entries, Ok(expected));
        assert_eq!(read_sheet(b" {} "), Ok(vec![]));
    }

    #[test]
    fn a_bad_sheet_names_key_and_place() {
        for (text, line, start) in [
            (
                "{\n\"A\": 1,\n\"B\": \"two\"}",
                3,
                "`B`: invalid type: string \"two\", expected a whole number",
            ),
            (
                "{\"A\": 1.5}",
                1,
                "`A`: invalid type: floating point `1.5`, expected a whole number",
            ),
            ("{\"A\": 1,\n\"A\": 2}", 2, "`A`: the name is there twice"),
            (
                "{\"A\": 9223372036854775808}",
                1,
                "`A`: the number is too large",
            ),
            ("[1]", 1, "invalid type: sequence, expected an object"),
            ("{\"A\": 1", 1, "EOF while parsing an object"),
            ("{} {}", 1, "trailing characters"),
            ("", 1, "EOF while parsing a value"),
        ] {
            let wrong = read_sheet(text.as_bytes()).expect_err(text);
            assert!(wrong.message.starts_with(start), "{text}: {wrong:?}");
            assert_eq!(wrong.line.max(1), line, "{text}");
        }
    }
}
