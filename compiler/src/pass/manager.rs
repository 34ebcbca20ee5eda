//! The pass manager: the passes that need only a function and its tables, by name, and the orders
//! in which they run. After each the functions are renumbered, and verified in debug builds.

use super::aggregates::aggregates;
use super::constant_lists::constant_lists;
use super::drawn_lists::drawn_lists;
use super::if_convert::Arms;
use super::shift::shift;
use super::unshift::unshift;
use super::{cse, dce, fold, fold_by_range, forward, if_convert, params, simplify, thread, unroll};
use crate::analysis::{Given, KnownRanges};
use crate::ir::{Function, Module, Tables, verify};

/// The maximum number of choices that stand for a read of a list in scalar code: with more, memory
/// is faster.
const MAX_CHOICES: usize = 4;

/// A pass that needs only the function and the tables that it refers to.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name in `dicec emit` and in filetests.
    pub name: &'static str,
    run: fn(&mut Function, &mut Input<'_>),
}

/// What a pass needs besides the function.
struct Input<'i> {
    tables: &'i Tables,
    ranges: &'i mut KnownRanges,
}

impl Pass {
    /// Replaces records and lists that only their function sees by values.
    pub const AGGREGATES: Pass = Pass::new("aggregates", |function, input| {
        aggregates(function, input.tables, input.ranges, false);
    });
    /// Folds constants and simplifies by the laws of arithmetic.
    pub const FOLD: Pass = Pass::new("fold", |function, input| {
        fold::fold(function, input.tables);
    });
    /// Gives equal computations one value.
    pub const CSE: Pass = Pass::new("cse", |function, _| cse::cse(function));
    /// Gives loads of words whose value is known that value.
    pub const FORWARD: Pass = Pass::new("forward", |function, input| {
        forward::forward(function, input.tables);
    });
    /// Removes checks that cannot fail and comparisons with only one possible result.
    pub const RANGE: Pass = Pass::new("range", |function, input| {
        let ranges = input.ranges.within(function, Given::of(input.tables));
        fold_by_range::fold_by_range(function, &ranges);
    });
    /// Removes instructions and parameters that nothing uses.
    pub const DCE: Pass = Pass::new("dce", |function, _| dce::dce(function));
    /// Makes fewer blocks: skips blocks that only jump, joins a block to its only predecessor.
    pub const SIMPLIFY: Pass = Pass::new("simplify", |function, _| simplify::simplify(function));
    /// Redirects edges past branches whose outcome they determine.
    pub const THREAD: Pass = Pass::new("thread", |function, input| {
        thread::thread(function, Given::of(input.tables), input.ranges);
    });
    /// Turns loops over few numbers that work on memory into their iterations.
    pub const UNROLL: Pass = Pass::new("unroll", |function, input| {
        unroll::unroll(function, Given::of(input.tables), input.ranges);
    });
    /// Gives block parameters that always take the same value that value.
    pub const PARAMS: Pass = Pass::new("params", |function, _| params::params(function));
    /// Turns small branches into selects. It changes which words become which dice, so it is for
    /// fused sampling only, before dice are fused.
    pub const IF_CONVERT: Pass = Pass::new("if_convert", |function, _| {
        if_convert::if_convert(function, Arms::Small);
    });
    /// Removes dice that nothing reads, and anything else that is unused. For fused sampling only.
    pub const DROP_DICE: Pass = Pass::new("drop_dice", |function, _| dce::drop_dice(function));

    /// Turns loops that move the elements of a list by one into one instruction.
    pub const SHIFT: Pass = Pass::new("shift", |function, input| {
        shift(function, Given::of(input.tables), input.ranges);
    });

    /// Makes reads of lists past the shifts of their elements, so that nothing is moved.
    pub const UNSHIFT: Pass = Pass::new("unshift", |function, input| {
        unshift(function, input.tables, input.ranges);
    });
    /// Makes reads of lists of known words a few choices.
    pub const CONSTANT_LISTS: Pass = Pass::new("constant_lists", |function, input| {
        constant_lists(function, input.tables, input.ranges, MAX_CHOICES);
    });

    /// Takes elements that are drawn from lists without moving the others. It changes which rolls
    /// draw which elements, so it is for fused sampling only.
    pub const DRAWN_LISTS: Pass = Pass::new("drawn_lists", |function, input| {
        drawn_lists(function, input.tables, input.ranges);
    });

    /// All passes that keep the meaning, each once.
    pub const ALL: [Pass; 13] = [
        Pass::AGGREGATES,
        Pass::FOLD,
        Pass::CSE,
        Pass::FORWARD,
        Pass::RANGE,
        Pass::DCE,
        Pass::PARAMS,
        Pass::SIMPLIFY,
        Pass::THREAD,
        Pass::UNROLL,
        Pass::SHIFT,
        Pass::UNSHIFT,
        Pass::CONSTANT_LISTS,
    ];

    /// The order in which [`optimise`] runs them. Folding runs again after range analysis, to use
    /// its results.
    pub const PIPELINE: [Pass; 13] = [
        Pass::AGGREGATES,
        Pass::FOLD,
        Pass::PARAMS,
        Pass::CSE,
        Pass::FORWARD,
        Pass::RANGE,
        Pass::FOLD,
        Pass::PARAMS,
        Pass::SIMPLIFY,
        Pass::THREAD,
        Pass::UNROLL,
        Pass::PARAMS,
        Pass::DCE,
    ];

    /// [`Pass::PIPELINE`] for fused sampling: branches become selects before jump threading
    /// duplicates them.
    pub(super) const FUSED_PIPELINE: [Pass; 16] = [
        Pass::AGGREGATES,
        Pass::FOLD,
        Pass::PARAMS,
        Pass::CSE,
        Pass::FORWARD,
        Pass::RANGE,
        Pass::FOLD,
        Pass::PARAMS,
        Pass::SIMPLIFY,
        Pass::IF_CONVERT,
        Pass::SIMPLIFY,
        Pass::PARAMS,
        Pass::THREAD,
        Pass::UNROLL,
        Pass::PARAMS,
        Pass::DROP_DICE,
    ];

    const fn new(name: &'static str, run: fn(&mut Function, &mut Input<'_>)) -> Self {
        Self { name, run }
    }

    /// Runs the pass on all functions of a module and renumbers them.
    pub fn run(self, module: &mut Module) {
        self.run_knowing(module, &mut KnownRanges::default());
    }

    /// The same, if these ranges are known.
    pub(super) fn run_knowing(self, module: &mut Module, ranges: &mut KnownRanges) {
        for function in module.functions.values_mut() {
            let mut input = Input {
                tables: &module.tables,
                ranges,
            };
            (self.run)(function, &mut input);
            function.compact();
        }
        debug_assert_eq!(verify(module), Ok(()), "after {}:\n{module}", self.name);
    }
}
