//! Whether a document is as a JSON Schema says: the keywords that schemas of this project have.

use serde_json::{Map, Value};

/// Keywords that say nothing about what is valid.
const ANNOTATIONS: [&str; 6] = [
    "$schema",
    "$defs",
    "title",
    "description",
    "default",
    "format",
];

/// Whether a value is valid.
///
/// # Panics
/// At a keyword that is not known here: it would be silently ignored.
pub fn is_valid(schema: &Value, value: &Value) -> bool {
    Checker { root: schema }.holds(schema, value)
}

struct Checker<'s> {
    root: &'s Value,
}

impl Checker<'_> {
    fn holds(&self, schema: &Value, value: &Value) -> bool {
        let Some(keywords) = schema.as_object() else {
            return schema == &Value::Bool(true);
        };
        let mut keywords_that_matter = keywords
            .iter()
            .filter(|(name, _)| !ANNOTATIONS.contains(&name.as_str()));
        keywords_that_matter.all(|(name, says)| self.keyword(name, says, keywords, value))
    }

    fn keyword(&self, name: &str, says: &Value, all: &Map<String, Value>, value: &Value) -> bool {
        let each = |part: &Value| self.holds(part, value);
        let list = || says.as_array().into_iter().flatten();
        match name {
            "$ref" => {
                let pointer = says.as_str().and_then(|text| text.strip_prefix('#'));
                let found = pointer.and_then(|pointer| self.root.pointer(pointer));
                self.holds(found.unwrap_or_else(|| panic!("no {says}")), value)
            }
            "anyOf" => list().any(each),
            "oneOf" => list().filter(|part| each(part)).count() == 1,
            "not" => !each(says),
            "const" => says == value,
            "enum" => list().any(|known| known == value),
            "type" if says.is_array() => list().any(|kind| is_a(kind, value)),
            "type" => is_a(says, value),
            "minimum" => value
                .as_f64()
                .is_none_or(|number| says.as_f64() <= Some(number)),
            "maximum" => value
                .as_f64()
                .is_none_or(|number| says.as_f64() >= Some(number)),
            "minItems" => value
                .as_array()
                .is_none_or(|items| Some(items.len() as u64) >= says.as_u64()),
            "maxItems" => value
                .as_array()
                .is_none_or(|items| Some(items.len() as u64) <= says.as_u64()),
            "items" => value
                .as_array()
                .into_iter()
                .flatten()
                .all(|item| self.holds(says, item)),
            "required" => value.as_object().is_none_or(|object| {
                list().all(|name| name.as_str().is_some_and(|name| object.contains_key(name)))
            }),
            "properties" => members(says).all(|(name, schema)| {
                value
                    .get(name)
                    .is_none_or(|member| self.holds(schema, member))
            }),
            "additionalProperties" => members(value).all(|(name, member)| {
                let is_known = all
                    .get("properties")
                    .is_some_and(|known| known.get(name).is_some());
                is_known || self.holds(says, member)
            }),
            other => panic!("the keyword {other} is not known"),
        }
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn is_a(kind: &Value, value: &Value) -> bool {
    match kind.as_str() {
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some("null") => value.is_null(),
        _ => panic!("the type {kind} is not known"),
    }
}
