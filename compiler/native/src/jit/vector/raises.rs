//! Counter increments, deferred: collected while the blocks of an iteration are emitted, and
//! emitted at its end.
//!
//! A lane takes one of several exclusive paths, so their notes need only one counter per lane. If
//! trials end in only a few lanes, only these lanes are visited.

use super::node::Mask;
use super::raised::{Raise, Raises};
use super::state::VectorEmitter;
use crate::ir::Block;
use crate::jit::state::{at, trusted};
use cranelift::codegen::ir as clif;
use cranelift::codegen::ir::{StackSlotData, StackSlotKind};
use cranelift::prelude::{InstBuilder, types};
use dicec_runtime::abi::offset;
use dicec_runtime::rng::lanes::LaneWidth;

/// The bytes of a counter, and the bytes of a vector, as powers of two.
const COUNTER: u32 = 2;
const VECTOR: u32 = 4;

impl VectorEmitter<'_, '_> {
    /// Defers increments of counters in the lanes of the mask, for the current block.
    pub(super) fn raise_later(&mut self, counters: clif::Value, mask: Mask) {
        let counters = match mask {
            Some(mask) => self.builder.ins().band(counters, mask),
            None => counters,
        };
        self.raises.0.push(Raise {
            block: self.block,
            by_all: mask.is_none(),
            counters,
            part: self.part,
        });
    }

    /// Emits an iteration of the loop with this header, or a trial, with its increments at the end.
    pub(super) fn raising<R>(
        &mut self,
        header: Option<Block>,
        emit: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let outer = std::mem::take(&mut self.raises);
        let emitted = emit(self);
        let raises = std::mem::replace(&mut self.raises, outer);
        for (part, raised) in self.merged(raises, header).into_iter().enumerate() {
            for counters in raised {
                self.in_part(part, |emitter| emitter.raise_all(counters));
            }
        }
        emitted
    }

    /// The same for trials that end in the lanes of the mask, which are few.
    pub(super) fn raising_in<R>(
        &mut self,
        mask: clif::Value,
        emit: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let outer = std::mem::take(&mut self.raises);
        let emitted = emit(self);
        let raises = std::mem::replace(&mut self.raises, outer);
        let masks = self.masks_of(mask);
        let parts = self.merged(raises, None).into_iter().zip(masks);
        for (part, (counters, mask)) in parts.enumerate() {
            self.in_part(part, |emitter| emitter.raise_few(&counters, mask));
        }
        emitted
    }

    /// The increments of exclusive paths merged into one per lane, for each part of the group.
    fn merged(&mut self, raises: Raises, header: Option<Block>) -> Vec<Vec<clif::Value>> {
        let mut parts: Vec<Vec<(Vec<Block>, clif::Value)>> = vec![Vec::new(); self.parts()];
        for Raise {
            block,
            by_all,
            counters,
            part,
        } in raises.0
        {
            let merged = &mut parts[part];
            let before = self.graph.leading_to(block, header);
            let is_exclusive =
                |blocks: &[Block]| !blocks.iter().any(|other| before.contains(other));
            let fitting = merged
                .iter_mut()
                .find(|(blocks, _)| !by_all && is_exclusive(blocks));
            match fitting {
                Some((blocks, others)) => {
                    blocks.push(block);
                    *others = self.builder.ins().bor(*others, counters);
                }
                None => merged.push((vec![block], counters)),
            }
        }
        let counters = |(_, counters)| counters;
        let parts = parts.into_iter();
        parts
            .map(|merged| merged.into_iter().map(counters).collect())
            .collect()
    }

    fn counters(&mut self) -> clif::Value {
        let flags = trusted().with_readonly();
        let ins = self.builder.ins();
        ins.load(types::I64, flags, self.context, at(offset::COUNTERS))
    }

    /// Stores counters, as the indices of the first lanes' counters, in a stack slot.
    fn spill(&mut self, all: &[clif::Value]) -> clif::StackSlot {
        // There are few counters.
        let size = (all.len() as u32) << VECTOR;
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, size, VECTOR as u8);
        let slot = self.builder.create_sized_stack_slot(slot);
        let lanes = i64::from(self.form.width.lanes().trailing_zeros());
        let pointer = self.pointer();
        for (index, &counters) in all.iter().enumerate() {
            let first = self.builder.ins().ishl_imm_u(counters, lanes);
            let place = (index as i32) << VECTOR;
            self.builder.ins().stack_store(pointer, first, slot, place);
        }
        slot
    }

    /// Increments a counter of each lane.
    fn raise_all(&mut self, counters: clif::Value) {
        let slot = self.spill(&[counters]);
        let base = self.counters();
        for lane in 0..self.width.lanes() {
            let pointer = self.pointer();
            let vector = self.builder.ins().stack_addr(pointer, slot, 0);
            let place = (lane * self.width.bits() as usize / 8) as i32;
            let number = self.lane_at_place(vector, place);
            let own = self.first_lane() + lane;
            self.raise_one_lane(base, number, (own << COUNTER) as i32);
        }
    }

    /// Increments counters of the lanes of a mask.
    fn raise_few(&mut self, all: &[clif::Value], mask: clif::Value) {
        if all.is_empty() {
            return;
        }
        let slot = self.spill(all);
        let base = self.counters();
        let first = (self.first_lane() << COUNTER) as i64;
        let base = self.builder.ins().iadd_imm_s(base, first);
        let bits = self.bits_of(mask);
        let log = i64::from(self.width.bits().trailing_zeros() - 3);
        self.for_each_bit(bits, |emitter, left| {
            let pointer = emitter.pointer();
            let b = &mut emitter.builder;
            let lane = b.ins().ctz(left);
            let [byte, own] = [log, i64::from(COUNTER)].map(|log| b.ins().ishl_imm_u(lane, log));
            let vectors = b.ins().stack_addr(pointer, slot, 0);
            let vectors = b.ins().iadd(vectors, byte);
            let base = b.ins().iadd(base, own);
            for index in 0..all.len() {
                let number = emitter.lane_at_place(vectors, (index as i32) << VECTOR);
                emitter.raise_one_lane(base, number, 0);
            }
        });
    }

    /// Loads the lane at a position of vectors in memory.
    fn lane_at_place(&mut self, vectors: clif::Value, place: i32) -> clif::Value {
        let ins = self.builder.ins();
        match self.width {
            LaneWidth::V8 | LaneWidth::V16 => ins.uload16(types::I64, trusted(), vectors, place),
            LaneWidth::V32 => ins.uload32(trusted(), vectors, place),
        }
    }

    /// Increments the counter with this index, relative to a base.
    fn raise_one_lane(&mut self, base: clif::Value, number: clif::Value, place: i32) {
        let b = &mut self.builder;
        let byte = b.ins().ishl_imm_u(number, i64::from(COUNTER));
        let address = b.ins().iadd(base, byte);
        let before = b.ins().load(types::I32, trusted(), address, place);
        let after = b.ins().iadd_imm_s(before, 1);
        b.ins().store(trusted(), after, address, place);
    }
}
