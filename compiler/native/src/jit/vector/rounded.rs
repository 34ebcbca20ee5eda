//! Division in 16-bit lanes by one instruction, a rounded product. Dividends for which it is not
//! exact are divided in 32 bits ([`crate::analysis::Reciprocal`]).

use crate::analysis::Interval;

/// Division by a constant, rounded down, as one rounded product of 16 bits: `((x + add) factor +
/// 2^14) >> 15`. The nearest whole number to `(x - (d - 1) / 2) / d` is `x / d` rounded down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RoundedReciprocal {
    /// The offset that turns rounding to nearest into rounding down; the sum fits 16 bits.
    pub add: i64,
    /// At most 2^14.
    pub factor: i64,
}

impl RoundedReciprocal {
    /// The maximum number of dividends: all of them are tested.
    const MAX_TRIED: u128 = 4096;

    /// The reciprocal of `divisor` that is right for all these dividends, if there is one.
    pub(super) fn new(dividend: Interval, divisor: i64) -> Option<Self> {
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
}
