//! The rests that bring back uses, spell slots and hit points.

/// A rest. A long rest brings back everything that a short one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// An hour (SRD 5.1, "Resting").
    Short,
    /// Eight hours.
    Long,
}
