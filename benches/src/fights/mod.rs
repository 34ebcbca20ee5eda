//! Whole routines: a small attack, `examples/attack.dice`, `examples/duel.dice` and
//! `examples/party.dice` with their sheets, and the same by hand.
//!
//! All variants of the examples read the same sheets at run time, roll the same dice in the same
//! order of events, and count what a simulation counts: lines, statistics, results.

mod by_hand;
mod creature;
pub(crate) mod dice;
mod party;

use crate::compiler;
use crate::hand::{faithful, scalar, simd};
use crate::plain;
use dicec_compiler::unstable::{Backend, Sampling};
use dicec_compiler::{Bound, Program, Sampler, Simulation};
use dicec_runtime::driver::{Control, Extent, Judged, Plan, Workers, simulate};
use dicec_runtime::kernel::Kernel;
use dicec_runtime::resource::ResourceTable;
use dicec_runtime::scale::Scale;
use serde_json::Value;
use std::hint::black_box;

/// A routine.
pub struct Fight {
    /// Its name: that of the script's roll.
    pub name: &'static str,
    text: &'static str,
    sheet: &'static str,
    /// By hand, the names as in the table of rules.
    pub by_hand: &'static [(&'static str, ByHand)],
}

/// A routine in Rust: takes the sheet and the number of trials, returns something that depends on
/// all of them.
pub type ByHand = fn(&Value, u64) -> u64;

/// All of them.
pub const FIGHTS: [Fight; 4] = [
    Fight {
        name: "attack",
        text: include_str!("strike.dice"),
        sheet: "{}",
        by_hand: &[
            ("plain_rust", |_, trials| plain::strike(trials)[0]),
            ("hand_faithful", |_, trials| faithful::strike(trials)[0]),
            ("hand_scalar", |_, trials| scalar::strike(trials)[0]),
            ("hand_simd", |_, trials| simd::strike(trials)[0]),
        ],
    },
    Fight {
        name: "fullattack",
        text: include_str!("attack.dice"),
        sheet: include_str!("attack.json"),
        by_hand: &[
            ("plain_rust", by_hand::full_attack::<dice::Plain>),
            ("hand_scalar", by_hand::full_attack::<dice::Batched>),
        ],
    },
    Fight {
        name: "duel",
        text: include_str!("duel.dice"),
        sheet: include_str!("duel.json"),
        by_hand: &[
            ("plain_rust", by_hand::duel::<dice::Plain>),
            ("hand_scalar", by_hand::duel::<dice::Batched>),
        ],
    },
    Fight {
        name: "fight",
        text: include_str!("../../../examples/party.dice"),
        sheet: include_str!("../../../examples/party.json"),
        by_hand: &[
            ("plain_rust", party::natural::<dice::Plain>),
            ("hand_scalar", party::packed),
        ],
    },
];

impl Fight {
    /// The sheet.
    pub fn arguments(&self) -> Value {
        serde_json::from_str(self.sheet).expect("the sheets are JSON")
    }

    /// The script.
    pub fn script(&self) -> Program {
        let compiled = compiler().script(self.text);
        compiled.unwrap_or_else(|found| panic!("{found:?}"))
    }

    /// The script's roll with its sheet.
    pub fn bound(&self, script: &Program) -> Bound {
        let roll = script.roll(self.name).expect("the script has this roll");
        let args = roll.arguments(&self.arguments()).expect("the sheet fits");
        let bound = roll.bind(args, &ResourceTable::new());
        bound.expect("the scripts read no resources")
    }
}

/// A routine as native code.
pub struct Native {
    bound: Bound,
    sampler: Sampler,
}

impl Native {
    /// Compiles a roll for its arguments.
    pub fn new(bound: &Bound, sampling: Sampling) -> Self {
        let sampler = bound.sampler(&Self::simulation(sampling));
        Self {
            bound: bound.clone(),
            sampler: sampler.expect("native code"),
        }
    }

    /// Compiles a roll for any arguments.
    pub fn for_any(bound: &Bound, sampling: Sampling) -> Self {
        let sampler = bound.sampler_for_any(&Self::simulation(sampling));
        Self {
            bound: bound.clone(),
            sampler: sampler.expect("native code"),
        }
    }

    fn simulation(sampling: Sampling) -> Simulation {
        Simulation::trials(0)
            .seed(42)
            .threads(1)
            .backend(Backend::Jit)
            .sampling(sampling)
    }

    /// Runs `trials` trials, as `dicec sim` on one thread does.
    pub fn run(&self, trials: u64) {
        let sampler = self.sampler.clone().extent(Extent::Trials(trials));
        let got = sampler.run(&self.bound, &Control::default());
        black_box(got.expect("the routines do not trap"));
    }
}

/// Runs `trials` trials of any kernel.
pub fn run(kernel: &dyn Kernel, inputs: &[i64], trials: u64) {
    let plan = Plan {
        extent: Extent::Trials(trials),
        seed: 42,
        workers: Workers::CURRENT,
        judged: Judged::Mean,
        scale: Scale::Whole,
    };
    let result = simulate(kernel, inputs, &plan, &Control::default());
    black_box(result.expect("the routines do not trap"));
}
