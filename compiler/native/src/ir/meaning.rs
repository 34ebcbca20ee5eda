//! The meaning of each operation that draws nothing: the constant folder and the IR evaluator call
//! [`evaluate`].

use super::function::Imm;
use super::op::Op;
use dicec_runtime::rng::draw;
use dicec_runtime::trap::TrapCode;
use dicec_runtime::{float, ops};

/// A value at run time.
#[derive(Clone, Copy, Debug)]
pub enum Const {
    /// A whole number.
    I64(i64),
    /// A float.
    F64(f64),
    /// True or false.
    Bool(bool),
}

impl Const {
    /// The value as sinks hold it: floats by their bits, truth values as 0 and 1.
    pub fn to_cell(self) -> i64 {
        match self {
            Const::I64(value) => value,
            Const::F64(value) => value.to_bits().cast_signed(),
            Const::Bool(value) => i64::from(value),
        }
    }
}

/// The result of `op` on operands of its row's types. `None` if the operation has an effect or
/// reads a resource or memory, or if the operands do not fit the row.
pub fn evaluate(op: Op, args: &[Const], imm: Imm) -> Option<Result<Const, TrapCode>> {
    use Const::{Bool, F64, I64};
    let result = match (op, args, imm) {
        (Op::Iconst, [], Imm::Int(value)) => I64(value),
        (Op::Fconst, [], Imm::Float(value)) => F64(value),
        (Op::Bconst, [], Imm::Bool(value)) => Bool(value),
        (Op::Ineg, &[I64(a)], _) => return Some(ops::ineg(a).map(I64)),
        (Op::InegWrap, &[I64(a)], _) => I64(a.wrapping_neg()),
        (Op::NotNegative, &[I64(a)], _) => return Some(ops::not_negative(a).map(I64)),
        (Op::DieSides, &[I64(a)], _) => return Some(ops::die_sides(a).map(I64)),
        (Op::ExplosionsLeft | Op::RerollsLeft | Op::DiceLeft, &[I64(left)], _) => {
            return op
                .limit_code()
                .map(|code| ops::one_less(left, code).map(I64));
        }
        (Op::DiceCount, &[I64(a)], Imm::Limit(limit)) => {
            return Some(ops::dice_count(a, limit).map(I64));
        }
        (Op::Face, &[I64(word)], Imm::Int(sides)) => {
            // The verifier keeps sides within a `u32`.
            let sides = u32::try_from(sides).ok()?;
            I64(draw::face(word.cast_unsigned(), sides).cast_signed())
        }
        (Op::Btoi, &[Bool(a)], _) => I64(i64::from(a)),
        (Op::Not, &[Bool(a)], _) => Bool(!a),
        (Op::Both, &[Bool(a), Bool(b)], _) => Bool(a && b),
        (Op::Either, &[Bool(a), Bool(b)], _) => Bool(a || b),
        (Op::Select, &[Bool(condition), I64(a), I64(b)], _) => I64(if condition { a } else { b }),
        (Op::Itof, &[I64(a)], _) => F64(float::from_int(a)),
        (Op::Unkey, &[I64(a)], _) => F64(float::from_key(a)),
        (_, &[F64(a)], _) => return float_unary(op, a),
        (_, &[I64(a), I64(b)], _) => return integers(op, a, b),
        (_, &[F64(a), F64(b)], _) => return float_binary(op, a, b),
        _ => return None,
    };
    Some(Ok(result))
}

fn integers(op: Op, a: i64, b: i64) -> Option<Result<Const, TrapCode>> {
    use Const::{Bool, I64};
    let result = match op {
        Op::Iadd => return Some(ops::iadd(a, b).map(I64)),
        Op::Isub => return Some(ops::isub(a, b).map(I64)),
        Op::Imul => return Some(ops::imul(a, b).map(I64)),
        Op::Idiv => return Some(ops::idiv(a, b).map(I64)),
        Op::Irem => return Some(float::irem(a, b).map(I64)),
        Op::IaddWrap => I64(a.wrapping_add(b)),
        Op::IsubWrap => I64(a.wrapping_sub(b)),
        Op::ImulWrap => I64(a.wrapping_mul(b)),
        Op::IdivPos => I64(ops::idiv_pos(a, b)),
        Op::IremPos => I64(ops::irem_pos(a, b)),
        Op::Index => return Some(ops::index(a, b).map(I64)),
        Op::Imin => I64(a.min(b)),
        Op::Imax => I64(a.max(b)),
        Op::Ior => I64(ops::ior(a, b)),
        Op::IandNot => I64(ops::iand_not(a, b)),
        Op::Ieq => Bool(a == b),
        Op::Ine => Bool(a != b),
        Op::Ilt => Bool(a < b),
        Op::Ile => Bool(a <= b),
        Op::Igt => Bool(a > b),
        Op::Ige => Bool(a >= b),
        _ => return None,
    };
    Some(Ok(result))
}

fn float_unary(op: Op, a: f64) -> Option<Result<Const, TrapCode>> {
    use Const::{F64, I64};
    Some(match op {
        Op::Finite => float::finite(a).map(F64),
        Op::Nonzero => float::nonzero(a).map(F64),
        Op::Fneg => Ok(F64(float::neg(a))),
        Op::Fabs => Ok(F64(float::abs(a))),
        Op::Fsqrt => float::sqrt(a).map(F64),
        Op::Ffloor => float::floor(a).map(I64),
        Op::Fceil => float::ceil(a).map(I64),
        Op::Fround => float::round(a).map(I64),
        Op::Fkey => Ok(I64(float::key(a))),
        _ => return None,
    })
}

fn float_binary(op: Op, a: f64, b: f64) -> Option<Result<Const, TrapCode>> {
    use Const::{Bool, F64};
    let result = match op {
        Op::Fadd => F64(a + b),
        Op::Fsub => F64(a - b),
        Op::Fmul => F64(a * b),
        Op::Fdiv => F64(a / b),
        Op::Frem => return Some(float::remainder(a, b).map(F64)),
        Op::Fpow => return Some(float::pow(a, b).map(F64)),
        Op::Fmin => F64(float::min(a, b)),
        Op::Fmax => F64(float::max(a, b)),
        Op::Feq => Bool(a == b),
        Op::Fne => Bool(a != b),
        Op::Flt => Bool(a < b),
        Op::Fle => Bool(a <= b),
        Op::Fgt => Bool(a > b),
        Op::Fge => Bool(a >= b),
        _ => return None,
    };
    Some(Ok(result))
}
