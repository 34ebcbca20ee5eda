//! Sums of many equal dice in whole numbers, each weight from three earlier ones: [`super::exact`]
//! uses it beyond machine integers. The weights are in one array of words, since most of the time
//! would go into memory for short-lived numbers.

use dashu_int::UBig;

/// The coefficients of Q = P^n, P = 1 + x + ... + x^(s-1), each from three earlier ones, so in time
/// linear in the table: P Q' = n P' Q (Euler's recurrence for powers of series; Knuth, The Art of
/// Computer Programming, 4.7, eq. 9), with P = (1 - x^s) / (1 - x) multiplied out, says
///
/// (k+1) q(k+1) = (k+n) q(k) - (ns - (k+1-s)) q(k+1-s) + (n(s-1) - (k-s)) q(k-s).
///
/// Only the lower half is computed, where all three factors are positive. The subtraction rules
/// this out for `f64`.
pub(super) fn pool_recurrence(count: u64, sides: u64) -> Vec<UBig> {
    // The budget has bounded the table's length, so products of count and sides fit.
    let (n, s) = (count, sides);
    let length = (n * (s - 1) + 1) as usize;
    let middle = n * (s - 1) / 2;
    // A weight is below s^n. What it is divided out of has a factor below 2^64 more; the terms of
    // that may have more words, but only count modulo the words that there are.
    let bits = n * (u64::from(s.ilog2()) + 1);
    let width = (bits / 64 + 2) as usize;
    // The last s+1 weights, in turns.
    let mut rows = vec![0; (s as usize + 1) * width];
    rows[0] = 1;
    let mut next = vec![0; width];
    let mut bytes = vec![0; 8 * width];
    let mut table: Vec<UBig> = Vec::with_capacity(length);
    table.push(UBig::ONE);
    for k in 0..middle {
        let at = |index: u64| (index % (s + 1)) as usize * width;
        let row = |index: u64| &rows[at(index)..][..width];
        next.fill(0);
        add_scaled(&mut next, row(k), k + n);
        if k >= s {
            add_scaled(&mut next, row(k - s), n * (s - 1) + s - k);
        }
        if k + 1 >= s {
            subtract_scaled(&mut next, row(k + 1 - s), n * s + s - (k + 1));
        }
        divide_exactly(&mut next, k + 1);
        for (part, word) in bytes.chunks_exact_mut(8).zip(&next) {
            part.copy_from_slice(&word.to_le_bytes());
        }
        table.push(UBig::from_le_bytes(&bytes));
        rows[at(k + 1)..][..width].copy_from_slice(&next);
    }
    for index in table.len()..length {
        table.push(table[length - 1 - index].clone());
    }
    table
}

/// Adds `factor` times a number, modulo the words that there are.
fn add_scaled(sum: &mut [u64], number: &[u64], factor: u64) {
    let mut carry = 0;
    for (sum, word) in sum.iter_mut().zip(number) {
        // At most (2^64 - 1)^2 + 2 (2^64 - 1) = 2^128 - 1.
        let wide = u128::from(*word) * u128::from(factor) + u128::from(*sum) + carry;
        *sum = wide as u64;
        carry = wide >> 64;
    }
}

/// Subtracts `factor` times a number, modulo the words that there are.
fn subtract_scaled(rest: &mut [u64], number: &[u64], factor: u64) {
    let mut borrow = 0;
    for (rest, word) in rest.iter_mut().zip(number) {
        let wide = u128::from(*word) * u128::from(factor) + borrow;
        let (left, is_below) = rest.overflowing_sub(wide as u64);
        *rest = left;
        borrow = (wide >> 64) + u128::from(is_below);
    }
}

/// Divides a multiple of `divisor`, which is not 0, from its lowest word up, by the inverse of the
/// divisor modulo 2^64 (Jebelean, An algorithm for exact division, 1993).
fn divide_exactly(dividend: &mut [u64], divisor: u64) {
    let zeros = divisor.trailing_zeros();
    let odd = divisor >> zeros;
    let inverse = inverse(odd);
    let mut borrow = 0;
    for index in 0..dividend.len() {
        let above = dividend.get(index + 1).copied().unwrap_or(0);
        let pair = (u128::from(above) << 64) | u128::from(dividend[index]);
        let (left, is_below) = ((pair >> zeros) as u64).overflowing_sub(borrow);
        let quotient = left.wrapping_mul(inverse);
        dividend[index] = quotient;
        let taken = (u128::from(quotient) * u128::from(odd)) >> 64;
        borrow = taken as u64 + u64::from(is_below);
    }
}

/// The inverse of an odd number modulo 2^64: each step of Newton's method doubles the right bits,
/// and an odd number is its own inverse modulo 8.
fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..5 {
        let error = odd.wrapping_mul(inverse);
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(error));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_quotients_are_found() {
        for divisor in [1, 2, 3, 6, 7, 40, 1 << 40, u64::MAX] {
            for quotient in [[0, 0, 0], [1, 2, 3], [u64::MAX, u64::MAX, 5]] {
                let mut product = [0; 4];
                add_scaled(&mut product, &[&quotient[..], &[0]].concat(), divisor);
                divide_exactly(&mut product, divisor);
                assert_eq!(product[..3], quotient, "{divisor}");
            }
        }
    }

    /// Differences may be negative in between: words wrap around.
    #[test]
    fn what_is_added_can_be_subtracted_first() {
        let mut number = [5, 0, 0];
        subtract_scaled(&mut number, &[7, u64::MAX, 1], u64::MAX);
        add_scaled(&mut number, &[7, u64::MAX, 1], u64::MAX);
        assert_eq!(number, [5, 0, 0]);
    }

    /// The weights of 60d6 by adding one die after the other.
    #[test]
    fn weights_are_those_of_adding_dice() {
        let mut sums = vec![UBig::ONE];
        for _ in 0..60 {
            let mut more = vec![UBig::ZERO; sums.len() + 5];
            for (index, weight) in sums.iter().enumerate() {
                for sum in &mut more[index..index + 6] {
                    *sum += weight;
                }
            }
            sums = more;
        }
        assert_eq!(pool_recurrence(60, 6), sums);
    }
}
