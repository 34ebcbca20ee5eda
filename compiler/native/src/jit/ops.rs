//! Emits single instructions. Each equals its meaning in [`crate::ir::evaluate`], bit for bit.

use super::state::Emitter;
use crate::ir::{Imm, Inst, Op};
use cranelift::codegen::ir as clif;
use cranelift::prelude::{InstBuilder, IntCC, types};
use dicec_runtime::bug;
use dicec_runtime::limits::MAX_SIDES;
use dicec_runtime::trap::TrapCode;

/// Emits `inst` and records its value.
pub(super) fn inst(emitter: &mut Emitter<'_, '_>, inst: Inst) {
    let data = &emitter.function.insts[inst];
    // Resources are read at the start of the call.
    if data.op == Op::Resource || emitter.sums.leaves_out(data.result) {
        return;
    }
    emitter.bounds[data.result] = emitter.bounds_of(data);
    // The operands may have been omitted.
    if data.op == Op::IaddWrap
        && let Some(sum) = emitter.sum(data.result)
    {
        emitter.values[data.result] = Some(sum);
        return;
    }
    let args: Vec<clif::Value> = data.args.iter().map(|&arg| emitter.value(arg)).collect();
    let value = match (data.op, data.imm, args.as_slice()) {
        (Op::Iconst, Imm::Int(value), _) => emitter.builder.ins().iconst(types::I64, value),
        (Op::Fconst, Imm::Float(value), _) => emitter.builder.ins().f64const(value),
        (Op::Bconst, Imm::Bool(value), _) => {
            emitter.builder.ins().iconst(types::I8, i64::from(value))
        }
        (Op::Pool, Imm::Dice { count, sides }, _) => {
            let sum = emitter.pool(count, sides);
            // Every face is 1 more.
            emitter.above_least(data.result, sum, count.into())
        }
        (Op::Packed, Imm::Dice { count, sides }, _) => emitter.packed(count, sides),
        (Op::Drawn, Imm::Draw(draw), _) => emitter.drawn(draw),
        (Op::Word, Imm::Int(product), _) => emitter.shared_word(product),
        (Op::Face, Imm::Int(sides), &[word]) => emitter.face(word, sides),
        (Op::ImulWrap, _, &[word, _]) if let Some(rest) = emitter.rest(word, data.args[1]) => rest,
        (_, Imm::Step(pool, step), numbers) => emitter.step(pool, step, numbers, inst),
        (Op::DiceCount, Imm::Limit(limit), &[count]) => emitter.dice_count(count, limit, inst),
        (op, imm, args) if op.is_of_scripts() => match emitter.script_op(op, imm, args, inst) {
            Some(value) => value,
            None => bug!("{op} in a rule").raise(),
        },
        (op, _, &[a, b]) => {
            let other = match op {
                Op::Imin | Op::Imax => {
                    Some(emitter.ordered(op, [data.args[0], data.args[1]], Some(data.result)))
                }
                op => emitter.compared(op, &data.args),
            };
            other.unwrap_or_else(|| emitter.binary(op, a, b, inst))
        }
        (Op::Select, _, &[condition, a, b]) => emitter.builder.ins().select(condition, a, b),
        (op, _, &[a]) => emitter.unary(op, a, inst),
        (op, ..) => bug!("{op} of operands that it does not take").raise(),
    };
    emitter.values[data.result] = Some(value);
}

impl Emitter<'_, '_> {
    fn unary(&mut self, op: Op, a: clif::Value, inst: Inst) -> clif::Value {
        match op {
            Op::Ineg => {
                let zero = self.builder.ins().iconst(types::I64, 0);
                let (value, overflow) = self.builder.ins().ssub_overflow(zero, a);
                self.trap_if(overflow, TrapCode::Overflow, inst);
                value
            }
            Op::InegWrap => self.builder.ins().ineg(a),
            Op::Not => self.builder.ins().icmp_imm_u(IntCC::Equal, a, 0),
            Op::Btoi => self.builder.ins().uextend(types::I64, a),
            Op::DieSides => self.die_sides(a, inst),
            Op::NotNegative => self.not_negative(a, inst),
            Op::ExplosionsLeft | Op::RerollsLeft | Op::DiceLeft => self.one_less(op, a, inst),
            Op::Roll => self.roll(a),
            Op::Unkey => self.unkey(a),
            Op::Itof => self.builder.ins().fcvt_from_sint(types::F64, a),
            // The remaining operations take one float.
            op => self.float_unary(op, a, inst),
        }
    }

