//! What branches tell of numbers: on the edge of a branch its condition is known, and so are bounds of what it compares.
//!
//! They hold in every block that the edge dominates: the one that it alone leads to, and those that this one dominates.

use super::interval::Interval;
use super::range::Ranges;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Op, Target, Terminator, Value};
use cranelift_entity::SecondaryMap;

/// How many branches above a block are asked at most.
const MOST_GUARDS: usize = 64;

/// One way out of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<'f> {
    /// Where from.
    pub(super) from: Block,
    /// Where to, with what is passed.
    pub(super) target: &'f Target,
    /// The condition of the branch, and what it is on this edge.
    condition: Option<(Value, bool)>,
}

impl<'f> Edge<'f> {
    /// The ways out of a block, in the order of its end's targets.
    pub(super) fn all(function: &'f Function, from: Block) -> impl Iterator<Item = Edge<'f>> {
        let terminator = function.blocks[from].terminator.as_ref();
        let condition = match terminator {
            Some(Terminator::Branch { condition, .. }) => Some(*condition),
            _ => None,
        };
        let targets = terminator.into_iter().flat_map(Terminator::targets);
        targets.zip([true, false]).map(move |(target, holds)| Edge {
            from,
            target,
            condition: condition.map(|condition| (condition, holds)),
        })
    }

    /// The ways from one block to another.
    pub(super) fn between(
        function: &'f Function,
        from: Block,
        to: Block,
    ) -> impl Iterator<Item = Edge<'f>> {
        Self::all(function, from).filter(move |edge| edge.target.block == to)
    }
}

/// Bounds that hold in some place beside those that hold everywhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts(Vec<(Value, Interval)>);

impl Facts {
    /// The bounds of a value, if there are any here.
    pub(super) fn of(&self, value: Value) -> Option<Interval> {
        let known = self.0.iter().find(|&&(known, _)| known == value);
        known.map(|&(_, bounds)| bounds)
    }
}

/// The facts of all blocks.
#[derive(Debug)]
pub(super) struct Refined {
    facts: SecondaryMap<Block, Facts>,
    /// The closest block at or above one to which an edge of a branch alone leads.
    guard: SecondaryMap<Block, Option<Block>>,
    /// The next one above a guard.
    above: SecondaryMap<Block, Option<Block>>,
}

impl Refined {
    /// No facts yet.
    pub(super) fn new(function: &Function, graph: &ControlFlow) -> Self {
        let mut guard: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
        let mut above: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
        for &block in graph.reverse_postorder() {
            let inherited = graph.immediate_dominator(block).and_then(|up| guard[up]);
            guard[block] = inherited;
            if let &[from] = graph.predecessors(block)
                && matches!(
                    function.blocks[from].terminator,
                    Some(Terminator::Branch { .. })
                )
            {
                above[block] = inherited;
                guard[block] = Some(block);
            }
        }
        Self {
            facts: SecondaryMap::new(),
            guard,
            above,
        }
    }

    /// Notes what holds on the edge to a block, if that alone leads there.
    pub(super) fn set(&mut self, block: Block, facts: Facts) {
        if self.guard[block] == Some(block) {
            self.facts[block] = facts;
        }
    }

    /// The bounds of a value in a block, if the branches above tell any.
    pub(super) fn at(&self, block: Block, value: Value) -> Option<Interval> {
        let guards = std::iter::successors(self.guard[block], |&guard| self.above[guard]);
        // Those below were made within those above.
        guards
            .take(MOST_GUARDS)
            .find_map(|guard| self.facts[guard].of(value))
    }
}

impl Ranges {
    /// What holds on an edge; `None` if no trial takes it.
    pub(super) fn facts(&self, function: &Function, edge: Edge<'_>) -> Option<Facts> {
        let mut here = Assumed {
            ranges: self,
            function,
            block: edge.from,
            facts: Facts::default(),
        };
        if let Some((condition, holds)) = edge.condition {
            here.assume(condition, holds)?;
        }
        Some(here.facts)
    }
}

