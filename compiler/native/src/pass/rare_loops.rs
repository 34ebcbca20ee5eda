//! Peels loops that few trials enter more than once or twice, such as those of exploding dice: in
//! lanes, the dice of the first iterations are drawn with the others, and the loop itself is
//! entered only by the few groups with a trial that goes on.
//!
//! ```text
//! branch v0 == 6, loop(v0), end(v0)         ; a die that explodes, of which one in six does
//! ; becomes, twice:
//! branch v0 == 6, first(v0), end(v0)
//! first(v1):
//!     v2 = pool 1 6
//!     v3 = iadd_wrap v1, v2
//!     branch v2 == 6, loop(v3), end(v3)
//! ```
//!
//! A trial draws the same words; lanes, which draw the dice of several blocks together, draw
//! others.

use super::peel::peel;
use crate::analysis::{innermost_loops, odds};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Terminator};

/// A loop is rare if one trial in 200 enters it: then a group of eight trials with three such dice
/// enters one of them once in ten times.
const RARE: f64 = 1.0 / 200.0;

/// The maximum number of peeled iterations.
const MAX_TIMES: usize = 4;

/// A function may grow by this many instructions.
const MAX_GROWTH: usize = 500;

/// Peels loops that are rarely repeated; returns whether there are any.
pub(super) fn write_out(function: &mut Function) -> bool {
    let graph = ControlFlow::new(function);
    if !graph.has_loops() {
        return false;
    }
    let mut left = MAX_GROWTH;
    for body in innermost_loops(&graph) {
        let Some(again) = odds_of_another(function, &graph, &body) else {
            continue;
        };
        let times = times(again);
        let insts = body.iter().map(|&block| function.blocks[block].insts.len());
        let growth = times * insts.sum::<usize>();
        if growth <= left {
            left -= growth;
            peel(function, &body, times);
        }
    }
    left < MAX_GROWTH
}

/// An upper bound on the probability that an iteration is followed by another one, if it is known
/// and not near 1.
fn odds_of_another(function: &Function, graph: &ControlFlow, body: &[Block]) -> Option<f64> {
    let head = body[0];
    let ends = graph.predecessors(head).iter();
    let ends: Vec<Block> = ends.copied().filter(|end| body.contains(end)).collect();
    // The branches that may leave the loop in every iteration.
    let gates = body.iter().filter(|&&block| {
        let mut ends = ends.iter();
        ends.all(|&end| graph.dominates(block, end))
    });
    let stays = gates.filter_map(|&block| {
        let Some(Terminator::Branch {
            condition,
            then,
            otherwise,
        }) = &function.blocks[block].terminator
        else {
            return None;
        };
        let holds = odds(function, graph, *condition)?;
        match [then, otherwise].map(|target| body.contains(&target.block)) {
            [true, false] => Some(holds),
            [false, true] => Some(1.0 - holds),
            _ => None,
        }
    });
    let least = stays.reduce(f64::min)?;
    (least <= 0.5).then_some(least)
}

/// The number of iterations to peel: enough to make further ones rare.
fn times(again: f64) -> usize {
    let mut left = again;
    let mut times = 0;
    while left > RARE && times < MAX_TIMES {
        left *= again;
        times += 1;
    }
    times
}
