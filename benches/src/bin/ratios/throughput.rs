//! Sampling: nanoseconds a roll of each variant of a workload, or a trial of a whole routine.

use crate::report::Row;
use dicec_benches::fights::{self, Fight, Native};
use dicec_benches::measure::Variant;
use dicec_benches::workload::{Compiled, Counts, Workload};
use dicec_compiler::{Backend, Sampling};
use serde_json::Value;
use std::hint::black_box;

/// Dice a measurement rolls: about 30 ms at a nanosecond a die.
const DICE: u64 = 30_000_000;

pub(crate) fn measure(workload: &Workload) -> Row {
    let program = workload.program();
    let interp = Compiled::new(&program, Backend::Interp, Sampling::Faithful);
    let faithful = Compiled::new(&program, Backend::Jit, Sampling::Faithful);
    let fused = Compiled::new(&program, Backend::Jit, Sampling::Fused);
    let mut variants = vec![
        variant("plain_rust", 1, by_hand(workload.plain)),
        variant("hand_scalar", 1, by_hand(workload.hand)),
        variant("interp", 10, Box::new(|trials| interp.run(trials))),
        variant("jit_faithful", 1, Box::new(|trials| faithful.run(trials))),
        variant("jit_fused", 1, Box::new(|trials| fused.run(trials))),
    ];
    if let Some(peer) = workload.peer {
        variants.push(variant("xdy", 50, by_hand(peer)));
    }
    Row::new(workload.rule, &variants, DICE / workload.dice)
}

pub(crate) fn measure_fight(fight: &Fight) -> Row {
    let script = fight.script();
    let bound = fight.bound(&script);
    let (interp, inputs) = (bound.interpreter_kernel(), bound.resources());
    let faithful = Native::new(&bound, Sampling::Faithful);
    let fused = Native::new(&bound, Sampling::Fused);
    let sheet = fight.arguments();
    let by_hand = |run: fn(&Value, u64) -> u64| {
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
    Row::new(fight.name, &variants, DICE / fight.dice)
}

fn by_hand(run: fn(u64) -> Counts) -> Box<dyn Fn(u64)> {
    Box::new(move |trials| {
        black_box(run(black_box(trials)));
    })
}

fn variant<'v>(name: &'static str, slowness: u64, run: Box<dyn Fn(u64) + 'v>) -> Variant<'v> {
    Variant {
        name,
        slowness,
        run,
    }
}
