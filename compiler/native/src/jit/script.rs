//! Operations that only scripts have, as native code: memory, fuel, calls and notes.
//!
//! Addresses come from existing records and lists, and list indices were compared with the lengths,
//! so memory is accessed without further checks. If that is ever wrong, the damage stays in this
//! memory: each address is masked to its bits, unless it is a constant that is valid in every
//! memory. Rare and slow cases are calls of the runtime.

use super::state::{Around, Emitter, trusted};
use crate::ir::{Field, Func, Imm, Inst, Op};
use cranelift::codegen::ir::{self as clif, DataFlowGraph};
use cranelift::prelude::{AbiParam, InstBuilder, IntCC, Signature, types};
use cranelift_entity::EntityRef;
use dicec_runtime::abi::{call, offset};
use dicec_runtime::script::{CAPACITY, FIRST_WORDS, HEADER, LENGTH, SPARE, START};
use dicec_runtime::trap::TrapCode;

const WORD: i64 = size_of::<i64>() as i64;

impl Emitter<'_, '_> {
    /// An operation that only scripts have.
    pub(super) fn script_op(
        &mut self,
        op: Op,
        imm: Imm,
        args: &[clif::Value],
        inst: Inst,
    ) -> Option<clif::Value> {
        let value = match (op, imm, args) {
            (Op::Peek | Op::Load, Imm::Field(field), &[address]) => {
                let (place, offset) = self.place(address, field);
                let ins = self.builder.ins();
                ins.load(types::I64, trusted(), place, offset)
            }
            (Op::Store, Imm::Field(field), &[address, value]) => {
                let (place, offset) = self.place(address, field);
                self.builder.ins().store(trusted(), value, place, offset);
                value
            }
            (Op::Alloc, Imm::Int(words), _) => self.alloc(words, inst)?,
            (Op::NewList, Imm::Int(count), _) => self.new_list(count, inst)?,
            (Op::Append, _, &[list, value]) => self.append(list, value, inst)?,
            (Op::ShiftDown | Op::ShiftUp, Imm::Field(field), &[address, count]) => {
                self.shift(op == Op::ShiftUp, field, [address, count], inst)?
            }
            (Op::Fuel, Imm::Int(units), _) => {
                let units = self.builder.ins().iconst(types::I64, units);
                self.fuel(units, inst)?
            }
            (Op::Burn, Imm::Int(most), &[units]) => {
                let ins = &mut self.builder;
                let most = ins.ins().iconst(types::I64, most);
                let none = ins.ins().iconst(types::I64, 0);
                let units = ins.ins().smin(units, most);
                let units = ins.ins().smax(units, none);
                self.fuel(units, inst)?
            }
            (Op::Depth, Imm::Int(deeper), _) => self.depth(deeper, inst)?,
            (Op::Call, Imm::Call(func, deeper), args) => self.call_function(func, deeper, args)?,
            (Op::TextJoin, Imm::Int(values), &[a, b]) => self.text_join(values, [a, b], inst)?,
            (Op::Output, Imm::Site(site), &[text]) => self.output(site, text, inst),
            (Op::Stat, Imm::Stat(stat), &[value]) => self.stat(stat, value)?,
            (Op::NamedStat, Imm::Site(site), &[text, value]) => {
                self.named_stat(site, [text, value], inst)
            }
            _ => return None,
        };
        Some(value)
    }

    /// The location of a field: an address and an offset in bytes.
    fn place(&mut self, address: clif::Value, field: Field) -> (clif::Value, i32) {
        let tables = self.source.tables;
        // A type has fewer fields than a source text has bytes.
        let offset = tables.map_or(0, |tables| tables.fields[field].offset);
        if (offset as usize) < SPARE {
            return (self.word_at(address), offset as i32 * WORD as i32);
        }
        let ins = self.builder.ins();
        let address = ins.iadd_imm_s(address, i64::from(offset));
        (self.word_at(address), 0)
    }

