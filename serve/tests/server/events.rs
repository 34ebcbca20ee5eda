//! Answers as events.

use super::client::{settings, start};
use serde_json::Value;

/// A document without what a clock says.
fn timeless(mut document: Value) -> Value {
    let members = document.as_object_mut().expect("an object");
    members.remove("elapsed_ns");
    members.remove("trials_per_second");
    document
}

#[test]
fn the_last_event_is_the_answer() {
    let server = start(settings());
    for (endpoint, body) in [
        ("sim", r#"{"rule": "10d6", "trials": 3000000, "seed": 1}"#),
        ("odds", r#"{"rule": "10d10kh5"}"#),
        (
            "encounter",
            r#"{"sides": "2 Guard vs 3 Goblin", "precision": 0.01, "seed": 1}"#,
        ),
    ] {
        let events: Vec<(String, Value)> = server.events(endpoint, body).collect();
        let (last, before) = events.split_last().expect("a result");
        assert_eq!(last.0, "result", "{endpoint}");
        let names = before.iter().map(|(name, _)| name.as_str());
        assert!(
            names
                .into_iter()
                .all(|name| matches!(name, "progress" | "note"))
        );
        let answer: Value = serde_json::from_str(&server.ask(endpoint, body).body).expect("JSON");
        assert_eq!(timeless(last.1.clone()), timeless(answer), "{endpoint}");
    }
}

#[test]
fn an_error_is_an_event() {
    let server = start(settings());
    let events: Vec<(String, Value)> = server.events("sim", r#"{"rule": "2d"}"#).collect();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].0, "error");
    assert_eq!(events[0].1["error"]["start"], 2);
}

#[test]
fn long_work_tells_what_is_known_so_far() {
    let mut settings = settings();
    settings.bounds.trials = u64::MAX;
    let server = start(settings);
    let endless = r#"{"rule": "10d6!", "precision": 1e-12, "seed": 1}"#;
    let partial = server.events("sim", endless).find_map(|(name, event)| {
        assert_eq!(name, "progress");
        (!event["partial"].is_null()).then_some(event)
    });
    let partial = partial.expect("it goes on until it is known");
    assert_eq!(partial["partial"]["ended"], "interrupted");
    let mean = partial["partial"]["mean"].as_f64().expect("a mean");
    assert!((41.0..43.0).contains(&mean), "{mean}");
}
