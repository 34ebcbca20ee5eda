//! Outcomes that are drawn at once in native code:
//! [`AliasTable::draw`](dicec_runtime::rng::AliasTable::draw), inlined, except for words equal to a
//! threshold, which the runtime resolves.

use super::state::{Emitter, at, trusted};
use crate::ir::Draw;
use cranelift::codegen::ir as clif;
use cranelift::prelude::{InstBuilder, IntCC, types};
use dicec_runtime::abi::{call, offset};

impl Emitter<'_, '_> {
    /// `drawn draw`.
    pub(super) fn drawn(&mut self, draw: Draw) -> clif::Value {
        let draw = &self.function.draws[draw];
        let (number, table) = (self.source.drawn.number(draw), draw.table());
        let bits = i64::from(table.bits());
        let word = self.word();
        let columns = self.columns(number);
        let b = &mut self.builder;
        let column = b.ins().ushr_imm_u(word, 64 - bits);
        let fraction = b.ins().ishl_imm_u(word, bits);
        let byte = b.ins().ishl_imm_u(column, 3);
        let address = b.ins().iadd(columns, byte);
        let entry = b.ins().load(types::I64, trusted(), address, 0);
        let own = b.ins().icmp(IntCC::UnsignedLessThan, fraction, entry);
        let alias = b.ins().band_imm_u(entry, (1 << bits) - 1);
        let drawn = b.ins().select(own, column, alias);
        let difference = b.ins().bxor(fraction, entry);
        let open = b.ins().ushr_imm_u(difference, bits);
        let (settle, next) = (b.create_block(), b.create_block());
        b.set_cold_block(settle);
        let meant = b.append_block_param(next, types::I64);
        b.ins().brif(open, next, &[drawn.into()], settle, &[]);
        b.switch_to_block(settle);
        self.store_generator();
        let number = self.builder.ins().iconst(types::I64, number as i64);
        let settled = self.runtime_at(call::settle, number, &[column]);
        self.load_generator();
        let b = &mut self.builder;
        b.ins().jump(next, &[settled.into()]);
        b.switch_to_block(next);
        if let Some(first) = table.first() {
            return b.ins().iadd_imm_s(meant, first);
        }
        let byte = b.ins().ishl_imm_u(meant, 3);
        let address = b.ins().iadd(columns, byte);
        // There are at most 2^12 columns.
        b.ins()
            .load(types::I64, trusted(), address, 8 << table.bits())
    }

    /// The address of a table's columns. Neither word changes during a call, so Cranelift hoists
    /// the loads out of the trial loop.
    fn columns(&mut self, number: usize) -> clif::Value {
        let constant = trusted().with_readonly().with_can_move();
        let b = &mut self.builder;
        let offset = at(offset::COLUMNS);
        let all = b.ins().load(types::I64, constant, self.context, offset);
        // Few tables fit in a module.
        let offset = (number * size_of::<*const u64>()) as i32;
        b.ins().load(types::I64, constant, all, offset)
    }
}