/// What follows from conditions at the end of a block. Each step is `None` where they cannot hold.
struct Assumed<'r> {
    ranges: &'r Ranges,
    function: &'r Function,
    block: Block,
    facts: Facts,
}

impl Assumed<'_> {
    fn of(&self, value: Value) -> Interval {
        let known = self.facts.of(value);
        known.unwrap_or_else(|| self.ranges.at(self.block, value))
    }

    fn narrow(&mut self, value: Value, bounds: Interval) -> Option<()> {
        let old = self.of(value);
        let new = old.meet(bounds)?;
        if new != old {
            self.facts.0.retain(|&(known, _)| known != value);
            self.facts.0.push((value, new));
        }
        Some(())
    }

    fn assume(&mut self, mut condition: Value, mut holds: bool) -> Option<()> {
        self.narrow(condition, Interval::truth(holds))?;
        while let Some(data) = self.function.def(condition)
            && data.op == Op::Not
        {
            condition = data.args[0];
            holds = !holds;
            self.narrow(condition, Interval::truth(holds))?;
        }
        let Some(data) = self.function.def(condition) else {
            return Some(());
        };
        let op = if holds {
            Some(data.op)
        } else {
            opposite(data.op)
        };
        match (op, data.args.as_slice()) {
            (Some(op), &[a, b]) => self.compare(op, a, b),
            _ => Some(()),
        }
    }

    fn compare(&mut self, op: Op, a: Value, b: Value) -> Option<()> {
        let (below, above) = (
            |x: Interval| Interval::new(i64::MIN, x.high),
            |x: Interval| Interval::new(x.low, i64::MAX),
        );
        match op {
            Op::Ieq => {
                self.bound(a, self.of(b))?;
                self.bound(b, self.of(a))
            }
            Op::Ine => {
                self.bound(a, self.of(a).without(self.of(b))?)?;
                self.bound(b, self.of(b).without(self.of(a))?)
            }
            Op::Ile => {
                self.bound(a, below(self.of(b)))?;
                self.bound(b, above(self.of(a)))
            }
            Op::Ilt => {
                let less = Interval::new(i64::MIN, self.of(b).high.checked_sub(1)?);
                self.bound(a, less)?;
                let more = Interval::new(self.of(a).low.checked_add(1)?, i64::MAX);
                self.bound(b, more)
            }
            Op::Ige => self.compare(Op::Ile, b, a),
            Op::Igt => self.compare(Op::Ilt, b, a),
            _ => Some(()),
        }
    }

    /// [`Assumed::narrow`], and what it tells of the number to which a constant was added.
    fn bound(&mut self, value: Value, bounds: Interval) -> Option<()> {
        self.narrow(value, bounds)?;
        let Some(data) = self.function.def(value) else {
            return Some(());
        };
        let &[x, y] = data.args.as_slice() else {
            return Some(());
        };
        let (x, by) = match (
            data.op,
            self.function.as_iconst(x),
            self.function.as_iconst(y),
        ) {
            (Op::Iadd | Op::IaddWrap, None, Some(by)) => (x, by),
            (Op::Iadd | Op::IaddWrap, Some(by), None) => (y, by),
            (Op::Isub | Op::IsubWrap, None, Some(by)) => match by.checked_neg() {
                Some(by) => (x, by),
                None => return Some(()),
            },
            _ => return Some(()),
        };
        let by = Interval::point(by);
        // Where the sum could wrap, it tells nothing.
        match (self.of(x).add(by), self.of(value).sub(by)) {
            (Some(_), Some(before)) => self.narrow(x, before),
            _ => Some(()),
        }
    }
}

fn opposite(op: Op) -> Option<Op> {
    Some(match op {
        Op::Ieq => Op::Ine,
        Op::Ine => Op::Ieq,
        Op::Ilt => Op::Ige,
        Op::Ige => Op::Ilt,
        Op::Igt => Op::Ile,
        Op::Ile => Op::Igt,
        _ => return None,
    })
}
