//! The workloads by name, with all their variants.

use crate::{hand, peer, plain};
use dicec_compiler::{Backend, Compiler, Program, Sampler, Sampling, Simulation};
use dicec_runtime::driver::Control;
use dicec_runtime::resource::{ResourceName, ResourceTable};
use std::hint::black_box;

/// A resource of the workloads.
pub const STRENGTH: i64 = 4;
/// A resource of the workloads.
pub const TARGET_DEFENSE: i64 = 3;

/// A rule and the same rule by hand.
pub struct Workload {
    /// The rule, and the workload's name.
    pub rule: &'static str,
    /// As a user would write it: `rand`'s `random_range` over the product's generator.
    pub plain: fn(u64) -> Counts,
    /// As an expert would: the product's generator and draws, one word a die, in locals.
    pub hand: fn(u64) -> Counts,
    /// In the crate `xdy`, as far as its language goes.
    pub peer: Option<fn(u64) -> Counts>,
    /// Roughly how many dice a roll takes, to give each measurement the same time.
    pub dice: u64,
}

/// How often each outcome came, from some lowest one on.
pub type Counts = Vec<u64>;

/// All workloads.
pub const WORKLOADS: [Workload; 8] = [
    Workload {
        rule: "3d6",
        plain: plain::three_d6,
        hand: hand::three_d6,
        peer: Some(peer::three_d6),
        dice: 3,
    },
    Workload {
        rule: "2d6+3",
        plain: plain::two_d6_plus_3,
        hand: hand::two_d6_plus_3,
        peer: Some(peer::two_d6_plus_3),
        dice: 2,
    },
    Workload {
        rule: "1d20+7>=15",
        plain: plain::attack,
        hand: hand::attack,
        peer: Some(peer::attack),
        dice: 1,
    },
    Workload {
        rule: "4d6kh3",
        plain: plain::ability,
        hand: hand::ability,
        peer: Some(peer::ability),
        dice: 4,
    },
    Workload {
        rule: "10d10kh5",
        plain: plain::best_half,
        hand: hand::best_half,
        peer: Some(peer::best_half),
        dice: 10,
    },
    Workload {
        rule: "3d6!",
        plain: plain::exploding,
        hand: hand::exploding,
        peer: None,
        dice: 4,
    },
    Workload {
        rule: "100d6",
        plain: plain::hundred_d6,
        hand: hand::hundred_d6,
        peer: Some(peer::hundred_d6),
        dice: 100,
    },
    Workload {
        rule: "(1d8+[S])*2-[Target D]",
        plain: plain::damage,
        hand: hand::damage,
        peer: Some(peer::damage),
        dice: 1,
    },
];

impl Workload {
    /// The rule, compiled as far as programs go.
    pub fn program(&self) -> Program {
        Compiler::new()
            .compile(self.rule)
            .expect("the workloads are rules")
    }
}

/// The resources that the workloads read.
pub fn resources() -> ResourceTable {
    let mut table = ResourceTable::new();
    table.set(ResourceName::parse("S"), STRENGTH);
    table.set(ResourceName::parse("Target D"), TARGET_DEFENSE);
    table
}

/// A compiled variant of a workload, as `dicec sim` runs it.
pub struct Compiled<'p> {
    sampler: Sampler<'p>,
    values: Vec<i64>,
}

impl<'p> Compiled<'p> {
    /// Compiles a workload's program for a back end.
    pub fn new(program: &'p Program, backend: Backend, sampling: Sampling) -> Self {
        let bound = program
            .bind(&resources())
            .expect("the workloads' resources");
        Self {
            sampler: Sampler::specialised(&bound, backend, sampling).expect("native code"),
            values: bound.values().to_vec(),
        }
    }

    /// Runs so many trials on one thread.
    pub fn run(&self, trials: u64) {
        self.run_on(1, trials);
    }

    /// Runs so many trials on so many threads.
    pub fn run_on(&self, threads: usize, trials: u64) {
        let simulation = Simulation {
            threads: Some(threads),
            ..Simulation::trials(trials)
        };
        let result = self
            .sampler
            .run(&self.values, &simulation, &Control::default());
        black_box(result.expect("the workloads do not trap"));
    }
}
