//! Bounds checks against lists of unknown length: a relation between two numbers, which intervals
//! cannot express.

use crate::analysis::{Edge, Ranges};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, InstData, Op, Value};

/// A block, and the facts that hold there.
pub(super) struct Place<'f> {
    pub(super) function: &'f Function,
    pub(super) graph: &'f ControlFlow,
    pub(super) ranges: &'f Ranges,
    pub(super) block: Block,
}

impl Place<'_> {
    /// Whether an index is certainly below the length of a list:
    ///
    /// * a number less than the length, of a list with at least that many elements;
    /// * one less than a die with as many sides as the list has elements;
    /// * a number above a loop's counter that is less than the length, or than less than it.
    pub(super) fn is_below(&self, index: Value, length: Value) -> bool {
        self.is_from_the_end(index, length) || self.is_guarded(index, length)
    }

    fn is_from_the_end(&self, index: Value, length: Value) -> bool {
        let function = self.function;
        let Some((minuend, less)) = function
            .def(index)
            .and_then(|data| difference(function, data))
        else {
            return false;
        };
        let elements = self.ranges.at(self.block, length);
        if minuend == length {
            return less >= 1 && elements.low >= less;
        }
        let die = function
            .def(minuend)
            .map(|die| (die.op, die.args.as_slice()));
        let sides = match die {
            Some((Op::Roll, &[sides])) => sides,
            Some((Op::Dice, &[count, sides])) if function.as_iconst(count) == Some(1) => sides,
            _ => return false,
        };
        let is_checked = function
            .def(sides)
            .is_some_and(|sides| sides.op == Op::DieSides && sides.args[0] == length);
        less == 1 && (is_checked || sides == length && elements.low >= 1)
    }

    /// Whether a dominating branch compared the index with the length, up to constant offsets.
    fn is_guarded(&self, index: Value, length: Value) -> bool {
        if self.ranges.at(self.block, index).low < 0 {
            return false;
        }
        let ((index, above), (length, beyond)) = (self.sum(index), self.sum(length));
        let mut here = Some(self.block);
        while let Some(block) = here {
            if let &[from] = self.graph.predecessors(block)
                && let Some(edge) = Edge::between(self.function, from, block).next()
                && let Some((less, more)) = self.compared(edge)
            {
                let ((less, of_less), (more, of_more)) = (self.sum(less), self.sum(more));
                // index - above + of_less < length - beyond + of_more
                let sums = above.checked_sub(of_less).zip(beyond.checked_sub(of_more));
                if less == index && more == length && sums.is_some_and(|(a, b)| a <= b) {
                    return true;
                }
            }
            here = self.graph.immediate_dominator(block);
        }
        false
    }

    /// Two values of which the first is less than the second on this edge.
    fn compared(&self, edge: Edge<'_>) -> Option<(Value, Value)> {
        let (condition, holds) = edge.condition?;
        let data = self.function.def(condition)?;
        let &[a, b] = data.args.as_slice() else {
            return None;
        };
        match (data.op, holds) {
            (Op::Ilt, true) | (Op::Ige, false) => Some((a, b)),
            (Op::Igt, true) | (Op::Ile, false) => Some((b, a)),
            _ => None,
        }
    }

    /// A value as another value plus a constant; the addition cannot overflow.
    fn sum(&self, mut value: Value) -> (Value, i64) {
        let mut sum = 0_i64;
        while let Some((of, less)) = self
            .function
            .def(value)
            .and_then(|data| difference(self.function, data))
        {
            let range = self.ranges.of(of);
            let ends = [range.low, range.high].map(|end| end.checked_sub(less));
            let Some(next) = sum
                .checked_sub(less)
                .filter(|_| ends.iter().all(Option::is_some))
            else {
                break;
            };
            (value, sum) = (of, next);
        }
        (value, sum)
    }
}

/// The value and the constant that an instruction subtracts.
fn difference(function: &Function, data: &InstData) -> Option<(Value, i64)> {
    let &[a, b] = data.args.as_slice() else {
        return None;
    };
    match data.op {
        Op::Isub | Op::IsubWrap => Some((a, function.as_iconst(b)?)),
        Op::Iadd | Op::IaddWrap => Some((a, function.as_iconst(b)?.checked_neg()?)),
        _ => None,
    }
}
