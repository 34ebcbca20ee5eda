//! The table of passes, by name, and the pipeline that every module runs. Passes that prepare a
//! script for lanes are in [`super::lane_passes`].

use super::aggregates::aggregates;
use super::constant_lists::constant_lists;
use super::contract::Pass;
use super::drawn_lists::drawn_lists;
use super::if_convert::Arms;
use super::scalar_replacement::scalar_replacement;
use super::shift::shift;
use super::unshift::unshift;
use super::{
    cse, dce, fold, fold_by_range, forward, fuel, fuse, if_convert, params, share, simplify,
    specialise, thread, unroll,
};
use crate::analysis::Given;

/// The maximum number of selects that replace a read of a list in scalar code; with more, memory is
/// faster.
const MAX_CHOICES: usize = 4;

impl Pass {
    /// Replaces records and lists that do not escape their function by values.
    pub const AGGREGATES: Pass = Pass::each("aggregates", |function, tables, known| {
        aggregates(function, tables, &mut known.ranges, false);
    });
    /// Folds constants and simplifies by the laws of arithmetic.
    pub const FOLD: Pass = Pass::each("fold", |function, tables, _| fold::fold(function, tables));
    /// Common subexpression elimination.
    pub const CSE: Pass = Pass::each("cse", |function, _, _| cse::cse(function));
    /// Store-to-load forwarding.
    pub const FORWARD: Pass = Pass::each("forward", |function, tables, _| {
        forward::forward(function, tables);
    });
    /// Removes checks that cannot fail and comparisons with only one possible result.
    pub const RANGE: Pass = Pass::each("range", |function, tables, known| {
        let ranges = known.ranges.within(function, Given::of(tables));
        fold_by_range::fold_by_range(function, &ranges);
    });
    /// Dead code elimination: instructions and parameters without uses.
    pub const DCE: Pass = Pass::each("dce", |function, _, _| dce::dce(function));
    /// Makes fewer blocks: skips blocks that only jump, joins a block to its only predecessor.
    pub const SIMPLIFY: Pass =
        Pass::each("simplify", |function, _, _| simplify::simplify(function));
    /// Redirects edges past branches whose outcome they determine.
    pub const THREAD: Pass = Pass::each("thread", |function, tables, known| {
        thread::thread(function, Given::of(tables), &mut known.ranges);
    });
    /// Unrolls loops with few iterations that work on memory.
    pub const UNROLL: Pass = Pass::each("unroll", |function, tables, known| {
        unroll::unroll(function, Given::of(tables), &mut known.ranges);
    });
    /// Removes block parameters that always take the same value.
    pub const PARAMS: Pass = Pass::each("params", |function, _, _| params::params(function));
    /// Turns loops that move the elements of a list by one into one instruction.
    pub const SHIFT: Pass = Pass::each("shift", |function, tables, known| {
        shift(function, Given::of(tables), &mut known.ranges);
    });
    /// Makes reads of lists account for earlier shifts, so that no elements move.
    pub const UNSHIFT: Pass = Pass::each("unshift", |function, tables, known| {
        unshift(function, tables, &mut known.ranges);
    });
    /// Replaces reads of lists of known words by a few selects.
    pub const CONSTANT_LISTS: Pass = Pass::each("constant_lists", |function, tables, known| {
        constant_lists(function, tables, &mut known.ranges, MAX_CHOICES);
    });
    /// Makes fields of known arguments values, if they are accessed only at known addresses.
    pub const SCALAR_REPLACEMENT: Pass = Pass::whole("scalar_replacement", |module, _| {
        scalar_replacement(module, None);
    });
    /// Removes fuel accounting that cannot run out.
    pub const FUEL: Pass = Pass::whole("fuel", |module, _| fuel::fuel(module));
    /// Makes known resources constants; draws do not change.
    pub const SPECIALISE: Pass = Pass::whole("specialise", |module, known| {
        specialise::replace(module, &known.resources);
    });

    /// Turns small branches into selects, and rolls the dice of both arms.
    pub const IF_CONVERT: Pass = Pass::each("if_convert", |function, _, _| {
        if_convert::if_convert(function, Arms::Small);
    })
    .redraws();
    /// Removes unused dice, and everything else without uses.
    pub const DROP_DICE: Pass =
        Pass::each("drop_dice", |function, _, _| dce::drop_dice(function)).redraws();
    /// Removes drawn elements from lists without moving the others (swap-remove): the same rolls
    /// draw other elements.
    pub const DRAWN_LISTS: Pass = Pass::each("drawn_lists", |function, tables, known| {
        drawn_lists(function, tables, &mut known.ranges);
    })
    .redraws();
    /// Fuses a check of known dice into one Bernoulli draw.
    pub const BERNOULLI: Pass =
        Pass::whole("bernoulli", |module, _| fuse::bernoulli(module)).redraws();
    /// Fuses subexpressions of dice into one draw each.
    pub const DRAW: Pass = Pass::whole("draw", |module, _| fuse::draw(module)).redraws();
    /// Takes several dice of a pool from one random word.
    pub const PACK: Pass = Pass::each("pack", |function, _, _| fuse::pack(function)).redraws();
    /// Takes the dice of a block from random words that they share.
    pub const SHARE: Pass = Pass::each("share", |function, _, _| share::share(function)).redraws();

    /// All passes, each once.
    pub const ALL: [Pass; 41] = [
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
        Pass::SCALAR_REPLACEMENT,
        Pass::FUEL,
        Pass::SPECIALISE,
        Pass::IF_CONVERT,
        Pass::DROP_DICE,
        Pass::DRAWN_LISTS,
        Pass::BERNOULLI,
        Pass::DRAW,
        Pass::PACK,
        Pass::SHARE,
        Pass::USUAL_RANGE,
        Pass::CONSTANT_LISTS_IN_LANES,
        Pass::AGGREGATES_IN_LANES,
        Pass::PLACE_OBJECTS,
        Pass::WORDS,
        Pass::KEYED,
        Pass::GUARDED,
        Pass::IF_CONVERT_IN_LANES,
        Pass::CHOICES,
        Pass::JOINED_TEXTS,
        Pass::SENTINELS,
        Pass::SELECTS,
        Pass::BALANCE,
        Pass::LABELS,
        Pass::SINGLE_RETURN,
        Pass::RARE_LOOPS,
        Pass::FEW_DICE,
        Pass::EXCLUSIVE_DICE,
    ];

    /// The order in which [`optimise`](super::optimise) runs them. Folding runs again after range
    /// analysis, to use its results.
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
}

#[cfg(test)]
mod tests {
    use super::Pass;

    /// [`Pass::number`] relies on it.
    #[test]
    fn the_table_has_all_passes() {
        let sources = [include_str!("manager.rs"), include_str!("lane_passes.rs")];
        let lines = sources
            .iter()
            .flat_map(|source| source.lines().map(str::trim_start));
        let public = lines.filter_map(|line| line.strip_prefix("pub const "));
        let constants = public.filter(|rest| rest.contains(": Pass ="));
        assert_eq!(constants.count(), Pass::ALL.len());
        for (number, pass) in Pass::ALL.into_iter().enumerate() {
            assert_eq!(pass.number(), number, "{} is there twice", pass.name);
        }
    }
}
