//! Operators on numbers (section 5).

use crate::ast::Binary;
use crate::failure::Unplaced;

/// The result of a power of 0 with a negative exponent, in dice: one number that AnyDice shows.
const NO_POWER: i64 = i64::MIN;

/// The result of an operator. `in_dice`: a die takes part, so that a power with a negative exponent
/// is truncated instead of refused.
pub(crate) fn apply(
    operator: Binary,
    left: i64,
    right: i64,
    in_dice: bool,
) -> Result<i64, Unplaced> {
    let result = match operator {
        Binary::Add => left.checked_add(right),
        Binary::Subtract => left.checked_sub(right),
        Binary::Multiply => left.checked_mul(right),
        Binary::Divide if right == 0 => Some(0),
        Binary::Divide => left.checked_div(right),
        Binary::Power => return power(left, right, in_dice),
        Binary::And => Some(i64::from(left != 0 && right != 0)),
        Binary::Or => Some(i64::from(left != 0 || right != 0)),
        Binary::Compare(comparison) => Some(i64::from(comparison.holds(left.cmp(&right)))),
    };
    result.ok_or(Unplaced::Overflow)
}

fn power(base: i64, exponent: i64, in_dice: bool) -> Result<i64, Unplaced> {
    let is_odd = exponent % 2 != 0;
    match (base, u32::try_from(exponent)) {
        (_, Err(_)) if exponent < 0 && !in_dice => Err(Unplaced::NegativePower),
        (1, _) => Ok(1),
        (-1, _) => Ok(if is_odd { -1 } else { 1 }),
        (0, Err(_)) if exponent < 0 => Ok(NO_POWER),
        (0, _) => Ok(i64::from(exponent == 0)),
        (_, Err(_)) if exponent < 0 => Ok(0),
        (_, Ok(exponent)) => base.checked_pow(exponent).ok_or(Unplaced::Overflow),
        (_, Err(_)) => Err(Unplaced::Overflow),
    }
}

/// The sum of a sequence.
pub(crate) fn sum(elements: &[i64]) -> Result<i64, Unplaced> {
    let mut elements = elements.iter();
    elements
        .try_fold(0_i64, |sum, &element| sum.checked_add(element))
        .ok_or(Unplaced::Overflow)
}

/// The digits of a number from the left, each with its sign.
pub(crate) fn digits(number: i64) -> Vec<i64> {
    let sign = number.signum();
    let text = number.unsigned_abs().to_string();
    let digits = text.bytes().map(|digit| i64::from(digit - b'0'));
    digits
        .map(|digit| digit * if sign < 0 { -1 } else { 1 })
        .collect()
}
