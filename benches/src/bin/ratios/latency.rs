//! The time until native code runs, the number of trials at which it pays off, and the speedup from
//! a second thread.

use crate::report::Row;
use dicec_benches::compiler;
use dicec_benches::fights::FIGHTS;
use dicec_benches::measure::{Variant, medians};
use dicec_benches::workload::Compiled;
use dicec_compiler::Simulation;
use dicec_compiler::unstable::{Backend, Sampling};
use std::hint::black_box;
use std::time::Instant;

/// Rules whose few trials are timed: short ones, one with a loop, and one that takes long to
/// interpret.
pub(crate) const FEW: [&str; 5] = ["3d6", "1d20+7>=15", "4d6kh3", "3d6!", "100d6"];

/// The rule of the rest.
const RULE: &str = "3d6";

/// From text to callable native code, in microseconds.
pub(crate) struct Compile {
    /// The first time in the process.
    pub(crate) cold: f64,
    /// When that has been done before.
    pub(crate) warm: f64,
    /// The same of a fight of ten creatures, for any arguments and for known ones.
    pub(crate) fight: [f64; 2],
}

/// Nanoseconds that the trials at which the library changes over to native code for this rule take
/// on either back end, compilation included.
pub(crate) fn few(rule: &'static str) -> Row {
    let program = compiler().rule(rule).expect("a rule");
    let bound = &program.bind_values(&[]).expect("its resources");
    let variants = [("interp", Backend::Interp), ("jit", Backend::Jit)];
    let variants = variants.map(|(name, backend)| {
        let simulation = Simulation::trials(bound.native_from(Sampling::Fused))
            .backend(backend)
            .threads(1);
        Variant::new(name, move |times| {
            for _ in 0..times {
                black_box(bound.simulate(black_box(&simulation))).expect("no traps");
            }
        })
    });
    Row::new(rule, &variants)
}

/// Nanoseconds per roll.
pub(crate) struct Threads {
    pub(crate) one: f64,
    pub(crate) two: f64,
}

/// Compiles once and drops the code; the microseconds until it could have been called.
pub(crate) fn compile() -> f64 {
    let start = Instant::now();
    let program = compiler().rule(black_box(RULE)).expect("a rule");
    let bound = program.bind_values(&[]).expect("its resources");
    let sampler = bound.sampler(
        &Simulation::trials(0)
            .backend(Backend::Jit)
            .sampling(Sampling::Fused),
    );
    let time = start.elapsed();
    black_box(sampler.expect("native code"));
    time.as_nanos() as f64 / 1000.0
}

/// [`Compile::warm`].
pub(crate) fn warm() -> f64 {
    let repeated = Variant::new("warm", |times| {
        for _ in 0..times {
            black_box(compile());
        }
    });
    medians(&[repeated])[0] / 1000.0
}

/// [`Compile::fight`].
pub(crate) fn fight() -> [f64; 2] {
    let fight = FIGHTS.iter().find(|fight| fight.name == "fight");
    let fight = fight.expect("there is one");
    let jit = |trials| Simulation::trials(trials).backend(Backend::Jit).threads(1);
    // The kernel for any arguments is compiled when it runs.
    let any = Variant::new("any", |times| {
        for _ in 0..times {
            let bound = fight.bound(&fight.script());
            black_box(bound.simulate(&jit(1))).expect("no traps");
        }
    });
    let known = Variant::new("known", |times| {
        for _ in 0..times {
            let bound = fight.bound(&fight.script());
            black_box(bound.sampler(&jit(0))).expect("native code");
        }
    });
    let [any, known] = [any, known].map(|variant| medians(&[variant])[0]);
    [any / 1000.0, known / 1000.0]
}

pub(crate) fn threads() -> Threads {
    let program = compiler().rule(RULE).expect("a rule");
    let fused = &Compiled::new(&program, Backend::Jit, Sampling::Fused);
    let [one, two] =
        [1, 2].map(|threads| Variant::new("threads", move |rolls| fused.run_on(threads, rolls)));
    let times = medians(&[one, two]);
    Threads {
        one: times[0],
        two: times[1],
    }
}
