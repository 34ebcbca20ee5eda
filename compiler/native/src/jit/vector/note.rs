//! Lines and statistics in lanes: increments the cells of active lanes.
//!
//! The texts and numbers with cells are known at compile time, because a script's form is made for
//! one argument block. For all others, the code calls the runtime, lane by lane.

use super::cells::{LaneRun, Run};
use super::lane::Lane;
use super::node::Mask;
use super::number::Number;
use super::state::VectorEmitter;
use crate::analysis::Interval;
use crate::ir::{InstData, Op, Value};
use crate::jit::pool::call_runtime;
use crate::jit::state::{at, trusted};
use cranelift::codegen::ir as clif;
use cranelift::prelude::{InstBuilder, types};
use dicec_runtime::abi::offset;
use dicec_runtime::rng::lanes::LaneWidth;

impl VectorEmitter<'_, '_> {
    /// Emits an instruction that notes something or burns fuel in the lanes of the mask; `None` for
    /// other instructions. Its result is never read.
    pub(super) fn noted(&mut self, data: &InstData, mask: Mask) -> Option<Number> {
        if matches!(data.op, Op::Fuel | Op::Burn) {
            // The fuel of an iteration is bounded.
            return Some(Number::constant(0));
        }
        let run = self.cells.as_ref()?.notes.run(data)?;
        let number = *data.args.last()?;
        if let Some(cell) = self.cell_of_all(&run, number) {
            self.raise_one(&run, cell, mask);
            return Some(self.value(number));
        }
        let text = data.args[0];
        let has_row = run.has_row(self.ranges.of(text));
        let texts = run.text.map(|_| self.lanes_of(self.ranged(text)));
        let range = self.ranges.of(number);
        let numbers = self.lanes_of(self.ranged(number));
        let masks = mask.map(|mask| self.masks_of(mask));
        for (part, lane) in numbers.into_iter().enumerate() {
            let text = texts.as_ref().map(|texts| texts[part]);
            let mask = masks.as_ref().map(|masks| masks[part]);
            self.in_part(part, |emitter| match has_row {
                true => emitter.note(&run, text, (lane, range), mask),
                false => emitter.note_by_call(&run, text, lane, mask),
            });
        }
        Some(self.value(number))
    }

    /// The cell that all lanes of the group increment: that of a constant number, and of a
    /// statistic with one name.
    fn cell_of_all(&self, run: &Run, number: Value) -> Option<i64> {
        let Number::One(lane) = self.value(number) else {
            return None;
        };
        let cell = lane.as_constant()?.checked_sub(run.low)?;
        let has_cell = (0..i64::from(run.numbers)).contains(&cell);
        (has_cell && run.text.is_none()).then_some(cell)
    }

    /// Notes a number, and the text of the name if the statistic's name is joined at run time: that
    /// text has cells.
    fn note(&mut self, run: &Run, text: Option<Lane>, (lane, range): (Lane, Interval), mask: Mask) {
        let last = run.low.saturating_add(i64::from(run.numbers) - 1);
        let (low, high) = (run.low.max(range.low), last.min(range.high));
        let is_other = |number| !(run.low..=last).contains(&number);
        if low > high || lane.as_constant().is_some_and(is_other) {
            return self.note_by_call(run, text, lane, mask);
        }
        let mut has_cell = mask;
        if lane.as_constant().is_none() {
            for (op, bound, end) in [(Op::Ige, low, range.low), (Op::Ile, high, range.high)] {
                if bound == end {
                    continue;
                }
                let bound = (Lane::constant(bound), Interval::point(bound));
                if let Some(inside) = self.compare(op, (lane, range), bound) {
                    let inside = self.above(inside, 0);
                    has_cell = Some(self.both(has_cell, inside));
                }
            }
            if (low, high) != (range.low, range.high) {
                self.note_others(run, text, lane, [mask, has_cell]);
            }
        }
        let cell = self.cell(run, text, lane);
        // Both have cells, and there are few cells. A name's row has all of its cells.
        let ends = match text {
            None => [low - run.low, high - run.low],
            Some(_) => [0, i64::from(run.cells) - 1],
        };
        let notes = self.cells.as_ref().map(|cells| cells.notes);
        let lanes = notes.and_then(|notes| notes.lanes(run.noted, ends));
        match (cell.as_constant(), lanes) {
            (Some(cell), _) => self.raise_one(run, cell, has_cell),
            (None, Some(lanes)) => self.raise_lanes(lanes, cell, has_cell),
            (None, None) => self.raise_each(run, cell, has_cell),
        }
    }