    /// The machine's address of a word.
    fn word_at(&mut self, address: clif::Value) -> clif::Value {
        let Some(script) = self.script else {
            // A function on its own has no memory, and the verifier allows no such instruction in
            // it.
            return address;
        };
        let b = &mut self.builder;
        let (memory, mask) = (b.use_var(script.memory), b.use_var(script.mask));
        let address = match is_always_there(&b.func.dfg, address) {
            true => address,
            false => b.ins().band(address, mask),
        };
        let bytes = b.ins().ishl_imm_u(address, 3);
        b.ins().iadd(memory, bytes)
    }

    /// Loads the location and the size of memory from the context.
    pub(super) fn load_memory(&mut self) {
        let Some(script) = self.script else { return };
        let [memory, words] = [offset::MEMORY, offset::MEMORY_WORDS].map(|at| self.load(at));
        let mask = self.builder.ins().iadd_imm_s(words, -1);
        self.builder.def_var(script.memory, memory);
        self.builder.def_var(script.mask, mask);
    }

    fn alloc(&mut self, words: i64, inst: Inst) -> Option<clif::Value> {
        let script = self.script?;
        let address = self.builder.use_var(script.free);
        let end = self.builder.ins().iadd_imm_s(address, words);
        let most = self.load(offset::MEMORY_WORDS);
        let b = &mut self.builder;
        let (full, fits) = (b.create_block(), b.create_block());
        b.set_cold_block(full);
        let is_full = b.ins().icmp(IntCC::UnsignedGreaterThan, end, most);
        b.ins().brif(is_full, full, &[], fits, &[]);
        b.switch_to_block(full);
        self.store(address, offset::FREE);
        self.runtime_at(call::grow, end, &[]);
        self.check_call(inst);
        self.load_memory();
        self.builder.ins().jump(fits, &[]);
        self.builder.switch_to_block(fits);
        self.builder.def_var(script.free, end);
        Some(address)
    }

    fn new_list(&mut self, count: i64, inst: Inst) -> Option<clif::Value> {
        let list = self.alloc(HEADER + count, inst)?;
        let place = self.word_at(list);
        let length = self.builder.ins().iconst(types::I64, count);
        let start = self.builder.ins().iadd_imm_s(list, HEADER);
        for (word, value) in [(LENGTH, length), (CAPACITY, length), (START, start)] {
            let offset = (word * WORD) as i32;
            self.builder.ins().store(trusted(), value, place, offset);
        }
        Some(list)
    }

    /// Appends a value to a list. The runtime does it if the list has no space left.
    fn append(&mut self, list: clif::Value, value: clif::Value, inst: Inst) -> Option<clif::Value> {
        let script = self.script?;
        let most = self.source.tables?.limits.list;
        let header = self.word_at(list);
        let b = &mut self.builder;
        let word = |word: i64| (word * WORD) as i32;
        let length = b.ins().load(types::I64, trusted(), header, word(LENGTH));
        let capacity = b.ins().load(types::I64, trusted(), header, word(CAPACITY));
        let limit = b.ins().iconst(types::I64, i64::from(most));
        let room = b.ins().smin(capacity, limit);
        let has_room = b.ins().icmp(IntCC::SignedLessThan, length, room);
        let [here, full, done] = [(); 3].map(|()| b.create_block());
        b.set_cold_block(full);
        let longer = b.append_block_param(done, types::I64);
        b.ins().brif(has_room, here, &[], full, &[]);

        b.switch_to_block(here);
        let start = b.ins().load(types::I64, trusted(), header, word(START));
        let end = b.ins().iadd(start, length);
        let end = self.word_at(end);
        let b = &mut self.builder;
        b.ins().store(trusted(), value, end, 0);
        let next = b.ins().iadd_imm_s(length, 1);
        b.ins().store(trusted(), next, header, word(LENGTH));
        b.ins().jump(done, &[next.into()]);

        b.switch_to_block(full);
        let free = self.builder.use_var(script.free);
        self.store(free, offset::FREE);
        let length = self.runtime(call::append, most, &[list, value]);
        let free = self.load(offset::FREE);
        self.builder.def_var(script.free, free);
        self.load_memory();
        self.check_call(inst);
        self.builder.ins().jump(done, &[length.into()]);

        self.builder.switch_to_block(done);
        Some(longer)
    }

