//! Who may ask.

use super::client::{Answer, Running, settings, start};
use dicec_serve::{Places, Settings, Unusable};
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
}

/// A server that asks for the token.
fn guarded() -> Running {
    let settings = Settings::listening(settings().address, Some(TOKEN.to_owned()));
    start(settings.expect("a long token"))
}

/// What opening the address with the token answers, and the cookie that it sets.
fn opened(server: &Running, headers: &[(&str, &str)]) -> (Answer, String) {
    let opened = server.get(&format!("/?token={TOKEN}"), headers);
    let cookie = opened.header("set-cookie").expect("a cookie").to_owned();
    (opened, cookie)
}

/// The part of a cookie that a browser sends back.
fn sent(cookie: &str) -> &str {
    cookie.split(';').next().expect("a name and a value")
}

#[test]
fn a_browser_is_sent_on_with_a_cookie() {
    let server = guarded();
    let (opened, cookie) = opened(&server, &[]);
    // The address with the token is not kept, and no page is told of it.
    assert_eq!((opened.status, opened.header("location")), (303, Some("/")));
    assert_eq!(opened.header("cache-control"), Some("no-store"));
    assert_eq!(opened.header("referrer-policy"), Some("no-referrer"));
    let mut flags: Vec<&str> = cookie.split("; ").skip(1).collect();
    flags.sort_unstable();
    assert_eq!(flags, ["HttpOnly", "Path=/", "SameSite=Strict"]);
    assert_eq!(server.get("/", &[("Cookie", sent(&cookie))]).status, 200);
    let both = format!("theme=dark; {}", sent(&cookie));
    assert_eq!(server.get("/", &[("Cookie", &both)]).status, 200);
}

#[test]
fn a_cookie_is_of_one_server() {
    let (server, other) = (guarded(), guarded());
    let (_, cookie) = opened(&server, &[]);
    let (name, value) = sent(&cookie).split_once('=').expect("a name and a value");
    assert_eq!(name, format!("dicec_{}", server.address.port()));
    assert!(!cookie.contains(TOKEN), "{cookie}");
    assert_eq!(value.len(), 64, "256 bits: {cookie}");
    let (_, others) = opened(&other, &[]);
    let (others_name, others_value) = sent(&others).split_once('=').expect("both");
    assert!(name != others_name && value != others_value);
    // The other server has the same token, and takes neither its cookie nor its value.
    let renamed = format!("{others_name}={value}");
    // What is right but for one end, and the token itself, are not the value.
    let longer = format!("{}0", sent(&others));
    let shorter = &sent(&others)[..sent(&others).len() - 1];
    let token = format!("{others_name}={TOKEN}");
    let empty = format!("{others_name}=");
    for cookie in [sent(&cookie), &renamed, &longer, shorter, &token, &empty] {
        let answer = other.get("/", &[("Cookie", cookie)]);
        assert_eq!((answer.status, answer.code().as_str()), (403, "D0541"));
    }
    // The value is not a token either.
    for given in [value, others_value] {
        assert_eq!(other.get(&format!("/?token={given}"), &[]).status, 403);
        let bearer = format!("Bearer {given}");
        let answer = other.get("/", &[("Authorization", &bearer)]);
        assert_eq!(answer.status, 403);
    }
    // What another server at this host set under our name does not hide our cookie.
    let hidden = format!("{renamed}; {}", sent(&others));
    assert_eq!(other.get("/", &[("Cookie", &hidden)]).status, 200);
}

/// A proxy passes the public name on, and says that it was asked with TLS.
#[test]
fn a_proxy_with_a_name_of_its_own() {
    let server = guarded();
    let name = [
        ("Host", "dice.example:8443"),
        ("X-Forwarded-Proto", "https"),
    ];
    let (_, cookie) = opened(&server, &name);
    assert!(cookie.ends_with("; Secure"), "{cookie}");
    let cookie = [("Cookie", sent(&cookie))];
    let asked = |more: &[(&str, &str)]| {
        let headers = [&name[..], &cookie, more].concat();
        server.post("/api/odds", &headers, RULE.as_bytes()).status
    };
    assert_eq!(asked(&[]), 200);
    assert_eq!(asked(&[("Origin", "https://dice.example:8443")]), 200);
    for origin in [
        "https://dice.example",
        "https://dice.example:8444",
        "https://evil.example",
        "https://dice.example:8443.evil.example",
        "null",
    ] {
        assert_eq!(asked(&[("Origin", origin)]), 403, "{origin}");
    }
    // A proxy that names the server instead of itself breaks the page, and not the guard.
    let inner = server.address.to_string();
    let headers = [
        ("Host", inner.as_str()),
        ("Origin", "https://dice.example:8443"),
        cookie[0],
    ];
    let answer = server.post("/api/odds", &headers, RULE.as_bytes());
    assert_eq!(answer.status, 403);
    // Without a token there is no public name.
    let answer = start(settings()).post("/api/odds", &name, RULE.as_bytes());
    assert_eq!(answer.status, 403);
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
    let mut settings = settings();
    settings.body = 1000;
    let server = start(settings);
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
        // Not so much that the server closes the connection before it has come.
        ("too much", 413, server.ask("odds", &" ".repeat(2000))),
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
fn the_page_reads_the_addresses_that_it_links_to() {
    let mut given = settings();
    let [page, documents] = ["https://dice.example/", "https://book.example/a"];
    given.places =
        Places::new(Some(page.to_owned()), Some(documents.to_owned())).expect("addresses");
    let answer = start(given).get("/places.json", &[]);
    let expected = format!("{{\"page\":\"{page}\",\"documents\":\"{documents}\"}}");
    assert_eq!((answer.status, answer.body), (200, expected));
    assert_eq!(start(settings()).get("/places.json", &[]).body, "{}");
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
