//! The bounds on what one roll may do. They are part of a program's meaning: every back end stops at the same one.

/// Bounds on a roll, raised by the caller and never by the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RollLimits {
    /// Most dice in one pool; at most [`MAX_DICE_CEILING`].
    pub dice: u32,
}

/// The default of [`RollLimits::dice`].
pub const DEFAULT_MAX_DICE: u32 = 10_000;

/// The highest value [`RollLimits::dice`] may be raised to.
pub const MAX_DICE_CEILING: u32 = 1_000_000_000;

/// Most sides a die may have. With [`MAX_DICE_CEILING`] it bounds every pool by 10^18, so that a sum of
/// dice never overflows an `i64` and needs no check.
pub const MAX_SIDES: u32 = 1_000_000_000;

impl RollLimits {
    /// These limits with `dice` brought into `1..=MAX_DICE_CEILING`.
    pub fn with_dice(self, dice: u32) -> Self {
        Self {
            dice: dice.clamp(1, MAX_DICE_CEILING),
        }
    }
}

impl Default for RollLimits {
    fn default() -> Self {
        Self {
            dice: DEFAULT_MAX_DICE,
        }
    }
}
