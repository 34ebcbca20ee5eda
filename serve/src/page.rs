//! The page: files that are part of the binary, and the addresses that it links to.

use crate::response::{Refused, with_type};
use crate::state::State;
use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::Response;
use rust_embed::{EmbeddedFile, RustEmbed};

/// The files of the page. A debug build reads them on request, so that editing them needs no build.
#[derive(RustEmbed)]
#[folder = "page/"]
struct Page;

/// A file of the page.
pub(crate) async fn page(
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    if method != Method::GET && method != Method::HEAD {
        return Err(Refused::other_method(uri.path()));
    }
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    let file = Page::get(path).ok_or_else(|| Refused::not_found(uri.path()))?;
    let tag = tag(&file);
    if headers.get(header::IF_NONE_MATCH) == Some(&tag) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return Ok(response);
    }
    let mut response = with_type(Body::from(file.data), type_of(path));
    let headers = response.headers_mut();
    headers.insert(header::ETAG, tag);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Ok(response)
}

/// The addresses that the page of this server links to.
pub(crate) async fn places(Shared(state): Shared<State>) -> Response {
    let document = state.settings.places.document();
    with_type(Body::from(document), "application/json")
}

/// A tag that identifies the version of a file.
fn tag(file: &EmbeddedFile) -> HeaderValue {
    let hash = file.metadata.sha256_hash();
    let text: String = hash
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    // Digits are always a value of a header.
    HeaderValue::from_str(&format!("\"{text}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

/// The content type of a file, by its extension.
fn type_of(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, end)| end) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "webmanifest") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("wasm") => "application/wasm",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
