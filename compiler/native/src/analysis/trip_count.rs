//! Trip counts of loops, and bounds of parameters with a bounded step per iteration.
//!
//! Let `init` be the value of a parameter of the loop's header on entry, and `step` the change per
//! iteration. If every step is at least 1, and the parameter's range has a greatest number, it is a
//! *counter*: the loop has at most `(greatest - init) / step` further iterations; likewise if every
//! step is at most -1. Fuel also bounds the number of iterations, if each burns some. With at most
//! `n` further iterations, any parameter stays within `init + n * step`; a step of either sign
//! moves it to either side. Sums that could wrap prove nothing, so the bound is valid only if every
//! intermediate sum of an iteration stays in range.

use super::dependents::{Position, PositionSet};
use super::edge::Edge;
use super::interval::Interval;
use super::ranges::{Given, Ranges};
use crate::ir::cfg::{ControlFlow, successors};
use crate::ir::{Block, Function, Imm, InstData, Op, Type, Value};
use cranelift_entity::SecondaryMap;

/// The maximum number of loops that are analysed; each costs a pass over the whole function.
const MAX_LOOPS: usize = 64;

/// Bounds of the parameters of loops, computed from known bounds.
pub(super) fn bounds(
    function: &Function,
    graph: &ControlFlow,
    ranges: &Ranges,
    given: Given,
) -> Vec<(Value, Interval)> {
    let mut bounds = Vec::new();
    let mut walk = Walk::new(function, graph, ranges);
    for &head in heads(graph).iter().take(MAX_LOOPS) {
        let moves = walk.moves(head);
        let counted = counted(ranges, &moves);
        let burned = each_iteration(function, head, burns).then_some(given.fuel);
        let left = &function.blocks[head].params;
        let extra = |data: &InstData| is_extra(data) && left.contains(&data.args[0]);
        let extra = each_iteration(function, head, extra).then_some(given.extras);
        let limits = burned.into_iter().chain(extra).map(i64::from);
        let Some(again) = counted.into_iter().chain(limits).min() else {
            continue;
        };
        let bound = |moved: &Move| Some((moved.param, moved.within(again)?));
        bounds.extend(moves.iter().filter_map(bound));
    }
    bounds
}

/// The headers of loops: blocks that dominate the source of an edge to them.
pub(crate) fn heads(graph: &ControlFlow) -> Vec<Block> {
    let heads = graph.reverse_postorder().iter().filter(|&&block| {
        let mut before = graph.predecessors(block).iter();
        before.any(|&from| graph.dominates(block, from))
    });
    heads.copied().collect()
}

fn counted(ranges: &Ranges, moves: &[Move]) -> Option<i64> {
    let counts = moves.iter().filter_map(|moved| moved.count(ranges));
    counts.min()
}

/// The step of a parameter.
struct Move {
    param: Value,
    init: Interval,
    step: Interval,
    /// The distance from its value at the header, at any moment of an iteration.
    farthest: Interval,
}

impl Move {
    /// The maximum number of times that the loop returns to its header, if the parameter is a
    /// counter.
    fn count(&self, ranges: &Ranges) -> Option<i64> {
        let range = ranges.of(self.param);
        range.add(self.farthest)?;
        let (way, step) = if self.step.low >= 1 {
            (range.high.checked_sub(self.init.low)?, self.step.low)
        } else if self.step.high <= -1 {
            let step = self.step.high.checked_neg()?;
            (self.init.high.checked_sub(range.low)?, step)
        } else {
            return None;
        };
        Some(way.max(0) / step)
    }

    /// The bound of the parameter if the loop returns this often.
    fn within(&self, again: i64) -> Option<Interval> {
        let step = self.step.join(Interval::point(0));
        let moved = step.mul(Interval::point(again))?;
        let bound = self.init.add(moved)?;
        bound.add(self.farthest).map(|_| bound)
    }
}

fn burns(data: &InstData) -> bool {
    data.op == Op::Fuel && data.imm != Imm::Int(0)
}

/// Whether it counts rerolls or explosions of a die.
fn is_extra(data: &InstData) -> bool {
    matches!(data.op, Op::ExplosionsLeft | Op::RerollsLeft)
}

