//! Bounds of loop counters: fuel bounds the number of iterations of a loop that burns some in each,
//! and so how far a number can move that each iteration changes by a bounded step.
//!
//! Let `init` be the value of a parameter of the loop's header on entry, `step` what an iteration
//! adds to it, and `fuel` the fuel of a trial. The parameter stays within `init + fuel * step`; a
//! step of either sign moves it to either side. Nothing follows from sums that could wrap, so the
//! bound holds only if every intermediate sum of an iteration stays in range with it.

use super::edge::Edge;
use super::interval::Interval;
use super::ranges::Ranges;
use crate::ir::cfg::{ControlFlow, successors};
use crate::ir::{Block, Function, Op, Type, Value};
use cranelift_entity::SecondaryMap;

/// The maximum number of loops that are looked at; each costs a pass over the whole function.
const MAX_LOOPS: usize = 64;

/// Bounds of the parameters of loops, computed from the bounds that are already known.
pub(super) fn bounds(
    function: &Function,
    graph: &ControlFlow,
    ranges: &Ranges,
    fuel: u32,
) -> Vec<(Value, Interval)> {
    let mut bounds = Vec::new();
    let heads = graph.reverse_postorder().iter().filter(|&&block| {
        let mut before = graph.predecessors(block).iter();
        before.any(|&from| graph.dominates(block, from))
    });
    for &head in heads.take(MAX_LOOPS) {
        if !burns_each_round(function, head) {
            continue;
        }
        for (index, &param) in function.blocks[head].params.iter().enumerate() {
            if function.value_type(param) == Type::I64
                && let Some(bound) = Walk::new(function, graph, ranges, head).bound(index, fuel)
            {
                bounds.push((param, bound));
            }
        }
    }
    bounds
}

/// Whether every path from `head` back to it burns fuel.
fn burns_each_round(function: &Function, head: Block) -> bool {
    let burns = |block: Block| {
        let mut insts = function.blocks[block].insts.iter();
        insts.any(|&inst| {
            let data = &function.insts[inst];
            data.op == Op::Fuel && data.imm != crate::ir::Imm::Int(0)
        })
    };
    let mut pending = vec![head];
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
    while let Some(block) = pending.pop() {
        if burns(block) {
            continue;
        }
        for next in successors(function, block) {
            if next == head {
                return false;
            }
            if !std::mem::replace(&mut seen[next], true) {
                pending.push(next);
            }
        }
    }
    true
}

/// How far values of a loop are from a parameter of its header in the same iteration.
struct Walk<'f> {
    function: &'f Function,
    graph: &'f ControlFlow,
    ranges: &'f Ranges,
    head: Block,
    /// Whether the head dominates a block.
    inside: SecondaryMap<Block, bool>,
    /// `None`: not known, or not at a bounded distance.
    distance: SecondaryMap<Value, Option<Interval>>,
    /// All of them together.
    farthest: Interval,
}

impl<'f> Walk<'f> {
    fn new(
        function: &'f Function,
        graph: &'f ControlFlow,
        ranges: &'f Ranges,
        head: Block,
    ) -> Self {
        let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
        for &block in graph.reverse_postorder() {
            let above = graph.immediate_dominator(block);
            inside[block] = block == head || above.is_some_and(|above| inside[above]);
        }
        Self {
            function,
            graph,
            ranges,
            head,
            inside,
            distance: SecondaryMap::new(),
            farthest: Interval::point(0),
        }
    }

    /// The bound of the header's parameter with this index.
    fn bound(mut self, index: usize, fuel: u32) -> Option<Interval> {
        let param = self.function.blocks[self.head].params[index];
        self.note(param, Interval::point(0));
        self.walk();
        let (mut init, mut step): (Option<Interval>, Option<Interval>) = (None, None);
        for &from in self.graph.predecessors(self.head) {
            if !self.ranges.reaches(from) {
                continue;
            }
            for edge in Edge::between(self.function, from, self.head) {
                let arg = edge.target.args[index];
                let (all, next) = if self.inside[from] {
                    (&mut step, self.distance[arg]?)
                } else {
                    (&mut init, self.ranges.at(from, arg))
                };
                *all = Some(all.map_or(next, |all| all.join(next)));
            }
        }
        let step = step?.join(Interval::point(0));
        let moved = step.mul(Interval::point(fuel.into()))?;
        let bound = init?.add(moved)?;
        bound.add(self.farthest).map(|_| bound)
    }

    fn note(&mut self, value: Value, distance: Interval) {
        self.distance[value] = Some(distance);
        self.farthest = self.farthest.join(distance);
    }

    /// Follows the parameter through an iteration, in one pass over the blocks that the header
    /// dominates: a value that depends on a later one stays unknown.
    fn walk(&mut self) {
        let (function, graph) = (self.function, self.graph);
        for &block in graph.reverse_postorder() {
            if !self.inside[block] {
                continue;
            }
            if block != self.head {
                self.enter(block);
            }
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                let at = |value: Value| self.ranges.at(block, value);
                let found = match (data.op, data.args.as_slice()) {
                    (Op::Iadd | Op::IaddWrap, &[a, b]) => match self.distance[a] {
                        Some(distance) => distance.add(at(b)),
                        None => self.distance[b].and_then(|distance| distance.add(at(a))),
                    },
                    (Op::Isub | Op::IsubWrap, &[a, b]) => {
                        self.distance[a].and_then(|distance| distance.sub(at(b)))
                    }
                    (Op::Select, &[_, a, b]) => match (self.distance[a], self.distance[b]) {
                        (Some(a), Some(b)) => Some(a.join(b)),
                        _ => None,
                    },
                    _ => None,
                };
                if let Some(distance) = found {
                    self.note(data.result, distance);
                }
            }
        }
    }

    fn enter(&mut self, block: Block) {
        for (index, &param) in self.function.blocks[block].params.iter().enumerate() {
            let before = self.graph.predecessors(block).iter();
            let edges = before.flat_map(|&from| Edge::between(self.function, from, block));
            let known: Option<Vec<Interval>> = edges
                .map(|edge| self.distance[edge.target.args[index]])
                .collect();
            if let Some(distance) = known.and_then(|all| all.into_iter().reduce(Interval::join)) {
                self.note(param, distance);
            }
        }
    }
}
