//! Access checks: refuses requests from other pages, for host names that were pointed at this
//! machine (DNS rebinding), and without the token. Every response restricts what a browser may do
//! with it.

use crate::origin::{self, Origin};
use crate::response::Refused;
use crate::session::Session;
use crate::state::State;
use axum::body::Body;
use axum::extract::{Request, State as Shared};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use dicec_lang::syntax::FileCode;
use std::net::IpAddr;
use subtle::ConstantTimeEq;

/// The header in which a proxy gives the protocol of a request.
const PROTOCOL: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The security headers of responses. Pictures of the page are made in it: `blob:` and `data:`.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=()",
    ),
];

/// Lets a request through, or refuses it.
pub(crate) async fn guard(Shared(state): Shared<State>, request: Request, next: Next) -> Response {
    let origin = origin::allowed(&state.settings.origins, request.uri(), request.headers());
    let mut response = match check(&state, &request, origin) {
        Err(refused) => refused.into_response(),
        Ok(Passed::WithLink) => with_cookie(&state.session, request.headers()),
        Ok(Passed::Preflight(response)) => response,
        Ok(Passed::Plain) => next.run(request).await,
    };
    if let Some(origin) = origin {
        origin.let_read(response.headers_mut());
    }
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let is_kept = headers.contains_key(header::CACHE_CONTROL);
    if !is_kept {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if !state.settings.origins.is_empty() {
        headers.insert(header::VARY, HeaderValue::from_static("Origin"));
    }
    response
}

/// How a request passed.
enum Passed {
    Plain,
    /// With the token in its address: the client is redirected to the address without it, with a
    /// cookie.
    WithLink,
    /// With this answer: a browser asks whether an allowed page may ask.
    Preflight(Response),
}

/// Whether a request passes; `origin` is its origin if that is an allowed one.
fn check(state: &State, request: &Request, origin: Option<&Origin>) -> Result<Passed, Refused> {
    let (uri, headers) = (request.uri(), request.headers());
    let token = state.settings.token.as_deref();
    let host = one(headers, header::HOST)?;
    let host = host.ok_or_else(|| not_allowed("a request names no host"))?;
    // An address cannot be pointed elsewhere; a name can, but does not know the token.
    if token.is_none() && !is_address(host) {
        return Err(not_allowed("a request for another host"));
    }
    if let Some(origin) = origin {
        if let Some(response) = origin.preflight(request.method(), headers) {
            return Ok(Passed::Preflight(response));
        }
        return match token {
            Some(token) if !has_bearer(token, headers)? => {
                Err(not_allowed("a request of another page without the token"))
            }
            _ => Ok(Passed::Plain),
        };
    }
    if let Some(origin) = one(headers, header::ORIGIN)? {
        let own = ["http://", "https://"].map(|scheme| format!("{scheme}{host}"));
        if !own.iter().any(|own| own.eq_ignore_ascii_case(origin)) {
            return Err(not_allowed("a request of another page"));
        }
    }
    match token {
        None => Ok(Passed::Plain),
        Some(token) => identified(token, &state.session, uri, headers),
    }
}

/// Looks for the token in a header or in the address of the page, and for the cookie.
fn identified(
    token: &str,
    session: &Session,
    uri: &Uri,
    headers: &HeaderMap,
) -> Result<Passed, Refused> {
    if has_bearer(token, headers)? || session.is_in(headers) {
        return Ok(Passed::Plain);
    }
    let query = uri.query().unwrap_or_default();
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    if pairs.any(|(name, value)| name == "token" && is_same(&value, token)) {
        return Ok(Passed::WithLink);
    }
    Err(not_allowed("a request without the token"))
}

/// Whether the token is in the header for it.
fn has_bearer(token: &str, headers: &HeaderMap) -> Result<bool, Refused> {
    let bearer = one(headers, header::AUTHORIZATION)?;
    let bearer = bearer.and_then(|given| given.strip_prefix("Bearer "));
    Ok(bearer.is_some_and(|given| is_same(given, token)))
}

fn is_same(given: &str, token: &str) -> bool {
    bool::from(given.as_bytes().ct_eq(token.as_bytes()))
}

/// The value of a header that may be there once.
fn one(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, Refused> {
    let mut values = headers.get_all(&name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => {
            let value = value.to_str();
            Ok(Some(
                value.map_err(|_| not_allowed("an unreadable header"))?,
            ))
        }
        (Some(_), Some(_)) => Err(not_allowed("a header that is there twice")),
    }
}

/// Whether a host is an address of the network, or this machine.
fn is_address(host: &str) -> bool {
    let is_port = |port: &str| port.parse::<u16>().is_ok();
    let name = match host.rsplit_once(':') {
        Some((name, port)) if is_port(port) => name,
        _ => host,
    };
    let bare = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    name.eq_ignore_ascii_case("localhost") || bare.unwrap_or(name).parse::<IpAddr>().is_ok()
}

fn not_allowed(what: &str) -> Refused {
    let message = format!("{what} is not answered");
    let help = "open the address that `dicec serve` printed";
    Refused::new(StatusCode::FORBIDDEN, FileCode::NotAllowed, &message, help)
}

/// Sends a browser to the page without the token in the address, where it would be seen.
fn with_cookie(session: &Session, headers: &HeaderMap) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    // Who forges this loses the cookie, and nothing else.
    let is_secure = headers.get(PROTOCOL).is_some_and(|given| given == "https");
    let cookie = session.cookie(is_secure);
    let headers = [(header::LOCATION, "/"), (header::SET_COOKIE, &*cookie)];
    for (name, value) in headers {
        match HeaderValue::from_str(value) {
            Ok(value) => response.headers_mut().insert(name, value),
            Err(_) => return Refused::internal().into_response(),
        };
    }
    response
}
