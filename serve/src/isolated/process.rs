//! The process that answers one question.

use super::MEMORY;
use crate::response::Refused;
use crate::settings::Settings;
use crate::work::GRACE;
use dicec_api::{Endpoint, Partial, Watch};
use dicec_compiler::Control;
use std::io::{self, Read, Write, stdin, stdout};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// The minimum time between progress messages; partial results take longer.
const TICK: Duration = Duration::from_millis(100);
const PARTIAL: Duration = Duration::from_millis(250);

/// Answers the question of standard input to an endpoint, on standard output, and takes at most
/// a GiB of memory and the time of the settings. It can write no file from then on.
///
/// # Errors
/// Standard input or output fails, or the limits cannot be set. What is wrong with the question is
/// part of the output.
pub fn answer(name: &str, settings: &Settings) -> io::Result<()> {
    hold_to_limits()?;
    let Some(endpoint) = Endpoint::named(name) else {
        return Err(io::Error::other(format!("no endpoint is called {name}")));
    };
    let mut body = Vec::new();
    stdin().take(settings.body as u64).read_to_end(&mut body)?;
    let told = Mutex::new(Instant::now());
    let control = Control::with_progress(move |done, most| {
        if is_time(&told, TICK) {
            // The parent that no longer listens ends this process.
            let _ = tell("progress", &format!("{done} {most}"));
        }
    });
    end_in_time(settings.time, &control);
    let told = Told(Mutex::new(Instant::now()));
    let watch = Watch {
        control: &control,
        partial: Some(&told),
    };
    match dicec_api::answer(endpoint, &body, &settings.bounds, &watch) {
        Ok(reply) => {
            for note in reply.notes() {
                tell("note", &note)?;
            }
            tell("result", &reply.document)?;
        }
        Err(wrong) if wrong.is_cancelled() => {
            tell_wrong(&Refused::out_of_time(settings.time.as_secs()))?;
        }
        Err(wrong) => tell_wrong(&wrong.into())?,
    }
    Ok(())
}

/// Ends work as the server does.
fn end_in_time(time: Duration, control: &Control) {
    let control = control.clone();
    thread::spawn(move || {
        thread::sleep(time);
        control.finish();
        thread::sleep(GRACE);
        control.cancel();
    });
}

#[cfg(unix)]
fn hold_to_limits() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    for (of, most) in [
        (Resource::Data, MEMORY),
        (Resource::Core, 0),
        (Resource::Fsize, 0),
    ] {
        let (current, maximum) = (Some(most), Some(most));
        setrlimit(of, Rlimit { current, maximum })?;
    }
    Ok(())
}

/// Other systems have no such limits.
#[cfg(not(unix))]
fn hold_to_limits() -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

fn tell_wrong(refused: &Refused) -> io::Result<()> {
    let text = format!("{} {}", refused.status().as_u16(), refused.document());
    tell("wrong", &text)
}

/// Writes a line.
fn tell(word: &str, text: &str) -> io::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{word} {text}")?;
    out.flush()
}

/// Whether the last time is long enough ago; then this is the last time.
fn is_time(last: &Mutex<Instant>, after: Duration) -> bool {
    let Ok(mut last) = last.lock() else {
        return false;
    };
    let is_time = last.elapsed() >= after;
    if is_time {
        *last = Instant::now();
    }
    is_time
}

/// The time of the last partial result.
struct Told(Mutex<Instant>);

impl Partial for Told {
    fn is_due(&self) -> bool {
        is_time(&self.0, PARTIAL)
    }

    fn take(&self, document: &str) {
        // As for progress.
        let _ = tell("partial", document);
    }
}
