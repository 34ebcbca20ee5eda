//! Progress on a terminal, and Ctrl-C, with a real terminal and a real signal. Nothing waits for a
//! time: the tests read the line of progress until trials are done.

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::process::{Command, Output, Stdio};

/// More than anyone waits for.
const FOREVER: [&str; 4] = ["-n", "1e12", "--threads", "2"];

/// A terminal with this many columns: what a person sees, and the end that a command writes to.
fn terminal(columns: u16) -> rustix::io::Result<(File, File)> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let path = ptsname(&master, Vec::new())?;
    let path = path.to_str().expect("a plain path");
    let slave = OpenOptions::new().read(true).write(true).open(path);
    let slave = slave.expect("it was unlocked");
    let size = Winsize {
        ws_row: 24,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&slave, size)?;
    Ok((master.into(), slave))
}

/// The command as it is called, with standard error on a terminal.
fn on_terminal(args: &[&str], terminal: File) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dicec"));
    command
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .args(args)
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .env_remove("COLUMNS")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(terminal);
    command
}

/// Whether a line of progress says that trials are done: it begins with a spinner, and with their
/// number if the run has no share to show.
fn has_trials(shown: &str) -> bool {
    let mut lines = shown.split(['\r', '\n']);
    lines.any(|line| {
        let counts = line.split(", ").find(|part| part.contains(" of "));
        let count = counts.and_then(|part| part.split(" of ").next());
        count.is_some_and(|count| count.chars().any(|digit| ('1'..='9').contains(&digit)))
    })
}

/// Presses Ctrl-C once some trials are done; returns what was printed, and what the terminal saw.
fn interrupted(args: &[&str]) -> (Output, String) {
    let (mut screen, end) = terminal(100).expect("a terminal");
    let mut command = on_terminal(args, end);
    let child = command.spawn().expect("the command starts");
    // This process would keep the terminal open.
    drop(command);
    let mut shown = String::new();
    let mut bytes = [0; 4096];
    let mut pressed = false;
    // The end of a terminal is an error.
    while let Ok(read @ 1..) = screen.read(&mut bytes) {
        shown += &String::from_utf8_lossy(&bytes[..read]);
        if !pressed && has_trials(&shown) {
            let process = Pid::from_child(&child);
            kill_process(process, Signal::INT).expect("it runs");
            pressed = true;
        }
    }
    let output = child.wait_with_output().expect("it ends");
    assert!(pressed, "{shown}");
    (output, shown)
}

#[test]
fn ctrl_c_ends_a_simulation_with_its_result() {
    let script = [
        "sim",
        "examples/duel.dice",
        "--args",
        "examples/duel.json",
        "--seed",
        "1",
    ];
    let (output, shown) = interrupted(&[&script[..], &FOREVER].concat());
    let text = String::from_utf8(output.stdout).expect("a report");
    assert_eq!(output.status.code(), Some(130), "{shown}");
    assert!(text.starts_with("simulated, "), "{text}");
    assert!(text.contains("P(true) = "), "{text}");
    assert!(text.contains("\nstopped early, after "), "{text}");
}

#[test]
fn ctrl_c_shows_in_json() {
    let rule = ["sim", "--json", "--summary", "40d6kh20!"];
    let (output, shown) = interrupted(&[&rule[..], &FOREVER].concat());
    assert_eq!(output.status.code(), Some(130), "{shown}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["ended"], "interrupted");
    assert!(json["trials"].as_u64().is_some_and(|trials| trials > 0));
    assert!(json["mean"].as_f64().is_some_and(|mean| mean > 80.0));
}

/// What a terminal of this width sees of a simulation.
fn seen(columns: u16, args: &[&str]) -> String {
    let (mut screen, end) = terminal(columns).expect("a terminal");
    let mut command = on_terminal(args, end);
    let child = command.spawn().expect("the command starts");
    drop(command);
    let mut shown = Vec::new();
    let mut bytes = [0; 4096];
    while let Ok(read @ 1..) = screen.read(&mut bytes) {
        shown.extend_from_slice(&bytes[..read]);
    }
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert!(!output.stdout.is_empty());
    String::from_utf8_lossy(&shown).into_owned()
}

/// The line without what moves the cursor or clears.
fn plain(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::new();
    while let Some((before, after)) = rest.split_once('\x1b') {
        plain += before;
        let end = after.find(|letter: char| letter.is_ascii_alphabetic());
        rest = end.map_or("", |end| &after[end + 1..]);
    }
    plain + rest
}

#[test]
fn progress_is_one_line_from_the_start_and_goes_away() {
    for columns in [100, 30, 12] {
        let shown = seen(columns, &["sim", "-n", "200k", "3d6"]);
        let lines = plain(&shown);
        let lines: Vec<&str> = lines.split(['\r', '\n']).collect();
        let first = lines.iter().find(|line| !line.trim().is_empty());
        let first = first.expect("a line even of short work");
        assert!(first.contains("0 %"), "{columns}: {shown:?}");
        for line in &lines {
            assert!(line.chars().count() <= usize::from(columns), "{shown:?}");
        }
        assert!(!shown.contains('\n'), "{columns}: {shown:?}");
        // Nothing is left on the line.
        assert!(
            shown.ends_with("\x1b[2K") || shown.ends_with("\x1b[0J"),
            "{shown:?}"
        );
    }
}

#[test]
fn no_progress_where_there_is_no_terminal() {
    let output = Command::new(env!("CARGO_BIN_EXE_dicec"))
        .args(["sim", "-n", "200k", "3d6"])
        .output()
        .expect("the command starts");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
