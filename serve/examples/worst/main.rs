//! Looks for the request whose answer takes a server the most time and memory: a search over texts
//! with numbers, which keeps the worst of each endpoint and changes them a little.
//!
//! ```text
//! cargo run --release -p dicec-serve --example worst -- [MINUTES] [SECONDS] [SEED]
//! ```
//!
//! Each request is answered in a process of its own, with the bounds of a server whose questions
//! may take this many seconds (5), and ended in its way when they are over. A process that ends
//! otherwise, or says that this is a fault of ours, is reported at once.

mod requests;

use dicec_api::{Endpoint, Watch, answer};
use dicec_compiler::Control;
use dicec_runtime::rng::Stream;
use dicec_serve::Settings;
use requests::Request;
use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::fs;
use std::io::{Read, Write, stdin};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// As in `work.rs` of the server.
const GRACE: Duration = Duration::from_secs(2);

/// How many of each endpoint are kept and changed.
const KEPT: usize = 6;

/// What an answer took.
#[derive(Clone, Debug)]
struct Cost {
    seconds: f64,
    megabytes: f64,
    what: String,
}

/// A request and its cost, by time or by memory.
type Worst = Vec<(Cost, Request)>;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    if args.first().is_some_and(|first| first == "--answer") {
        return answer_one(&args[1], args[2].parse()?);
    }
    let number = |at: usize, usual: u64| args.get(at).map_or(Ok(usual), |text| text.parse());
    let (minutes, seconds, seed) = (number(0, 5)?, number(1, 5)?, number(2, 1)?);
    let end = Instant::now() + Duration::from_secs(60 * minutes);
    let mut stream = Stream::from_seed(seed);
    let mut worst: HashMap<(&str, bool), Worst> = HashMap::new();
    let mut asked = 0;
    while Instant::now() < end {
        let request = next(&worst, &mut stream);
        let body = request.body();
        let cost = measured(request.endpoint, &body, seconds)?;
        asked += 1;
        if cost.what.contains("D0900") || cost.what.contains("ended") {
            println!(
                "FAULT {} {}: {}",
                request.endpoint.name(),
                cost.what,
                shortened(&body)
            );
        }
        for by_time in [true, false] {
            let kept = worst.entry((request.endpoint.name(), by_time)).or_default();
            kept.push((cost.clone(), request.clone()));
            let figure = |cost: &Cost| {
                if by_time {
                    cost.seconds
                } else {
                    cost.megabytes
                }
            };
            kept.sort_by(|(one, _), (other, _)| figure(other).total_cmp(&figure(one)));
            kept.truncate(KEPT);
        }
    }
    println!("{asked} requests, each with {seconds} s and then {GRACE:?}");
    for ((endpoint, by_time), kept) in worst {
        for (cost, request) in kept.iter().take(3) {
            let by = if by_time { "time" } else { "memory" };
            let Cost {
                seconds,
                megabytes,
                what,
            } = cost;
            let body = shortened(&request.body());
            println!("{endpoint} by {by}: {seconds:.2} s, {megabytes:.0} MB, {what}: {body}");
        }
    }
    Ok(())
}

/// A new request, or one that is like one of the worst.
fn next(worst: &HashMap<(&str, bool), Worst>, stream: &mut Stream) -> Request {
    let random = Request::random(stream);
    if stream.word().is_multiple_of(3) {
        return random;
    }
    let by_time = stream.word().is_multiple_of(2);
    let Some(kept) = worst.get(&(random.endpoint.name(), by_time)) else {
        return random;
    };
    let place = (stream.word() % kept.len() as u64) as usize;
    kept[place].1.changed(stream)
}

/// Answers a request in a process of its own.
fn measured(endpoint: Endpoint, body: &str, seconds: u64) -> Result<Cost, Box<dyn Error>> {
    let mut child = Command::new(env::current_exe()?)
        .args(["--answer", endpoint.name(), &seconds.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(body.as_bytes())?;
    drop(input);
    let start = Instant::now();
    let output = child.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut cells = text.splitn(3, ' ');
    let figure = |cell: Option<&str>| cell.and_then(|cell| cell.parse().ok());
    match (figure(cells.next()), figure(cells.next()), cells.next()) {
        (Some(seconds), Some(megabytes), Some(what)) => {
            let what = what.trim().to_owned();
            Ok(Cost {
                seconds,
                megabytes,
                what,
            })
        }
        _ => Ok(Cost {
            seconds: start.elapsed().as_secs_f64(),
            megabytes: 0.0,
            what: format!("ended with {}", output.status),
        }),
    }
}

/// The child: answers the request of standard input, and prints what that took.
fn answer_one(endpoint: &str, seconds: u64) -> Result<(), Box<dyn Error>> {
    let mut body = Vec::new();
    stdin().read_to_end(&mut body)?;
    let endpoint = Endpoint::named(endpoint).ok_or("an endpoint")?;
    let control = Control::default();
    let bounds = Settings::local(0).bounds;
    let ends = control.clone();
    thread::spawn(move || {
        thread::sleep(Duration::from_secs(seconds));
        ends.finish();
        thread::sleep(GRACE);
        ends.cancel();
    });
    let start = Instant::now();
    let answered = answer(endpoint, &body, &bounds, &Watch::unseen(&control));
    let took = start.elapsed().as_secs_f64();
    let what = match answered {
        Ok(reply) => format!("{} bytes", reply.document.len()),
        Err(wrong) => wrong.document().chars().take(90).collect(),
    };
    println!("{took:.3} {:.1} {what}", peak());
    Ok(())
}

/// The peak memory of this process, in megabytes.
fn peak() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}

fn shortened(body: &str) -> String {
    match body.char_indices().nth(300) {
        Some((end, _)) => format!("{}... ({} bytes)", &body[..end], body.len()),
        None => body.to_owned(),
    }
}
