//! Sinks of results in lanes.
//!
//! A check is counted in lanes: a true result is -1, which is subtracted. A histogram with few
//! cells counts several trials at once, in a [`Table`](super::table::Table): the results of a
//! lane's trials are the digits of one number, and each number has a 32-bit cell in the call's own
//! table, which `fold` adds to the sink's cells at the end. So there are fewer increments, and two
//! of them rarely hit the same cell.

use super::kept::Kind;
use super::lane::Lane;
use super::relay_sink::Ended;
use super::state::{VectorEmitter, unaligned};
use super::table::Counting;
use crate::ir::Type;
use crate::jit::state::trusted;
use cranelift::codegen::ir as clif;
use cranelift::prelude::{InstBuilder, types};
use dicec_runtime::abi::offset;
use dicec_runtime::rng::lanes::LaneWidth;

impl VectorEmitter<'_, '_> {
    /// The variables of a sink, set before the loop.
    pub(super) fn begin_sink(&mut self) {
        let cells = self.load(offset::CELLS);
        self.builder.def_var(self.sink.cells, cells);
        match self.sink.kind {
            Kind::Count(count) => {
                let lanes = self.part_lanes();
                let zero = self.splat_of(lanes, 0);
                self.builder.def_var(count, zero);
            }
            Kind::Moments(kept) => self.begin_moments(kept),
            Kind::Values(_) | Kind::Histogram { .. } => {}
        }
    }

    /// Computes the cells that the results of a group increment, before it is known whether they
    /// count: after that, no register needs to hold a draw.
    pub(super) fn prepare(&mut self, results: &[Lane]) {
        if let Kind::Histogram {
            low,
            cells,
            counting,
            ..
        } = self.sink.kind
        {
            let numbers = results.chunks(counting.digits as usize);
            for (held, results) in numbers.enumerate() {
                let held = self.part + held;
                let number = self.number(results, low, cells, counting);
                self.hold(number, held);
            }
        }
    }

    /// Takes the [prepared](Self::prepare) results of a group: a vector for each trial of a lane.
    /// In a relay, only the lanes whose trials end have results.
    pub(super) fn record(&mut self, results: &[Lane], ended: Option<Ended>) {
        match (self.sink.kind, ended) {
            (Kind::Values(ty), None) => {
                for &result in results {
                    self.store_values(ty, result);
                }
            }
            (Kind::Values(ty), Some(ended)) => {
                for &result in results {
                    self.store_ended(ty, result, ended);
                }
            }
            (Kind::Count(_), _) => {
                for &result in results {
                    let mut mask = self.above(result, 0);
                    if let Some(ended) = ended {
                        mask = self.builder.ins().band(mask, ended.mask);
                    }
                    self.count(mask);
                }
            }
            (Kind::Moments(kept), _) => {
                self.keep_moments(kept, results, ended.map(|ended| ended.mask));
            }
            (Kind::Histogram { counting, .. }, Some(ended)) => {
                self.raise_ended(ended, counting.table == 0);
            }
            (Kind::Histogram { counting, .. }, None) => {
                let numbers = results.chunks(counting.digits as usize).count();
                for held in 0..numbers {
                    self.raise_held(held, 0, counting.table == 0);
                }
            }
        }
    }

    /// Counts the lanes of a mask, if the sink counts.
    pub(super) fn count(&mut self, mask: clif::Value) {
        if let Kind::Count(count) = self.sink.kind {
            let b = &mut self.builder;
            let before = b.use_var(count);
            let after = b.ins().isub(before, mask);
            b.def_var(count, after);
        }
    }

    /// Stores the state of a sink after the loop.
    pub(super) fn end_sink(&mut self) {
        if let Kind::Moments(kept) = self.sink.kind {
            let cells = self.builder.use_var(self.sink.cells);
            self.end_moments(kept, cells);
        }
        if let Kind::Count(count) = self.sink.kind {
            let lanes = self.part_lanes().lane_count() as usize;
            let b = &mut self.builder;
            let count = b.use_var(count);
            let cells = b.use_var(self.sink.cells);
            let mut sum = b.ins().load(types::I64, trusted(), cells, 0);
            for lane in 0..lanes {
                // At most 7.
                let count = b.ins().extractlane(count, lane as u8);
                let count = b.ins().uextend(types::I64, count);
                sum = b.ins().iadd(sum, count);
            }
            b.ins().store(trusted(), sum, cells, 0);
        }
    }

