//! Jump threading: if an edge determines the outcome of the branch in the block that it enters, it
//! is redirected to the branch's target.
//!
//! The outcome follows from range analysis on the edge: from constant arguments, and constraints of
//! earlier branches. If the block has few instructions, they are copied, once for each target of
//! its branch. So the first iteration of a loop that always runs needs no test, a loop that never
//! runs disappears, and no condition is tested twice.

use super::copy::Copies;
use super::{dce, params, simplify};
use crate::analysis::{Edge, Given, KnownRanges, Ranges};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Imm, Terminator, Type};
use rustc_hash::FxHashMap;

/// The maximum number of instructions that are copied onto an edge.
const MAX_COPIED: usize = 24;

/// A function may grow by this many instructions, or by half of what it had if that is more.
const MAX_GROWTH: usize = 256;

/// Larger functions are not changed.
const MAX_INSTS: usize = 4096;

/// The maximum number of iterations; each may enable rewrites for the next.
const MAX_ITERATIONS: usize = 8;

pub(super) fn thread(function: &mut Function, given: Given, known: &mut KnownRanges) {
    let size = function.live_insts().count();
    if size > MAX_INSTS {
        return;
    }
    let mut left = MAX_GROWTH.max(size / 2);
    for _ in 0..MAX_ITERATIONS {
        if function.blocks.len() == 1
            || !iteration(function, &known.within(function, given), &mut left)
        {
            break;
        }
        function.compact();
        params::params(function);
        simplify::simplify(function);
        dce::dce(function);
        function.compact();
    }
}

/// Threads the edges that can be threaded now; returns whether there were any.
fn iteration(function: &mut Function, ranges: &Ranges, left: &mut usize) -> bool {
    let graph = ControlFlow::new(function);
    let mut found = false;
    // The facts about an edge hold until that edge is redirected, whatever happens to the others.
    for &block in graph.reverse_postorder() {
        let size = function.blocks[block].insts.len();
        if block == function.entry() || size > MAX_COPIED || graph.predecessors(block).len() < 2 {
            continue;
        }
        for (holds, edges) in decided(function, &graph, ranges, block) {
            if size <= *left && !edges.is_empty() {
                *left -= size;
                lead(function, block, holds, &edges);
                found = true;
            }
        }
    }
    found
}

/// The edges to a block that determine its branch, each by its source block and its index among the
/// targets there.
fn decided(
    function: &Function,
    graph: &ControlFlow,
    ranges: &Ranges,
    block: Block,
) -> [(bool, Vec<(Block, usize)>); 2] {
    let mut edges = [(true, Vec::new()), (false, Vec::new())];
    if !matches!(
        function.blocks[block].terminator,
        Some(Terminator::Branch { .. })
    ) {
        return edges;
    }
    let mut before = graph.predecessors(block).to_vec();
    before.dedup();
    for from in before.into_iter().filter(|&from| ranges.reaches(from)) {
        for (index, edge) in Edge::all(function, from).enumerate() {
            if edge.target.block == block
                && let Some(holds) = outcome(function, ranges, edge)
            {
                edges[usize::from(!holds)].1.push((from, index));
            }
        }
    }
    edges
}

/// The outcome of the branch at the end of an edge's destination, if the edge determines it.
fn outcome(function: &Function, ranges: &Ranges, edge: Edge<'_>) -> Option<bool> {
    let facts = ranges.facts(function, edge)?;
    let mut here = FxHashMap::default();
    let outside = |value| {
        facts
            .of(value)
            .unwrap_or_else(|| ranges.at(edge.from, value))
    };
    let data = &function.blocks[edge.target.block];
    for (&param, &arg) in data.params.iter().zip(&edge.target.args) {
        here.insert(param, outside(arg));
    }
    for &inst in &data.insts {
        let data = &function.insts[inst];
        let known = ranges.of(data.result);
        let result = match data.imm {
            Imm::Step(..) => known,
            _ if function.value_type(data.result) == Type::F64 => continue,
            _ => ranges.transfer(data, |value| {
                here.get(&value).copied().unwrap_or_else(|| outside(value))
            }),
        };
        here.insert(data.result, known.clip(result));
    }
    let Some(Terminator::Branch { condition, .. }) = &data.terminator else {
        return None;
    };
    let truth = here.get(condition).copied();
    let truth = truth.unwrap_or_else(|| outside(*condition)).single()?;
    Some(truth != 0)
}

/// Redirects edges to a copy of the block that jumps to one target.
fn lead(function: &mut Function, block: Block, holds: bool, edges: &[(Block, usize)]) {
    let copies = Copies::new(function, &[block]);
    let copy = copies.block(block);
    if let Some(Terminator::Branch {
        then, otherwise, ..
    }) = function.blocks[copy].terminator.take()
    {
        let mut target = if holds { then } else { otherwise };
        // If a block leads to itself, its copy leads to the original.
        if target.block == copy {
            target.block = block;
        }
        function.blocks[copy].terminator = Some(Terminator::Jump(target));
    }
    for &(from, index) in edges {
        let terminator = function.blocks[from].terminator.iter_mut();
        let mut targets = terminator.flat_map(Terminator::targets_mut);
        if let Some(target) = targets.nth(index) {
            target.block = copy;
        }
    }
    copies.repair(function);
}