    /// Moves words of a list: a call of the runtime, which moves many at a time.
    fn shift(
        &mut self,
        up: bool,
        field: Field,
        [address, count]: [clif::Value; 2],
        inst: Inst,
    ) -> Option<clif::Value> {
        let tables = self.source.tables?;
        let none = self.builder.ins().iconst(types::I64, 0);
        let count = self.builder.ins().smax(count, none);
        self.fuel(count, inst)?;
        let offset = i64::from(tables.fields[field].offset);
        let address = self.builder.ins().iadd_imm_s(address, offset);
        Some(self.runtime(call::shift, u32::from(up), &[address, count]))
    }

    fn fuel(&mut self, units: clif::Value, inst: Inst) -> Option<clif::Value> {
        let fuel = self.script?.fuel;
        let b = &mut self.builder;
        let left = b.use_var(fuel);
        let less = b.ins().isub(left, units);
        let none = b.ins().icmp_imm_s(IntCC::SignedLessThan, less, 0);
        self.trap_if(none, TrapCode::OutOfFuel, inst);
        self.builder.def_var(fuel, less);
        Some(less)
    }

    fn text_join(
        &mut self,
        values: i64,
        texts: [clif::Value; 2],
        inst: Inst,
    ) -> Option<clif::Value> {
        let fuel = self.script?.fuel;
        let left = self.builder.use_var(fuel);
        self.store(left, offset::FUEL);
        let values = self.builder.ins().iconst(types::I64, values);
        let text = self.runtime_at(call::join, values, &texts);
        let left = self.load(offset::FUEL);
        self.builder.def_var(fuel, left);
        self.check_call(inst);
        Some(text)
    }

    fn depth(&mut self, deeper: i64, inst: Inst) -> Option<clif::Value> {
        let most = i64::from(self.source.tables?.limits.depth);
        let b = &mut self.builder;
        let depth = match self.around {
            Around::Trials(_) => b.ins().iconst(types::I64, deeper),
            Around::Called(depth) => b.ins().iadd_imm_s(depth, deeper),
        };
        let most = b.ins().iconst(types::I64, most);
        let too_deep = b.ins().icmp(IntCC::SignedGreaterThan, depth, most);
        self.trap_if(too_deep, TrapCode::TooDeep, inst);
        Some(depth)
    }

    /// A call of another function of the module. A trap in it becomes a trap of this function, at
    /// the callee's site.
    fn call_function(
        &mut self,
        func: Func,
        deeper: u32,
        args: &[clif::Value],
    ) -> Option<clif::Value> {
        self.script?;
        self.store_state();
        let b = &mut self.builder;
        let pointer = b.func.dfg.value_type(self.context);
        let mut signature = Signature::new(b.func.signature.call_conv);
        signature.params.push(AbiParam::new(pointer));
        let words = std::iter::repeat_n(AbiParam::new(types::I64), 1 + args.len());
        signature.params.extend(words);
        signature.returns.push(AbiParam::new(types::I64));
        let signature = b.import_signature(signature);
        let depth = match self.around {
            Around::Trials(_) => b.ins().iconst(types::I64, i64::from(deeper)),
            Around::Called(depth) => b.ins().iadd_imm_s(depth, i64::from(deeper)),
        };
        let functions = self.load(offset::FUNCTIONS);
        // A module has fewer functions than its source has bytes.
        let place = func.index() as i32 * WORD as i32;
        let b = &mut self.builder;
        let address = b.ins().load(pointer, trusted(), functions, place);
        let mut all = vec![self.context, depth];
        all.extend(args);
        let call = b.ins().call_indirect(signature, address, &all);
        let result = b.inst_results(call)[0];
        self.load_generator();
        self.load_script_state();
        let status = offset::CALL_STATUS as i32;
        let ins = self.builder.ins();
        let status = ins.load(types::I32, trusted(), self.context, status);
        let site = self.load(offset::TRAP_SITE);
        self.trap_at(status, status, site);
        Some(result)
    }

