//! What work on states costs, in elementary operations.

/// Costs in elementary operations: of a state whose case is looked up, of a state among others with
/// the same case, and of each outcome; then the extra costs of an outcome that is computed, and of
/// each word of its state. The default budget is spent in about a second.
pub(super) const LOOKED_UP_COST: u64 = 32;
pub(super) const STATE_COST: u64 = 4;
pub(super) const OUTCOME_COST: u64 = 2;
pub(super) const WORK_COST: u64 = 64;
pub(super) const WORK_WORD_COST: u64 = 8;
