//! Processes that answer questions, and go wrong: programs of the system stand for them. That the
//! command's own answers are the same is tested where the command is.

use super::client::{settings, start};
use dicec_serve::{Isolation, Settings};
use std::time::Duration;

/// A server whose questions this program answers.
fn with(program: &str, arguments: &[&str]) -> Settings {
    let mut settings = settings();
    settings.isolation = Some(Isolation {
        program: program.into(),
        arguments: arguments.iter().map(Into::into).collect(),
        environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
    });
    settings
}

const QUESTION: &str = r#"{"rule": "2d6"}"#;

#[test]
fn processes_that_end_or_make_no_sense_are_an_error() {
    for (program, arguments) in [
        ("/bin/sh", &["-c", "exit 0"][..]),
        ("/bin/sh", &["-c", "kill -ABRT $$"]),
        ("/bin/sh", &["-c", "cat > /dev/null; echo nonsense"]),
        ("/bin/sh", &["-c", "echo progress x y"]),
        (
            "/bin/sh",
            &[
                "-c",
                "while :; do echo progress 1 2; done | head -c 200000000",
            ],
        ),
    ] {
        let server = start(with(program, arguments));
        let answer = server.ask("odds", QUESTION);
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (500, "D0545"),
            "{arguments:?}"
        );
    }
}

#[test]
fn a_process_is_ended_when_its_time_is_over() {
    let mut settings = with("/bin/sh", &["-c", "exec sleep 86400"]);
    settings.time = Duration::ZERO;
    let server = start(settings);
    let answer = server.ask("odds", QUESTION);
    assert_eq!((answer.status, answer.code().as_str()), (504, "D0544"));
}

/// The only place is taken by a process without an end: a second question gets it when that is
/// ended, as its client leaves.
#[test]
fn a_process_is_ended_when_the_client_leaves() {
    // Progress is not told in the first tenth of a second.
    let script = r#"read question; case $question in *endless*) sleep 0.3; echo "progress 1 2"; exec sleep 86400;; esac; echo 'result {}'"#;
    let mut settings = with("/bin/sh", &["-c", script]);
    settings.workers = 1;
    settings.time = Duration::from_secs(86_400);
    let server = start(settings);
    let mut first = server.events("sim", "{\"rule\": \"endless\"}\n");
    assert_eq!(first.next().expect("progress").0, "progress");
    drop(first);
    let answer = server.ask("odds", "{\"rule\": \"2d6\"}\n");
    assert_eq!((answer.status, answer.body.as_str()), (200, "{}"));
}

#[test]
fn what_a_process_says_is_passed_on() {
    let script =
        r#"cat > /dev/null; echo 'note {"note":1}'; echo 'wrong 422 {"error":{"code":"D0006"}}'"#;
    let server = start(with("/bin/sh", &["-c", script]));
    let answer = server.ask("odds", QUESTION);
    assert_eq!((answer.status, answer.code().as_str()), (422, "D0006"));
}
