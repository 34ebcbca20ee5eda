//! The ratios table: hand-written Rust and dicec on the same work, in one run, on one core.
//!
//! `cargo run --release -p dicec-benches --bin ratios [-- --json]`

use dicec_benches::fights::{self, FIGHTS, Fight, Native};
use dicec_benches::measure::{Variant, medians};
use dicec_benches::workload::{Compiled, WORKLOADS, Workload};
use dicec_compiler::{Backend, Sampling};
use serde_json::{Map, Value, json};
use std::hint::black_box;

/// Dice a measurement rolls: about 30 ms at a nanosecond a die.
const DICE: u64 = 30_000_000;

fn main() {
    let mut rows: Vec<Row> = WORKLOADS.iter().map(measure).collect();
    rows.extend(FIGHTS.iter().map(measure_fight));
    if std::env::args().any(|arg| arg == "--json") {
        println!("{}", as_json(&rows));
    } else {
        print_table(&rows);
    }
}

/// A workload's name and the nanoseconds a roll of each variant.
struct Row {
    rule: &'static str,
    variants: Vec<(&'static str, f64)>,
}

impl Row {
    fn time(&self, name: &str) -> f64 {
        let found = self.variants.iter().find(|(variant, _)| *variant == name);
        found.map_or(f64::NAN, |(_, time)| *time)
    }
}

fn measure(workload: &Workload) -> Row {
    let program = workload.program();
    let interp = Compiled::new(&program, Backend::Interp, Sampling::Faithful);
    let faithful = Compiled::new(&program, Backend::Jit, Sampling::Faithful);
    let fused = Compiled::new(&program, Backend::Jit, Sampling::Fused);
    let by_hand = |run: fn(u64) -> Vec<u64>| {
        Box::new(move |trials| {
            black_box(run(black_box(trials)));
        })
    };
    let variants = [
        variant("plain_rust", 1, by_hand(workload.plain)),
        variant("hand_scalar", 1, by_hand(workload.hand)),
        variant("interp", 10, Box::new(|trials| interp.run(trials))),
        variant("jit_faithful", 1, Box::new(|trials| faithful.run(trials))),
        variant("jit_fused", 1, Box::new(|trials| fused.run(trials))),
    ];
    let times = medians(&variants, DICE / workload.dice);
    Row {
        rule: workload.rule,
        variants: variants.iter().map(|v| v.name).zip(times).collect(),
    }
}

fn measure_fight(fight: &Fight) -> Row {
    let script = fight.script();
    let bound = fight.bound(&script);
    let (interp, inputs) = (bound.interpreter_kernel(), bound.resources());
    let faithful = Native::new(&bound, Sampling::Faithful);
    let fused = Native::new(&bound, Sampling::Fused);
    let sheet = fight.arguments();
    let by_hand = |run: fn(&serde_json::Value, u64) -> u64| {
        let sheet = &sheet;
        Box::new(move |trials| {
            black_box(run(black_box(sheet), black_box(trials)));
        })
    };
    let variants = [
        variant("plain_rust", 1, by_hand(fight.plain)),
        variant("hand_scalar", 1, by_hand(fight.hand)),
        variant(
            "interp",
            50,
            Box::new(|trials| fights::run(&interp, inputs, trials)),
        ),
        variant("jit_faithful", 1, Box::new(|trials| faithful.run(trials))),
        variant("jit_fused", 1, Box::new(|trials| fused.run(trials))),
    ];
    let times = medians(&variants, DICE / fight.dice);
    Row {
        rule: fight.name,
        variants: variants.iter().map(|v| v.name).zip(times).collect(),
    }
}

fn variant<'v>(name: &'static str, slowness: u64, run: Box<dyn Fn(u64) + 'v>) -> Variant<'v> {
    Variant {
        name,
        slowness,
        run,
    }
}

fn as_json(rows: &[Row]) -> Value {
    let workloads = rows.iter().map(|row| {
        let variants = row.variants.iter();
        let times: Map<String, Value> = variants
            .map(|(name, time)| ((*name).to_owned(), json!(time)))
            .collect();
        (row.rule.to_owned(), Value::Object(times))
    });
    json!({ "throughput": workloads.collect::<Map<String, Value>>() })
}

fn print_table(rows: &[Row]) {
    println!(
        "nanoseconds a roll, one core, medians; hand = hand_scalar, one word a die like jit_faithful\n"
    );
    print!("| {:<24} |", "workload");
    for (name, _) in &rows[0].variants {
        print!(" {name:>12} |");
    }
    println!(" {:>13} | {:>12} |", "faithful/hand", "fused/plain");
    println!(
        "|{}|{}",
        "-".repeat(26),
        format!("{:-<14}|", "").repeat(5) + "---------------|--------------|"
    );
    for row in rows {
        print!("| {:<24} |", format!("`{}`", row.rule));
        for (_, time) in &row.variants {
            print!(" {time:>12.2} |");
        }
        let faithful = row.time("hand_scalar") / row.time("jit_faithful");
        let fused = row.time("plain_rust") / row.time("jit_fused");
        println!(
            " {:>13} | {:>12} |",
            format!("{faithful:.2}x"),
            format!("{fused:.2}x")
        );
    }
}
