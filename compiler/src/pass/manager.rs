//! The pass manager: the passes that need nothing but a function and its tables, by name, and the
//! orders in which they run. After each the functions are renumbered, and verified in debug builds.

use super::{cse, dce, fold, fold_by_range, if_convert, params, simplify, thread};
use crate::analysis::Given;
use crate::ir::{Function, Module, Tables, verify};

/// A pass that needs nothing but the function and what it refers to.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name in `dicec emit` and in filetests.
    pub name: &'static str,
    run: fn(&mut Function, &Tables),
}

impl Pass {
    /// Folds constants and simplifies by the laws of arithmetic.
    pub const FOLD: Pass = Pass::new("fold", fold::fold);
    /// Gives equal computations one value.
    pub const CSE: Pass = Pass::new("cse", |function, _| cse::cse(function));
    /// Removes checks that cannot fire and comparisons that are decided.
    pub const RANGE: Pass = Pass::new("range", |function, tables| {
        fold_by_range::fold_by_range(function, given(tables))
    });
    /// Removes what nobody uses.
    pub const DCE: Pass = Pass::new("dce", |function, _| dce::dce(function));
    /// Makes fewer blocks: skips those that only lead on, joins those that follow alone.
    pub const SIMPLIFY: Pass = Pass::new("simplify", |function, _| simplify::simplify(function));
    /// Leads edges past branches that they decide.
    pub const THREAD: Pass = Pass::new("thread", |function, tables| {
        thread::thread(function, given(tables))
    });
    /// Gives block parameters that always take the same value that value.
    pub const PARAMS: Pass = Pass::new("params", |function, _| params::params(function));
    /// Makes selects of small branches. It changes which words become which dice, so it is for
    /// fused sampling alone, before dice are fused.
    pub const IF_CONVERT: Pass =
        Pass::new("if_convert", |function, _| if_convert::if_convert(function));
    /// Removes dice that nobody looks at, and what else nobody uses. For fused sampling alone as
    /// well.
    pub const DROP_DICE: Pass = Pass::new("drop_dice", |function, _| dce::drop_dice(function));

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

    /// The order in which [`optimise`] runs them: folding again after range analysis uses what that
    /// found.
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
    pub(super) const FUSED_PIPELINE: [Pass; 13] = [
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

    const fn new(name: &'static str, run: fn(&mut Function, &Tables)) -> Self {
        Self { name, run }
    }

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
