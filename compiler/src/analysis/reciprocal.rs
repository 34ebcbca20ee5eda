//! Division in lanes. Vectors have no instruction for it, so a rule has a vector form only if each
//! of its divisions has a [`Reciprocal`].

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
    /// How much `add` increases the quotient.
    pub less: i64,
}

impl Reciprocal {
    /// The reciprocal of `divisor` that is right for all these dividends, if there is one.
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

/// Division by a constant, rounded down, as one rounded product of 16 bits: `((x + add) factor +
/// 2^14) >> 15`. The nearest whole number to `(x - (d - 1) / 2) / d` is `x / d` rounded down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RoundedReciprocal {
    /// What makes rounding to the nearest number rounding down; the sum fits 16 bits.
    pub add: i64,
    /// At most 2^14.
    pub factor: i64,
}

impl RoundedReciprocal {
    /// The maximum number of dividends: all are tried.
    const MAX_TRIED: u128 = 4096;

    /// The reciprocal of `divisor` that is right for all these dividends, if there is one.
    pub(crate) fn new(dividend: Interval, divisor: i64) -> Option<Self> {
        let is_short = |x: i64| i16::try_from(x).is_ok();
        let bounds = [dividend.low, dividend.high];
        if !(2..1 << 14).contains(&divisor)
            || dividend.width() > Self::MAX_TRIED
            || !bounds
                .iter()
                .all(|&x| is_short(x) && is_short(x - divisor / 2))
        {
            return None;
        }
        let factor = (1 << 15) / divisor;
        let all = [factor, factor + 1].into_iter().flat_map(|factor| {
            let adds = [divisor / 2, (divisor - 1) / 2];
            adds.map(|less| Self { add: -less, factor })
        });
        let is_exact = |by: &Self| {
            let mut tried = dividend.low..=dividend.high;
            by.factor <= 1 << 14 && tried.all(|x| by.quotient(x) == x.div_euclid(divisor))
        };
        all.into_iter().find(is_exact)
    }

    fn quotient(self, x: i64) -> i64 {
        ((x + self.add) * self.factor + (1 << 14)) >> 15
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_reciprocals_divide_like_the_operation() {
        for (low, high) in [(0, 250), (-40, 25), (0, 1428), (-1000, 1000), (5, 4000)] {
            for divisor in 2..130 {
                let dividend = Interval { low, high };
                let by = RoundedReciprocal::new(dividend, divisor);
                // The error of the factor grows with the dividend.
                assert!(by.is_some() || low < 0 || high > 250, "{high} by {divisor}");
                for x in by.iter().flat_map(|_| low..=high) {
                    let quotient = by.map(|by| by.quotient(x));
                    assert_eq!(quotient, Some(dicec_runtime::ops::idiv_pos(x, divisor)));
                }
            }
        }
        assert_eq!(RoundedReciprocal::new(Interval::new(0, 32_767), 2), None);
    }

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