    /// Widens lanes to 64 bits and stores them one after the other.
    fn store_values(&mut self, ty: Type, result: Lane) {
        let result = if ty == Type::Bool {
            let mask = self.above(result, 0);
            self.builder.ins().ineg(mask)
        } else {
            self.above(result, 0)
        };
        let mut vectors = vec![result];
        let widenings = match self.width {
            LaneWidth::V8 | LaneWidth::V16 => 2,
            LaneWidth::V32 => 1,
        };
        let b = &mut self.builder;
        for _ in 0..widenings {
            let halves = vectors
                .iter()
                .flat_map(|&vector| [b.ins().swiden_low(vector), b.ins().swiden_high(vector)]);
            vectors = halves.collect();
        }
        let cells = b.use_var(self.sink.cells);
        for (offset, &vector) in vectors.iter().enumerate() {
            // At most four of 16 bytes.
            b.ins()
                .store(unaligned(), vector, cells, offset as i32 * 16);
        }
        let next = b.ins().iadd_imm_s(cells, vectors.len() as i64 * 16);
        b.def_var(self.sink.cells, next);
    }

    /// The index of each lane's cell: the results are its digits.
    fn number(
        &mut self,
        results: &[Lane],
        low: i64,
        cells: u32,
        counting: Counting,
    ) -> clif::Value {
        let (mut number, mut lowest) = (Lane::constant(0), 0);
        for &result in results {
            number = self.multiply(number, Lane::constant(cells.into()));
            number = self.add(number, result);
            lowest = lowest * i64::from(cells) + low;
        }
        let number = self.above(number, lowest);
        // Range analysis shows that results are within the cells. If it were wrong, a count would
        // be wrong, but memory stays safe.
        let last = match counting.table {
            0 => i64::from(cells) - 1,
            table => table as i64 - 1,
        };
        let last = self.splat(last);
        self.builder.ins().umin(number, last)
    }

    /// Stores the indices of cells so that single lanes can be loaded; there is space for one
    /// vector per trial of a lane.
    pub(super) fn hold(&mut self, number: clif::Value, held: usize) {
        if let Kind::Histogram { slot, .. } = self.sink.kind {
            let pointer = self.pointer();
            // A small number.
            let offset = held as i32 * 16;
            self.builder
                .ins()
                .stack_store(pointer, number, slot, offset);
        }
    }

    /// Increments the cells whose indices were stored, relative to the cell at `first`.
    pub(super) fn raise_held(&mut self, held: usize, first: usize, wide: bool) {
        if let Kind::Histogram { slot, .. } = self.sink.kind {
            let pointer = self.pointer();
            let slot = self.builder.ins().stack_addr(pointer, slot, 0);
            for lane in 0..self.width.lanes() {
                let offset = held * 16 + lane * self.width.bits() as usize / 8;
                self.raise(slot, (offset, first), wide, None);
            }
        }
    }

    pub(super) fn pointer(&self) -> clif::Type {
        self.builder.func.dfg.value_type(self.context)
    }

    /// Adds 1, or a number, to the cell whose index is at this offset in the stack slot at this
    /// address, relative to the cell at `first`.
    pub(super) fn raise(
        &mut self,
        slot: clif::Value,
        (offset, first): (usize, usize),
        wide: bool,
        by: Option<clif::Value>,
    ) {
        let b = &mut self.builder;
        let cells = b.use_var(self.sink.cells);
        // A small number.
        let offset = offset as i32;
        let number = match self.width {
            LaneWidth::V8 | LaneWidth::V16 => b.ins().uload16(types::I64, trusted(), slot, offset),
            LaneWidth::V32 => b.ins().uload32(trusted(), slot, offset),
        };
        let (ty, log) = if wide {
            (types::I64, 3)
        } else {
            (types::I32, 2)
        };
        let byte = b.ins().ishl_imm_u(number, log);
        let address = b.ins().iadd(cells, byte);
        // Tables are small.
        let first = (first << log) as i32;
        let before = b.ins().load(ty, trusted(), address, first);
        let after = match by {
            Some(by) if wide => b.ins().iadd(before, by),
            Some(by) => {
                let by = b.ins().ireduce(ty, by);
                b.ins().iadd(before, by)
            }
            None => b.ins().iadd_imm_s(before, 1),
        };
        b.ins().store(trusted(), after, address, first);
    }
}
