//! Operations on floats as native code. Each equals its meaning in [`dicec_runtime::float`], bit
//! for bit.
//!
//! Rounding to whole numbers uses integer instructions, because older machines lack those for
//! floats. Powers and remainders call, by address, the functions that the runtime calls, too.

use super::state::Emitter;
use crate::ir::{Inst, Op};
use cranelift::codegen::ir as clif;
use cranelift::prelude::{AbiParam, FloatCC, InstBuilder, IntCC, MemFlagsData, Signature, types};
use dicec_runtime::abi::call;
use dicec_runtime::bug;
use dicec_runtime::float;
use dicec_runtime::trap::TrapCode;

/// 2^63: the first number above the range of `i64`.
const ABOVE_I64: f64 = 9_223_372_036_854_775_808.0;

impl Emitter<'_, '_> {
    /// An operation on one float.
    pub(super) fn float_unary(&mut self, op: Op, a: clif::Value, inst: Inst) -> clif::Value {
        match op {
            Op::Finite => self.finite(a, inst),
            Op::Nonzero => {
                let zero = self.builder.ins().f64const(0.0);
                self.trap_unless_compared(
                    FloatCC::NotEqual,
                    a,
                    zero,
                    TrapCode::DivisionByZero,
                    inst,
                );
                a
            }
            Op::Fneg => {
                let zero = self.builder.ins().f64const(0.0);
                self.builder.ins().fsub(zero, a)
            }
            Op::Fabs => self.builder.ins().fabs(a),
            Op::Fsqrt => {
                let zero = self.builder.ins().f64const(0.0);
                let at_least = FloatCC::GreaterThanOrEqual;
                self.trap_unless_compared(at_least, a, zero, TrapCode::NoRealResult, inst);
                let root = self.builder.ins().sqrt(a);
                self.without_negative_zero(root)
            }
            Op::Ffloor => self.floor(a, inst),
            Op::Fceil => self.ceil(a, inst),
            Op::Fround => self.round(a, inst),
            Op::Fkey => self.key(a),
            _ => bug!("{op} is not an operation on one float").raise(),
        }
    }

    /// An operation on two floats.
    pub(super) fn float_binary(
        &mut self,
        op: Op,
        a: clif::Value,
        b: clif::Value,
        inst: Inst,
    ) -> clif::Value {
        let ins = &mut self.builder;
        match op {
            Op::Fadd => ins.ins().fadd(a, b),
            Op::Fsub => ins.ins().fsub(a, b),
            Op::Fmul => ins.ins().fmul(a, b),
            Op::Fdiv => ins.ins().fdiv(a, b),
            Op::Frem => self.frem(a, b, inst),
            Op::Fpow => self.fpow(a, b, inst),
            Op::Fmin => {
                let second = ins.ins().fcmp(FloatCC::LessThan, b, a);
                ins.ins().select(second, b, a)
            }
            Op::Fmax => {
                let second = ins.ins().fcmp(FloatCC::GreaterThan, b, a);
                ins.ins().select(second, b, a)
            }
            Op::Fne => ins.ins().fcmp(FloatCC::NotEqual, a, b),
            Op::Flt => ins.ins().fcmp(FloatCC::LessThan, a, b),
            Op::Fle => ins.ins().fcmp(FloatCC::LessThanOrEqual, a, b),
            Op::Fgt => ins.ins().fcmp(FloatCC::GreaterThan, a, b),
            Op::Fge => ins.ins().fcmp(FloatCC::GreaterThanOrEqual, a, b),
            Op::Feq => ins.ins().fcmp(FloatCC::Equal, a, b),
            _ => bug!("{op} is not an operation on two floats").raise(),
        }
    }

    /// Traps with `code` unless the comparison holds. No comparison with NaN holds, except
    /// `NotEqual`.
    fn trap_unless_compared(
        &mut self,
        condition: FloatCC,
        a: clif::Value,
        b: clif::Value,
        code: TrapCode,
        inst: Inst,
    ) {
        let holds = self.builder.ins().fcmp(condition, a, b);
        let fails = self.builder.ins().icmp_imm_u(IntCC::Equal, holds, 0);
        self.trap_if(fails, code, inst);
    }

    fn finite(&mut self, a: clif::Value, inst: Inst) -> clif::Value {
        let magnitude = self.builder.ins().fabs(a);
        let infinity = self.builder.ins().f64const(f64::INFINITY);
        let below = FloatCC::LessThan;
        self.trap_unless_compared(below, magnitude, infinity, TrapCode::Overflow, inst);
        self.without_negative_zero(a)
    }

    fn without_negative_zero(&mut self, a: clif::Value) -> clif::Value {
        let zero = self.builder.ins().f64const(0.0);
        self.builder.ins().fadd(a, zero)
    }

    fn frem(&mut self, a: clif::Value, b: clif::Value, inst: Inst) -> clif::Value {
        let zero = self.builder.ins().f64const(0.0);
        self.trap_unless_compared(FloatCC::NotEqual, b, zero, TrapCode::DivisionByZero, inst);
        let rest = self.call(call::remainder, a, b);
        self.without_negative_zero(rest)
    }

