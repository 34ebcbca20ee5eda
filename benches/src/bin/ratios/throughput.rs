//! Sampling: nanoseconds a roll of each variant of a workload, or a trial of a whole routine.

use crate::report::Row;
use dicec_benches::fights::{self, Fight, Native};
use dicec_benches::measure::Variant;
use dicec_benches::workload::{Compiled, Counts, Workload};
use dicec_compiler::{Backend, Sampling};
use std::hint::black_box;

pub(crate) fn measure(workload: &Workload) -> Row {
    let program = workload.program();
    let interp = Compiled::new(&program, Backend::Interp, Sampling::Faithful);
    let faithful = Compiled::new(&program, Backend::Jit, Sampling::Faithful);
    let fused = Compiled::new(&program, Backend::Jit, Sampling::Fused);
    let mut variants = vec![
        by_hand("plain_rust", workload.plain),
        by_hand("hand_faithful", workload.faithful),
        by_hand("hand_scalar", workload.scalar),
    ];
    variants.extend(workload.simd.map(|simd| by_hand("hand_simd", simd)));
    variants.extend([
        Variant::new("interp", |trials| interp.run(trials)),
        Variant::new("jit_faithful", |trials| faithful.run(trials)),
        Variant::new("jit_fused", |trials| fused.run(trials)),
    ]);
    variants.extend(workload.peer.map(|peer| by_hand("xdy", peer)));
    Row::new(workload.rule, &variants)
}

pub(crate) fn measure_fight(fight: &Fight) -> Row {
    let script = fight.script();
    let bound = fight.bound(&script);
    let (interp, inputs) = (bound.interpreter_kernel(), bound.resources());
    let faithful = Native::new(&bound, Sampling::Faithful);
    let fused = Native::new(&bound, Sampling::Fused);
    let sheet = &fight.arguments();
    let by_hand = fight.by_hand.iter().map(|(name, run)| {
        Variant::new(name, move |trials| {
            black_box(run(black_box(sheet), black_box(trials)));
        })
    });
    let mut variants: Vec<_> = by_hand.collect();
    variants.extend([
        Variant::new("interp", |trials| fights::run(&interp, inputs, trials)),
        Variant::new("jit_faithful", |trials| faithful.run(trials)),
        Variant::new("jit_fused", |trials| fused.run(trials)),
    ]);
    Row::new(fight.name, &variants)
}

fn by_hand(name: &'static str, run: fn(u64) -> Counts) -> Variant<'static> {
    Variant::new(name, move |trials| {
        black_box(run(black_box(trials)));
    })
}
