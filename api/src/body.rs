//! The body of a request: JSON to the types of which questions consist.

use crate::wrong::Wrong;
use dicec_lang::syntax::{FileCode, json_in, nearest};
use schemars::{JsonSchema, schema_for};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A part of a request. The members of all parts stand next to each other in one object.
pub(crate) trait Part: DeserializeOwned + JsonSchema {}

impl<T: DeserializeOwned + JsonSchema> Part for T {}

/// Reads a request of one part.
///
/// # Errors
/// It is not JSON, has a member that nothing knows, or a wrong value.
pub(crate) fn one<A: Part>(body: &[u8]) -> Result<A, Wrong> {
    let body = object(body)?;
    only(&body, &members::<A>())?;
    part(&body)
}

/// Reads a request of two parts.
///
/// # Errors
/// As for [`one`].
pub(crate) fn two<A: Part, B: Part>(body: &[u8]) -> Result<(A, B), Wrong> {
    let body = object(body)?;
    only(&body, &[members::<A>(), members::<B>()].concat())?;
    Ok((part(&body)?, part(&body)?))
}

/// Reads a request of three parts.
///
/// # Errors
/// As for [`one`].
pub(crate) fn three<A: Part, B: Part, C: Part>(body: &[u8]) -> Result<(A, B, C), Wrong> {
    let body = object(body)?;
    only(
        &body,
        &[members::<A>(), members::<B>(), members::<C>()].concat(),
    )?;
    Ok((part(&body)?, part(&body)?, part(&body)?))
}

fn object(body: &[u8]) -> Result<Value, Wrong> {
    let body = json_in("request", body, FileCode::BadRequest)?;
    match body.is_object() {
        true => Ok(body),
        false => Err(Wrong::request(
            "a request is an object",
            "write {\"rule\": \"2d6\"}",
        )),
    }
}

/// Reads a part of an object.
fn part<T: Part>(body: &Value) -> Result<T, Wrong> {
    serde_path_to_error::deserialize(body).map_err(|error| {
        let (path, what) = (error.path().to_string(), error.inner().to_string());
        let message = match path.as_str() {
            "." => format!("the request: {what}"),
            path => format!("\"{path}\": {what}"),
        };
        Wrong::request(message, "/api/openapi.json describes every request")
    })
}

/// The names of the members of a part.
fn members<T: Part>() -> Vec<String> {
    let schema = schema_for!(T);
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.map_or_else(Vec::new, |all| all.keys().cloned().collect())
}

/// Refuses members of other names: most are misspelt, and nothing is left out silently.
fn only(body: &Value, known: &[String]) -> Result<(), Wrong> {
    let none = Map::new();
    let given = body.as_object().unwrap_or(&none).keys();
    let strangers = given.filter(|name| !known.contains(name));
    let wrong = strangers.map(|name| {
        let help = match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("there are: {}", known.join(", ")),
        };
        Err(Wrong::request(
            format!("a request has no member \"{name}\""),
            help,
        ))
    });
    Wrong::any::<()>(wrong).map(drop)
}
