//! How an independent roll of one rule compares with one of another.

use super::{Distribution, Share, Table};
use dicec_runtime::pmf::{Pmf, Relation, Weight};
use num_bigint::BigUint;
use num_integer::Integer;
use std::cmp::Ordering;

/// The chances of the three ways in which two rolls can compare. False is less than true.
pub(crate) struct Chances {
    /// The first is greater.
    pub(crate) greater: Share,
    /// They are equal.
    pub(crate) equal: Share,
    /// The first is less.
    pub(crate) less: Share,
}

impl Distribution {
    /// How a roll of this compares with one of `other`. In fractions if both are.
    pub(crate) fn relation(&self, other: &Self) -> Chances {
        if let (Table::Fractions(first), Table::Fractions(second)) = (&self.table, &other.table) {
            let relation = first.relation(second);
            let share = |ordering, weight: &BigUint| Share {
                fraction: Some(lowest(weight, &relation.total)),
                ..share(&relation, ordering)
            };
            return Chances {
                greater: share(Ordering::Greater, &relation.greater),
                equal: share(Ordering::Equal, &relation.equal),
                less: share(Ordering::Less, &relation.less),
            };
        }
        let relation = self.float_table().relation(&other.float_table());
        Chances {
            greater: share(&relation, Ordering::Greater),
            equal: share(&relation, Ordering::Equal),
            less: share(&relation, Ordering::Less),
        }
    }

    fn float_table(&self) -> Pmf<f64> {
        match &self.table {
            Table::Floats(table) => table.clone(),
            // There is at least one result, so there is a table.
            _ => Pmf::from_weights(self.probabilities()).unwrap_or_else(|| Pmf::point(0)),
        }
    }
}

/// A fraction in lowest terms.
pub(super) fn lowest(weight: &BigUint, total: &BigUint) -> (BigUint, BigUint) {
    let divisor = weight.gcd(total);
    (weight / &divisor, total / &divisor)
}

fn share<W: Weight>(relation: &Relation<W>, ordering: Ordering) -> Share {
    Share {
        p: relation.check(|found| found == ordering).at_least(1),
        fraction: None,
        in_full: false,
        interval: None,
    }
}
