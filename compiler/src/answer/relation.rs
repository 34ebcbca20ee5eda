//! Compares independent rolls of two rules.

use super::distribution::{Distribution, Table};
use super::share::{Share, lowest};
use dashu_int::UBig;
use dicec_lang::hir::Kind;
use dicec_runtime::bug;
use dicec_runtime::pmf::{Pmf, Relation, Weight};
use std::cmp::Ordering;

/// The chances of the three outcomes of a comparison of two rolls. False is less than true.
#[derive(Clone, Debug, PartialEq)]
pub struct Chances {
    /// The first is greater.
    pub greater: Share,
    /// They are equal.
    pub equal: Share,
    /// The first is less.
    pub less: Share,
}

/// Whether results of two kinds can be compared: numbers with numbers, and what else has an order
/// with its own kind, if that has the `same_labels`.
pub fn are_comparable(one: Kind, other: Kind, same_labels: bool) -> bool {
    let are_alike = one == other && same_labels;
    one != Kind::Label && (are_alike || one.is_number() && other.is_number())
}

impl Distribution {
    /// How a roll of this compares with one of `other`. In fractions if both are.
    pub fn relation(&self, other: &Self) -> Chances {
        if let (Table::Fractions(first), Table::Fractions(second)) = (&self.table, &other.table) {
            let relation = first.relation(second);
            let share = |ordering, weight: &UBig| Share {
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
            _ => Pmf::from_weights(self.probabilities())
                .unwrap_or_else(|| bug!("odds without a result").raise()),
        }
    }
}

/// The name of the rule at an index in a comparison: `first`, `second`, ..., `9th`.
pub fn ordinal(index: usize) -> String {
    const WORDS: [&str; 8] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
    ];
    let word = WORDS.get(index).map(|word| (*word).to_owned());
    word.unwrap_or_else(|| format!("{}th", index + 1))
}

fn share<W: Weight>(relation: &Relation<W>, ordering: Ordering) -> Share {
    Share::of(relation.check(|found| found == ordering).at_least(1))
}
