//! The one meaning of each arithmetic operation.
//!
//! The interpreter, the constant folder and the IR evaluator call these functions; the JIT's code
//! equals them bit for bit. Division follows seed 002: section 3.5.1 (by zero gives zero) and 3.5.2
//! (rounds down, to negative infinity, so that `(5 - 8) / 2` is -2).

use crate::limits::MAX_SIDES;
use crate::trap::TrapCode;

/// The result of an operation that may trap.
pub type OpResult = Result<i64, TrapCode>;

/// `a + b`; traps on overflow.
pub fn iadd(a: i64, b: i64) -> OpResult {
    a.checked_add(b).ok_or(TrapCode::Overflow)
}

/// `a - b`; traps on overflow.
pub fn isub(a: i64, b: i64) -> OpResult {
    a.checked_sub(b).ok_or(TrapCode::Overflow)
}

/// `a * b`; traps on overflow.
pub fn imul(a: i64, b: i64) -> OpResult {
    a.checked_mul(b).ok_or(TrapCode::Overflow)
}

/// `-a`; traps on `i64::MIN`.
pub fn ineg(a: i64) -> OpResult {
    a.checked_neg().ok_or(TrapCode::Overflow)
}

/// `a` without its sign; traps on `i64::MIN`.
pub fn iabs(a: i64) -> OpResult {
    a.checked_abs().ok_or(TrapCode::Overflow)
}

/// `floor(a / b)`, and 0 if `b` is 0 (seed 002, 3.5.1 and 3.5.2); traps on `i64::MIN / -1`.
pub fn idiv(a: i64, b: i64) -> OpResult {
    if b == 0 {
        return Ok(0);
    }
    let quotient = a.checked_div(b).ok_or(TrapCode::Overflow)?;
    let rounds_up = a % b != 0 && (a < 0) != (b < 0);
    Ok(quotient - i64::from(rounds_up))
}

/// The remainder of `a / b`, with the sign of `a`, and 0 if `b` is 0, as the quotient is.
pub fn irem(a: i64, b: i64) -> i64 {
    // Only `i64::MIN` by -1 would wrap, to the correct remainder 0.
    a.checked_rem(b).unwrap_or(0)
}

/// The bits of either.
#[inline]
pub fn ior(a: i64, b: i64) -> i64 {
    a | b
}

/// The bits of `a` that `b` has not.
#[inline]
pub fn iand_not(a: i64, b: i64) -> i64 {
    a & !b
}

/// `floor(a / max(b, 1))`: division by a divisor that is known to be positive, total on all inputs.
pub fn idiv_pos(a: i64, b: i64) -> i64 {
    a.div_euclid(b.max(1))
}

/// The remainder of a division by `b` or 1, whichever is greater, with the sign of `a`: like
/// [`irem`](crate::float::irem) if `b` is positive.
#[inline]
pub fn irem_pos(a: i64, b: i64) -> i64 {
    a % b.max(1)
}

/// The number of dice that a computed count rolls: a negative count rolls none, as `0dY` does (seed
/// 002, 3.5.4); traps above `limit`.
#[inline]
pub fn dice_count(count: i64, limit: u32) -> OpResult {
    if count > i64::from(limit) {
        return Err(TrapCode::TooManyDice);
    }
    Ok(count.max(0))
}

/// A number of dice in the notation dialect, which is not below 0.
#[inline]
pub fn not_negative(count: i64) -> OpResult {
    if count < 0 {
        return Err(TrapCode::NegativeCount);
    }
    Ok(count)
}

/// The sides of a computed die (seed 002, 3.2.2: at least 1); traps outside `1..=MAX_SIDES`.
#[inline]
pub fn die_sides(sides: i64) -> OpResult {
    if sides < 1 {
        return Err(TrapCode::NoSides);
    }
    if sides > i64::from(MAX_SIDES) {
        return Err(TrapCode::TooManySides);
    }
    Ok(sides)
}

/// A limit minus 1; traps with `code` if nothing is left.
pub fn one_less(left: i64, code: TrapCode) -> OpResult {
    if left < 1 {
        return Err(code);
    }
    Ok(left - 1)
}

/// `index`, if a list of `length` elements has an element there; traps otherwise.
pub fn index(index: i64, length: i64) -> OpResult {
    if (0..length).contains(&index) {
        Ok(index)
    } else {
        Err(TrapCode::NoElement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_floors_and_is_total_on_zero() {
        // Seed 002, 3.5.1 and 3.5.2.
        assert_eq!(idiv(10, 0), Ok(0));
        assert_eq!(idiv(7, 2), Ok(3));
        assert_eq!(idiv(1, 3), Ok(0));
        assert_eq!(idiv(-3, 2), Ok(-2));
        assert_eq!(idiv(3, -2), Ok(-2));
        assert_eq!(idiv(-4, 2), Ok(-2));
        assert_eq!(idiv(-3, -2), Ok(1));
        assert_eq!(idiv(i64::MIN, -1), Err(TrapCode::Overflow));
        assert_eq!(idiv(i64::MIN, 1), Ok(i64::MIN));
    }

    #[test]
    fn remainders_have_the_sign_of_the_left_side_and_are_total() {
        for (a, b, remainder) in [
            (7, 3, 1),
            (-7, 3, -1),
            (7, -3, 1),
            (7, 0, 0),
            (i64::MIN, -1, 0),
        ] {
            assert_eq!(irem(a, b), remainder, "{a} % {b}");
        }
    }

    #[test]
    fn positive_division_equals_division_for_positive_divisors() {
        for a in [i64::MIN, -7, -1, 0, 1, 7, i64::MAX] {
            for b in [1, 2, 3, i64::MAX] {
                assert_eq!(Ok(idiv_pos(a, b)), idiv(a, b));
            }
        }
        for a in [i64::MIN, -7, -1, 0, 1, 7, i64::MAX] {
            for b in [1, 2, 3, i64::MAX] {
                assert_eq!(Ok(irem_pos(a, b)), crate::float::irem(a, b));
            }
            assert_eq!([irem_pos(a, 0), irem_pos(a, -3)], [0, 0]);
        }
        assert_eq!(idiv_pos(9, 0), 9);
        assert_eq!(idiv_pos(9, -3), 9);
    }

    #[test]
    fn counts_and_sides_are_bounded() {
        assert_eq!(dice_count(-3, 10), Ok(0));
        assert_eq!(dice_count(10, 10), Ok(10));
        assert_eq!(dice_count(11, 10), Err(TrapCode::TooManyDice));
        assert_eq!(die_sides(0), Err(TrapCode::NoSides));
        assert_eq!(die_sides(1), Ok(1));
        assert_eq!(die_sides(i64::MAX), Err(TrapCode::TooManySides));
    }
}
