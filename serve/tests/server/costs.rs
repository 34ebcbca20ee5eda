//! What a request may cost: its size, its work, its time, and how many there may be.

use super::client::{settings, start};
use std::time::Duration;

/// A simulation that never ends by itself.
const ENDLESS: &str = r#"{"rule": "10d6!", "precision": 1e-12, "seed": 1}"#;

/// Much longer than any test runs.
const LONG: Duration = Duration::from_secs(86_400);

fn endless() -> dicec_serve::Settings {
    let mut settings = settings();
    settings.bounds.trials = u64::MAX;
    settings.time = LONG;
    settings.workers = 1;
    settings
}

#[test]
fn a_large_body_is_refused() {
    let mut settings = settings();
    settings.body = 1000;
    let server = start(settings);
    let rule = format!(r#"{{"rule": "{}1"}}"#, "1+".repeat(600));
    let answer = server.ask("odds", &rule);
    assert_eq!((answer.status, answer.code().as_str()), (413, "D0543"));
}

#[test]
fn scripts_and_encounters_read_no_files() {
    let server = start(settings());
    let script = r#"{"script": "import \"other.dice\";\ndefroll \"x\" x() { return 1; }"}"#;
    let answer = server.ask("check", script);
    assert_eq!((answer.status, answer.code().as_str()), (422, "D0633"));
    let library = r#"{"script": "import std.dnd;\ndefroll \"x\" x() { return roll(d6); }"}"#;
    assert_eq!(server.ask("check", library).status, 200);
    let sides = r#"{"sides": {"functions": "tactics.dice", "sides": [
        {"creatures": [{"creature": "Wolf"}]}, {"creatures": [{"creature": "Goblin"}]}]}}"#;
    let answer = server.ask("encounter", sides);
    assert_eq!((answer.status, answer.code().as_str()), (422, "D0524"));
    assert!(
        answer.body.contains("files are not read here"),
        "{}",
        answer.body
    );
}

#[test]
fn a_script_without_an_end_ends_with_an_error() {
    let server = start(settings());
    let script = r#"{"seed": 1, "script":
        "defroll \"x\" x(n: int = 1) { while (n != 0) { n -= 2; } return n; }"}"#;
    for endpoint in ["roll", "sim"] {
        let answer = server.ask(endpoint, script);
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (422, "D0312"),
            "{endpoint}"
        );
    }
}

#[test]
fn programs_of_anydice_have_bounds() {
    let server = start(settings());
    let loops = "loop X over {1..9999} { loop Y over {1..9999} { A: X*Y } } output A";
    let outputs = "loop X over {1..9999} { output X }";
    for (program, status, code) in [
        (loops, 422, "D0405"),
        (outputs, 400, "D0540"),
        ("output 9^99", 422, "D0810"),
    ] {
        let answer = server.ask("odds", &format!(r#"{{"rule": "{program}"}}"#));
        let found = (answer.status, answer.code());
        assert_eq!(found, (status, code.to_owned()), "{program}");
    }
    // The time ends it, not the budget, which may be the first to end.
    let mut short = settings();
    short.bounds.limits.exact.work = u64::MAX;
    short.time = Duration::ZERO;
    let answer = start(short).ask("odds", &format!(r#"{{"rule": "{loops}"}}"#));
    assert_eq!((answer.status, answer.code().as_str()), (504, "D0544"));
}

#[test]
fn work_that_takes_too_long_ends() {
    let mut settings = endless();
    settings.time = Duration::ZERO;
    let server = start(settings);
    let answer = server.ask("sim", ENDLESS);
    // What it had by then, if it had anything.
    match answer.status {
        200 => assert!(
            answer.body.contains(r#""ended":"interrupted""#),
            "{}",
            answer.body
        ),
        status => assert_eq!((status, answer.code().as_str()), (504, "D0544")),
    }
}

#[test]
fn a_full_queue_is_told_at_once() {
    let mut settings = endless();
    settings.queue = 0;
    let server = start(settings);
    let mut first = server.events("sim", ENDLESS);
    assert_eq!(first.next().expect("progress").0, "progress");
    let answer = server.ask("odds", r#"{"rule": "2d6"}"#);
    assert_eq!((answer.status, answer.code().as_str()), (429, "D0542"));
    assert_eq!(answer.header("retry-after"), Some("1"));
}

/// The only place is taken by work without an end: a second question is answered only if that is
/// cancelled when its client leaves.
#[test]
fn work_is_cancelled_when_the_client_leaves() {
    let server = start(endless());
    let mut first = server.events("sim", ENDLESS);
    assert_eq!(first.next().expect("progress").0, "progress");
    drop(first);
    assert_eq!(server.ask("odds", r#"{"rule": "2d6"}"#).status, 200);
}

#[test]
fn days_are_lived_and_told() {
    let server = start(settings());
    let body = r#"{"day": "2 Veteran: 3 Orc; short rest; 1 Ogre", "trials": 1000, "seed": 1}"#;
    let answer = server.ask("day", body);
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert!(
        answer.body.contains(r#""name":"1 Ogre""#),
        "{}",
        answer.body
    );
    let told = r#"{"day": {"party": "1 Knight", "steps": ["1 Orc"]}, "tell": true, "seed": 1}"#;
    let told = server.ask("day", told);
    assert!(told.body.contains("Fight 1: 1 Orc"), "{}", told.body);
    for (day, code) in [
        ("", "D0540"),
        (r#""day": "4 Veteran""#, "D0524"),
        (
            r#""day": {"party": "4 Gobblin", "steps": ["1 Orc"]}"#,
            "D0524",
        ),
    ] {
        let wrong = server.ask("day", &format!("{{{day}}}"));
        assert_eq!(wrong.code(), code, "{day}");
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    let server = start(settings());
    for (endpoint, body) in [
        ("sim", r#"{"rule": "2d6", "trials": 0}"#),
        ("sim", r#"{"rule": "2d6", "trials": 1000000000000}"#),
        ("sim", r#"{"rule": "2d6", "precision": -1}"#),
        ("odds", r#"{"rule": "2d6", "quantile": [1.5]}"#),
        ("odds", r#"{"rule": "2d6", "between": [[9, 7]]}"#),
        (
            "encounter",
            r#"{"sides": "1 Wolf vs 1 Goblin", "rounds": 0}"#,
        ),
        ("odds", r#"{"rul": "2d6"}"#),
        ("odds", r#"{"rule": 6}"#),
        ("odds", "[]"),
        ("odds", "2d6"),
    ] {
        let answer = server.ask(endpoint, body);
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (400, "D0540"),
            "{body}"
        );
    }
}

/// A small question whose answer compares 40 million results.
#[test]
fn comparisons_without_measure_are_refused() {
    let server = start(settings());
    let others = vec!["1d99998"; 20].join("\", \"");
    let many = format!(r#"{{"rule": "1d99999", "compare": ["{others}"], "summary": true}}"#);
    let answer = server.ask("odds", &many);
    assert_eq!((answer.status, answer.code().as_str()), (400, "D0540"));
    let few = r#"{"rule": "1d99999", "compare": ["1d99998", "3d6"], "summary": true}"#;
    assert_eq!(server.ask("odds", few).status, 200);
}
