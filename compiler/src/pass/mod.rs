//! IR to IR: one file a pass.
//!
//! Every pass keeps the meaning to the last bit: value, trap, draws and the generator's end state. Only those that fused sampling
//! asks for change which words become which dice, and keep the distribution.
//!
//! ```text
//! a rule    Module --optimise--> --specialise--> Module
//!                            (resources known)
//! a script  Module --optimise--> --share_words--> Module
//!                            (fused sampling, arguments known)
//!
//! optimise  --promote--> --pipeline--> --fuse-->
//!      (arguments known)         (fused sampling)
//! pipeline  fold -> params -> cse -> range -> fold -> params -> simplify -> thread -> params -> dce
//! ```
//!
//! Rules and scripts are fused differently, and that is part of the seed contract: [`optimise`] says how.
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

use crate::ir::{Function, Module, Tables, verify};

pub use fuse::fuse;
pub use interval::Interval;
pub use range::{Given, Ranges, result_range, result_range_of};
pub use reciprocal::Reciprocal;
pub use region::{Part, Region};
pub use share::share_words;
pub use specialise::specialise;
pub use tier::{RESOURCES, VectorForm};

/// The most iterations of the pipeline over a module of known arguments.
const MAX_ITERATIONS: usize = 4;

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

    /// Runs the pass on all functions of a module and renumbers them.
    pub fn run(self, module: &mut Module) {
        for function in module.functions.values_mut() {
            (self.run)(function, &module.tables);
            *function = function.compacted();
        }
        debug_assert_eq!(verify(module), Ok(()), "after {}:\n{module}", self.name);
    }
}

/// What a module's tables say of its numbers.
fn given(tables: &Tables) -> Given {
    Given {
        fuel: tables.limits.fuel,
        ..Given::default()
    }
}

/// Which random words become which dice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// Every die takes a word of its own, in source order, as at the table.
    Faithful,
    /// Several dice may share a word. The odds are the same, exactly; a seed gives other rolls.
    #[default]
    Fused,
}

/// Optimises a module, and fuses its draws if `sampling` asks for it. If the arguments are known, fields that are only read and
/// written at known addresses become values.
///
/// A seed gives other rolls for a rule than for a script with the same dice, and both are pinned. The difference
/// follows from the shape of the module ([`Module::is_script`]):
///
/// * A rule is fused before its resources are known ([`specialise`] comes later), so that a seed gives
///   the same rolls whether they are known or not.
/// * A script is fused after its arguments are known: they decide which branches and dice there are. Its
///   branches become selects first, and dice that nobody reads are dropped.
pub fn optimise(module: &mut Module, sampling: Sampling) {
    let fused = sampling == Sampling::Fused;
    let known = module.tables.known.is_some();
    if known {
        promote::promote(module);
    }
    let passes: &[Pass] = if fused && module.is_script() {
        &Pass::FUSED_PIPELINE
    } else {
        &Pass::PIPELINE
    };
    // What one iteration finds lets the next one find more.
    for _ in 0..if known { MAX_ITERATIONS } else { 1 } {
        let before = module.clone();
        for pass in passes {
            pass.run(module);
        }
        fuel::fuel(module);
        if *module == before {
            break;
        }
    }
    if fused {
        fuse(module);
    }
    debug_assert_eq!(verify(module), Ok(()), "optimised:\n{module}");
}
