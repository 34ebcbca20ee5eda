//! Upper bounds on the number of executions of each block in a trial: from the trip counts of the
//! loops around it ([`super::trip_count`]), and from the fuel, if every cycle burns some.

use super::ranges::Ranges;
use super::trip_count::{self, Walk};
use crate::ir::cfg::{ControlFlow, successors};
use crate::ir::{Block, Function, Imm, Op};
use cranelift_entity::SecondaryMap;

/// The maximum number of executions of blocks.
pub(crate) struct Executions {
    /// From the trip counts of the loops around a block; `None` if one of them has no counter.
    counted: SecondaryMap<Block, Option<i64>>,
    /// From the fuel, if every cycle burns some.
    burned: Option<i64>,
    /// The loops, if they contain all cycles.
    loops: Option<Vec<Loop>>,
}

/// A loop.
struct Loop {
    inside: SecondaryMap<Block, bool>,
    /// The maximum number of executions of its header per entry of the loop.
    times: Option<i64>,
}

impl Executions {
    /// Computes the bounds from valid ranges.
    pub(crate) fn of(function: &Function, graph: &ControlFlow, ranges: &Ranges, fuel: u32) -> Self {
        let loops = is_reducible(graph).then(|| loops(function, graph, ranges));
        let mut counted = SecondaryMap::new();
        for &block in graph.reverse_postorder() {
            counted[block] = loops.as_ref().and_then(|loops: &Vec<Loop>| {
                product(loops.iter().filter(|inner| inner.inside[block]))
            });
        }
        Self {
            counted,
            // The block that runs out of fuel was entered once more.
            burned: every_cycle_burns(function, graph).then_some(i64::from(fuel) + 2),
            loops,
        }
    }

    /// The maximum number of executions of a block in a trial.
    pub(crate) fn most(&self, block: Block) -> Option<i64> {
        self.counted[block].into_iter().chain(self.burned).min()
    }

    /// The same between two executions of a dominator: every path back to `block` that avoids the
    /// dominator is a loop that does not contain the dominator.
    pub(crate) fn max_since(&self, dominator: Block, block: Block) -> Option<i64> {
        let loops = self.loops.as_ref()?.iter();
        let since = product(loops.filter(|inner| inner.inside[block] && !inner.inside[dominator]));
        since.into_iter().chain(self.most(block)).min()
    }
}

/// The maximum number of executions of code in all of these loops.
fn product<'l>(loops: impl Iterator<Item = &'l Loop>) -> Option<i64> {
    let mut times = loops.map(|inner| inner.times);
    times.try_fold(1, |all: i64, times| all.checked_mul(times?))
}

fn loops(function: &Function, graph: &ControlFlow, ranges: &Ranges) -> Vec<Loop> {
    let mut walk = Walk::new(function, graph, ranges);
    let heads = trip_count::heads(graph).into_iter();
    let loops = heads.map(|head| {
        let times = walk.trips(head);
        let mut inside = SecondaryMap::new();
        for block in body(graph, head) {
            inside[block] = true;
        }
        Loop {
            inside,
            times: times.and_then(|again| again.checked_add(1)),
        }
    });
    loops.collect()
}

/// Whether the graph is reducible: every back edge leads to a dominator of its source, so that the
/// natural loops contain all cycles.
fn is_reducible(graph: &ControlFlow) -> bool {
    let position = positions(graph);
    graph.reverse_postorder().iter().all(|&head| {
        let mut before = graph.predecessors(head).iter();
        before.all(|&from| position[from] < position[head] || graph.dominates(head, from))
    })
}

/// The index of each block in reverse postorder: every cycle has an edge to the same or an earlier
/// block.
fn positions(graph: &ControlFlow) -> SecondaryMap<Block, usize> {
    let mut positions = SecondaryMap::new();
    for (number, &block) in graph.reverse_postorder().iter().enumerate() {
        positions[block] = number;
    }
    positions
}

/// The loops with a counter that starts at a constant and has a constant step: the blocks of each,
/// header first, and the maximum number of times that it returns to its header. Outer loops come
/// before inner ones.
pub(crate) fn counted_loops(
    function: &Function,
    graph: &ControlFlow,
    ranges: &Ranges,
) -> Vec<(Vec<Block>, i64)> {
    let mut walk = Walk::new(function, graph, ranges);
    let heads = trip_count::heads(graph).into_iter();
    heads
        .filter_map(|head| {
            let times = walk.constant_trips(head)?;
            Some((body(graph, head), times))
        })
        .collect()
}

/// The blocks of each innermost loop, header first.
pub(crate) fn innermost_loops(graph: &ControlFlow) -> Vec<Vec<Block>> {
    let heads = trip_count::heads(graph);
    let bodies = heads.iter().map(|&head| body(graph, head));
    let innermost = bodies.filter(|body| !body[1..].iter().any(|block| heads.contains(block)));
    innermost.collect()
}

/// The blocks of a loop, header first.
fn body(graph: &ControlFlow, head: Block) -> Vec<Block> {
    let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
    inside[head] = true;
    let mut body = vec![head];
    let ends = graph.predecessors(head).iter();
    let mut pending: Vec<Block> = ends
        .copied()
        .filter(|&from| graph.dominates(head, from))
        .collect();
    while let Some(block) = pending.pop() {
        if !std::mem::replace(&mut inside[block], true) {
            body.push(block);
            pending.extend(graph.predecessors(block));
        }
    }
    body
}

/// Whether every cycle has a block that burns fuel.
fn every_cycle_burns(function: &Function, graph: &ControlFlow) -> bool {
    let burns = |block: Block| {
        let mut insts = function.blocks[block].insts.iter();
        insts.any(|&inst| {
            let data = &function.insts[inst];
            data.op == Op::Fuel && data.imm != Imm::Int(0)
        })
    };
    let position = positions(graph);
    let closes = |from: Block, to: Block| position[to] <= position[from];
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
    graph.reverse_postorder().iter().all(|&head| {
        let mut before = graph.predecessors(head).iter();
        if burns(head) || !before.any(|&from| closes(from, head)) {
            return true;
        }
        seen.clear();
        let mut pending = vec![head];
        while let Some(block) = pending.pop() {
            for next in successors(function, block) {
                if next == head {
                    return false;
                }
                if !burns(next) && !std::mem::replace(&mut seen[next], true) {
                    pending.push(next);
                }
            }
        }
        true
    })
}
