//! Memory: compiled code is freed, and a simulation's memory does not grow with its length. A
//! process of its own, so that no other test disturbs the measurement.
#![cfg(target_os = "linux")]

use dicec_compiler::{Compiler, Simulation};
use dicec_runtime::resource::ResourceTable;
use dicec_tests::programs::{first, script};
use serde_json::json;

/// The resident memory of this process, in KiB.
fn resident() -> u64 {
    of_status("VmRSS:")
}

fn of_status(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = status.lines().find(|line| line.starts_with(name));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number
        .and_then(|text| text.parse().ok())
        .expect("a number of KiB")
}

/// Hundreds of statistics, of numbers that are far from each other.
fn many_statistics() {
    let stats = (0..300).map(|n| format!("stat(\"s{n}\", roll(d6) * 20000 + roll(d100));"));
    let stats: String = stats.collect();
    let text = format!("defroll \"\" main() {{ {stats} }}");
    let bound = first(&script(&text), &json!({}));
    bound.simulate(&Simulation::trials(1000)).expect("no trap");
}

#[test]
fn compiled_code_is_freed_and_long_runs_stay_small() {
    let before = resident();
    many_statistics();
    // An array of all numbers from the least to the greatest would take 1.6 MB for each.
    let most = of_status("VmHWM:").saturating_sub(before);
    assert!(most < 128 * 1024, "{most} KiB for 300 statistics");

    let cycle = |times: u32| {
        for n in 0..times {
            let program = Compiler::new().rule(&format!("3d6 + {n}")).expect("a rule");
            let bound = program.bind(&ResourceTable::new()).expect("no resources");
            bound.simulate(&Simulation::trials(10)).expect("no trap");
        }
    };
    cycle(100);
    let before = resident();
    cycle(600);
    let grown = resident().saturating_sub(before);
    // A module that is not freed leaks 4 KiB at least.
    assert!(grown < 1024, "600 compilations left {grown} KiB behind");

    let run = |trials| {
        let program = Compiler::new()
            .rule("1d1000000 * 1d1000000")
            .expect("a rule");
        let bound = program.bind(&ResourceTable::new()).expect("no resources");
        bound
            .simulate(&Simulation::trials(trials))
            .expect("no trap");
        resident()
    };
    let short = run(1_500_000);
    let long = run(3_000_000);
    assert!(long < short + 64 * 1024, "{short} KiB, then {long} KiB");
}
