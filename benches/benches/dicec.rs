//! Criterion groups: compile, backends, exact, batch.
#![allow(
    missing_docs,
    reason = "criterion's macros make undocumented functions"
)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dicec_benches::compiler;
use dicec_benches::workload::{Compiled, WORKLOADS, resources};
use dicec_compiler::unstable::{Backend, Sampling};
use dicec_native::best_sink;
use dicec_native::jit::JitKernel;
use dicec_runtime::pmf::Limits;
use dicec_runtime::resource::{ResourceName, ResourceTable};
use std::hint::black_box;

fn compile(c: &mut Criterion) {
    let mut group = c.benchmark_group("compile");
    for workload in WORKLOADS {
        group.bench_function(format!("program {}", workload.rule), |b| {
            b.iter(|| compiler().rule(black_box(workload.rule)));
        });
        let program = workload.program();
        let bound = program
            .bind(&resources())
            .expect("the workloads' resources");
        group.bench_function(format!("native {}", workload.rule), |b| {
            b.iter(|| {
                let (module, _) = bound.specialised(Sampling::Faithful).expect("no bug");
                let sink = best_sink(&module);
                JitKernel::compile(module, sink)
            });
        });
    }
    group.finish();
}

fn backends(c: &mut Criterion) {
    const TRIALS: u64 = 1 << 16;
    let mut group = c.benchmark_group("backends");
    group.throughput(Throughput::Elements(TRIALS));
    for workload in WORKLOADS {
        let program = workload.program();
        for (name, backend, sampling) in [
            ("interp", Backend::Interp, Sampling::Faithful),
            ("jit faithful", Backend::Jit, Sampling::Faithful),
            ("jit fused", Backend::Jit, Sampling::Fused),
        ] {
            let compiled = Compiled::new(&program, backend, sampling);
            let name = format!("{name} {}", workload.rule);
            group.bench_function(name, |b| b.iter(|| compiled.run(TRIALS)));
        }
    }
    group.finish();
}

fn exact(c: &mut Criterion) {
    let mut group = c.benchmark_group("exact");
    for rule in [
        "3d6",
        "100d6",
        "30d6",
        "(1d4)d6",
        "1d20+5 > 1d20+4",
        "2d6*1d8/3",
    ] {
        let program = compiler().rule(rule).expect("a rule");
        let bound = program.bind(&ResourceTable::new()).expect("no resources");
        group.bench_function(format!("decimal {rule}"), |b| {
            b.iter(|| bound.distribution(&Limits::default()));
        });
        group.bench_function(format!("fractions {rule}"), |b| {
            b.iter(|| bound.fractions(&Limits::default()));
        });
    }
    group.finish();
}

/// What a row of a table costs: a new tuple of resources for a rule that is compiled already.
fn batch(c: &mut Criterion) {
    let mut group = c.benchmark_group("batch");
    group.throughput(Throughput::Elements(1));
    let rule = "1d20 + [Attack] >= [Target Defense]";
    let program = compiler().rule(rule).expect("a rule");
    let mut table = ResourceTable::new();
    table.set(ResourceName::parse("Attack"), 6);
    table.set(ResourceName::parse("Target Defense"), 15);
    let bound = program.bind(&table).expect("both resources");
    group.bench_function("exact row", |b| {
        b.iter(|| {
            let row = program.bind_values(black_box(bound.resources()));
            row.expect("two resources").distribution(&Limits::default())
        });
    });
    group.finish();
}

criterion_group!(benches, compile, backends, exact, batch);
criterion_main!(benches);
