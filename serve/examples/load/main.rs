//! A load test: many clients ask a server on this machine for a while. It prints how many answers
//! there were, how long they took, what failed, and the peak memory of the server. Then it does so
//! once more, with some clients that do not mean well in place of good ones.
//!
//! ```text
//! cargo build --release
//! cargo run --release -p dicec-serve --example load -- target/release/dicec 200 60 20
//! ```
//!
//! Flags behind the numbers are given to the server: `--isolate`.

mod hostile;

use std::env;
use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use ureq::Agent;

const USAGE: &str = "load PATH_OF_DICEC [CLIENTS] [SECONDS] [HOSTILE] [FLAG...]";

/// What clients ask, one after the other.
const QUESTIONS: [(&str, &str); 8] = [
    ("check", r#"{"rule": "1d20 + [Attack] >= [Target AC]"}"#),
    ("odds", r#"{"rule": "10d10kh5"}"#),
    (
        "odds",
        r#"{"rule": "8d6 + [Bonus]", "set": {"Bonus": 4}, "ge": [30]}"#,
    ),
    ("odds", r#"{"rule": "2d6+3", "compare": ["1d12+3"]}"#),
    (
        "odds",
        r#"{"rule": "1d20+7 >= [AC]", "sweep": {"AC": "10..25"}}"#,
    ),
    ("roll", r#"{"rule": "4d6kh3"}"#),
    ("sim", r#"{"rule": "10d6", "trials": 100000}"#),
    (
        "encounter",
        r#"{"sides": "2 Guard vs 3 Goblin", "trials": 2000}"#,
    ),
];

/// What a client has seen.
#[derive(Default)]
struct Seen {
    times: Vec<Duration>,
    failures: Vec<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let (path, numbers) = args.split_first().ok_or(USAGE)?;
    let number = |at: usize, usual: u64| match numbers.get(at) {
        Some(text) => text.parse().map_err(|_| format!("`{text}`: {USAGE}")),
        None => Ok(usual),
    };
    let (clients, seconds, hostile) = (number(0, 200)?, number(1, 60)?, number(2, 0)?);
    let flags = numbers.get(3..).unwrap_or_default();
    println!("{clients} clients:");
    run((path, flags), [clients, 0], seconds)?;
    if hostile > 0 {
        let good = clients.saturating_sub(hostile);
        println!("{good} clients and {hostile} hostile ones:");
        run((path, flags), [good, hostile], seconds)?;
    }
    Ok(())
}

/// Good and hostile clients, of each a number, for a while.
fn run(
    (path, flags): (&str, &[String]),
    [good, hostile]: [u64; 2],
    seconds: u64,
) -> Result<(), Box<dyn Error>> {
    let (mut server, address) = serve(path, flags)?;
    let start = Instant::now();
    let end = start + Duration::from_secs(seconds);
    let address = &*address;
    let mut all = Seen::default();
    thread::scope(|scope| {
        for client in 0..hostile {
            scope.spawn(move || hostile::bother(end, address, client as usize));
        }
        let ask = |client| scope.spawn(move || ask_until(end, address, client as usize));
        let clients: Vec<_> = (0..good).map(ask).collect();
        for client in clients {
            let one = client.join().map_err(|_| "a client panicked")?;
            all.times.extend(one.times);
            all.failures.extend(one.failures);
        }
        Ok::<(), &str>(())
    })?;
    report(start.elapsed(), all.times, &all.failures, &server);
    server.kill()?;
    server.wait()?;
    Ok(())
}

/// Starts the server; gives its address.
fn serve(path: &str, flags: &[String]) -> Result<(Child, String), Box<dyn Error>> {
    let mut server = Command::new(path)
        .args(["serve", "--port", "0"])
        .args(flags)
        .stdout(Stdio::piped())
        .spawn()?;
    let output = server.stdout.take().ok_or("the server has no output")?;
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line)?;
    let address = line.trim().strip_prefix("dicec is at ");
    let address = address.ok_or_else(|| format!("the server says `{}`", line.trim()))?;
    Ok((server, address.to_owned()))
}

/// Asks one question after the other.
fn ask_until(end: Instant, address: &str, client: usize) -> Seen {
    let agent: Agent = Agent::config_builder()
        .http_status_as_error(false)
        .build()
        .into();
    let mut seen = Seen::default();
    for (endpoint, body) in QUESTIONS.iter().cycle().skip(client % QUESTIONS.len()) {
        let start = Instant::now();
        if start >= end {
            break;
        }
        let answer = agent.post(format!("{address}api/{endpoint}")).send(*body);
        let text = answer
            .map_err(|error| error.to_string())
            .and_then(|mut answer| {
                let text = answer.body_mut().read_to_string();
                match (answer.status().as_u16(), text) {
                    (200, Ok(text)) => Ok(text),
                    (status, text) => Err(format!("{endpoint}: {status} {text:?}")),
                }
            });
        match text {
            Ok(_) => seen.times.push(start.elapsed()),
            Err(failure) => seen.failures.push(failure),
        }
    }
    seen
}

fn report(elapsed: Duration, mut times: Vec<Duration>, failures: &[String], server: &Child) {
    times.sort_unstable();
    let at = |share: f64| {
        let place = (times.len() as f64 * share) as usize;
        times.get(place.min(times.len().saturating_sub(1)))
    };
    let rate = times.len() as f64 / elapsed.as_secs_f64();
    println!(
        "{} answers in {elapsed:.1?}: {rate:.0} a second",
        times.len()
    );
    for (name, share) in [("half", 0.5), ("99 %", 0.99), ("all", 1.0)] {
        println!(
            "{name} within {:.1?}",
            at(share).copied().unwrap_or_default()
        );
    }
    println!("{} failures", failures.len());
    for failure in failures.iter().take(3) {
        println!("  {failure}");
    }
    // Linux tells the peak of the memory that was resident.
    let status = fs::read_to_string(format!("/proc/{}/status", server.id()));
    let status = status.unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    println!(
        "peak memory of the server: {}",
        peak.unwrap_or("not known").trim()
    );
}