    /// Increments the cell of the line, if it has one.
    fn output(&mut self, site: u32, text: clif::Value, inst: Inst) -> clif::Value {
        let width = self.load(offset::LINE_WIDTH);
        let b = &mut self.builder;
        let has_cell = b.ins().icmp(IntCC::UnsignedLessThan, text, width);
        let cell = match site {
            0 => text,
            _ => {
                let before = b.ins().imul_imm_s(width, i64::from(site));
                b.ins().iadd(before, text)
            }
        };
        let lines = self.load(offset::LINES);
        let other = self.raise_if(has_cell, lines, cell);
        self.runtime(call::line, site, &[text]);
        self.check_call(inst);
        self.end_raise(other);
        text
    }

    /// Increments the cell of the number, if it has one.
    fn stat(&mut self, stat: u32, value: clif::Value) -> Option<clif::Value> {
        let window = self.source.windows.stats.get(stat as usize)?;
        // All cells together are fewer than 2^32.
        let first = self.source.windows.before(stat as usize) as i64;
        let b = &mut self.builder;
        let place = b.ins().iadd_imm_s(value, window.low.wrapping_neg());
        let cells = b.ins().iconst(types::I64, i64::from(window.cells));
        let has_cell = b.ins().icmp(IntCC::UnsignedLessThan, place, cells);
        let cell = b.ins().iadd_imm_s(place, first);
        let stats = self.load(offset::STATS);
        let other = self.raise_if(has_cell, stats, cell);
        self.runtime(call::stat, stat, &[value]);
        self.end_raise(other);
        Some(value)
    }

    /// Increments the cell of the text and the number, if they have one.
    fn named_stat(
        &mut self,
        site: u32,
        [text, value]: [clif::Value; 2],
        inst: Inst,
    ) -> clif::Value {
        let windows = self.source.windows;
        let window = windows
            .named
            .get(site as usize)
            .filter(|window| window.cells() > 0);
        let other = window.map(|window| {
            let cells = i64::from(window.numbers.cells);
            // As above.
            let first = windows.before_site(site as usize) as i64;
            let b = &mut self.builder;
            let row = b.ins().iadd_imm_s(text, window.first.wrapping_neg());
            let place = b.ins().iadd_imm_s(value, window.numbers.low.wrapping_neg());
            let texts = b.ins().iconst(types::I64, i64::from(window.texts));
            let numbers = b.ins().iconst(types::I64, cells);
            let has_row = b.ins().icmp(IntCC::UnsignedLessThan, row, texts);
            let has_place = b.ins().icmp(IntCC::UnsignedLessThan, place, numbers);
            let has_cell = b.ins().band(has_row, has_place);
            let row = b.ins().imul_imm_s(row, cells);
            let cell = b.ins().iadd(row, place);
            let cell = b.ins().iadd_imm_s(cell, first);
            let stats = self.load(offset::STATS);
            self.raise_if(has_cell, stats, cell)
        });
        self.runtime(call::named_stat, site, &[text, value]);
        self.check_call(inst);
        if let Some(other) = other {
            self.end_raise(other);
        }
        value
    }

    /// Increments a cell if there is one; [`Emitter::end_raise`] joins both paths.
    fn raise_if(
        &mut self,
        has_cell: clif::Value,
        cells: clif::Value,
        cell: clif::Value,
    ) -> clif::Block {
        let b = &mut self.builder;
        let [raise, other, done] = [(); 3].map(|()| b.create_block());
        b.set_cold_block(other);
        b.ins().brif(has_cell, raise, &[], other, &[]);
        b.switch_to_block(raise);
        let byte = b.ins().ishl_imm_u(cell, 3);
        let address = b.ins().iadd(cells, byte);
        let old = b.ins().load(types::I64, trusted(), address, 0);
        let new = b.ins().iadd_imm_s(old, 1);
        b.ins().store(trusted(), new, address, 0);
        b.ins().jump(done, &[]);
        b.switch_to_block(other);
        done
    }

    fn end_raise(&mut self, done: clif::Block) {
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
    }

