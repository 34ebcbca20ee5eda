//! What vector forms assume about a trial.

use crate::analysis::{Given, Interval};

/// The resources that vector forms are made for.
pub const RESOURCES: Interval = Interval {
    low: -1000,
    high: 1000,
};

/// The assumptions: resources in [`RESOURCES`], and a script's fuel.
pub(super) fn usual(fuel: u32) -> Given {
    Given {
        resources: RESOURCES,
        fuel,
    }
}
