//! Memory: compiled code is freed, and a simulation's memory does not grow with its length. A
//! process of its own, so that no other test disturbs the measurement.
#![cfg(target_os = "linux")]

use dicec_compiler::{Compiler, Simulation};
use dicec_runtime::resource::ResourceTable;

/// The resident memory of this process, in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number
        .and_then(|text| text.parse().ok())
        .expect("a number of KiB")
}

#[test]
fn compiled_code_is_freed_and_long_runs_stay_small() {
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
