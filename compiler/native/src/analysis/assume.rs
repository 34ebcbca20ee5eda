//! Constraints from conditions: on an edge of a branch the condition is known, and bounds of the
//! values that it compares follow.

use super::choice::{MAX_DEPTH, added_choice, choice};
use super::edge::{Edge, Facts};
use super::interval::Interval;
use super::ranges::Ranges;
use crate::ir::{Block, Function, InstData, Op, Value};

impl Ranges {
    /// The constraints on an edge; `None` if no trial takes it.
    pub(crate) fn facts(&self, function: &Function, edge: Edge<'_>) -> Option<Facts> {
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

impl Ranges {
    /// The interval of a select in a block: each side, and its operands, are narrowed by the
    /// condition under which it is selected. The same for a sum with a select.
    pub(super) fn selected(
        &self,
        function: &Function,
        block: Block,
        choice: &InstData,
    ) -> Interval {
        let here = Assumed {
            ranges: self,
            function,
            block,
            facts: Facts::default(),
        };
        if let Some((index, _)) = added_choice(function, choice) {
            let all = self.transfer(choice, |value| self.at(block, value));
            let sum = here.sum(choice, index, choice.args[index], MAX_DEPTH);
            return sum.map_or(all, |sum| all.clip(sum));
        }
        let side = |holds, value| {
            let mut here = here.clone();
            here.assume(choice.args[0], holds)?;
            Some(here.computed(value))
        };
        match (side(true, choice.args[1]), side(false, choice.args[2])) {
            (Some(yes), Some(no)) => yes.join(no),
            (Some(side), None) | (None, Some(side)) => side,
            (None, None) => self.transfer(choice, |value| self.at(block, value)),
        }
    }
}

/// The constraints that follow from the conditions at the end of a block. Each step returns `None`
/// if they are contradictory.
#[derive(Clone)]
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

    /// [`Assumed::of`], recomputed from the narrowed operands: `x + 1` is at most 4 if `x < 4`.
    fn computed(&self, value: Value) -> Interval {
        let known = self.of(value);
        let Some(data) = self.function.def(value) else {
            return known;
        };
        let mut args = data.args.iter();
        match args.any(|&arg| self.facts.of(arg).is_some()) {
            true => known.clip(self.ranges.transfer(data, |arg| self.of(arg))),
            false => known,
        }
    }

    /// A sum whose operand at `index` is `added`, or the select that it is: each side is added to
    /// the interval of the other operand under its condition. `None` if no side is possible.
    fn sum(&self, sum: &InstData, index: usize, added: Value, depth: usize) -> Option<Interval> {
        let choice = choice(self.function, added).filter(|_| depth > 0);
        let Some([condition, yes, no]) = choice else {
            let operand = |value| match value == sum.args[index] {
                true => self.computed(added),
                false => self.of(value),
            };
            return Some(self.ranges.transfer(sum, operand));
        };
        let sides = [(true, yes), (false, no)].into_iter();
        let sums = sides.filter_map(|(holds, side)| {
            let mut here = self.clone();
            here.assume(condition, holds)?;
            here.sum(sum, index, side, depth - 1)
        });
        sums.reduce(Interval::join)
    }

    /// Narrows a value; returns whether that is new information.
    fn narrow(&mut self, value: Value, bounds: Interval) -> Option<bool> {
        let old = self.of(value);
        let new = old.meet(bounds)?;
        if new != old {
            self.facts.set(value, new);
        }
        Some(new != old)
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
        if matches!((data.op, holds), (Op::Both, true) | (Op::Either, false)) {
            let mut parts = data.args.iter();
            return parts.try_for_each(|&part| self.assume(part, holds));
        }
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

    /// [`Assumed::narrow`], also for the number to which a constant was added.
    fn bound(&mut self, value: Value, bounds: Interval) -> Option<()> {
        if !self.narrow(value, bounds)? {
            return Some(());
        }
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
        // A sum that could wrap gives no bound for its operand.
        match (self.of(x).add(by), self.of(value).sub(by)) {
            (Some(_), Some(before)) => self.narrow(x, before).map(|_| ()),
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
