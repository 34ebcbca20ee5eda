//! What vector forms assume about a trial.

use crate::analysis::{Given, Interval};
use crate::ir::argument_block::OPEN;

/// The resources that vector forms are made for, as open words are.
pub const RESOURCES: Interval = Interval {
    low: *OPEN.start(),
    high: *OPEN.end(),
};

/// The assumptions: resources in [`RESOURCES`], and a script's fuel.
pub(super) fn usual(fuel: u32) -> Given {
    Given {
        resources: RESOURCES,
        fuel,
        ..Given::default()
    }
}
