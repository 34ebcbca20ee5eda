//! Checks in lanes: a group in which one fails is left to the evaluator, which finds out which
//! trial traps first. Inactive lanes hold arbitrary values, so they are masked out.

use super::lane::Lane;
use super::node::Mask;
use super::number::{Number, Ranged};
use super::state::VectorEmitter;
use crate::analysis::Interval;
use crate::ir::{Imm, InstData, Op, Value};
use cranelift::codegen::ir as clif;
use cranelift::prelude::InstBuilder;
use dicec_runtime::bug;
use dicec_runtime::limits::MAX_SIDES;

impl VectorEmitter<'_, '_> {
    /// Emits an instruction that traps in some lanes of the mask; `None` for other instructions.
    pub(super) fn checked(&mut self, data: &InstData, mask: Mask) -> Option<Number> {
        let operand = |index: usize| self.ranged(data.args[index]);
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
                let range = self.range_of(data.result);
                self.on_lanes(&[count, number(0)], range, |emitter, args| {
                    let ([count, zero], offset) = emitter.aligned([args[0], args[1]]);
                    let count = emitter.builder.ins().smax(count, zero);
                    Some(Lane::new(count, offset))
                })
            }
            (Op::ExplosionsLeft | Op::RerollsLeft | Op::DiceLeft, _) => {
                let left = operand(0);
                self.check_from(left, 1, mask);
                Some(self.sum(left, number(-1)).0)
            }
            _ => None,
        }
    }

    fn check_from(&mut self, value: Ranged, least: i64, mask: Mask) {
        if value.1.low < least {
            self.leave_unless(Op::Ige, value, number(least), mask);
        }
    }

    fn check_to(&mut self, value: Ranged, greatest: i64, mask: Mask) {
        if value.1.high > greatest {
            self.leave_unless(Op::Ile, value, number(greatest), mask);
        }
    }

    /// Leaves the group if a guarded parameter is outside of its interval in a lane of the mask.
    pub(super) fn watch(&mut self, params: impl Iterator<Item = Value>, mask: clif::Value) {
        let mut fitting: Vec<(Lane, Interval)> = Vec::new();
        let mut others: Vec<Vec<(Lane, Interval)>> = vec![Vec::new(); self.parts()];
        for param in params {
            let Some(narrow) = self.form.watched.interval(param) else {
                continue;
            };
            match self.fitting((self.value(param), narrow)) {
                Some(lane) => fitting.push((lane, narrow)),
                None => {
                    let halves = self.halves(self.ranged(param));
                    let parts = others.iter_mut().zip(halves);
                    parts.for_each(|(lanes, half)| lanes.push((half, narrow)));
                }
            }
        }
        self.leave_if_wide(&fitting, mask);
        if others.iter().any(|lanes| !lanes.is_empty()) {
            let masks = self.masks_of(mask);
            for (part, (lanes, mask)) in others.into_iter().zip(masks).enumerate() {
                self.in_part(part, |emitter| emitter.leave_if_wide(&lanes, mask));
            }
        }
    }

    /// Leaves the group if a number is outside of its interval in a lane of the mask. All intervals
    /// have the same length, a power of two.
    fn leave_if_wide(&mut self, watched: &[(Lane, Interval)], mask: clif::Value) {
        let vectors = watched
            .iter()
            .map(|&(lane, narrow)| self.above(lane, narrow.low));
        let vectors: Vec<clif::Value> = vectors.collect();
        let all = vectors
            .into_iter()
            .reduce(|all, vector| self.builder.ins().bor(all, vector));
        let (Some(all), Some((_, narrow))) = (all, watched.first()) else {
            return;
        };
        // Each number is inside if no bit from this one on is set.
        let wide = self.splat(narrow.low - narrow.high - 1);
        let ins = &mut self.builder;
        let wide = ins.ins().band(all, wide);
        let wide = ins.ins().band(wide, mask);
        let any = ins.ins().vany_true(wide);
        self.leave_if(any);
    }

    /// Leaves the group if the comparison is false in a lane of the mask.
    fn leave_unless(&mut self, op: Op, a: Ranged, b: Ranged, mask: Mask) {
        let holds = self.compare_numbers(op, a, b);
        let holds = holds.unwrap_or_else(|| bug!("{op:?} compares nothing").raise());
        let holds = self.mask_of_truth(holds);
        let fails = self.without(mask, holds);
        let any = self.builder.ins().vany_true(fails);
        self.leave_if(any);
    }
}

fn number(value: i64) -> Ranged {
    (Number::constant(value), Interval::point(value))
}
