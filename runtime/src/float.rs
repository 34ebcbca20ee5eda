//! The one meaning of each operation on floats (`f64`), as [`crate::ops`] is for whole numbers.
//!
//! The interpreter, the exact engine, the constant folder and the IR evaluator call these
//! functions; the JIT's code equals them bit for bit. Everything beyond simple arithmetic comes
//! from `libm`, which is written in Rust, so the bits are the same on every machine.
//!
//! Every result is finite, or the operation traps; and none is the negative zero, so that equal
//! numbers have equal bits. [`key`] relies on both: it is an order-preserving `i64` for a number,
//! wherever outcomes are counted.

use crate::ops::OpResult;
use crate::trap::TrapCode;
use std::cmp::Ordering;

/// The result of an operation on floats that may trap.
pub type FloatResult = Result<f64, TrapCode>;

/// 2^63: the first number above the range of `i64`. Its negation is the least that is in it.
const ABOVE_I64: f64 = 9_223_372_036_854_775_808.0;

/// The key of the greatest finite number.
const MAX_KEY: i64 = f64::MAX.to_bits().cast_signed();

/// The nearest float to a whole number, ties to even.
pub fn from_int(a: i64) -> f64 {
    a as f64
}

/// `a` itself; traps if it left the range of `f64`.
///
/// # Errors
/// Overflow.
pub fn finite(a: f64) -> FloatResult {
    if a.is_finite() {
        // A negative zero plus zero is zero.
        Ok(a + 0.0)
    } else {
        Err(TrapCode::Overflow)
    }
}

/// `a + b`.
///
/// # Errors
/// Overflow.
pub fn add(a: f64, b: f64) -> FloatResult {
    finite(a + b)
}

/// `a - b`.
///
/// # Errors
/// Overflow.
pub fn sub(a: f64, b: f64) -> FloatResult {
    finite(a - b)
}

/// `a * b`.
///
/// # Errors
/// Overflow.
pub fn mul(a: f64, b: f64) -> FloatResult {
    finite(a * b)
}

/// `b`, which divides something; traps if it is 0.
///
/// # Errors
/// Division by zero.
pub fn nonzero(b: f64) -> FloatResult {
    if b == 0.0 {
        Err(TrapCode::DivisionByZero)
    } else {
        Ok(b)
    }
}

/// `a / b`, a float.
///
/// # Errors
/// Division by zero, then overflow.
pub fn quotient(a: f64, b: f64) -> FloatResult {
    finite(a / nonzero(b)?)
}

/// The exact remainder of `a / b`, with the sign of `a`.
///
/// # Errors
/// Division by zero.
pub fn remainder(a: f64, b: f64) -> FloatResult {
    Ok(libm::fmod(a, nonzero(b)?) + 0.0)
}

/// [`remainder`] of whole numbers.
///
/// # Errors
/// Division by zero.
pub fn irem(a: i64, b: i64) -> OpResult {
    if b == 0 {
        return Err(TrapCode::DivisionByZero);
    }
    // Only `i64::MIN` by -1 wraps, to the correct remainder 0.
    Ok(a.wrapping_rem(b))
}

/// `a` to the power of `b`.
///
/// # Errors
/// No real result, as of -1 to the power of 0.5; division by zero for 0 to a negative power;
/// overflow.
pub fn pow(a: f64, b: f64) -> FloatResult {
    let power = libm::pow(a, b);
    if power.is_nan() {
        Err(TrapCode::NoRealResult)
    } else if power.is_infinite() && a == 0.0 {
        Err(TrapCode::DivisionByZero)
    } else {
        finite(power)
    }
}

/// The square root.
///
/// # Errors
/// No real result for a negative number.
pub fn sqrt(a: f64) -> FloatResult {
    // NaN fails this, too.
    if a >= 0.0 {
        Ok(libm::sqrt(a) + 0.0)
    } else {
        Err(TrapCode::NoRealResult)
    }
}

/// `-a`.
pub fn neg(a: f64) -> f64 {
    0.0 - a
}

/// `a` without its sign.
pub fn abs(a: f64) -> f64 {
    a.abs()
}

