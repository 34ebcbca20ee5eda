//! Jump threading: an edge into a block whose branch is decided by where it comes from goes to the
//! right place at once.
//!
//! What decides it is what [`super::range`] knows on the edge: constants that are passed as
//! parameters, and what the branches on the way to it have told. The block's instructions are
//! copied onto such edges, once for each way that its branch can go, where they are few. So the
//! first round of a loop that is sure to come needs no test, a loop that is sure not to come is
//! gone, and what was decided once is not asked again.

use super::copy::Copies;
use super::{dce, params, simplify};
use crate::analysis::{Edge, Given, Ranges};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Imm, Terminator, Type};
use rustc_hash::FxHashMap;

/// Most instructions that are copied onto an edge.
const MAX_COPIED: usize = 24;

/// A function may grow by this many instructions, or by half of what it had if that is more.
const MAX_GROWTH: usize = 256;

/// Larger functions stay as they are.
const MAX_INSTS: usize = 4096;

/// What one round finds lets the next one find more.
const MAX_ROUNDS: usize = 8;

pub(super) fn thread(function: &mut Function, given: Given) {
    let size = function.live_insts().count();
    if size > MAX_INSTS {
        return;
    }
    let mut left = MAX_GROWTH.max(size / 2);
    for _ in 0..MAX_ROUNDS {
        if function.blocks.len() == 1 || !round(function, given, &mut left) {
            break;
        }
        *function = function.compacted();
        params::params(function);
        simplify::simplify(function);
        dce::dce(function);
        *function = function.compacted();
    }
}

/// Threads what is decided now; says whether there was anything.
fn round(function: &mut Function, given: Given, left: &mut usize) -> bool {
    let ranges = Ranges::within(function, given);
    let graph = ControlFlow::new(function);
    let mut found = false;
    // What is found of an edge holds as long as it is not led elsewhere, whatever becomes of the
    // others.
    for &block in graph.reverse_postorder() {
        let size = function.blocks[block].insts.len();
        if block == function.entry() || size > MAX_COPIED || graph.predecessors(block).len() < 2 {
            continue;
        }
        for (holds, edges) in decided(function, &graph, &ranges, block) {
            if size <= *left && !edges.is_empty() {
                *left -= size;
                lead(function, block, holds, &edges);
                found = true;
            }
        }
    }
    found
}

/// The edges to a block that decide its branch, each by where it comes from and its place among the
/// ways from there.
fn decided(
    function: &Function,
    graph: &ControlFlow,
    ranges: &Ranges,
    block: Block,
) -> [(bool, Vec<(Block, usize)>); 2] {
    let mut ways = [(true, Vec::new()), (false, Vec::new())];
    if !matches!(
        function.blocks[block].terminator,
        Some(Terminator::Branch { .. })
    ) {
        return ways;
    }
    let mut before = graph.predecessors(block).to_vec();
    before.dedup();
    for from in before.into_iter().filter(|&from| ranges.reaches(from)) {
        for (place, edge) in Edge::all(function, from).enumerate() {
            if edge.target.block == block
                && let Some(holds) = outcome(function, ranges, edge)
            {
                ways[usize::from(!holds)].1.push((from, place));
            }
        }
    }
    ways
}

/// What the branch at the end of an edge's block is sure to decide, if anything.
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

/// Leads edges to a copy of the block that goes one way alone.
fn lead(function: &mut Function, block: Block, holds: bool, edges: &[(Block, usize)]) {
    let copies = Copies::new(function, &[block]);
    let copy = copies.block(block);
    if let Some(Terminator::Branch {
        then, otherwise, ..
    }) = function.blocks[copy].terminator.take()
    {
        let mut way = if holds { then } else { otherwise };
        // A block that leads to itself: the copy leads to the block.
        if way.block == copy {
            way.block = block;
        }
        function.blocks[copy].terminator = Some(Terminator::Jump(way));
    }
    for &(from, place) in edges {
        let terminator = function.blocks[from].terminator.iter_mut();
        let mut targets = terminator.flat_map(Terminator::targets_mut);
        if let Some(target) = targets.nth(place) {
            target.block = copy;
        }
    }
    copies.repair(function);
}
