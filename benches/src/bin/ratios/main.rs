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

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Some((first, names)) = args.split_first()
        && first == "--scripts"
    {
        let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
        let scripts = CORPUS.iter().filter(|script| wanted(script.name));
        report::print_scripts(&scripts.map(throughput::measure_script).collect::<Vec<_>>());
        return;
    }
    if args.first().is_some_and(|first| first == "--compile") {
        report::print_fight(latency::fight());
        return;
    }
    if args.first().is_some_and(|first| first == "--tables") {
        report::print_tables(&[throughput::measure_table()]);
        return;
    }
    // First of all, while nothing is warm.
    let cold = latency::compile();
    let rules = WORKLOADS.iter().map(throughput::measure);
    let routines = FIGHTS.iter().map(throughput::measure_fight);
    let found = report::Found {
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
    };
    if args.iter().any(|arg| arg == "--json") {
        println!("{}", found.json());
    } else {
        found.print();
    }
}
