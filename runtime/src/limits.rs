//! The limits of one roll. They are part of a program's meaning: every engine stops at the same
//! limit.

/// Limits of a roll. Only the caller can raise them, never the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RollLimits {
    /// The maximum number of dice in one pool, including those that explosions add; at most
    /// [`MAX_DICE_CEILING`].
    pub dice: u32,
    /// The maximum number of dice in all pools of one roll together; at most [`MAX_TOTAL_CEILING`].
    /// A pool whose number of dice is computed counts as [`RollLimits::dice`], one that explodes as
    /// all dice that its explosions may add. A roll that may come to more is refused when it is
    /// compiled.
    pub total: u32,
    /// The maximum number of extra dice or faces that one die adds by exploding; at most
    /// [`MAX_CHAIN_CEILING`].
    pub explosions: u32,
    /// The maximum number of rerolls of one die; at most [`MAX_CHAIN_CEILING`].
    pub rerolls: u32,
}

/// The default of [`RollLimits::dice`].
pub const DEFAULT_MAX_DICE: u32 = 10_000;

/// The default of [`RollLimits::total`]: showing a roll of this many dice takes about 200
/// megabytes.
pub const DEFAULT_MAX_TOTAL: u32 = 1_000_000;

/// The highest value [`RollLimits::total`] may be raised to.
pub const MAX_TOTAL_CEILING: u32 = 1_000_000_000;

/// The default of [`RollLimits::explosions`] and [`RollLimits::rerolls`].
pub const DEFAULT_MAX_CHAIN: u32 = 1_000;

/// The highest value of [`RollLimits::dice`]: this many dice on the table take less than a
/// gigabyte.
pub const MAX_DICE_CEILING: u32 = 10_000_000;

/// The highest value of [`RollLimits::explosions`] and [`RollLimits::rerolls`].
pub const MAX_CHAIN_CEILING: u32 = 1_000_000;

/// The maximum number of sides of a die. With [`MAX_DICE_CEILING`] it bounds every pool by 10^16,
/// so a sum of dice never overflows an `i64` and needs no check.
pub const MAX_SIDES: u32 = 1_000_000_000;

/// The maximum distance of a custom face from 0: the same as for plain dice.
pub const MAX_FACE: i64 = MAX_SIDES as i64;

impl RollLimits {
    /// These limits, each clamped between 1 (for explosion chains: 0) and its ceiling. A roll may
    /// have as many dice as one pool.
    pub fn in_range(self) -> Self {
        let dice = self.dice.clamp(1, MAX_DICE_CEILING);
        Self {
            dice,
            total: self.total.clamp(dice, MAX_TOTAL_CEILING),
            explosions: self.explosions.min(MAX_CHAIN_CEILING),
            rerolls: self.rerolls.min(MAX_CHAIN_CEILING),
        }
    }
}

impl Default for RollLimits {
    fn default() -> Self {
        Self {
            dice: DEFAULT_MAX_DICE,
            total: DEFAULT_MAX_TOTAL,
            explosions: DEFAULT_MAX_CHAIN,
            rerolls: DEFAULT_MAX_CHAIN,
        }
    }
}

/// Limits of one trial of a script. Only the caller can raise them, never the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptLimits {
    /// How much a trial may do: each iteration of a loop, each call, and each field or element of a
    /// new record or list costs one unit; at most [`MAX_FUEL_CEILING`].
    pub fuel: u32,
    /// How deep calls of functions may nest, not counting the roll itself; at most
    /// [`MAX_DEPTH_CEILING`].
    pub depth: u32,
    /// The maximum number of elements of a list; at most [`MAX_LIST_CEILING`].
    pub list: u32,
}

/// The highest value of [`ScriptLimits::fuel`]: memory that costs this much fuel is a few gigabytes
/// at most.
pub const MAX_FUEL_CEILING: u32 = 100_000_000;

/// The highest value of [`ScriptLimits::depth`].
pub const MAX_DEPTH_CEILING: u32 = 1_000;

/// The highest value of [`ScriptLimits::list`].
pub const MAX_LIST_CEILING: u32 = 10_000_000;

/// The maximum number of bytes of a text that a script builds; each number counts as two bytes.
pub const MAX_TEXT: usize = 4096;

impl ScriptLimits {
    /// These limits, each cut to its ceiling.
    pub fn in_range(self) -> Self {
        Self {
            fuel: self.fuel.min(MAX_FUEL_CEILING),
            depth: self.depth.min(MAX_DEPTH_CEILING),
            list: self.list.min(MAX_LIST_CEILING),
        }
    }
}

/// The number of dice that cost one unit of fuel: rolling them takes about as long as other
/// operations of one unit. Fewer are free.
pub const DICE_PER_FUEL: u64 = 64;

/// The number of bytes of a joined text that cost one unit of fuel for each value in it.
pub const JOIN_UNIT: u64 = 16;

/// The fuel of joining `values` texts, truth values and degrees into a text of `bytes` bytes: for
/// each of them four units, and one for each 16 bytes. So a unit pays for at most 80 bytes of
/// memory, even if all intermediate texts are kept.
pub fn join_cost(values: u64, bytes: usize) -> u64 {
    values.saturating_mul(4 + bytes as u64 / JOIN_UNIT)
}

/// Limits on the output that one execution of a script for a player leaves in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayLimits {
    /// The maximum number of bytes, counted as [`PlayLimits`]' constants say.
    pub bytes: u32,
}

impl PlayLimits {
    /// The bytes of a roll, plus twice the bytes of its path.
    pub const ROLL: usize = 1024;
    /// The bytes of a die of a roll.
    pub const DIE: usize = 128;
    /// The bytes of a line, plus those of its text.
    pub const LINE: usize = 128;
    /// The bytes of an option, plus twice the bytes of its path and those of its texts.
    pub const OPTION: usize = 256;
    /// The bytes of an answer that an option offers, plus those of its text.
    pub const ANSWER: usize = 32;
    /// The bytes of a group of lines.
    pub const GROUP: usize = 128;
    /// The bytes of a statistic's number.
    pub const STAT: usize = 64;
}

impl Default for PlayLimits {
    /// 128 MiB: a hundred thousand rolls, a million dice, or a million lines.
    fn default() -> Self {
        Self { bytes: 128 << 20 }
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
