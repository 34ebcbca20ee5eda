//! Who may ask.

use super::client::{settings, start};
use dicec_serve::{Settings, Unusable};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

const RULE: &str = r#"{"rule": "2d6"}"#;

const TOKEN: &str = "a-token-of-more-than-16-letters";

#[test]
fn a_name_that_was_pointed_here_is_refused() {
    let server = start(settings());
    for host in [
        "evil.example",
        "evil.example:7777",
        "127.0.0.1.evil.example",
        "",
    ] {
        let answer = server.post("/api/odds", &[("Host", host)], RULE.as_bytes());
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (403, "D0541"),
            "{host}"
        );
        assert_eq!(server.get("/", &[("Host", host)]).status, 403, "{host}");
    }
    for host in ["localhost", "localhost:7777", "127.0.0.1:1", "[::1]:7777"] {
        let answer = server.post("/api/odds", &[("Host", host)], RULE.as_bytes());
        assert_eq!(answer.status, 200, "{host}");
    }
}

#[test]
fn another_page_is_refused() {
    let server = start(settings());
    let own = server.url("");
    for origin in [
        "http://evil.example",
        "null",
        "http://localhost:1",
        "file://",
    ] {
        let answer = server.post("/api/odds", &[("Origin", origin)], RULE.as_bytes());
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (403, "D0541"),
            "{origin}"
        );
    }
    let answer = server.post("/api/odds", &[("Origin", &own)], RULE.as_bytes());
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("access-control-allow-origin"), None);
}

#[test]
fn other_machines_need_a_token() {
    let everywhere = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);
    let unusable = |token: Option<&str>| {
        let settings = Settings::listening(everywhere, token.map(str::to_owned));
        settings.expect_err("it is not safe")
    };
    assert_eq!(unusable(None), Unusable::NoToken);
    assert_eq!(unusable(Some("short")), Unusable::ShortToken);
    assert_eq!(unusable(Some("sixteen letters;")), Unusable::StrangeToken);
}

#[test]
fn a_token_is_asked_for_everywhere() {
    let here = settings().address;
    let settings = Settings::listening(here, Some(TOKEN.to_owned())).expect("a long token");
    let server = start(settings);
    for path in ["/", "/api/creatures?q=owl", "/?token=another-token-of-16"] {
        assert_eq!(server.get(path, &[]).status, 403, "{path}");
    }
    let wrong = [("Authorization", "Bearer another-token-of-more-than-16")];
    assert_eq!(
        server.post("/api/odds", &wrong, RULE.as_bytes()).status,
        403
    );
    let bearer = format!("Bearer {TOKEN}");
    let right = [("Authorization", bearer.as_str())];
    assert_eq!(
        server.post("/api/odds", &right, RULE.as_bytes()).status,
        200
    );
    // A browser is sent on with a cookie, to an address without the token.
    let opened = server.get(&format!("/?token={TOKEN}"), &[]);
    assert_eq!((opened.status, opened.header("location")), (303, Some("/")));
    let cookie = opened.header("set-cookie").expect("a cookie").to_owned();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    let cookie = cookie.split(';').next().expect("its value");
    assert_eq!(server.get("/", &[("Cookie", cookie)]).status, 200);
}

/// What every response has to say to a browser.
const SAID: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "camera=(), geolocation=(), microphone=()",
    ),
];

#[test]
fn every_response_says_what_a_browser_may_do() {
    let server = start(settings());
    let page = server.get("/", &[]);
    let tag = page.header("etag").expect("a version");
    let csv = [("Content-Type", "text/csv")];
    let events = [("Accept", "text/event-stream")];
    let table = "/api/batch?e=hit%3D1d20%2B%5BA%5D";
    let answers = [
        ("odds", 200, server.ask("odds", RULE)),
        (
            "events",
            200,
            server.post("/api/sim", &events, RULE.as_bytes()),
        ),
        ("a table", 200, server.post(table, &csv, b"A\n1\n")),
        ("creatures", 200, server.get("/api/creatures?q=owl", &[])),
        ("the API", 200, server.get("/api/openapi.json", &[])),
        ("no question", 400, server.ask("odds", "{")),
        ("a mistake", 422, server.ask("odds", r#"{"rule": "2d"}"#)),
        ("a wrong row", 422, server.post(table, &csv, b"A\nx\n")),
        ("another method", 405, server.get("/api/odds", &[])),
        ("no endpoint", 404, server.ask("nothing", RULE)),
        ("no file", 404, server.get("/nothing", &[])),
        (
            "another host",
            403,
            server.get("/", &[("Host", "evil.example")]),
        ),
        ("too much", 413, server.ask("odds", &" ".repeat(2 << 20))),
    ];
    for (what, status, answer) in &answers {
        assert_eq!(answer.status, *status, "{what}: {}", answer.body);
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{what}");
    }
    let script = server.get("/app/main.js", &[]);
    let style = server.get("/base.css", &[]);
    let same = server.get("/", &[("If-None-Match", tag)]);
    assert_eq!((page.status, same.status), (200, 304));
    for file in [&page, &script, &style] {
        assert_eq!(file.header("cache-control"), Some("no-cache"));
    }
    let files = [("a script", &script), ("a style", &style)];
    let pages = [("the page", &page), ("the same page", &same)];
    let answers = answers.iter().map(|(what, _, answer)| (*what, answer));
    for (what, answer) in answers.chain(files).chain(pages) {
        for (name, value) in SAID {
            assert_eq!(answer.header(name), Some(value), "{what}: {name}");
        }
    }
}

#[test]
fn a_response_that_sets_the_cookie_says_so_too() {
    let here = settings().address;
    let settings = Settings::listening(here, Some(TOKEN.to_owned())).expect("a long token");
    let server = start(settings);
    let opened = server.get(&format!("/?token={TOKEN}"), &[]);
    let refused = server.get("/", &[]);
    assert_eq!((opened.status, refused.status), (303, 403));
    for answer in [&opened, &refused] {
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        for (name, value) in SAID {
            assert_eq!(answer.header(name), Some(value), "{name}");
        }
    }
}

#[test]
fn only_files_of_the_page_are_served() {
    let server = start(settings());
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/page/index.html",
    ] {
        let answer = server.get(path, &[]);
        assert_eq!(answer.status, 404, "{path}: {}", answer.body);
    }
    for (path, status) in [("/api/odds", 405), ("/api/nothing", 405), ("/api", 404)] {
        assert_eq!(server.get(path, &[]).status, status, "{path}");
    }
    assert_eq!(server.ask("nothing", RULE).status, 404);
}
