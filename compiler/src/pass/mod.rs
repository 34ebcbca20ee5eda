//! IR to IR: one file a pass.
//!
//! Every pass keeps the meaning to the last bit: value, trap, draws and the generator's end state. Only [`fuse`], which
//! a caller asks for with fused sampling, changes which words become which dice, and keeps the distribution.
//!
//! ```text
//! Function --fuse--> --specialise--> fold -> params -> cse -> range -> fold -> params -> simplify -> thread -> params -> dce --> Function
//!     (fused sampling) (resources known)
//! ```
//!
//! [`VectorForm`] says how what comes out of fused sampling runs in lanes, if it can.

mod cone;
mod copy;
mod cost;
mod cse;
mod dce;
mod decide;
mod fold;
mod fuel;
mod fuse;
mod interval;
mod params;
mod promote;
mod range;
mod reals;
mod refine;
mod region;
mod simplify;
mod specialise;
mod table;
mod thread;
mod tier;
mod trips;

use crate::ir::{Function, Tables, Unit, verify, verify_unit};

pub use fuse::{fuse, fuse_unit};
pub use interval::Interval;
pub use range::{Given, Ranges, result_range, result_range_of};
pub use region::{Part, Region};
pub use specialise::specialise;
pub use tier::{RESOURCES, Reciprocal, VectorForm};

/// Rounds over a unit of known arguments.
const MOST_ROUNDS: usize = 4;

/// A pass that needs nothing but the function and what it refers to.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name in `dicec emit` and in filetests.
    pub name: &'static str,
    run: fn(&mut Function, &Tables),
}

impl Pass {
    /// Folds constants and simplifies by the laws of arithmetic.
    pub const FOLD: Pass = Pass {
        name: "fold",
        run: fold::fold,
    };
    /// Gives equal computations one value.
    pub const CSE: Pass = Pass {
        name: "cse",
        run: |function, _| cse::cse(function),
    };
    /// Removes checks that cannot fire and comparisons that are decided.
    pub const RANGE: Pass = Pass {
        name: "range",
        run: |function, tables| decide::decide(function, given(tables)),
    };
    /// Removes what nobody uses.
    pub const DCE: Pass = Pass {
        name: "dce",
        run: |function, _| dce::dce(function),
    };

    /// Makes fewer blocks: skips those that only lead on, joins those that follow alone.
    pub const SIMPLIFY: Pass = Pass {
        name: "simplify",
        run: |function, _| simplify::simplify(function),
    };
    /// Leads edges past branches that they decide.
    pub const THREAD: Pass = Pass {
        name: "thread",
        run: |function, tables| thread::thread(function, given(tables)),
    };

    /// Gives block parameters that always take the same value that value.
    pub const PARAMS: Pass = Pass {
        name: "params",
        run: |function, _| params::params(function),
    };

    /// All of them, each once.
    pub const ALL: [Pass; 7] = [
        Pass::FOLD,
        Pass::CSE,
        Pass::RANGE,
        Pass::DCE,
        Pass::PARAMS,
        Pass::SIMPLIFY,
        Pass::THREAD,
    ];

    /// The order in which [`optimise`] runs them: folding again after range analysis uses what that found.
    pub const PIPELINE: [Pass; 10] = [
        Pass::FOLD,
        Pass::PARAMS,
        Pass::CSE,
        Pass::RANGE,
        Pass::FOLD,
        Pass::PARAMS,
        Pass::SIMPLIFY,
        Pass::THREAD,
        Pass::PARAMS,
        Pass::DCE,
    ];

    /// Runs the pass on all functions of a unit and renumbers them.
    pub fn run_unit(self, unit: &mut Unit) {
        for function in unit.functions.values_mut() {
            (self.run)(function, &unit.tables);
            *function = function.compacted();
        }
        debug_assert_eq!(verify_unit(unit), Ok(()), "after {}:\n{unit}", self.name);
    }

    /// Runs the pass on a lone function and renumbers it.
    pub fn run(self, function: &mut Function) {
        (self.run)(function, &Tables::default());
        *function = function.compacted();
        debug_assert_eq!(verify(function), Ok(()), "after {}:\n{function}", self.name);
    }
}

/// What a unit's tables say of its numbers.
fn given(tables: &Tables) -> Given {
    Given {
        fuel: tables.limits.fuel,
        ..Given::default()
    }
}

/// Runs the whole pipeline on a unit.
pub fn optimise_unit(unit: &mut Unit) {
    for pass in Pass::PIPELINE {
        pass.run_unit(unit);
    }
}

/// Runs the whole pipeline on a unit of known arguments: fields that are read and written at known places alone become values.
pub fn optimise_known(unit: &mut Unit) {
    promote::promote(unit);
    // What one round finds lets the next one find more.
    for _ in 0..MOST_ROUNDS {
        let before = unit.clone();
        optimise_unit(unit);
        fuel::fuel(unit);
        if *unit == before {
            break;
        }
    }
    debug_assert_eq!(verify_unit(unit), Ok(()), "with known arguments:\n{unit}");
}

/// Runs the whole pipeline on a lone function.
pub fn optimise(function: &mut Function) {
    for pass in Pass::PIPELINE {
        pass.run(function);
    }
}
