//! The questions of the API: a body of JSON in, a document out, at once or after events.

use crate::answer::answer;
use crate::events;
use crate::response::{Refused, json};
use crate::state::State;
use crate::work::Cancel;
use axum::extract::{Path, Request, State as Shared};
use axum::http::{HeaderMap, Uri, header};
use axum::response::Response;
use dicec_api::Endpoint;
use dicec_compiler::Control;

/// Answers a question.
pub(crate) async fn ask(
    Shared(state): Shared<State>,
    Path(name): Path<String>,
    request: Request,
) -> Result<Response, Refused> {
    let unknown = || Refused::not_found(request.uri().path());
    let endpoint = Endpoint::named(&name).ok_or_else(unknown)?;
    let wants_events = wants_events(request.headers());
    let settings = &state.settings;
    let body = state
        .memory
        .read(request.into_body(), settings.body, settings.pace);
    let body = body.await?;
    if wants_events {
        return Ok(events::answer(state, endpoint, body));
    }
    let control = Control::default();
    let _cancel = Cancel(control.clone());
    let place = state.workers.enter().await?;
    let (asked, asking) = (control.clone(), state.clone());
    let work = move || {
        let (body, _held) = body;
        answer(&asking.settings, (endpoint, &body), &asked, None)
    };
    state.reply(state.workers.run(place, &control, work).await?)
}

/// Whether a client takes events.
fn wants_events(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT);
    let accept = accept.and_then(|accept| accept.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/event-stream"))
}

/// The creatures that a text names.
pub(crate) async fn creatures(uri: Uri) -> Result<Response, Refused> {
    let query = uri.query().unwrap_or_default();
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    let part = pairs.find(|(name, _)| name == "q");
    let part = part.map(|(_, part)| part.into_owned()).unwrap_or_default();
    Ok(json(dicec_api::creatures(&part)?))
}

/// The description of the API.
pub(crate) async fn openapi() -> Response {
    json(dicec_api::openapi().to_string())
}

/// A question with another method than its endpoint takes.
pub(crate) async fn other_method(uri: Uri) -> Refused {
    Refused::other_method(uri.path())
}
