//! Unrolling: replaces a loop with few iterations that works on memory by its iterations.
//!
//! Then the indices of each iteration are constants, so that lists can become values
//! ([`super::aggregates`]), and the next iteration knows what was written ([`super::forward`]).
//! Other loops stay: their counters cost next to nothing.

use super::peel::peel;
use crate::analysis::{Given, KnownRanges, counted_loops};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Op};
use cranelift_entity::SecondaryMap;

/// The maximum number of iterations.
const MAX_TIMES: i64 = 16;

/// The same for a loop that only moves words, such as one that fills a list.
const MAX_FILLED: i64 = 64;

/// A function may grow by this many instructions.
const MAX_GROWTH: usize = 1000;

/// Larger functions are not changed.
const MAX_INSTS: usize = 3000;

/// Unrolls the outermost of such loops; the next call finds those inside of them.
pub(super) fn unroll(function: &mut Function, given: Given, known: &mut KnownRanges) {
    if function.live_insts().count() > MAX_INSTS {
        return;
    }
    let mut left = MAX_GROWTH;
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
    for found in loops(function, given, known) {
        let insts = found.body.iter().map(|&block| {
            // A terminator counts as an instruction, too.
            function.blocks[block].insts.len() + 1
        });
        let growth = found.times * insts.sum::<usize>();
        let is_inside = found.body.iter().any(|&block| seen[block]);
        if growth <= left && !is_inside {
            left -= growth;
            found.body.iter().for_each(|&block| seen[block] = true);
            // Range analysis finds out that the remaining loop is dead.
            peel(function, &found.body, found.times);
        }
    }
}

/// A loop that is unrolled.
struct Counted {
    /// Its blocks, the head first.
    body: Vec<Block>,
    /// The maximum number of times that it returns to its header.
    times: usize,
}

/// The loops with few iterations that work on memory; outer loops come before inner ones.
fn loops(function: &Function, given: Given, known: &mut KnownRanges) -> Vec<Counted> {
    let graph = ControlFlow::new(function);
    if !graph.has_loops() {
        return Vec::new();
    }
    let ranges = known.within(function, given);
    let counted = counted_loops(function, &graph, &ranges).into_iter();
    let few = counted.filter(|(body, times)| {
        let most = match fills(function, body) {
            true => MAX_FILLED,
            false => MAX_TIMES,
        };
        (1..=most).contains(times) && body.iter().any(|&block| uses_memory(function, block))
    });
    few.map(|(body, times)| Counted {
        body,
        times: times.unsigned_abs() as usize,
    })
    .collect()
}

fn uses_memory(function: &Function, block: Block) -> bool {
    use Op::{Append, Load, NewList, Peek, Store};
    function.blocks[block].insts.iter().any(|&inst| {
        let op = function.insts[inst].op;
        matches!(op, Append | Load | NewList | Peek | Store)
    })
}

/// Whether a loop of one block stores something, and otherwise only adds and compares.
fn fills(function: &Function, body: &[Block]) -> bool {
    use Op::{Append, Fuel, Iadd, IaddWrap, Iconst, Ilt, Index, Load, Peek, Store};
    let &[block] = body else {
        return false;
    };
    let ops = function.blocks[block].insts.iter();
    let mut ops = ops.map(|&inst| function.insts[inst].op);
    ops.clone().any(|op| matches!(op, Append | Store))
        && ops.all(|op| {
            let moves = matches!(op, Append | Fuel | Index | Load | Peek | Store);
            moves || matches!(op, Iadd | IaddWrap | Iconst | Ilt)
        })
}
