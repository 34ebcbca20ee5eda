//! What vector forms assume about a trial.

use crate::analysis::{Given, Interval};
use crate::ir::{OpenRange, Tables};

/// The resources that vector forms of rules are made for.
pub const RESOURCES: Interval = Interval::open(OpenRange::Usual);

/// The assumptions: the resources of a rule in [`RESOURCES`], a script's open words in their range,
/// and its fuel.
pub(super) fn usual(tables: &Tables, fuel: u32) -> Given {
    Given {
        resources: Interval::open(tables.open.range),
        fuel,
        ..Given::default()
    }
}
