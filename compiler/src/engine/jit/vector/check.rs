//! Checks in lanes: a group in which one fails is left to the evaluator, which finds out which
//! trial traps first. Lanes that are not at the instruction hold anything, so they do not count.

use super::lane::Lane;
use super::node::Mask;
use super::state::VectorEmitter;
use crate::analysis::Interval;
use crate::ir::{Imm, InstData, Op, Value};
use cranelift::codegen::ir as clif;
use cranelift::prelude::InstBuilder;
use dicec_runtime::bug;
use dicec_runtime::limits::MAX_SIDES;

impl VectorEmitter<'_, '_> {
    /// Emits an instruction that traps in some lanes of the mask; `None` for other instructions.
    pub(super) fn checked(&mut self, data: &InstData, mask: Mask) -> Option<Lane> {
        let operand = |index: usize| {
            let value = data.args[index];
            (self.value(value), self.ranges.of(value))
        };
        match (data.op, data.imm) {
            (Op::Index, _) => {
                let (index, length) = (operand(0), operand(1));
                self.check_from(index, 0, mask);
                if index.1.high >= length.1.low {
                    self.leave_unless(Op::Ilt, index, length, mask);
                }
                Some(index.0)
            }
            (Op::DieSides, _) => {
                let sides = operand(0);
                self.check_from(sides, 1, mask);
                self.check_to(sides, MAX_SIDES.into(), mask);
                Some(sides.0)
            }
            (Op::NotNegative, _) => {
                let count = operand(0);
                self.check_from(count, 0, mask);
                Some(count.0)
            }
            (Op::DiceCount, Imm::Limit(limit)) => {
                let count = operand(0);
                self.check_to(count, limit.into(), mask);
                let ([count, zero], offset) = self.aligned([count, number(0)]);
                Some(Lane::new(self.builder.ins().smax(count, zero), offset))
            }
            (Op::ExplosionsLeft | Op::RerollsLeft | Op::DiceLeft, _) => {
                let left = operand(0);
                self.check_from(left, 1, mask);
                Some(left.0.plus(-1))
            }
            _ => None,
        }
    }

    fn check_from(&mut self, value: (Lane, Interval), least: i64, mask: Mask) {
        if value.1.low < least {
            self.leave_unless(Op::Ige, value, number(least), mask);
        }
    }

    fn check_to(&mut self, value: (Lane, Interval), greatest: i64, mask: Mask) {
        if value.1.high > greatest {
            self.leave_unless(Op::Ile, value, number(greatest), mask);
        }
    }

    /// Leaves the group if a watched parameter is not narrow in a lane of the mask.
    pub(super) fn watch(&mut self, params: impl Iterator<Item = Value>, mask: clif::Value) {
        let watched = &self.form.watched;
        let vectors = params.filter(|param| watched.params.contains(param));
        let vectors: Vec<clif::Value> = vectors
            .map(|param| {
                let lane = self.value(param);
                self.above(lane, -watched.most)
            })
            .collect();
        let mut vectors = vectors.into_iter();
        let Some(mut all) = vectors.next() else {
            return;
        };
        for vector in vectors {
            all = self.builder.ins().bor(all, vector);
        }
        // Each is narrow if no bit from this one on is set.
        let wide = self.splat(-2 * watched.most);
        let ins = &mut self.builder;
        let wide = ins.ins().band(all, wide);
        let wide = ins.ins().band(wide, mask);
        let any = ins.ins().vany_true(wide);
        self.leave_if(any);
    }

    /// Leaves the group if the comparison is false in a lane of the mask.
    fn leave_unless(&mut self, op: Op, a: (Lane, Interval), b: (Lane, Interval), mask: Mask) {
        let holds = self.compare(op, a, b);
        let holds = holds.unwrap_or_else(|| bug!("{op:?} compares nothing").raise());
        let holds = self.above(holds, 0);
        let fails = self.without(mask, holds);
        let any = self.builder.ins().vany_true(fails);
        self.leave_if(any);
    }
}

fn number(value: i64) -> (Lane, Interval) {
    (Lane::constant(value), Interval::point(value))
}
