//! IR to IR: one file a pass.
//!
//! Every pass keeps the meaning to the last bit: value, trap, draws and the generator's end state. Only [`fuse`], which
//! a caller asks for with fused sampling, changes which words become which dice, and keeps the distribution.
//!
//! ```text
//! Function --fuse--> --specialise--> fold -> cse -> range -> fold -> dce --> Function
//!     (fused sampling) (resources known)
//! ```
//!
//! [`VectorForm`] says how what comes out of fused sampling runs in lanes, if it can.

mod cse;
mod dce;
mod fold;
mod fuel;
mod fuse;
mod interval;
mod params;
mod promote;
mod range;
mod reals;
mod region;
mod specialise;
mod table;
mod tier;

use crate::ir::{Function, Unit, verify, verify_unit};

pub use fuse::{fuse, fuse_unit};
pub use interval::Interval;
pub use range::{Ranges, result_range, result_range_of};
pub use region::{Part, Region};
pub use specialise::specialise;
pub use tier::{RESOURCES, Reciprocal, VectorForm};

/// A pass that needs nothing but the function.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name in `dicec emit` and in filetests.
    pub name: &'static str,
    run: fn(&mut Function),
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
        run: cse::cse,
    };
    /// Removes checks that cannot fire and comparisons that are decided.
    pub const RANGE: Pass = Pass {
        name: "range",
        run: range::apply,
    };
    /// Removes what nobody uses.
    pub const DCE: Pass = Pass {
        name: "dce",
        run: dce::dce,
    };

    /// Gives block parameters that always take the same value that value.
    pub const PARAMS: Pass = Pass {
        name: "params",
        run: params::params,
    };

    /// All of them, each once.
    pub const ALL: [Pass; 5] = [Pass::FOLD, Pass::CSE, Pass::RANGE, Pass::DCE, Pass::PARAMS];

    /// The order in which [`optimise`] runs them: folding again after range analysis uses what that found.
    pub const PIPELINE: [Pass; 7] = [
        Pass::FOLD,
        Pass::PARAMS,
        Pass::CSE,
        Pass::RANGE,
        Pass::FOLD,
        Pass::PARAMS,
        Pass::DCE,
    ];

    /// Runs the pass on all functions of a unit and renumbers them.
    pub fn run_unit(self, unit: &mut Unit) {
        for function in unit.functions.values_mut() {
            (self.run)(function);
            *function = function.compacted();
        }
        debug_assert_eq!(verify_unit(unit), Ok(()), "after {}:\n{unit}", self.name);
    }

    /// Runs the pass on a lone function and renumbers it.
    pub fn run(self, function: &mut Function) {
        (self.run)(function);
        *function = function.compacted();
        debug_assert_eq!(verify(function), Ok(()), "after {}:\n{function}", self.name);
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
    // What the first round finds lets the second one find more.
    optimise_unit(unit);
    optimise_unit(unit);
    fuel::fuel(unit);
    debug_assert_eq!(verify_unit(unit), Ok(()), "with known arguments:\n{unit}");
}

/// Runs the whole pipeline on a lone function.
pub fn optimise(function: &mut Function) {
    for pass in Pass::PIPELINE {
        pass.run(function);
    }
}
