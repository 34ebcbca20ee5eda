//! The server's side of a process that answers a question.

use super::{Isolation, MEMORY};
use crate::response::{Answer, Refused};
use crate::work::GRACE;
use axum::http::StatusCode;
use dicec_api::{Endpoint, MAX_DOCUMENT};
use dicec_compiler::Control;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// The interval of checks whether a client still waits for the answer.
const LOOK: Duration = Duration::from_millis(20);

/// The bytes that a child may write: a document, its notes, and an hour of progress.
const MAX_OUTPUT: u64 = 4 * MAX_DOCUMENT as u64;

/// A receiver of progress and of partial results.
pub(crate) trait Hears {
    /// This much of that much is done.
    fn progress(&self, done: u64, most: u64);

    /// An intermediate result.
    fn partial(&self, document: &str);
}

/// Runs a process that answers a question, and ends it if it takes much longer than this time, or
/// if the control is cancelled.
///
/// # Errors
/// The errors in the question, or that the process ended without an answer.
pub(crate) fn answer(
    isolation: &Isolation,
    (endpoint, body): (Endpoint, &[u8]),
    (time, control): (Duration, &Control),
    hears: Option<&dyn Hears>,
) -> Result<Answer, Refused> {
    let mut child = start(isolation, endpoint).map_err(|_| Refused::internal())?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let child = Mutex::new(child);
    let latest = Instant::now() + time + 2 * GRACE;
    let told = thread::scope(|scope| {
        let watcher = scope.spawn(|| watch(&child, control, latest));
        // A child that has ended already says why by its output, or by none.
        let sent = input.map(|mut input| input.write_all(body));
        drop(sent);
        let told = output.and_then(|output| read(output, hears));
        end(&child);
        watcher.thread().unpark();
        told
    });
    match told {
        Some(told) => told,
        None if control.is_cancelled() || Instant::now() >= latest => {
            Err(Refused::out_of_time(time.as_secs()))
        }
        None => Err(Refused::ended(MEMORY)),
    }
}

fn start(isolation: &Isolation, endpoint: Endpoint) -> io::Result<Child> {
    Command::new(&isolation.program)
        .args(&isolation.arguments)
        .arg(endpoint.name())
        .env_clear()
        .envs(isolation.environment.iter().cloned())
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
}

/// Ends a child when no client waits for it, or when its time is up.
fn watch(child: &Mutex<Child>, control: &Control, latest: Instant) {
    while !is_over(child) {
        if control.is_cancelled() || Instant::now() >= latest {
            end(child);
            return;
        }
        thread::park_timeout(LOOK);
    }
}

fn is_over(child: &Mutex<Child>) -> bool {
    match child.lock() {
        Ok(mut child) => !matches!(child.try_wait(), Ok(None)),
        Err(_) => true,
    }
}

/// Ends a child and takes its status, so that no zombie is left.
fn end(child: &Mutex<Child>) {
    if let Ok(mut child) = child.lock() {
        // It may be over already.
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Reads lines up to the answer; nothing if they end before it, or make no sense.
fn read(output: ChildStdout, hears: Option<&dyn Hears>) -> Option<Result<Answer, Refused>> {
    let mut lines = BufReader::new(output.take(MAX_OUTPUT)).lines();
    let mut notes = Vec::new();
    while let Some(Ok(line)) = lines.next() {
        let (word, text) = line.split_once(' ')?;
        match word {
            "progress" => {
                let (done, most) = text.split_once(' ')?;
                let (done, most) = (done.parse().ok()?, most.parse().ok()?);
                hears.inspect(|hears| hears.progress(done, most));
            }
            "partial" => drop(hears.inspect(|hears| hears.partial(text))),
            "note" => notes.push(text.to_owned()),
            "result" => {
                let document = text.to_owned();
                return Some(Ok(Answer { document, notes }));
            }
            "wrong" => {
                let (status, document) = text.split_once(' ')?;
                let status = StatusCode::from_bytes(status.as_bytes()).ok()?;
                return Some(Err(Refused::told(status, document.to_owned())));
            }
            _ => return None,
        }
    }
    None
}
