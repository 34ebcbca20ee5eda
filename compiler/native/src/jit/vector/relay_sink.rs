//! Records the results of a relay, which end lane by lane, each at its own time.

use super::kept::Kind;
use super::lane::Lane;
use super::state::VectorEmitter;
use crate::ir::Type;
use crate::jit::state::trusted;
use cranelift::codegen::ir as clif;
use cranelift::prelude::{InstBuilder, types};

/// The lanes of a part of the group whose trials have ended.
#[derive(Clone, Copy)]
pub(super) struct Ended {
    pub(super) mask: clif::Value,
    /// The number of trials that each lane had left before, including this one.
    pub(super) left: clif::Value,
    /// The number of trials per lane, in 64 bits.
    pub(super) rounds: clif::Value,
}

impl VectorEmitter<'_, '_> {
    /// Stores the results of lanes whose trials have ended, each at its trial's index; the cells of
    /// other lanes do not change.
    pub(super) fn store_ended(&mut self, ty: Type, result: Lane, ended: Ended) {
        let result = self.above(result, 0);
        let result = match ty {
            Type::Bool => self.builder.ins().ineg(result),
            _ => result,
        };
        // In a lane without trials left, the index of its last one.
        let one = self.splat(1);
        let left = self.builder.ins().umax(ended.left, one);
        let cells = self.builder.use_var(self.sink.cells);
        let (lanes, first) = (self.width.lanes(), self.first_lane());
        let all = self.form.width.lanes() as i64;
        for lane in 0..lanes {
            let b = &mut self.builder;
            // At most 7.
            let [left, result, ended_here] =
                [left, result, ended.mask].map(|vector| b.ins().extractlane(vector, lane as u8));
            let left = b.ins().uextend(types::I64, left);
            let result = b.ins().sextend(types::I64, result);
            let round = b.ins().isub(ended.rounds, left);
            // A lane's trials are as far apart as there are lanes.
            let byte = b.ins().imul_imm_s(round, all * 8);
            let address = b.ins().iadd(cells, byte);
            let offset = (first + lane) as i32 * 8;
            let before = b.ins().load(types::I64, trusted(), address, offset);
            let stored = b.ins().select(ended_here, result, before);
            b.ins().store(trusted(), stored, address, offset);
        }
    }

    /// The next relay's results come after those of this one.
    pub(super) fn end_rounds(&mut self, rounds: clif::Value) {
        if let Kind::Values(_) = self.sink.kind {
            let lanes = self.width.lanes() as i64;
            let b = &mut self.builder;
            let cells = b.use_var(self.sink.cells);
            let bytes = b.ins().imul_imm_s(rounds, lanes * 8);
            let next = b.ins().iadd(cells, bytes);
            b.def_var(self.sink.cells, next);
        }
    }

    /// Increments the prepared cells of lanes whose trials have ended.
    pub(super) fn raise_ended(&mut self, ended: Ended, wide: bool) {
        let Kind::Histogram { slot, .. } = self.sink.kind else {
            return;
        };
        let pointer = self.pointer();
        let slot = self.builder.ins().stack_addr(pointer, slot, 0);
        for lane in 0..self.width.lanes() {
            let b = &mut self.builder;
            // At most 7.
            let minus_one = b.ins().extractlane(ended.mask, lane as u8);
            let minus_one = b.ins().sextend(types::I64, minus_one);
            let by = b.ins().ineg(minus_one);
            let offset = self.part * 16 + lane * self.width.bits() as usize / 8;
            self.raise(slot, (offset, 0), wide, Some(by));
        }
    }
}
