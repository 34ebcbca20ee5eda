//! Sampling: nanoseconds per roll for each variant of a workload, or per trial of a whole routine.

use crate::report::Row;
use dicec_benches::compiler;
use dicec_benches::corpus::{ByHand, Script};
use dicec_benches::fights::{self, Fight, Native};
use dicec_benches::measure::Variant;
use dicec_benches::table;
use dicec_benches::workload::{Compiled, Counts, Summed, Workload};
use dicec_compiler::unstable::{Backend, Sampling};
use dicec_runtime::kernel::Sink;
use std::hint::black_box;

/// Whole groups of lanes. What is left of a group runs on the evaluator, which takes some thousand
/// times as long; a simulation has it at most once.
const GROUPS: u64 = 1 << 10;

pub(crate) fn measure(workload: &Workload) -> Row {
    let program = workload.program();
    let interp = Compiled::new(&program, Backend::Interp, Sampling::Faithful);
    let faithful = Compiled::new(&program, Backend::Jit, Sampling::Faithful);
    let fused = Compiled::new(&program, Backend::Jit, Sampling::Fused);
    let summed = Summed::new(&program);
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
    variants.extend(summed.iter().map(moments));
    variants.extend(workload.peer.map(|peer| by_hand("xdy", peer)));
    Row::new(workload.rule, &variants)
}

/// Rules of ever more different results: up to 4,096 are counted in a table of their own, up to
/// 65,536 in the driver's cells, more go through a buffer.
pub(crate) const WIDE: [&str; 4] = ["1d20*1d20", "1d100*1d100", "1d200*1d200", "1d1000*1d1000"];

/// Counted, and summed up.
pub(crate) fn measure_wide(rule: &'static str) -> Row {
    let program = compiler().rule(rule).expect("a rule");
    let interp = Compiled::new(&program, Backend::Interp, Sampling::Faithful);
    let fused = Compiled::new(&program, Backend::Jit, Sampling::Fused);
    let summed = Summed::new(&program);
    let mut variants = vec![
        Variant::new("interp", |trials| interp.run(trials)),
        Variant::new("jit_fused", |trials| fused.run(trials)),
    ];
    variants.extend(summed.iter().map(moments));
    Row::new(rule, &variants)
}

fn moments(summed: &Summed) -> Variant<'_> {
    Variant::new("jit_moments", |trials| summed.run(trials))
}

pub(crate) fn measure_fight(fight: &Fight) -> Row {
    let script = fight.script();
    let bound = fight.bound(&script);
    let (interp, inputs) = (bound.interpreter_kernel(Sink::Values), bound.resources());
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
        Variant::new("interp", |trials| fights::run(&*interp, inputs, trials)),
        Variant::new("jit_faithful", |trials| faithful.run(trials)),
        Variant::new("jit_fused", |trials| fused.run(trials)).in_units_of(GROUPS),
    ]);
    Row::new(fight.name, &variants)
}

pub(crate) fn measure_script(script: &Script) -> Row {
    let bound = script.bound();
    let known = Native::new(&bound, Sampling::Fused);
    let any = Native::for_any(&bound, Sampling::Fused);
    let sheet = &script.arguments();
    let by_hand = |name, run: ByHand| {
        Variant::new(name, move |trials| {
            black_box(run(black_box(sheet), black_box(trials)).mean());
        })
    };
    let variants = [
        by_hand("plain_rust", script.plain_rust),
        by_hand("hand_scalar", script.hand_scalar),
        Variant::new("jit_any", |trials| any.run(trials)).in_units_of(GROUPS),
        Variant::new("jit_fused", |trials| known.run(trials)).in_units_of(GROUPS),
    ];
    Row::new(script.name, &variants)
}

/// A table of a script, exact and sampled, with its compilation. A trial is a whole table.
pub(crate) fn measure_table() -> Row {
    let rows = &table::rows();
    let plain = |_| {
        let chances = black_box(rows).iter().map(|row| row.convolved());
        black_box(chances.sum::<f64>());
    };
    let ours = |exactly| {
        black_box(table::answered(black_box(rows), exactly));
    };
    let variants = [
        Variant::new("plain_rust", |tables| (0..tables).for_each(plain)),
        Variant::new("dicec_exact", |tables| (0..tables).for_each(|_| ours(true))),
        Variant::new("dicec_sampled", |tables| {
            (0..tables).for_each(|_| ours(false))
        }),
    ];
    Row::new("table_of_scripts", &variants)
}

fn by_hand(name: &'static str, run: fn(u64) -> Counts) -> Variant<'static> {
    Variant::new(name, move |trials| {
        black_box(run(black_box(trials)));
    })
}