    fn binary(&mut self, op: Op, a: clif::Value, b: clif::Value, inst: Inst) -> clif::Value {
        match op {
            Op::Iadd => {
                let (value, overflow) = self.builder.ins().sadd_overflow(a, b);
                self.trap_if(overflow, TrapCode::Overflow, inst);
                value
            }
            Op::Isub => {
                let (value, overflow) = self.builder.ins().ssub_overflow(a, b);
                self.trap_if(overflow, TrapCode::Overflow, inst);
                value
            }
            Op::Imul => {
                let (value, overflow) = self.builder.ins().smul_overflow(a, b);
                self.trap_if(overflow, TrapCode::Overflow, inst);
                value
            }
            Op::Idiv => self.idiv(a, b, inst),
            Op::IdivPos => self.idiv_pos(a, b, inst),
            Op::Both => self.builder.ins().band(a, b),
            Op::Either => self.builder.ins().bor(a, b),
            Op::IaddWrap => self.builder.ins().iadd(a, b),
            Op::IsubWrap => self.builder.ins().isub(a, b),
            Op::ImulWrap => self.builder.ins().imul(a, b),
            Op::Ior => self.builder.ins().bor(a, b),
            Op::IandNot => self.builder.ins().band_not(a, b),
            Op::Index => self.index(a, b, inst),
            Op::Dice => self.dice(a, b),
            Op::Irem => self.irem(a, b, inst),
            Op::IremPos => {
                let b = self.positive(b, inst);
                self.builder.ins().srem(a, b)
            }
            Op::Ieq => self.builder.ins().icmp(IntCC::Equal, a, b),
            Op::Ine => self.builder.ins().icmp(IntCC::NotEqual, a, b),
            Op::Ilt => self.builder.ins().icmp(IntCC::SignedLessThan, a, b),
            Op::Ile => self.builder.ins().icmp(IntCC::SignedLessThanOrEqual, a, b),
            Op::Igt => self.builder.ins().icmp(IntCC::SignedGreaterThan, a, b),
            Op::Ige => self
                .builder
                .ins()
                .icmp(IntCC::SignedGreaterThanOrEqual, a, b),
            // The remaining operations take two floats.
            op => self.float_binary(op, a, b, inst),
        }
    }

    fn index(&mut self, index: clif::Value, length: clif::Value, inst: Inst) -> clif::Value {
        let ins = &mut self.builder;
        let below = ins.ins().icmp_imm_s(IntCC::SignedLessThan, index, 0);
        let above = ins
            .ins()
            .icmp(IntCC::SignedGreaterThanOrEqual, index, length);
        let none = ins.ins().bor(below, above);
        self.trap_if(none, TrapCode::NoElement, inst);
        index
    }

    fn dice_count(&mut self, count: clif::Value, limit: u32, inst: Inst) -> clif::Value {
        let b = &mut self.builder;
        let limit = b.ins().iconst(types::I64, i64::from(limit));
        let above = b.ins().icmp(IntCC::SignedGreaterThan, count, limit);
        self.trap_if(above, TrapCode::TooManyDice, inst);
        let zero = self.builder.ins().iconst(types::I64, 0);
        self.builder.ins().smax(count, zero)
    }

    fn one_less(&mut self, op: Op, left: clif::Value, inst: Inst) -> clif::Value {
        let ins = self.builder.ins();
        let none = ins.icmp_imm_s(IntCC::SignedLessThan, left, 1);
        let code = op.limit_code();
        let code = code.unwrap_or_else(|| bug!("{op} counts nothing down").raise());
        self.trap_if(none, code, inst);
        self.builder.ins().iadd_imm_s(left, -1)
    }

    fn not_negative(&mut self, count: clif::Value, inst: Inst) -> clif::Value {
        let ins = self.builder.ins();
        let below = ins.icmp_imm_s(IntCC::SignedLessThan, count, 0);
        self.trap_if(below, TrapCode::NegativeCount, inst);
        count
    }

