//! What the blocks of an iteration raise, until its end ([`super::raises`]).

use crate::ir::Block;
use cranelift::codegen::ir as clif;

/// A counter for each lane that a block raises: 0, which nobody reads, in lanes that are not there.
pub(super) struct Raise {
    pub(super) block: Block,
    /// Whether all lanes are there.
    pub(super) by_all: bool,
    pub(super) counters: clif::Value,
    /// The part of the group whose lanes they are.
    pub(super) part: usize,
}

/// What an iteration raises at its end.
#[derive(Default)]
pub(super) struct Raises(pub(super) Vec<Raise>);
