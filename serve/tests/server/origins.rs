//! Pages of other hosts that were allowed to ask, and those that were not.

use super::client::{Answer, Running, settings, start};
use dicec_serve::Settings;
use std::io::{Read, Write};
use std::net::TcpStream;

const RULE: &str = r#"{"rule": "2d6"}"#;

const TOKEN: &str = "a-token-of-more-than-16-letters";

const TABLETOP: &str = "https://vtt.example:30000";

/// A server that lets two tabletops ask, with this token.
fn allowing(token: Option<&str>) -> Running {
    let token = token.map(str::to_owned);
    let mut settings = Settings::listening(settings().address, token).expect("a long token");
    let origins = [TABLETOP, "http://localhost:30000"];
    settings.origins = origins
        .map(|origin| origin.parse().expect("an origin"))
        .to_vec();
    start(settings)
}

/// The head of the answer to a browser's question whether a page may ask.
fn preflight(server: &Running, path: &str, origin: &str) -> String {
    let mut stream = TcpStream::connect(server.address).expect("a connection");
    let head = format!(
        "OPTIONS {path} HTTP/1.1\r\nHost: {}\r\nOrigin: {origin}\r\n\
         Access-Control-Request-Method: POST\r\n\
         Access-Control-Request-Headers: content-type, authorization\r\n\
         Connection: close\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).expect("it listens");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("text");
    answer.to_ascii_lowercase()
}

/// No header lets a page read an answer, or send cookies.
fn tells_nothing(answer: &Answer) {
    for name in ["origin", "credentials", "methods", "headers"] {
        let header = format!("access-control-allow-{name}");
        assert_eq!(answer.header(&header), None, "{header}");
    }
}

#[test]
fn an_allowed_page_asks_and_reads_the_answer() {
    let server = allowing(None);
    for origin in [TABLETOP, "http://localhost:30000"] {
        let answer = server.post("/api/odds", &[("Origin", origin)], RULE.as_bytes());
        assert_eq!(answer.status, 200, "{origin}");
        assert_eq!(answer.header("access-control-allow-origin"), Some(origin));
        let read = answer.header("access-control-expose-headers");
        assert_eq!(read, Some("dicec-notes, retry-after"));
        assert_eq!(answer.header("access-control-allow-credentials"), None);
        assert_eq!(answer.header("vary"), Some("Origin"));
    }
    // It reads errors as well.
    let wrong = server.post("/api/odds", &[("Origin", TABLETOP)], br#"{"rule": "2d"}"#);
    assert_eq!(wrong.status, 422);
    assert_eq!(wrong.header("access-control-allow-origin"), Some(TABLETOP));
    // The server's own page needs no permission.
    let own = server.url("");
    let answer = server.post("/api/odds", &[("Origin", &own)], RULE.as_bytes());
    assert_eq!(answer.status, 200);
    tells_nothing(&answer);
}

#[test]
fn no_other_page_asks() {
    let server = allowing(None);
    for origin in [
        "https://vtt.example",
        "http://vtt.example:30000",
        "https://vtt.example:30000.evil.example",
        "https://evil.vtt.example:30000",
        "https://vtt.example:30000/",
        "null",
        "*",
    ] {
        let answer = server.post("/api/odds", &[("Origin", origin)], RULE.as_bytes());
        assert_eq!((answer.status, answer.code().as_str()), (403, "D0541"));
        tells_nothing(&answer);
        let told = preflight(&server, "/api/odds", origin);
        assert!(told.starts_with("http/1.1 403"), "{origin}: {told}");
        assert!(!told.contains("access-control-allow"), "{origin}: {told}");
    }
    // Two origins are none.
    let both = [("Origin", TABLETOP), ("Origin", "https://evil.example")];
    let answer = server.post("/api/odds", &both, RULE.as_bytes());
    assert_eq!(answer.status, 403);
    tells_nothing(&answer);
}

#[test]
fn the_page_and_other_hosts_are_not_for_it() {
    let server = allowing(None);
    let page = server.get("/", &[("Origin", TABLETOP)]);
    assert_eq!(page.status, 403);
    tells_nothing(&page);
    // A name that was pointed here is refused, although the origin is allowed.
    let pointed = [("Origin", TABLETOP), ("Host", "evil.example")];
    assert_eq!(
        server.post("/api/odds", &pointed, RULE.as_bytes()).status,
        403
    );
}

#[test]
fn a_browser_is_told_what_a_page_may_send() {
    for token in [None, Some(TOKEN)] {
        let server = allowing(token);
        let told = preflight(&server, "/api/roll", TABLETOP);
        assert!(told.starts_with("http/1.1 204"), "{told}");
        for line in [
            "access-control-allow-origin: https://vtt.example:30000\r\n",
            "access-control-allow-methods: get, post\r\n",
            "access-control-allow-headers: authorization, content-type, accept\r\n",
            "vary: origin\r\n",
        ] {
            assert!(told.contains(line), "{line}: {told}");
        }
        assert!(
            !told.contains("credentials") && !told.contains('*'),
            "{told}"
        );
    }
}

#[test]
fn an_allowed_page_needs_the_token_and_has_no_cookie() {
    let server = allowing(Some(TOKEN));
    let opened = server.get(&format!("/?token={TOKEN}"), &[]);
    let cookie = opened.header("set-cookie").expect("a cookie");
    let cookie = cookie.split(';').next().expect("a name and a value");
    let asked = |path: &str, more: &[(&str, &str)]| {
        let headers = [&[("Origin", TABLETOP)], more].concat();
        server.post(path, &headers, RULE.as_bytes())
    };
    // Neither a browser's cookie nor the address identifies it.
    let address = format!("/api/odds?token={TOKEN}");
    let wrong = ("Authorization", "Bearer another-token-of-more-than-16");
    for answer in [
        asked("/api/odds", &[]),
        asked("/api/odds", &[("Cookie", cookie)]),
        asked("/api/odds", &[wrong]),
        asked(&address, &[]),
    ] {
        assert_eq!((answer.status, answer.code().as_str()), (403, "D0541"));
        assert_eq!(answer.header("set-cookie"), None);
    }
    let bearer = format!("Bearer {TOKEN}");
    let answer = asked("/api/odds", &[("Authorization", &bearer)]);
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("access-control-allow-origin"), Some(TABLETOP));
}
