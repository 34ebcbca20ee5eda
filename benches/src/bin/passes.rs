//! The gain of each pass: how much slower the corpus of scripts and the rules run without it, and
//! how much sooner they are compiled.
//!
//! `cargo run --release -p dicec-benches --bin passes [PASS...]`, on a quiet machine. Each pass is
//! switched off in a process of its own; the least of several rounds counts, so that disturbances
//! do not.

use dicec_benches::corpus::CORPUS;
use dicec_benches::fights::{FIGHTS, Native};
use dicec_benches::workload::{Compiled, WORKLOADS};
use dicec_compiler::Bound;
use dicec_compiler::unstable::{Backend, Sampling};
use dicec_native::pass::Pass;
use mimalloc::MiMalloc;
use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::process::Command;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Whole groups of lanes.
const GROUP: u64 = 1 << 10;
/// The duration of a round, and the number of rounds.
const ROUND: Duration = Duration::from_millis(8);
const ROUNDS: usize = 7;
/// How often all is measured with the pass, and without it.
const TURNS: usize = 2;

/// Nanoseconds a trial, or to compile, by the name of the row.
type Times = BTreeMap<String, f64>;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    if args == ["--measure"] {
        measure();
        return Ok(());
    }
    let all = Pass::ALL.map(|pass| pass.name);
    let passes: Vec<&str> = match args.as_slice() {
        [] => all.into(),
        names => names.iter().map(String::as_str).collect(),
    };
    println!("| pass | slower without it | rows 10 % slower | most | compiled sooner |");
    println!("|---|---|---|---|---|");
    for pass in passes {
        // In turns, so that a machine that becomes slower does so for both.
        let (mut usual, mut without) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            usual.push(times(None)?);
            without.push(times(Some(pass))?);
        }
        print_row(pass, &least(&usual), &least(&without));
    }
    Ok(())
}

/// The times of all rows, measured by a process without a pass.
fn times(without: Option<&str>) -> Result<Times, Box<dyn Error>> {
    let mut child = Command::new(env::current_exe()?);
    child.arg("--measure").env_remove("DICEC_PASSES");
    if let Some(pass) = without {
        child.env("DICEC_PASSES", format!("-{pass}"));
    }
    let output = child.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let text = String::from_utf8(output.stdout)?;
    let rows = text.lines().filter_map(|line| line.split_once('\t'));
    rows.map(|(name, time)| Ok((name.to_owned(), time.parse()?)))
        .collect()
}

fn least(all: &[Times]) -> Times {
    let mut found = Times::new();
    for (name, &time) in all.iter().flatten() {
        let least = found.entry(name.clone()).or_insert(time);
        *least = least.min(time);
    }
    found
}

fn print_row(pass: &str, usual: &Times, without: &Times) {
    let ratios = |part: &str| -> Vec<(f64, String)> {
        let rows = without.iter().filter(|(name, _)| name.starts_with(part));
        rows.filter_map(|(name, time)| Some((time / usual.get(name)?, name.clone())))
            .collect()
    };
    let mean = |ratios: &[(f64, String)]| {
        let logarithms: f64 = ratios.iter().map(|(ratio, _)| libm::log(*ratio)).sum();
        100.0 * (libm::exp(logarithms / ratios.len() as f64) - 1.0)
    };
    let (mut run, compiled) = (ratios("run "), ratios("compile "));
    run.sort_by(|a, b| b.0.total_cmp(&a.0));
    let slower = run.iter().filter(|(ratio, _)| *ratio >= 1.1).count();
    let most = run.iter().take(3).map(|(ratio, name)| {
        let name = name.trim_start_matches("run ");
        format!("{name} {ratio:.2}x")
    });
    println!(
        "| `{pass}` | {:+.1} % | {slower} | {} | {:+.1} % |",
        mean(&run),
        most.collect::<Vec<_>>().join(", "),
        -mean(&compiled),
    );
}

/// Prints the times of all rows.
fn measure() {
    for script in &CORPUS {
        native(script.name, &script.bound());
    }
    for fight in &FIGHTS {
        native(fight.name, &fight.bound(&fight.script()));
    }
    for workload in &WORKLOADS {
        let program = workload.program();
        let compiled = Compiled::new(&program, Backend::Jit, Sampling::Fused);
        let time = trial(|trials| compiled.run(trials));
        println!("run {}\t{time}", workload.rule);
    }
}

/// The kernel for the arguments of a script, and that for any arguments.
fn native(name: &str, bound: &Bound) {
    let start = Instant::now();
    let known = Native::new(bound, Sampling::Fused);
    println!("compile {name}\t{}", start.elapsed().as_nanos());
    println!("run {name}\t{}", trial(|trials| known.run(trials)));
    let any = Native::for_any(bound, Sampling::Fused);
    println!("run {name} (any)\t{}", trial(|trials| any.run(trials)));
}

/// The least time of a trial in several rounds, in nanoseconds.
fn trial(run: impl Fn(u64)) -> f64 {
    let time = |trials: u64| {
        let start = Instant::now();
        run(trials);
        start.elapsed()
    };
    let mut trials = GROUP;
    while time(trials) < ROUND && trials < 1 << 40 {
        trials *= 2;
    }
    let rounds = (0..ROUNDS).map(|_| time(trials));
    let least = rounds.min().unwrap_or_default();
    least.as_nanos() as f64 / trials as f64
}
