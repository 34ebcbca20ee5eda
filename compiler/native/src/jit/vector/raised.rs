//! The pending increments of an iteration ([`super::raises`]).

use crate::ir::Block;
use cranelift::codegen::ir as clif;

/// A counter for each lane to increment: 0, which nobody reads, in inactive lanes.
pub(super) struct Raise {
    pub(super) block: Block,
    /// Whether all lanes are active.
    pub(super) by_all: bool,
    pub(super) counters: clif::Value,
    /// The part of the group that the lanes belong to.
    pub(super) part: usize,
}

/// The increments at the end of an iteration.
#[derive(Default)]
pub(super) struct Raises(pub(super) Vec<Raise>);