/// Whether every path from `head` back to it has such an instruction.
fn each_iteration(function: &Function, head: Block, is_such: impl Fn(&InstData) -> bool) -> bool {
    let has = |block: Block| {
        let mut insts = function.blocks[block].insts.iter();
        insts.any(|&inst| is_such(&function.insts[inst]))
    };
    let mut pending = vec![head];
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
    while let Some(block) = pending.pop() {
        if has(block) {
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

/// The distances of a loop's values from a parameter of its header in the same iteration. Reused
/// for one loop after the other.
pub(super) struct Walk<'f> {
    function: &'f Function,
    graph: &'f ControlFlow,
    ranges: &'f Ranges,
    head: Block,
    /// `None`: unknown, or not at a bounded distance.
    distance: SecondaryMap<Value, Option<Interval>>,
    /// The values whose distance is known.
    known: Vec<Value>,
    /// The union of all distances.
    farthest: Interval,
    /// The later dependents of values with a known distance.
    pending: PositionSet,
}

impl<'f> Walk<'f> {
    pub(super) fn new(function: &'f Function, graph: &'f ControlFlow, ranges: &'f Ranges) -> Self {
        let mut distance = SecondaryMap::new();
        distance.resize(function.values.len());
        Self {
            function,
            graph,
            ranges,
            head: function.entry(),
            distance,
            known: Vec::new(),
            farthest: Interval::point(0),
            pending: PositionSet::none_of(ranges.pending.dependents()),
        }
    }

    /// The maximum number of times that a loop returns to its header, by its counters.
    pub(super) fn trips(&mut self, head: Block) -> Option<i64> {
        counted(self.ranges, &self.moves(head))
    }

    /// The same, if a counter has only one initial value and one step.
    pub(super) fn constant_trips(&mut self, head: Block) -> Option<i64> {
        let moves = self.moves(head).into_iter();
        let constant =
            moves.filter(|moved| moved.init.single().is_some() && moved.step.single().is_some());
        counted(self.ranges, &constant.collect::<Vec<_>>())
    }

    /// The steps of the parameters of a loop's header, of those with bounded steps.
    fn moves(&mut self, head: Block) -> Vec<Move> {
        self.head = head;
        let function = self.function;
        let params = function.blocks[head].params.iter().enumerate();
        let whole = params.filter(|&(_, &param)| function.value_type(param) == Type::I64);
        whole.filter_map(|(index, _)| self.moved(index)).collect()
    }

    /// Whether the header dominates a block.
    fn is_inside(&self, block: Block) -> bool {
        self.graph.dominates(self.head, block)
    }

    /// The step of the header's parameter with this index.
    fn moved(&mut self, index: usize) -> Option<Move> {
        for value in self.known.drain(..) {
            self.distance[value] = None;
        }
        self.farthest = Interval::point(0);
        let param = self.function.blocks[self.head].params[index];
        self.walk(param);
        let (mut init, mut step): (Option<Interval>, Option<Interval>) = (None, None);
        for &from in self.graph.predecessors(self.head) {
            if !self.ranges.reaches(from) {
                continue;
            }
            for edge in Edge::between(self.function, from, self.head) {
                let arg = edge.target.args[index];
                let (all, next) = if self.is_inside(from) {
                    (&mut step, self.distance[arg]?)
                } else {
                    (&mut init, self.ranges.at(from, arg))
                };
                *all = Some(all.map_or(next, |all| all.join(next)));
            }
        }
        Some(Move {
            param,
            init: init?,
            step: step?,
            farthest: self.farthest,
        })
    }

    /// Records the distance of a value that is computed at a position.
    fn note(&mut self, value: Value, distance: Interval, at: u32) {
        self.distance[value] = Some(distance);
        self.known.push(value);
        self.farthest = self.farthest.join(distance);
        let dependents = self.ranges.pending.dependents();
        for &position in dependents.of(value) {
            let there = dependents.at(position);
            if position > at && there.is_some_and(|there| self.is_inside(there.block())) {
                self.pending.add(position);
            }
        }
    }

    /// Follows the parameter through an iteration, in one pass over the blocks that the header
    /// dominates: a value that depends on a later one stays unknown.
    fn walk(&mut self, param: Value) {
        let dependents = self.ranges.pending.dependents();
        let head = dependents.begin(self.head);
        self.note(param, Interval::point(0), head);
        let mut from = head;
        while let Some(at) = self.pending.take(from) {
            from = at + 1;
            match dependents.at(at) {
                Some(Position::Begin(block)) => self.enter(block, at),
                Some(Position::Inst(block, inst) | Position::Choice(block, inst)) => {
                    let data = &self.function.insts[inst];
                    if let Some(distance) = self.result(block, data) {
                        self.note(data.result, distance, at);
                    }
                }
                None => {}
            }
        }
    }

    fn result(&self, block: Block, data: &InstData) -> Option<Interval> {
        let at = |value: Value| self.ranges.at(block, value);
        match (data.op, data.args.as_slice()) {
            (Op::Iadd | Op::IaddWrap, &[a, b]) => match self.distance[a] {
                Some(distance) => distance.add(at(b)),
                None => self.distance[b].and_then(|distance| distance.add(at(a))),
            },
            (Op::Isub | Op::IsubWrap, &[a, b]) => {
                self.distance[a].and_then(|distance| distance.sub(at(b)))
            }
            (Op::ExplosionsLeft | Op::RerollsLeft | Op::DiceLeft, &[left]) => {
                self.distance[left].and_then(|distance| distance.add(Interval::point(-1)))
            }
            (Op::Select, &[_, a, b]) => match (self.distance[a], self.distance[b]) {
                (Some(a), Some(b)) => Some(a.join(b)),
                _ => None,
            },
            _ => None,
        }
    }

    fn enter(&mut self, block: Block, at: u32) {
        for (index, &param) in self.function.blocks[block].params.iter().enumerate() {
            let before = self.graph.predecessors(block).iter();
            let mut edges = before.flat_map(|&from| Edge::between(self.function, from, block));
            let known = edges.try_fold(None, |all: Option<Interval>, edge| {
                let distance = self.distance[edge.target.args[index]]?;
                Some(Some(all.map_or(distance, |all| all.join(distance))))
            });
            if let Some(Some(distance)) = known {
                self.note(param, distance, at);
            }
        }
    }
}