    fn die_sides(&mut self, sides: clif::Value, inst: Inst) -> clif::Value {
        let b = &mut self.builder;
        // One unsigned comparison for both ends: numbers below 1 become huge.
        let from_zero = b.ins().iadd_imm_s(sides, -1);
        let most = b.ins().iconst(types::I64, i64::from(MAX_SIDES) - 1);
        let outside = b.ins().icmp(IntCC::UnsignedGreaterThan, from_zero, most);
        let zero = b.ins().iconst(types::I64, 0);
        let none = b.ins().icmp(IntCC::SignedLessThanOrEqual, sides, zero);
        let mut code = |code: TrapCode| b.ins().iconst(types::I32, i64::from(code as u32));
        let (no_sides, too_many) = (code(TrapCode::NoSides), code(TrapCode::TooManySides));
        let code = b.ins().select(none, no_sides, too_many);
        self.trap_if_with(outside, code, inst);
        sides
    }

    /// The quotient rounded down, 0 for division by 0; traps on overflow. The divisors 0 and -1,
    /// for which the machine's division faults, take another path.
    fn idiv(&mut self, a: clif::Value, b: clif::Value, inst: Inst) -> clif::Value {
        let ins = &mut self.builder;
        let (special, plain, done) = (ins.create_block(), ins.create_block(), ins.create_block());
        ins.set_cold_block(special);
        let quotient = ins.append_block_param(done, types::I64);
        let shifted = ins.ins().iadd_imm_s(b, 1);
        let one = ins.ins().iconst(types::I64, 1);
        let is_special = ins.ins().icmp(IntCC::UnsignedLessThanOrEqual, shifted, one);
        ins.ins().brif(is_special, special, &[], plain, &[]);

        // By -1 it is the negation; by 0 it is 0, which is the product with the divisor, too: `a *
        // b` for both.
        ins.switch_to_block(special);
        let (product, overflow) = ins.ins().smul_overflow(a, b);
        self.trap_if(overflow, TrapCode::Overflow, inst);
        self.builder.ins().jump(done, &[product.into()]);

        let ins = &mut self.builder;
        ins.switch_to_block(plain);
        let toward_zero = ins.ins().sdiv(a, b);
        let back = ins.ins().imul(toward_zero, b);
        let rest = ins.ins().isub(a, back);
        // The machine rounds toward 0; if the remainder and the divisor have different signs, it
        // rounded up.
        let signs = ins.ins().bxor(rest, b);
        let zero = ins.ins().iconst(types::I64, 0);
        let inexact = ins.ins().icmp(IntCC::NotEqual, rest, zero);
        let opposed = ins.ins().icmp(IntCC::SignedLessThan, signs, zero);
        let rounded_up = ins.ins().band(inexact, opposed);
        let correction = ins.ins().uextend(types::I64, rounded_up);
        let down = ins.ins().isub(toward_zero, correction);
        ins.ins().jump(done, &[down.into()]);
        ins.switch_to_block(done);
        quotient
    }

    fn irem(&mut self, a: clif::Value, b: clif::Value, inst: Inst) -> clif::Value {
        let zero = self.builder.ins().icmp_imm_u(IntCC::Equal, b, 0);
        self.trap_if(zero, TrapCode::DivisionByZero, inst);
        // By -1 it gives 0 for all, the lowest number included.
        self.builder.ins().srem(a, b)
    }

    /// The quotient rounded down by `max(b, 1)`.
    fn idiv_pos(&mut self, a: clif::Value, b: clif::Value, inst: Inst) -> clif::Value {
        let divisor = self.function.insts[inst].args[1];
        let constant = self.function.as_iconst(divisor);
        if let Some(divisor) = constant.filter(|&divisor| divisor > 0)
            && divisor.count_ones() == 1
        {
            // An arithmetic shift rounds down.
            let shift = i64::from(divisor.trailing_zeros());
            return self.builder.ins().sshr_imm_u(a, shift);
        }
        let b = self.positive(b, inst);
        let ins = &mut self.builder;
        let toward_zero = ins.ins().sdiv(a, b);
        let back = ins.ins().imul(toward_zero, b);
        let rest = ins.ins().isub(a, back);
        // A negative rest means that the machine rounded up; its sign, spread over the word, is the
        // correction.
        let correction = ins.ins().sshr_imm_u(rest, 63);
        ins.ins().iadd(toward_zero, correction)
    }

    /// The divisor `max(b, 1)`, so that the division cannot fault for any.
    fn positive(&mut self, b: clif::Value, inst: Inst) -> clif::Value {
        let divisor = self.function.insts[inst].args[1];
        if self.function.as_iconst(divisor).is_some_and(|by| by > 0) {
            return b;
        }
        let ins = &mut self.builder;
        let one = ins.ins().iconst(types::I64, 1);
        ins.ins().smax(b, one)
    }
}