    /// The index of the cell of a number, and of the text of a name, in the run.
    fn cell(&mut self, run: &Run, text: Option<Lane>, lane: Lane) -> Lane {
        let column = lane.plus(run.low.wrapping_neg());
        let (Some(text), Some(first)) = (text, run.text) else {
            return column;
        };
        let row = text.plus(first.wrapping_neg());
        if let Some(row) = row.as_constant() {
            return column.plus(row.wrapping_mul(run.numbers.into()));
        }
        let row = self.above(row, 0);
        let numbers = self.splat(run.numbers.into());
        let row = self.builder.ins().imul(row, numbers);
        let column = self.above(column, 0);
        Lane::new(self.builder.ins().iadd(row, column), 0)
    }

    /// Increments one cell for all lanes.
    fn raise_one(&mut self, run: &Run, cell: i64, mask: Mask) {
        let by = match mask {
            None => {
                let lanes = self.width.lanes() as i64;
                self.builder.ins().iconst(types::I64, lanes)
            }
            Some(mask) => self.count_of(mask),
        };
        let cells = self.cells_at(run);
        // There are few cells.
        let offset = cell as i32 * 8;
        let b = &mut self.builder;
        let before = b.ins().load(types::I64, trusted(), cells, offset);
        let after = b.ins().iadd(before, by);
        b.ins().store(trusted(), after, cells, offset);
    }

    /// Increments the counters of the lanes of the mask, whose cells all have one. Other lanes hold
    /// arbitrary values.
    fn raise_lanes(&mut self, run: LaneRun, cell: Lane, mask: Mask) {
        // There are few counters.
        let first = run.first as i64 + 1;
        let counters = self.above(cell.plus(first), run.low.into());
        self.raise_later(counters, mask);
    }

    /// The number of lanes in the mask.
    fn count_of(&mut self, mask: clif::Value) -> clif::Value {
        let bits = self.bits_of(mask);
        self.builder.ins().popcnt(bits)
    }

    /// One bit per lane.
    pub(super) fn bits_of(&mut self, mask: clif::Value) -> clif::Value {
        let bits = self.builder.ins().vhigh_bits(types::I32, mask);
        self.builder.ins().uextend(types::I64, bits)
    }

    /// The address of a run of cells.
    fn cells_at(&mut self, run: &Run) -> clif::Value {
        let flags = trusted().with_readonly();
        let ins = self.builder.ins();
        let cells = ins.load(types::I64, flags, self.context, at(run.base));
        // All cells together are fewer than 2^32.
        let before = run.first as i64 * 8;
        self.builder.ins().iadd_imm_s(cells, before)
    }

    /// Increments the cells of the lanes of the mask; all of them have one.
    fn raise_each(&mut self, run: &Run, cell: Lane, mask: Mask) {
        let Some([numbers, masks, _]) = self.cells.as_ref().map(|cells| cells.slots) else {
            return;
        };
        let cells = self.cells_at(run);
        let cell = self.above(cell, 0);
        // Lanes outside of the mask hold arbitrary values.
        let last = self.splat(i64::from(run.cells) - 1);
        let cell = self.builder.ins().umin(cell, last);
        let pointer = self.pointer();
        self.builder.ins().stack_store(pointer, cell, numbers, 0);
        if let Some(mask) = mask {
            self.builder.ins().stack_store(pointer, mask, masks, 0);
        }
        for lane in 0..self.width.lanes() {
            let number = self.lane_of(numbers, lane, false);
            let b = &mut self.builder;
            let byte = b.ins().ishl_imm_u(number, 3);
            let address = b.ins().iadd(cells, byte);
            let before = b.ins().load(types::I64, trusted(), address, 0);
            let after = if mask.is_some() {
                let minus_one = self.lane_of(masks, lane, true);
                self.builder.ins().isub(before, minus_one)
            } else {
                b.ins().iadd_imm_s(before, 1)
            };
            let ins = self.builder.ins();
            ins.store(trusted(), after, address, 0);
        }
    }