    fn fpow(&mut self, a: clif::Value, b: clif::Value, inst: Inst) -> clif::Value {
        let power = self.call(call::pow, a, b);
        let ins = &mut self.builder;
        let zero = ins.ins().f64const(0.0);
        let infinity = ins.ins().f64const(f64::INFINITY);
        let magnitude = ins.ins().fabs(power);
        let finite = ins.ins().fcmp(FloatCC::LessThan, magnitude, infinity);
        let fails = ins.ins().icmp_imm_u(IntCC::Equal, finite, 0);
        let mut code = |code: TrapCode| ins.ins().iconst(types::I32, i64::from(code as u32));
        let no_result = code(TrapCode::NoRealResult);
        let (by_zero, overflow) = (code(TrapCode::DivisionByZero), code(TrapCode::Overflow));
        let of_zero = ins.ins().fcmp(FloatCC::Equal, a, zero);
        let infinite = ins.ins().select(of_zero, by_zero, overflow);
        let is_none = ins.ins().fcmp(FloatCC::Unordered, power, power);
        let code = ins.ins().select(is_none, no_result, infinite);
        self.trap_if_with(fails, code, inst);
        self.without_negative_zero(power)
    }

    /// Calls a function of the runtime, which lives as long as the process does.
    fn call(&mut self, function: call::Binary, a: clif::Value, b: clif::Value) -> clif::Value {
        let ins = &mut self.builder;
        let mut signature = Signature::new(ins.func.signature.call_conv);
        let number = AbiParam::new(types::F64);
        signature.params.extend([number, number]);
        signature.returns.push(number);
        let signature = ins.import_signature(signature);
        // Kernels are made for 64-bit machines: their pointers are i64, as those of the context
        // are.
        let address = (function as usize as u64).cast_signed();
        let address = ins.ins().iconst(types::I64, address);
        let call = ins.ins().call_indirect(signature, address, &[a, b]);
        ins.inst_results(call)[0]
    }

    /// `a` without its fraction, as an integer and as a float; traps if it is out of range.
    fn truncated(&mut self, a: clif::Value, inst: Inst) -> (clif::Value, clif::Value) {
        let ins = &mut self.builder;
        let above = ins.ins().f64const(ABOVE_I64);
        let least = ins.ins().f64const(-ABOVE_I64);
        let low = ins.ins().fcmp(FloatCC::GreaterThanOrEqual, a, least);
        let high = ins.ins().fcmp(FloatCC::LessThan, a, above);
        let fits = ins.ins().band(low, high);
        let fails = ins.ins().icmp_imm_u(IntCC::Equal, fits, 0);
        self.trap_if(fails, TrapCode::Overflow, inst);
        let ins = &mut self.builder;
        // It is in range by now; of the conversions, this one never faults.
        let whole = ins.ins().fcvt_to_sint_sat(types::I64, a);
        let back = ins.ins().fcvt_from_sint(types::F64, whole);
        (whole, back)
    }

    fn floor(&mut self, a: clif::Value, inst: Inst) -> clif::Value {
        let (whole, back) = self.truncated(a, inst);
        let ins = &mut self.builder;
        let above = ins.ins().fcmp(FloatCC::GreaterThan, back, a);
        let above = ins.ins().uextend(types::I64, above);
        ins.ins().isub(whole, above)
    }

    fn ceil(&mut self, a: clif::Value, inst: Inst) -> clif::Value {
        let (whole, back) = self.truncated(a, inst);
        let ins = &mut self.builder;
        let below = ins.ins().fcmp(FloatCC::LessThan, back, a);
        let below = ins.ins().uextend(types::I64, below);
        ins.ins().iadd(whole, below)
    }

    fn round(&mut self, a: clif::Value, inst: Inst) -> clif::Value {
        let down = self.floor(a, inst);
        let ins = &mut self.builder;
        let back = ins.ins().fcvt_from_sint(types::F64, down);
        let rest = ins.ins().fsub(a, back);
        let half = ins.ins().f64const(0.5);
        let up = ins.ins().fcmp(FloatCC::GreaterThanOrEqual, rest, half);
        let up = ins.ins().uextend(types::I64, up);
        ins.ins().iadd(down, up)
    }

    /// The number of a key: its magnitude with its sign.
    pub(super) fn unkey(&mut self, key: clif::Value) -> clif::Value {
        let last = float::key(f64::MAX);
        let ins = &mut self.builder;
        let (low, high) = (
            ins.ins().iconst(types::I64, -last),
            ins.ins().iconst(types::I64, last),
        );
        let key = ins.ins().smax(key, low);
        let key = ins.ins().smin(key, high);
        let sign = ins.ins().sshr_imm_u(key, 63);
        let flipped = ins.ins().bxor(key, sign);
        let magnitude = ins.ins().isub(flipped, sign);
        let sign = ins.ins().band_imm_u(sign, i64::MIN);
        let bits = ins.ins().bor(magnitude, sign);
        ins.ins().bitcast(types::F64, MemFlagsData::new(), bits)
    }

    fn key(&mut self, a: clif::Value) -> clif::Value {
        let ins = &mut self.builder;
        let bits = ins.ins().bitcast(types::I64, MemFlagsData::new(), a);
        let magnitude = ins.ins().band_imm_u(bits, i64::MAX);
        // All ones for a negative number: then exclusive or and subtraction negate.
        let sign = ins.ins().sshr_imm_u(bits, 63);
        let flipped = ins.ins().bxor(magnitude, sign);
        ins.ins().isub(flipped, sign)
    }
}
