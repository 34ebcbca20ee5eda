//! Anchors limit live ranges: points in a long block at which values are stored, so that they are
//! computed by then.
//!
//! Cranelift computes a pure value just before its first use. So it would compute a sum of 2,000
//! dice after all draws, and each face, or its word, would occupy a stack slot until then. That
//! code is slow, and the register allocator takes quadratic time for that many long live ranges. A
//! store is an effect, so its operand is computed before it: every [`EVERY`] instructions, the live
//! values are stored to a slot that nothing reads.

use crate::ir::{Function, Inst, Op, Terminator, Value};
use cranelift::codegen::ir::StackSlot;
use cranelift::frontend::FunctionBuilder;
use cranelift::prelude::{StackSlotData, StackSlotKind};
use cranelift_entity::SecondaryMap;

/// The number of instructions between anchors; an anchor costs a store or two.
const EVERY: usize = 8;

/// Shorter blocks have no anchors, so the code of usual rules does not change.
const MIN_INSTS: usize = 256;

/// The anchors of a function with a long block.
#[derive(Debug)]
pub(super) struct Anchors {
    /// The number of remaining uses of each value.
    uses_left: SecondaryMap<Value, u32>,
    /// A slot with a word for each instruction between anchors.
    pub(super) slot: StackSlot,
}

impl Anchors {
    /// `None` if all blocks are short.
    pub(super) fn new(function: &Function, builder: &mut FunctionBuilder<'_>) -> Option<Self> {
        let mut blocks = function.blocks.values();
        if blocks.all(|block| block.insts.len() < MIN_INSTS) {
            return None;
        }
        let mut uses_left = SecondaryMap::new();
        for inst in function.live_insts() {
            let args = function.insts[inst].args.iter();
            args.for_each(|&arg| uses_left[arg] += 1);
        }
        let ends = function
            .blocks
            .values()
            .filter_map(|block| block.terminator.as_ref());
        for mut end in ends.cloned() {
            Terminator::for_each_use(&mut end, |value| uses_left[*value] += 1);
        }
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 8 * EVERY as u32, 3);
        Some(Self {
            uses_left,
            slot: builder.create_sized_stack_slot(slot),
        })
    }

    /// Records that the instructions of a block up to `place` are emitted. If an anchor is due
    /// there, returns the values that it stores, with the offset of each in the slot.
    pub(super) fn due(
        &mut self,
        function: &Function,
        insts: &[Inst],
        index: usize,
    ) -> Vec<(Value, i32)> {
        let args = function.insts[insts[index]].args.iter();
        args.for_each(|&arg| self.uses_left[arg] -= 1);
        if insts.len() < MIN_INSTS || !(index + 1).is_multiple_of(EVERY) {
            return Vec::new();
        }
        let done = (0..).zip(&insts[index + 1 - EVERY..=index]);
        let values = done.filter_map(|(word, &inst)| {
            let data = &function.insts[inst];
            let is_constant = matches!(data.op, Op::Iconst | Op::Bconst | Op::Fconst);
            let is_needed = self.uses_left[data.result] > 0 && !is_constant;
            is_needed.then_some((data.result, 8 * word))
        });
        values.collect()
    }
}
