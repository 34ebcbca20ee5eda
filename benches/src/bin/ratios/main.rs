//! The ratios table: hand-written Rust, a peer and dicec on the same work, in one run; all on one
//! core but the last row.
//!
//! `cargo run --release -p dicec-benches --bin ratios [-- --json]`

mod exact;
mod latency;
mod report;
mod throughput;

use dicec_benches::fights::FIGHTS;
use dicec_benches::question::QUESTIONS;
use dicec_benches::workload::WORKLOADS;

fn main() {
    // First of all, while nothing is warm.
    let cold = latency::compile();
    let rules = WORKLOADS.iter().map(throughput::measure);
    let routines = FIGHTS.iter().map(throughput::measure_fight);
    let found = report::Found {
        throughput: rules.chain(routines).collect(),
        wide: throughput::WIDE.map(throughput::measure_wide).into(),
        exact: QUESTIONS.iter().map(exact::measure).collect(),
        compile: latency::Compile {
            cold,
            warm: latency::warm(),
        },
        few: latency::FEW.map(latency::few).into(),
        threads: latency::threads(),
    };
    if std::env::args().any(|arg| arg == "--json") {
        println!("{}", found.json());
    } else {
        found.print();
    }
}