    /// The code at the start of a call of the kernel.
    pub(super) fn begin_memory(&mut self, zero: clif::Value) {
        if let Some(script) = self.script {
            self.builder.def_var(script.free, zero);
            self.builder.def_var(script.fuel, zero);
        }
    }

    /// The code before each trial: restores the words of the argument block that the last trial may
    /// have changed, and frees the objects that it made.
    pub(super) fn begin_trial(&mut self) {
        let (Some(script), Some(tables)) = (self.script, self.source.tables) else {
            return;
        };
        if self.source.joins_texts() {
            self.forget_texts();
        }
        let free = self.load(offset::IMAGE_WORDS);
        self.builder.def_var(script.free, free);
        let fuel = i64::from(tables.limits.fuel);
        let fuel = self.builder.ins().iconst(types::I64, fuel);
        self.builder.def_var(script.fuel, fuel);
        if !tables.fields.values().any(|field| field.written) {
            return;
        }
        let places = self.load(offset::WRITTEN);
        let count = self.load(offset::WRITTEN_COUNT);
        let image = self.load(offset::RESOURCES);
        let b = &mut self.builder;
        let (head, restore, done) = (b.create_block(), b.create_block(), b.create_block());
        let left = b.append_block_param(head, types::I64);
        b.ins().jump(head, &[count.into()]);
        b.switch_to_block(head);
        b.ins().brif(left, restore, &[], done, &[]);
        b.switch_to_block(restore);
        let next = b.ins().iadd_imm_s(left, -1);
        let byte = b.ins().ishl_imm_u(next, 2);
        let address = b.ins().iadd(places, byte);
        let place = b.ins().uload32(trusted(), address, 0);
        let byte = b.ins().ishl_imm_u(place, 3);
        let from = b.ins().iadd(image, byte);
        let word = b.ins().load(types::I64, trusted(), from, 0);
        let memory = b.use_var(script.memory);
        let to = b.ins().iadd(memory, byte);
        b.ins().store(trusted(), word, to, 0);
        b.ins().jump(head, &[next.into()]);
        b.switch_to_block(done);
    }

    /// Drops the texts that trials have joined, if there are many by now.
    fn forget_texts(&mut self) {
        let are_many = self.load(offset::TEXTS_ARE_MANY);
        let [forget, done] = [(); 2].map(|()| self.builder.create_block());
        self.builder.set_cold_block(forget);
        self.builder.ins().brif(are_many, forget, &[], done, &[]);
        self.builder.switch_to_block(forget);
        self.runtime(call::forget, 0, &[]);
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
    }

    /// Stores the state of the generator, of memory and of fuel in the context.
    pub(super) fn store_state(&mut self) {
        self.store_generator();
        if let Some(script) = self.script {
            let free = self.builder.use_var(script.free);
            self.store(free, offset::FREE);
            let fuel = self.builder.use_var(script.fuel);
            self.store(fuel, offset::FUEL);
        }
    }

    /// Loads the state of memory and fuel from the context.
    pub(super) fn load_script_state(&mut self) {
        let Some(script) = self.script else { return };
        self.load_memory();
        for (variable, place) in [(script.free, offset::FREE), (script.fuel, offset::FUEL)] {
            let value = self.load(place);
            self.builder.def_var(variable, value);
        }
    }

    /// Calls the runtime with a constant number and up to two variable ones.
    fn runtime(&mut self, function: call::Call, number: u32, args: &[clif::Value]) -> clif::Value {
        let number = self.builder.ins().iconst(types::I64, i64::from(number));
        self.runtime_at(function, number, args)
    }
}

/// Whether an address is a constant that is valid in every memory.
fn is_always_there(dfg: &DataFlowGraph, address: clif::Value) -> bool {
    let Some(inst) = dfg.value_def(address).inst() else {
        return false;
    };
    match dfg.insts[inst] {
        clif::InstructionData::UnaryImm { opcode, imm } => {
            let place = usize::try_from(imm.bits());
            opcode == clif::Opcode::Iconst && place.is_ok_and(|place| place < FIRST_WORDS)
        }
        _ => false,
    }
}