    /// Loads a stored lane.
    fn lane_of(&mut self, slot: clif::StackSlot, lane: usize, signed: bool) -> clif::Value {
        let pointer = self.pointer();
        let offset = (lane * self.width.bits() as usize / 8) as i32;
        let b = &mut self.builder;
        let vector = b.ins().stack_addr(pointer, slot, 0);
        let ins = b.ins();
        match (self.width, signed) {
            (LaneWidth::V8 | LaneWidth::V16, false) => {
                ins.uload16(types::I64, trusted(), vector, offset)
            }
            (LaneWidth::V8 | LaneWidth::V16, true) => {
                ins.sload16(types::I64, trusted(), vector, offset)
            }
            (LaneWidth::V32, false) => ins.uload32(trusted(), vector, offset),
            (LaneWidth::V32, true) => ins.sload32(trusted(), vector, offset),
        }
    }

    /// Notes the numbers of the lanes of the first mask that are not in the second one, if there
    /// are any.
    fn note_others(&mut self, run: &Run, text: Option<Lane>, lane: Lane, masks: [Mask; 2]) {
        let [mask, has_cell] = masks;
        let Some(has_cell) = has_cell else { return };
        let others = self.without(mask, has_cell);
        let b = &mut self.builder;
        let [other, done] = [(); 2].map(|()| b.create_block());
        b.set_cold_block(other);
        let any = b.ins().vany_true(others);
        b.ins().brif(any, other, &[], done, &[]);
        b.switch_to_block(other);
        self.aside(|emitter| emitter.note_by_call(run, text, lane, Some(others)));
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
    }

    /// Calls the runtime for each lane of the mask.
    fn note_by_call(&mut self, run: &Run, text: Option<Lane>, lane: Lane, mask: Mask) {
        let Some([numbers, _, texts]) = self.cells.as_ref().map(|cells| cells.slots) else {
            return;
        };
        let mask = match mask {
            Some(mask) => mask,
            None => self.splat(-1),
        };
        let args = text.map(|text| (text, texts)).into_iter();
        let args: Vec<(Lane, clif::StackSlot)> = args.chain([(lane, numbers)]).collect();
        for &(arg, slot) in &args {
            let vector = self.above(arg, 0);
            let pointer = self.pointer();
            self.builder.ins().stack_store(pointer, vector, slot, 0);
        }
        let bits = self.bits_of(mask);
        self.for_each_bit(bits, |emitter, left| {
            let args = args.iter().map(|&(_, slot)| emitter.lane_at(slot, left));
            let args: Vec<clif::Value> = args.collect();
            emitter.call_runtime(run, &args);
        });
    }

    /// Emits a loop over the set bits: `each` takes the remaining bits, of which the lowest is the
    /// current one.
    pub(super) fn for_each_bit(
        &mut self,
        bits: clif::Value,
        each: impl FnOnce(&mut Self, clif::Value),
    ) {
        let [head, body, done] = [(); 3].map(|()| self.builder.create_block());
        let left = self.builder.append_block_param(head, types::I64);
        self.builder.ins().jump(head, &[bits.into()]);
        self.builder.switch_to_block(head);
        self.builder.ins().brif(left, body, &[], done, &[]);
        self.builder.switch_to_block(body);
        each(self, left);
        let less = self.builder.ins().iadd_imm_s(left, -1);
        let left = self.builder.ins().band(left, less);
        self.builder.ins().jump(head, &[left.into()]);
        self.builder.switch_to_block(done);
    }

    /// The stored lane of the lowest bit that is set.
    fn lane_at(&mut self, slot: clif::StackSlot, bits: clif::Value) -> clif::Value {
        let pointer = self.pointer();
        let log = self.width.bits().trailing_zeros() - 3;
        let b = &mut self.builder;
        let lane = b.ins().ctz(bits);
        let byte = b.ins().ishl_imm_u(lane, i64::from(log));
        let vector = b.ins().stack_addr(pointer, slot, 0);
        let address = b.ins().iadd(vector, byte);
        match self.width {
            LaneWidth::V8 | LaneWidth::V16 => b.ins().sload16(types::I64, trusted(), address, 0),
            LaneWidth::V32 => b.ins().sload32(trusted(), address, 0),
        }
    }

    /// Calls the runtime to note a number; leaves the group to the evaluator if that traps.
    fn call_runtime(&mut self, run: &Run, args: &[clif::Value]) {
        let id = self.builder.ins().iconst(types::I64, i64::from(run.number));
        call_runtime(&mut self.builder, self.context, run.call, id, args);
        let ins = self.builder.ins();
        let status = ins.load(types::I32, trusted(), self.context, at(offset::CALL_STATUS));
        self.leave_if(status);
    }
}
