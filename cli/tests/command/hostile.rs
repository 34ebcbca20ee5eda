//! Input that means harm, or looks like it: each ends in a clear error and never in a panic. What
//! is too large to be checked in is made here; smaller cases are transcripts.

use super::dicec;
use std::fs::{self, File};
use std::io::Read;
use std::process::{Command, Stdio};

/// Longer than any clear error.
const MAX_WORDS: usize = 4000;

/// Runs the command and checks that it ends as it should: with an error of this code.
#[track_caller]
fn refused(args: &[&str], stdin: &[u8], code: &str) {
    let output = dicec(args, stdin).expect("the command starts");
    let words = String::from_utf8(output.stderr).expect("errors are text");
    let length = words.len();
    let words: String = words.chars().take(MAX_WORDS).collect();
    assert_eq!(output.status.code(), Some(1), "{words}");
    assert!(words.contains(&format!("[{code}]")), "{words}");
    assert!(!words.contains("panicked") && length < MAX_WORDS, "{words}");
    assert!(output.stdout.is_empty());
}

#[test]
fn ten_thousand_parentheses() {
    let text = "(".repeat(10_000) + "1d6" + &")".repeat(10_000);
    refused(&["-"], text.as_bytes(), "D0402");
    refused(&["odds", &text], b"", "D0402");
    let open = "(".repeat(10_000);
    refused(&["roll", "--", &open], b"", "D0402");
    let signs = "-".repeat(10_000) + "1d6";
    refused(&["check", &signs], b"", "D0402");
}

#[test]
fn a_line_of_a_megabyte() {
    let line = "1d6+".repeat(250_000) + "1";
    refused(&["-"], line.as_bytes(), "D0401");
    refused(
        &["check", "--max-source", "10M", "-"],
        line.as_bytes(),
        "D0403",
    );
    let name = format!("[{}]", "x".repeat(60_000));
    refused(&["odds", "-"], name.as_bytes(), "D0101");
    let digits = "9".repeat(60_000);
    refused(&["odds", "-"], digits.as_bytes(), "D0003");
    let word = "x".repeat(60_000);
    refused(&["odds", "-"], word.as_bytes(), "D0011");
}

#[test]
fn an_endless_file() {
    if cfg!(unix) {
        refused(&["-f", "/dev/zero"], b"", "D0401");
        refused(&["1d6", "--self", "/dev/zero"], b"", "D0501");
    }
    refused(&["-f", "."], b"", "D0501");
}

#[test]
fn an_endless_configuration() {
    if cfg!(unix) {
        let output = Command::new(env!("CARGO_BIN_EXE_dicec"))
            .arg("1d6")
            .env("DICEC_CONFIG", "/dev/zero")
            .output()
            .expect("the command starts");
        let words = String::from_utf8(output.stderr).expect("errors are text");
        assert_eq!(output.status.code(), Some(1), "{words}");
        assert!(words.contains("more than 65536 bytes"), "{words}");
    }
}

#[test]
fn a_full_disk_is_a_failure() {
    if !cfg!(target_os = "linux") {
        return;
    }
    for args in [
        &["--help"][..],
        &["odds", "--help"],
        &["--version"],
        &["odds", "2d6"],
    ] {
        let full = File::options().write(true).open("/dev/full");
        let output = Command::new(env!("CARGO_BIN_EXE_dicec"))
            .args(args)
            .stdout(full.expect("a device of Linux"))
            .output()
            .expect("the command starts");
        let words = String::from_utf8(output.stderr).expect("errors are text");
        assert_eq!(output.status.code(), Some(1), "{args:?}: {words}");
        assert!(words.contains("cannot write to standard output"), "{words}");
    }
}

/// Each of many commands answers another question of one session: no answer is lost.
#[test]
fn writers_of_one_session_lose_nothing() {
    const WRITERS: usize = 12;
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (script, session) = (at("ask.dice"), at("session.json"));
    let options: String = (0..WRITERS)
        .map(|n| format!("if (userOption(\"Question {n}?\")) {{ t += 1; }}\n"))
        .collect();
    let text = format!("defroll \"Ask\" ask() {{ t = 0;\n{options}return t; }}");
    fs::write(&script, text).expect("a script");
    let roll = |choice: Option<usize>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dicec"));
        command.args(["roll", &script, "--session", &session, "--json"]);
        command.env("DICEC_CONFIG", "").stdout(Stdio::piped());
        if let Some(n) = choice {
            command.args(["--choose", &format!("Question {n}?")]);
        }
        command.spawn().expect("the command starts")
    };
    let running: Vec<_> = (0..WRITERS).map(|n| roll(Some(n))).collect();
    for child in running {
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success());
    }
    let last = roll(None).wait_with_output().expect("it ends");
    let document: serde_json::Value = serde_json::from_slice(&last.stdout).expect("JSON");
    assert_eq!(
        document["result"].as_u64(),
        Some(WRITERS as u64),
        "{document}"
    );
}

#[test]
fn binary_junk() {
    let junk: Vec<u8> = (0..4096_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    refused(&["-"], &junk, "D0501");
    refused(&["-"], b"\x00\x01\x02\x1b[31m2d6", "D0002");
    let bidi = "2d6 \u{202e} + \u{2066} 3";
    refused(&["-"], bidi.as_bytes(), "D0002");
}

#[test]
fn numbers_at_their_ends() {
    refused(&["999999999999d6"], b"", "D0404");
    refused(&["1d999999999999"], b"", "D0203");
    refused(&["99999999999999999999999"], b"", "D0003");
    refused(
        &[
            "odds",
            "--exact",
            "--max-dice",
            "10M",
            "10000000d1000000000",
        ],
        b"",
        "D0405",
    );
    refused(&["odds", "9223372036854775807 + 1d6"], b"", "D0301");
}

#[test]
fn many_errors_are_cut_short_for_people_and_whole_for_programs() {
    let text = "$ ".repeat(5_000);
    let args = ["check", "-"];
    let output = dicec(&args, text.as_bytes()).expect("the command starts");
    assert!(output.stderr.len() < 20_000);
    let json = dicec(&["check", "--json", "-"], text.as_bytes()).expect("the command starts");
    let value: serde_json::Value = serde_json::from_slice(&json.stderr).expect("one line of JSON");
    assert_eq!(value["error"]["code"], "D0002");
}

#[test]
fn a_closed_pipe_is_no_failure() {
    for args in [
        ["odds", "200d6"],
        ["odds", "--json"],
        ["completions", "bash"],
    ] {
        let mut args = args.to_vec();
        if args[1] == "--json" {
            args.push("200d6");
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_dicec"))
            .args(&args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        drop(child.stdout.take());
        let mut words = String::new();
        let mut stderr = child.stderr.take().expect("a pipe was asked for");
        stderr.read_to_string(&mut words).expect("errors are text");
        let status = child.wait().expect("it ends");
        assert_eq!((status.code(), words.as_str()), (Some(0), ""), "{args:?}");
    }
}
