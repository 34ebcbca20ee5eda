//! Pages of other hosts that may ask, a module of a virtual tabletop for example: what a browser is
//! told of them (CORS).

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use std::net::Ipv6Addr;
use std::str::FromStr;
use thiserror::Error;

/// How long a browser may keep the answer to its question whether it may ask, in seconds.
const KEPT: HeaderValue = HeaderValue::from_static("600");

/// The headers that such a page may send: the token, and the types of the question and the answer.
const SENT: HeaderValue = HeaderValue::from_static("authorization, content-type, accept");

/// The methods of the API.
const METHODS: HeaderValue = HeaderValue::from_static("GET, POST");

/// The headers of answers that it may read.
const READ: HeaderValue = HeaderValue::from_static("dicec-notes, retry-after");

/// The origin of a page, as browsers send it: `https://vtt.example` or `http://localhost:30000`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(HeaderValue);

/// A text that is not an origin.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotAnOrigin(&'static str);

impl FromStr for Origin {
    type Err = NotAnOrigin;

    /// Reads an origin: `http://` or `https://`, a host and, if it is not the usual one, a port.
    fn from_str(text: &str) -> Result<Self, NotAnOrigin> {
        if text.contains('*') {
            return Err(NotAnOrigin(
                "every page of the network could ask then: name each origin",
            ));
        }
        let text = text.to_ascii_lowercase();
        let (scheme, authority) = text.split_once("://").unwrap_or_default();
        let usual = match scheme {
            "http" => ":80",
            "https" => ":443",
            _ => return Err(NotAnOrigin("an origin begins with http:// or https://")),
        };
        if !is_authority(authority) {
            return Err(NotAnOrigin(
                "an origin ends with the host, or a port: https://vtt.example:8443",
            ));
        }
        // Browsers leave out the usual port.
        let text = text.strip_suffix(usual).unwrap_or(&text);
        let value = HeaderValue::from_str(text);
        value
            .map(Self)
            .map_err(|_| NotAnOrigin("an origin has letters, digits, hyphens and dots"))
    }
}

/// Whether a text is a host, or an address of the network, and a port if there is a colon.
fn is_authority(text: &str) -> bool {
    let (host, port) = match text.rsplit_once(':') {
        // The colons in brackets are those of an address.
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (text, None),
    };
    let is_of_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let is_port = |port: &str| is_of_port(port) && port.parse::<u16>().is_ok();
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let bare = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    let is_host = match bare {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => !host.is_empty() && host.bytes().all(is_of_name),
    };
    is_host && port.is_none_or(is_port)
}

/// Which of these origins a request to the API comes from; none for the page and for other origins.
pub(crate) fn allowed<'o>(
    origins: &'o [Origin],
    uri: &Uri,
    headers: &HeaderMap,
) -> Option<&'o Origin> {
    let is_api = uri.path().starts_with("/api/");
    let mut given = headers.get_all(header::ORIGIN).iter();
    let (Some(given), None) = (given.next(), given.next()) else {
        return None;
    };
    let mut origins = origins.iter();
    origins.find(|origin| is_api && origin.0 == given)
}

impl Origin {
    /// The answer to a browser's question whether a page of this origin may ask, which carries no
    /// token; none if the request is another one.
    pub(crate) fn preflight(&self, method: &Method, headers: &HeaderMap) -> Option<Response> {
        let asks = headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        if method != Method::OPTIONS || !asks {
            return None;
        }
        let mut response = StatusCode::NO_CONTENT.into_response();
        let told = response.headers_mut();
        told.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
        told.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, SENT);
        told.insert(header::ACCESS_CONTROL_MAX_AGE, KEPT);
        Some(response)
    }

    /// Lets a page of this origin read an answer. Cookies are not for it.
    pub(crate) fn let_read(&self, headers: &mut HeaderMap) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, self.0.clone());
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, READ);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_what_browsers_send() {
        for (text, sent) in [
            ("https://vtt.example", "https://vtt.example"),
            ("HTTPS://VTT.example:8443", "https://vtt.example:8443"),
            ("http://localhost:30000", "http://localhost:30000"),
            ("http://127.0.0.1:80", "http://127.0.0.1"),
            ("https://vtt.example:443", "https://vtt.example"),
            ("http://[::1]:30000", "http://[::1]:30000"),
        ] {
            let origin: Origin = text.parse().expect(text);
            assert_eq!(origin.0, sent, "{text}");
        }
    }

    #[test]
    fn nothing_else_is_an_origin() {
        for text in [
            "*",
            "https://*.example",
            "null",
            "",
            "vtt.example",
            "file://",
            "chrome-extension://abc",
            "https://",
            "https://:443",
            "https://vtt.example/",
            "https://vtt.example/game",
            "https://vtt.example?x",
            "https://vtt.example#x",
            "https://me@vtt.example",
            "https://vtt.example:",
            "https://vtt.example:99999",
            "https://vtt.example, https://evil.example",
            "https://vtt.example\r\nx: y",
        ] {
            assert!(text.parse::<Origin>().is_err(), "{text}");
        }
    }
}
