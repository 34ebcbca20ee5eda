//! The description of all requests, from the types that read them.

use crate::Endpoint;
use crate::creatures::{BestiaryRequest, CreatureEntry};
use crate::day::DayRequest;
use crate::encounter::EncounterRequest;
use crate::odds::OddsRequest;
use crate::program::ProgramRequest;
use crate::questions::QuestionRequest;
use crate::roll::RollRequest;
use crate::sample::SampleRequest;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The OpenAPI document.
pub fn openapi() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    let mut generator = settings.into_generator();
    let mut paths = Map::new();
    for endpoint in Endpoint::ALL {
        let path = format!("/api/{}", endpoint.name());
        paths.insert(path, json!({"post": operation(endpoint, &mut generator)}));
    }
    let creature = generator.subschema_for::<CreatureEntry<'_>>();
    let list = json!({"type": "array", "items": creature});
    paths.insert(
        "/api/creatures".to_owned(),
        json!({"get": {
            "summary": "The creatures that fit: a part of the name, `cr 5`, `type dragon`.",
            "parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}}],
            "responses": {"200": content("application/json", &list)},
        }}),
    );
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "dicec",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The answers are the documents that `dicec` prints with --json: \
                            docs/json.md describes them.",
        },
        "paths": paths,
        "components": {"schemas": generator.take_definitions(true)},
    })
}

/// An endpoint that takes a request.
fn operation(endpoint: Endpoint, generator: &mut SchemaGenerator) -> Value {
    let (summary, parts) = match endpoint {
        Endpoint::Check => (
            "What is wrong with a rule or a script, or what it is.",
            vec![generator.subschema_for::<ProgramRequest>()],
        ),
        Endpoint::Describe => (
            "What an application needs to know of a script.",
            vec![generator.subschema_for::<ProgramRequest>()],
        ),
        Endpoint::Odds => (
            "The exact odds.",
            vec![
                generator.subschema_for::<ProgramRequest>(),
                generator.subschema_for::<QuestionRequest>(),
                generator.subschema_for::<OddsRequest>(),
            ],
        ),
        Endpoint::Roll => (
            "One roll, with the choices that a player has made.",
            vec![
                generator.subschema_for::<ProgramRequest>(),
                generator.subschema_for::<RollRequest>(),
            ],
        ),
        Endpoint::Sim => (
            "Sampled odds.",
            vec![
                generator.subschema_for::<ProgramRequest>(),
                generator.subschema_for::<QuestionRequest>(),
                generator.subschema_for::<SampleRequest>(),
            ],
        ),
        Endpoint::Encounter => (
            "Who wins a fight, how often, and why.",
            vec![
                generator.subschema_for::<EncounterRequest>(),
                generator.subschema_for::<SampleRequest>(),
            ],
        ),
        Endpoint::Day => (
            "Whether a party survives a day of fights and rests.",
            vec![
                generator.subschema_for::<DayRequest>(),
                generator.subschema_for::<SampleRequest>(),
            ],
        ),
        Endpoint::Bestiary => (
            "The creatures that a text of stat blocks has.",
            vec![generator.subschema_for::<BestiaryRequest>()],
        ),
    };
    let any = json!({"type": "object"});
    let mut answer = content("application/json", &any);
    let events = json!({"type": "string"});
    answer["content"]["text/event-stream"] = json!({"schema": events});
    json!({
        "summary": summary,
        "operationId": endpoint.name(),
        "requestBody": {
            "required": true,
            "content": {"application/json": {"schema": {"allOf": parts}}},
        },
        "responses": {
            "200": answer,
            "422": content("application/json", &json!({
                "type": "object",
                "description": "What is wrong: {\"error\": {\"code\", \"message\", \"start\", \
                                \"end\", \"help\"}}, and all of \"errors\" if there are several.",
            })),
        },
    })
}

fn content(of: &str, schema: &Value) -> Value {
    json!({"description": "The answer.", "content": {of: {"schema": schema}}})
}
