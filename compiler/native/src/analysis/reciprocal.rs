//! Division in lanes. Vectors have no division, so a rule has a vector form only if each of its
//! divisions has a [`Reciprocal`].

use super::interval::Interval;

/// Division by a constant, rounded down, as a multiplication in 32 bits: `((x + add) factor >>
/// shift) - less`.
///
/// `add` is a multiple of the divisor `d` that makes every dividend 0 or more, and `less` the
/// quotient of it. With `factor = ceil(2^shift / d) = (2^shift + e) / d`, the product is `x / d + x
/// e / (d 2^shift)`: above `x / d` by less than `1 / d`, as long as `x e < 2^shift`, and so rounded
/// down to the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reciprocal {
    /// Makes the dividend 0 or more, and at most 2^15 - 1.
    pub add: i64,
    /// A positive `i32`, as its product with all dividends is.
    pub factor: i64,
    /// At most 30.
    pub shift: u32,
    /// The amount by which `add` increases the quotient.
    pub less: i64,
}

impl Reciprocal {
    /// The reciprocal of `divisor` that is exact for all these dividends, if there is one.
    pub(crate) fn new(dividend: Interval, divisor: i64) -> Option<Self> {
        let most = (1 << 15) - 1;
        if !(1..=most).contains(&divisor) || dividend.width() > 1 << 15 {
            return None;
        }
        let below = dividend.low.min(0).checked_neg()?;
        let less = below / divisor + i64::from(below % divisor > 0);
        let add = less.checked_mul(divisor)?;
        let highest = dividend.high.checked_add(add)?;
        if !(0..=most).contains(&highest) {
            return None;
        }
        (0..=30).find_map(|shift| {
            let power = 1_i64 << shift;
            let factor = (power + divisor - 1) / divisor;
            let error = factor * divisor - power;
            let exact = highest * error < power && factor * highest < 1 << 31;
            exact.then_some(Self {
                add,
                factor,
                shift,
                less,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reciprocals_divide_like_the_operation() {
        for (low, high) in [(0, 600), (-40, 25), (-1, 0), (-9000, 9000), (5, 32_767)] {
            for divisor in (1..70).chain([100, 999, 8191]) {
                let Some(by) = Reciprocal::new(Interval { low, high }, divisor) else {
                    assert!(high - low > 16_000, "{low}..={high} by {divisor}");
                    continue;
                };
                for x in low..=high {
                    let quotient = (((x + by.add) * by.factor) >> by.shift) - by.less;
                    assert_eq!(
                        quotient,
                        dicec_runtime::ops::idiv_pos(x, divisor),
                        "{x} / {divisor}"
                    );
                }
            }
        }
    }
}
