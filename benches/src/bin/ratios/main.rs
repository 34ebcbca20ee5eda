//! The ratios table: hand-written Rust, a peer and dicec on the same work, in one run; all on one
//! core but the last row.
//!
//! `cargo run --release -p dicec-benches --bin ratios [-- --json | --compile | --tables |
//! --scripts [NAME...]]`: with `--scripts` only the corpus of scripts, or those of it that are
//! named, with `--tables` only the table of a script, with `--compile` only how long it takes to
//! compile a fight.

mod exact;
mod latency;
mod report;
mod throughput;

use dicec_benches::corpus::CORPUS;
use dicec_benches::fights::FIGHTS;
use dicec_benches::question::QUESTIONS;
use dicec_benches::workload::WORKLOADS;
use mimalloc::MiMalloc;
use std::process::ExitCode;

const USAGE: &str = "ratios [--json | --compile | --tables | --scripts [NAME...]]";

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        [] => everything().print(),
        ["--json"] => println!("{}", everything().json()),
        ["--compile"] => report::print_fight(latency::fight()),
        ["--tables"] => report::print_tables(&[throughput::measure_table()]),
        ["--scripts", names @ ..] if names.iter().all(|name| is_script(name)) => {
            let wanted = |name: &str| names.is_empty() || names.contains(&name);
            let scripts = CORPUS.iter().filter(|script| wanted(script.name));
            report::print_scripts(&scripts.map(throughput::measure_script).collect::<Vec<_>>());
        }
        ["--scripts", ..] => {
            let names = CORPUS.map(|script| script.name);
            eprintln!("the scripts are {}", names.join(", "));
            return ExitCode::from(2);
        }
        ["--help"] => println!("{USAGE}"),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn is_script(name: &str) -> bool {
    CORPUS.iter().any(|script| script.name == name)
}

fn everything() -> report::Found {
    // First of all, while nothing is warm.
    let cold = latency::compile();
    let rules = WORKLOADS.iter().map(throughput::measure);
    let routines = FIGHTS.iter().map(throughput::measure_fight);
    report::Found {
        throughput: rules.chain(routines).collect(),
        scripts: CORPUS.iter().map(throughput::measure_script).collect(),
        wide: throughput::WIDE.map(throughput::measure_wide).into(),
        tables: vec![throughput::measure_table()],
        exact: QUESTIONS.iter().map(exact::measure).collect(),
        compile: latency::Compile {
            cold,
            warm: latency::warm(),
            fight: latency::fight(),
        },
        few: latency::FEW.map(latency::few).into(),
        threads: latency::threads(),
    }
}
