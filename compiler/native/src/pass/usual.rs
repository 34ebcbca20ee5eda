//! The assumptions of vector forms about a trial.

use crate::analysis::{Given, Interval};
use crate::ir::{OpenRange, Tables};

/// The range of resources that vector forms of rules are made for.
pub const RESOURCES: Interval = Interval::open(OpenRange::Usual);

/// The assumptions: the resources of a rule in [`RESOURCES`], a script's open words in their range,
/// and its fuel.
pub(super) fn usual(tables: &Tables) -> Given {
    usual_within(tables, fuel_limit(tables))
}

/// The fuel of a script's trial; a rule, which has no tables, burns none.
pub(super) fn fuel_limit(tables: &Tables) -> u32 {
    match *tables == Tables::default() {
        true => 0,
        false => tables.limits.fuel,
    }
}

/// The same for trials that burn at most this much fuel.
pub(super) fn usual_within(tables: &Tables, fuel: u32) -> Given {
    Given {
        resources: Interval::open(tables.open.range),
        fuel,
        ..Given::default()
    }
}
