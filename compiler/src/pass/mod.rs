//! IR to IR: one file a pass.
//!
//! Every pass keeps the meaning to the last bit: value, trap, draws and the generator's end state. Only those that fused sampling
//! asks for change which words become which dice, and keep the distribution.
//!
//! ```text
//! a rule    Function --optimise--> --fuse--> --specialise--> --optimise--> Function
//!                            (fused sampling) (resources known)
//! a script  Unit --promote--> --optimise--> --fuse--> --share_words--> Unit
//!              (arguments known)    (fused sampling, which also optimises with if_convert and drop_dice)
//!
//! optimise  fold -> params -> cse -> range -> fold -> params -> simplify -> thread -> params -> dce
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
mod if_convert;
mod interval;
mod params;
mod promote;
mod range;
mod reals;
mod reciprocal;
mod refine;
mod region;
mod share;
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
pub use reciprocal::Reciprocal;
pub use region::{Part, Region};
pub use share::share_words;
pub use specialise::specialise;
pub use tier::{RESOURCES, VectorForm};

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

    /// Makes selects of small branches. It changes which words become which dice, so it is for fused sampling alone, before dice are
    /// fused.
    pub const IF_CONVERT: Pass = Pass {
        name: "if_convert",
        run: |function, _| if_convert::if_convert(function),
    };

    /// Removes dice that nobody looks at, and what else nobody uses. For fused sampling alone as well.
    pub const DROP_DICE: Pass = Pass {
        name: "drop_dice",
        run: |function, _| dce::drop_dice(function),
    };

    /// All that keep the meaning, each once.
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

    /// [`Pass::PIPELINE`] for fused sampling: arms are joined before threading leads them apart.
    const FUSED_PIPELINE: [Pass; 13] = [
        Pass::FOLD,
        Pass::PARAMS,
        Pass::CSE,
        Pass::RANGE,
        Pass::FOLD,
        Pass::PARAMS,
        Pass::SIMPLIFY,
        Pass::IF_CONVERT,
        Pass::SIMPLIFY,
        Pass::PARAMS,
        Pass::THREAD,
        Pass::PARAMS,
        Pass::DROP_DICE,
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

/// Optimises a script's unit, and fuses its draws if that is asked for. In a unit of known arguments, fields that are read and
/// written at known places alone become values.
pub fn optimise_unit(unit: &mut Unit, fused: bool) {
    let known = unit.tables.known.is_some();
    if known {
        promote::promote(unit);
    }
    let passes: &[Pass] = if fused {
        &Pass::FUSED_PIPELINE
    } else {
        &Pass::PIPELINE
    };
    // What one round finds lets the next one find more.
    for _ in 0..if known { MOST_ROUNDS } else { 1 } {
        let before = unit.clone();
        for pass in passes {
            pass.run_unit(unit);
        }
        fuel::fuel(unit);
        if *unit == before {
            break;
        }
    }
    if fused {
        fuse_unit(unit);
    }
    debug_assert_eq!(verify_unit(unit), Ok(()), "optimised:\n{unit}");
}

/// Runs the whole pipeline on a lone function.
pub fn optimise(function: &mut Function) {
    for pass in Pass::PIPELINE {
        pass.run(function);
    }
}
