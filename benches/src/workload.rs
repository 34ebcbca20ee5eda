//! The workloads by name, with all their variants.

use crate::compiler;
use crate::hand::{faithful, scalar, simd};
use crate::{peer, plain};
use dicec_compiler::unstable::{Backend, Sampling};
use dicec_compiler::{Bound, Program, Sampler, Simulation};
use dicec_native::jit::{JitKernel, VectorKernel};
use dicec_native::{moments_of, vector_moments_of};
use dicec_runtime::driver::{Control, Extent, Judged, Plan, Workers, summarise};
use dicec_runtime::kernel::{Kernel, Sink};
use dicec_runtime::resource::{ResourceName, ResourceTable};
use dicec_runtime::scale::Scale;
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
    /// As an expert would, with the draws of faithful sampling: one word a die.
    pub faithful: fn(u64) -> Counts,
    /// As an expert would: the dice of a roll share words.
    pub scalar: fn(u64) -> Counts,
    /// As an expert would for vectors, if they help.
    pub simd: Option<fn(u64) -> Counts>,
    /// In the crate `xdy`, as far as its language goes.
    pub peer: Option<fn(u64) -> Counts>,
}

/// How often each number occurred, from 0 on; for a check, how often it was true.
pub type Counts = Vec<u64>;

/// The rules that the speed of native code is judged by, by their geometric mean.
pub const JUDGED: [&str; 6] = [
    "3d6",
    "2d6+3",
    "1d20+7>=15",
    "4d6kh3",
    "100d6",
    "(1d8+[S])*2-[Target D]",
];

/// All workloads.
pub const WORKLOADS: [Workload; 8] = [
    Workload {
        rule: "3d6",
        plain: plain::three_d6,
        faithful: faithful::three_d6,
        scalar: scalar::three_d6,
        simd: Some(simd::three_d6),
        peer: Some(peer::three_d6),
    },
    Workload {
        rule: "2d6+3",
        plain: plain::two_d6_plus_3,
        faithful: faithful::two_d6_plus_3,
        scalar: scalar::two_d6_plus_3,
        simd: Some(simd::two_d6_plus_3),
        peer: Some(peer::two_d6_plus_3),
    },
    Workload {
        rule: "1d20+7>=15",
        plain: plain::attack,
        faithful: faithful::attack,
        scalar: scalar::attack,
        simd: Some(simd::attack),
        peer: Some(peer::attack),
    },
    Workload {
        rule: "4d6kh3",
        plain: plain::ability,
        faithful: faithful::ability,
        scalar: scalar::ability,
        simd: Some(simd::ability),
        peer: Some(peer::ability),
    },
    Workload {
        rule: "10d10kh5",
        plain: plain::best_half,
        faithful: faithful::best_half,
        scalar: scalar::best_half,
        simd: Some(simd::best_half),
        peer: Some(peer::best_half),
    },
    Workload {
        rule: "3d6!",
        plain: plain::exploding,
        faithful: faithful::exploding,
        scalar: scalar::exploding,
        simd: None,
        peer: None,
    },
    Workload {
        rule: "100d6",
        plain: plain::hundred_d6,
        faithful: faithful::hundred_d6,
        scalar: scalar::hundred_d6,
        simd: Some(simd::hundred_d6),
        peer: Some(peer::hundred_d6),
    },
    Workload {
        rule: "(1d8+[S])*2-[Target D]",
        plain: plain::damage,
        faithful: faithful::damage,
        scalar: scalar::damage,
        simd: Some(simd::damage),
        peer: Some(peer::damage),
    },
];

