//! JSON Schema of items, which are read by hand ([`super::synthetics`], [`super::element`]).

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};
use std::borrow::Cow;

/// A file with items: a list, one item, or an object with a list.
pub(super) enum Items {}

impl JsonSchema for Items {
    fn schema_name() -> Cow<'static, str> {
        "Items".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let item = generator.subschema_for::<Item>();
        let list = json!({ "type": "array", "items": item });
        let object =
            json!({ "type": "object", "properties": { "items": list }, "required": ["items"] });
        json_schema!({
            "description": "Items, elements and modifiers: a list, one, or an object with a list.",
            "anyOf": [list, object, item],
        })
    }
}

/// An item with `rules`, a single element, or a modifier.
pub(super) enum Item {}

impl JsonSchema for Item {
    fn schema_name() -> Cow<'static, str> {
        "Item".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let element = generator.subschema_for::<RuleElement>();
        let predicate = generator.subschema_for::<PredicateText>();
        let rules = json!({ "type": "array", "items": element });
        let about = "The value of elements that say `\"rating\"`.";
        let rating = json!({ "type": "integer", "description": about });
        let within = json!({ "rules": rules, "rating": rating });
        let system = json!({ "type": "object", "properties": within });
        json_schema!({ "anyOf": [
            {
                "type": "object",
                "description": "An item, with its elements in `rules`, its own or in `system`.",
                "properties": {
                    "name": { "type": "string" },
                    "rules": rules,
                    "rating": rating,
                    "system": system,
                },
                "required": ["name"],
            },
            element,
            object("A modifier of any domain.", &modifier(), &predicate, &["label", "value"]),
        ] })
    }
}

/// What an item does.
pub(super) enum RuleElement {}

impl JsonSchema for RuleElement {
    fn schema_name() -> Cow<'static, str> {
        "RuleElement".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let predicate = generator.subschema_for::<PredicateText>();
        let word = || json!({ "type": "string" });
        let of = |words: &[&str]| json!({ "enum": words });
        let kinds = [
            (
                "FlatModifier",
                "A bonus or a penalty.",
                modifier(),
                &["domain", "value"][..],
            ),
            (
                "RollOption",
                "An option that is set.",
                json!({ "option": word() }),
                &["option"],
            ),
            (
                "AdjustDegree",
                "Degrees that are added after a roll.",
                json!({ "amount": number(), "domain": word() }),
                &["amount"],
            ),
            (
                "DiceOverride",
                "A change of damage dice.",
                json!({
                    "domain": word(),
                    "mode": of(&["rerollLowest", "minimumDie", "maximizeDie", "maximumDie"]),
                    "value": number(),
                }),
                &["domain", "mode"],
            ),
            (
                "AdjustToughness",
                "A change of the toughness bonus; without a `mode`, the value is added.",
                json!({ "mode": of(&["add", "multiply"]), "value": number() }),
                &["value"],
            ),
            (
                "Resistance",
                "Damage of a type, or `all`, that counts less; without a `mode`, by the value.",
                json!({ "damageType": word(), "mode": of(&["flat", "half"]), "value": number() }),
                &["damageType"],
            ),
            (
                "AttributeOverride",
                "Another characteristic for rolls of a domain.",
                json!({ "domain": word(), "characteristic": word() }),
                &["domain", "characteristic"],
            ),
        ];
        let keys: Vec<&str> = kinds.iter().map(|(key, ..)| *key).collect();
        let mut all: Vec<Value> = Vec::new();
        for (key, what, members, needed) in &kinds {
            let mut element = object(what, members, &predicate, needed);
            element["properties"]["key"] = json!({ "const": key });
            if let Some(required) = element["required"].as_array_mut() {
                required.push(json!("key"));
            }
            all.push(element);
        }
        all.push(json!({
            "type": "object",
            "description": "Any other element: it is reported, and has no effect.",
            "properties": { "key": { "type": "string", "not": { "enum": keys } } },
            "required": ["key"],
        }));
        json_schema!({ "anyOf": all })
    }
}

/// When something applies.
enum PredicateText {}

impl JsonSchema for PredicateText {
    fn schema_name() -> Cow<'static, str> {
        "Predicate".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let part = generator.subschema_for::<Self>();
        let parts = json!({ "type": "array", "items": part });
        let of = |name: &str| {
            json!({
                "type": "object",
                "properties": { name: parts },
                "required": [name],
                "additionalProperties": false,
            })
        };
        json_schema!({
            "description": "An option that is set, `not:` and one that is not, a list, `and`, `or`.",
            "anyOf": [{ "type": "string" }, parts, of("and"), of("or")],
        })
    }
}

/// The members of a bonus or a penalty.
fn modifier() -> Value {
    json!({
        "value": number(),
        "domain": { "type": "string" },
        "exclusionGroup": { "type": ["string", "null"] },
        "enabled": { "type": "boolean" },
        "toggleable": { "type": "boolean" },
    })
}

/// A whole number, or the rating of the item.
fn number() -> Value {
    json!({ "anyOf": [{ "type": "integer" }, { "const": "rating" }] })
}

/// An object with these members, a label, a source and a predicate.
fn object(what: &str, members: &Value, predicate: &Schema, needed: &[&str]) -> Value {
    let mut properties = members.clone();
    properties["label"] = json!({ "type": "string" });
    properties["source"] = json!({ "type": "string" });
    properties["predicate"] = json!(predicate);
    json!({
        "type": "object",
        "description": what,
        "properties": properties,
        "required": needed,
    })
}
