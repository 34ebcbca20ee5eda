//! Bounds of accumulators: numbers that loops carry and add to, across any number of loops and
//! variables that exchange values. Examples are counters in nested loops, the elements of a list
//! that is changed at rolled indices, and addresses that a sort moves.
//!
//! Such a number is one of the numbers from outside, plus the additions on its path. On one path,
//! each execution of an addition counts at most once. So all numbers of a *web*, the values that
//! pass numbers to each other, are within
//!
//! ```text
//! the range of what comes from outside + the sum, over the additions, of what each adds times how
//!                                        often it is executed at most (super::executions)
//! ```
//!
//! Sums that leave the range of whole numbers trap or wrap, so a bound is valid only if it is well
//! inside.

use super::edge::Edge;
use super::executions::Executions;
use super::interval::Interval;
use super::ranges::{Given, Ranges};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Op, Type, Value};
use cranelift_entity::SecondaryMap;

/// Only numbers within this range get bounds.
const MAX_BOUND: Interval = Interval {
    low: -(1 << 53),
    high: 1 << 53,
};

/// The maximum number of values of a web, and of parameters that are analysed.
const MAX_WEB: usize = 1000;
const MAX_PARAMS: usize = 256;

/// Bounds of block parameters that have none yet.
pub(super) fn bounds(
    function: &Function,
    graph: &ControlFlow,
    ranges: &Ranges,
    given: Given,
) -> Vec<(Value, Interval)> {
    let params = graph.reverse_postorder().iter();
    let params = params.flat_map(|&block| &function.blocks[block].params);
    let open = params
        .copied()
        .filter(|&param| function.value_type(param) == Type::I64 && !is_bounded(ranges.of(param)));
    let open: Vec<Value> = open.take(MAX_PARAMS).collect();
    if open.is_empty() {
        return Vec::new();
    }
    let blocks = Blocks::of(function, graph);
    let executions = Executions::of(function, graph, ranges, given.fuel);
    let bound = |param| {
        let mut web = Web::new(function, graph, ranges, (&blocks, &executions));
        web.collect(param)?;
        Some((param, web.bound()?))
    };
    open.into_iter().filter_map(bound).collect()
}

fn is_bounded(range: Interval) -> bool {
    MAX_BOUND.low <= range.low && range.high <= MAX_BOUND.high
}

/// The block that each value is defined in, and its index if it is a parameter.
struct Blocks(SecondaryMap<Value, Option<(Block, Option<usize>)>>);

impl Blocks {
    fn of(function: &Function, graph: &ControlFlow) -> Self {
        let mut blocks = Self(SecondaryMap::new());
        for &block in graph.reverse_postorder() {
            let data = &function.blocks[block];
            for (index, &param) in data.params.iter().enumerate() {
                blocks.0[param] = Some((block, Some(index)));
            }
            for &inst in &data.insts {
                blocks.0[function.insts[inst].result] = Some((block, None));
            }
        }
        blocks
    }
}

/// The values that pass numbers to a parameter.
struct Web<'f> {
    function: &'f Function,
    graph: &'f ControlFlow,
    ranges: &'f Ranges,
    blocks: &'f Blocks,
    executions: &'f Executions,
    members: SecondaryMap<Value, bool>,
    pending: Vec<Value>,
    count: usize,
    /// The range of the numbers from outside.
    outside: Option<Interval>,
    /// The range of the sum of all executions of all additions.
    added: Interval,
}

impl<'f> Web<'f> {
    fn new(
        function: &'f Function,
        graph: &'f ControlFlow,
        ranges: &'f Ranges,
        (blocks, executions): (&'f Blocks, &'f Executions),
    ) -> Self {
        Self {
            function,
            graph,
            ranges,
            blocks,
            executions,
            members: SecondaryMap::new(),
            pending: Vec::new(),
            count: 0,
            outside: None,
            added: Interval::point(0),
        }
    }

    /// Follows a parameter back to the numbers from outside; `None` if it is computed by anything
    /// other than parameters, selects and additions.
    fn collect(&mut self, param: Value) -> Option<()> {
        self.member(param);
        while let Some(value) = self.pending.pop() {
            self.count += 1;
            if self.count > MAX_WEB {
                return None;
            }
            match self.blocks.0[value]? {
                (block, Some(index)) => self.param(block, index)?,
                (block, None) => self.result(block, value)?,
            }
        }
        Some(())
    }

    fn member(&mut self, value: Value) {
        if !std::mem::replace(&mut self.members[value], true) {
            self.pending.push(value);
        }
    }

    /// A number that a block passes on.
    fn source(&mut self, block: Block, value: Value) {
        let range = self.ranges.at(block, value);
        if self.members[value] || !is_bounded(range) {
            self.member(value);
        } else {
            self.outside = Some(self.outside.map_or(range, |all| all.join(range)));
        }
    }

    /// A parameter; a parameter of the function may be any number.
    fn param(&mut self, block: Block, index: usize) -> Option<()> {
        if block == self.function.entry() {
            return None;
        }
        for &from in self.graph.predecessors(block) {
            if !self.ranges.reaches(from) {
                continue;
            }
            for edge in Edge::between(self.function, from, block) {
                self.source(from, edge.target.args[index]);
            }
        }
        Some(())
    }

    fn result(&mut self, block: Block, value: Value) -> Option<()> {
        let data = self.function.def(value)?;
        match (data.op, data.args.as_slice()) {
            (Op::Select, &[_, a, b]) | (Op::Imin | Op::Imax, &[a, b]) => {
                self.source(block, a);
                self.source(block, b);
            }
            (Op::Iadd | Op::IaddWrap, &[a, b]) => {
                let (range_of_a, range) = (self.ranges.at(block, a), self.ranges.at(block, b));
                match is_bounded(range) {
                    true => self.add(block, a, range)?,
                    false => self.add(block, b, range_of_a)?,
                }
            }
            (Op::Isub | Op::IsubWrap, &[a, b]) => {
                let range = self.ranges.at(block, b);
                self.add(block, a, Interval::point(0).sub(range)?)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// An addition to a number.
    fn add(&mut self, block: Block, number: Value, range: Interval) -> Option<()> {
        if !is_bounded(range) {
            return None;
        }
        let times = self.executions.most(block)?;
        let all = range.join(Interval::point(0)).mul(Interval::point(times))?;
        self.added = self.added.add(all)?;
        self.source(block, number);
        Some(())
    }

    /// The bound, if it is well inside of the range of whole numbers.
    fn bound(&self) -> Option<Interval> {
        let bound = self.outside?.add(self.added)?;
        is_bounded(bound).then_some(bound)
    }
}