impl Workload {
    /// The compiled program of the rule.
    pub fn program(&self) -> Program {
        compiler().rule(self.rule).expect("the workloads are rules")
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
pub struct Compiled {
    bound: Bound,
    sampler: Sampler,
}

impl Compiled {
    /// Compiles a workload's program for a back end.
    pub fn new(program: &Program, backend: Backend, sampling: Sampling) -> Self {
        let bound = program
            .bind(&resources())
            .expect("the workloads' resources");
        let simulation = Simulation::trials(0).backend(backend).sampling(sampling);
        Self {
            sampler: bound.sampler(&simulation).expect("native code"),
            bound,
        }
    }

    /// Runs `trials` trials on one thread.
    pub fn run(&self, trials: u64) {
        self.run_on(1, trials);
    }

    /// Runs a number of trials on a number of threads.
    pub fn run_on(&self, threads: usize, trials: u64) {
        let sampler = self.sampler.clone().extent(Extent::Trials(trials));
        let sampler = sampler.workers(Workers::Threads(threads));
        let result = sampler.run(&self.bound, &Control::default());
        black_box(result.expect("the workloads do not trap"));
    }
}

/// Its native code with fused draws where the sink is moments, whether or not that costs less than
/// to count; `None` where it has none.
pub struct Summed {
    kernel: Box<dyn Kernel>,
    values: Vec<i64>,
}

impl Summed {
    /// Compiles a workload's program for the workloads' resources.
    pub fn new(program: &Program) -> Option<Self> {
        let bound = program
            .bind(&resources())
            .expect("the workloads' resources");
        let values = bound.resources().to_vec();
        let kernel: Box<dyn Kernel> = match bound.specialised_vector_form().expect("no bug") {
            Ok((form, _)) => {
                let sink = Sink::Moments(vector_moments_of(&form)?);
                Box::new(VectorKernel::compile(form.clone(), sink).expect("native code"))
            }
            Err(_) => {
                let (function, _) = bound.specialised(Sampling::Fused).expect("no bug");
                let sink = Sink::Moments(moments_of(&function)?);
                Box::new(JitKernel::compile(function.clone(), sink).expect("native code"))
            }
        };
        Some(Self { kernel, values })
    }

    /// Runs `trials` trials on one thread.
    pub fn run(&self, trials: u64) {
        let plan = Plan {
            extent: Extent::Trials(trials),
            seed: 0,
            workers: Workers::CURRENT,
            judged: Judged::Mean,
            scale: Scale::Whole,
        };
        let kernel = self.kernel.as_ref();
        let result = summarise(kernel, &self.values, &plan, &Control::default());
        black_box(result.expect("the workloads do not trap"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fights::FIGHTS;
    use dicec_lang::hir::Kind;
    use dicec_runtime::pmf::{Limits, Pmf};
    use dicec_runtime::stats::{Tally, chi_square};

    /// Whole blocks of all variants, so that none runs more.
    const TRIALS: u64 = 1 << 16;

    /// A p that nobody will see by chance; seeds are fixed besides.
    const LEAST_P: f64 = 1e-6;

    fn fits(name: &str, counts: &[u64], pmf: &Pmf<f64>) {
        let mut tally = Tally::sparse();
        tally.add_counts(0, counts);
        assert_eq!(tally.count(), TRIALS, "{name}");
        let fit = chi_square(&tally, pmf);
        assert!(fit.p_value > LEAST_P, "{name}: {fit:?}");
    }

    #[test]
    fn rules_by_hand_have_the_odds_of_the_rules() {
        for workload in WORKLOADS {
            let (rule, program) = (workload.rule, workload.program());
            let bound = program.bind(&resources()).expect("the resources");
            let odds = bound.distribution(&Limits::default()).expect("exact odds");
            let alone = [workload.plain, workload.faithful, workload.scalar];
            let others = workload.simd.into_iter().chain(workload.peer);
            for (place, run) in alone.into_iter().chain(others).enumerate() {
                let mut counts = run(TRIALS);
                if program.kind() == Some(Kind::Check) {
                    counts = vec![TRIALS - counts[0], counts[0]];
                }
                fits(&format!("{rule}, variant {place}"), &counts, &odds);
            }
        }
    }

    #[test]
    fn the_attack_by_hand_has_the_odds_of_the_script() {
        let attack = &FIGHTS[0];
        let script = attack.script();
        let odds = attack.bound(&script).solve::<f64>(&Limits::default());
        let odds = odds.expect("exact odds").result.expect("a number");
        let variants = [
            plain::strike,
            faithful::strike,
            scalar::strike,
            simd::strike,
        ];
        for (place, run) in variants.into_iter().enumerate() {
            fits(&format!("attack, variant {place}"), &run(TRIALS), &odds);
        }
    }
}