/// The smaller of two.
pub fn min(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The greater of two.
pub fn max(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The order of two numbers.
pub fn compare(a: f64, b: f64) -> Ordering {
    // The numeric order of all results of the operations here.
    a.total_cmp(&b)
}

/// The greatest whole number that is at most `a`.
///
/// # Errors
/// Overflow.
pub fn floor(a: f64) -> OpResult {
    whole(libm::floor(a))
}

/// The least whole number that is at least `a`.
///
/// # Errors
/// Overflow.
pub fn ceil(a: f64) -> OpResult {
    whole(libm::ceil(a))
}

/// The nearest whole number; halves round up.
///
/// # Errors
/// Overflow.
pub fn round(a: f64) -> OpResult {
    let down = floor(a)?;
    // If `a` has a fraction, `down` is exact as a float, and the difference falls on the right side
    // of a half.
    let up = a - from_int(down) >= 0.5;
    // A number with a fraction is far from the end of `i64`.
    Ok(down.wrapping_add(i64::from(up)))
}

/// A float without a fraction as a whole number.
fn whole(a: f64) -> OpResult {
    if (-ABOVE_I64..ABOVE_I64).contains(&a) {
        // In range, so the conversion keeps the value.
        Ok(a as i64)
    } else {
        Err(TrapCode::Overflow)
    }
}

/// The whole number that represents `a` in stored outcomes. Keys are in the order of their numbers,
/// the key of 0 is 0, and the key of `-a` is the negated key of `a`.
pub fn key(a: f64) -> i64 {
    // Without the sign, the bits of floating-point numbers are in their order.
    let magnitude = a.abs().to_bits().cast_signed();
    if a.is_sign_negative() {
        -magnitude
    } else {
        magnitude
    }
}

/// The number of a key. A value beyond the keys counts as the last key on its side.
pub fn from_key(key: i64) -> f64 {
    let key = key.clamp(-MAX_KEY, MAX_KEY);
    let magnitude = f64::from_bits(key.unsigned_abs());
    if key < 0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn results_are_finite_and_zero_has_no_sign() {
        assert_eq!(add(f64::MAX, f64::MAX), Err(TrapCode::Overflow));
        assert_eq!(mul(1e200, -1e200), Err(TrapCode::Overflow));
        assert_eq!(quotient(1e200, 1e-200), Err(TrapCode::Overflow));
        assert_eq!(quotient(1.0, 0.0), Err(TrapCode::DivisionByZero));
        assert_eq!(quotient(7.0, 2.0), Ok(3.5));
        let zeros = [
            mul(-1.0, 0.0),
            quotient(0.0, -3.0),
            remainder(-6.0, 3.0),
            sqrt(-0.0),
            pow(-1e-200, 3.0),
            Ok(neg(0.0)),
            Ok(abs(-0.0)),
        ];
        for zero in zeros {
            assert_eq!(zero.map(f64::to_bits), Ok(0));
        }
    }

    #[test]
    fn remainders_have_the_sign_of_the_left_side() {
        for (a, b, left) in [(7, 3, 1), (-7, 3, -1), (7, -3, 1), (-7, -3, -1), (6, 3, 0)] {
            assert_eq!(irem(a, b), Ok(left));
            assert_eq!(remainder(from_int(a), from_int(b)), Ok(from_int(left)));
        }
        assert_eq!(irem(i64::MIN, -1), Ok(0));
        assert_eq!(irem(1, 0), Err(TrapCode::DivisionByZero));
        assert_eq!(remainder(1.0, 0.0), Err(TrapCode::DivisionByZero));
        assert_eq!(remainder(5.5, 2.0), Ok(1.5));
    }

    #[test]
    fn powers_and_roots() {
        assert_eq!(pow(2.0, 10.0), Ok(1024.0));
        assert_eq!(pow(0.0, 0.0), Ok(1.0));
        assert_eq!(pow(-8.0, 0.5), Err(TrapCode::NoRealResult));
        assert_eq!(pow(0.0, -1.0), Err(TrapCode::DivisionByZero));
        assert_eq!(pow(10.0, 309.0), Err(TrapCode::Overflow));
        assert_eq!(sqrt(2.25), Ok(1.5));
        assert_eq!(sqrt(-1.0), Err(TrapCode::NoRealResult));
        assert_eq!(sqrt(f64::NAN), Err(TrapCode::NoRealResult));
    }

    #[test]
    fn whole_numbers_again() {
        for (a, down, up, near) in [
            (3.5, 3, 4, 4),
            (-3.5, -4, -3, -3),
            (2.0, 2, 2, 2),
            (-1e-300, -1, 0, 0),
            (0.499_999_999_999_999_94, 0, 1, 0),
            (-0.500_000_000_000_000_1, -1, 0, -1),
            (
                4_503_599_627_370_495.5,
                4_503_599_627_370_495,
                1 << 52,
                1 << 52,
            ),
            (-ABOVE_I64, i64::MIN, i64::MIN, i64::MIN),
        ] {
            assert_eq!(
                (floor(a), ceil(a), round(a)),
                (Ok(down), Ok(up), Ok(near)),
                "{a}"
            );
        }
        for a in [ABOVE_I64, -1e19, f64::NAN, f64::INFINITY] {
            let overflow = Err(TrapCode::Overflow);
            assert_eq!(
                (floor(a), ceil(a), round(a)),
                (overflow, overflow, overflow)
            );
        }
    }

    #[test]
    fn keys_beyond_the_numbers_count_as_the_last() {
        assert_eq!((key(0.0), key(-0.0)), (0, 0));
        assert_eq!(
            (from_key(i64::MAX), from_key(i64::MIN)),
            (f64::MAX, f64::MIN)
        );
        assert_eq!(from_key(0).to_bits(), 0);
    }

    proptest! {
        #[test]
        fn keys_keep_numbers_and_their_order(a in any::<f64>(), b in any::<f64>()) {
            if let (Ok(a), Ok(b)) = (finite(a), finite(b)) {
                prop_assert_eq!(from_key(key(a)).to_bits(), a.to_bits());
                prop_assert_eq!(key(a).cmp(&key(b)), compare(a, b));
                prop_assert_eq!(Some(compare(a, b)), a.partial_cmp(&b));
                prop_assert_eq!(key(neg(a)), -key(a));
            }
        }
    }
}
