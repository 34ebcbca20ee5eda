//! The bounds on what one roll may do. They are part of a program's meaning: every back end stops at the same one.

/// Bounds on a roll, raised by the caller and never by the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RollLimits {
    /// Most dice in one pool, those that explosions bring included; at most [`MAX_DICE_CEILING`].
    pub dice: u32,
    /// Most extra dice or faces that one die brings by exploding; at most [`MAX_CHAIN_CEILING`].
    pub explosions: u32,
    /// Most rerolls of one die; at most [`MAX_CHAIN_CEILING`].
    pub rerolls: u32,
}

/// The default of [`RollLimits::dice`].
pub const DEFAULT_MAX_DICE: u32 = 10_000;

/// The default of [`RollLimits::explosions`] and [`RollLimits::rerolls`].
pub const DEFAULT_MAX_CHAIN: u32 = 1_000;

/// The highest value [`RollLimits::dice`] may be raised to: so many dice on the table take less than a gigabyte.
pub const MAX_DICE_CEILING: u32 = 10_000_000;

/// The highest value [`RollLimits::explosions`] and [`RollLimits::rerolls`] may be raised to.
pub const MAX_CHAIN_CEILING: u32 = 1_000_000;

/// Most sides a die may have. With [`MAX_DICE_CEILING`] it bounds every pool by 10^16, so that a sum of
/// dice never overflows an `i64` and needs no check.
pub const MAX_SIDES: u32 = 1_000_000_000;

/// How far from 0 the faces of a custom die may be: no farther than those of a plain one.
pub const MAX_FACE: i64 = MAX_SIDES as i64;

impl RollLimits {
    /// These limits, each brought between 1 (for chains: 0) and its ceiling.
    pub fn in_range(self) -> Self {
        Self {
            dice: self.dice.clamp(1, MAX_DICE_CEILING),
            explosions: self.explosions.min(MAX_CHAIN_CEILING),
            rerolls: self.rerolls.min(MAX_CHAIN_CEILING),
        }
    }
}

impl Default for RollLimits {
    fn default() -> Self {
        Self {
            dice: DEFAULT_MAX_DICE,
            explosions: DEFAULT_MAX_CHAIN,
            rerolls: DEFAULT_MAX_CHAIN,
        }
    }
}

/// Bounds on one trial of a script, raised by the caller and never by the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptLimits {
    /// How much may be done: a round of a loop, a call, and each field or element that is made cost one unit each; at most
    /// [`MAX_FUEL_CEILING`].
    pub fuel: u32,
    /// How deep functions may call each other, the roll itself not counted; at most [`MAX_DEPTH_CEILING`].
    pub depth: u32,
    /// Most elements of a list; at most [`MAX_LIST_CEILING`].
    pub list: u32,
}

/// The highest value [`ScriptLimits::fuel`] may be raised to: what it buys in memory takes a few gigabytes at most.
pub const MAX_FUEL_CEILING: u32 = 100_000_000;

/// The highest value [`ScriptLimits::depth`] may be raised to.
pub const MAX_DEPTH_CEILING: u32 = 1_000;

/// The highest value [`ScriptLimits::list`] may be raised to.
pub const MAX_LIST_CEILING: u32 = 10_000_000;

/// Most bytes of a text that is put together while a script runs, in which each number counts as two.
pub const MAX_TEXT: usize = 4096;

impl ScriptLimits {
    /// These limits, each brought to its ceiling at most.
    pub fn in_range(self) -> Self {
        Self {
            fuel: self.fuel.min(MAX_FUEL_CEILING),
            depth: self.depth.min(MAX_DEPTH_CEILING),
            list: self.list.min(MAX_LIST_CEILING),
        }
    }
}

impl Default for ScriptLimits {
    fn default() -> Self {
        Self {
            fuel: 1_000_000,
            depth: 200,
            list: 10_000,
        }
    }
}
