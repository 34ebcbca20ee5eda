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

#[test]
fn every_response_says_what_a_browser_may_do() {
    let server = start(settings());
    let page = server.get("/", &[]);
    let all = [
        server.ask("odds", RULE),
        server.ask("odds", "{"),
        server.get("/nothing", &[]),
    ];
    for answer in all.iter().chain([&page]) {
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'self'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    }
    assert_eq!(page.status, 200);
    let tag = page.header("etag").expect("a version");
    assert_eq!(server.get("/", &[("If-None-Match", tag)]).status, 304);
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
