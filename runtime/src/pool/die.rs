//! One die on the table.

use bitflags::bitflags;

bitflags! {
    /// The marks on a die.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Flags: u16 {
        /// It does not count.
        const DROPPED = 1;
        /// Its face added another die.
        const EXPLODED = 1 << 1;
        /// An explosion added it.
        const ADDED = 1 << 2;
        /// It counts one less than its face: an extra die of a penetrating explosion.
        const PENETRATED = 1 << 3;
        /// It was rerolled: another die replaced it.
        const REROLLED = 1 << 4;
        /// It counts as a success.
        const SUCCESS = 1 << 5;
        /// It counts as a failure.
        const FAILURE = 1 << 6;
        /// It has custom faces instead of `1..=sides`.
        const CUSTOM = 1 << 7;
        /// For showing: an especially good face.
        const CRITICAL = 1 << 8;
        /// For showing: an especially bad face.
        const FUMBLE = 1 << 9;
        /// Its roll decided the count, the sides, a selection or a threshold of another pool.
        const META = 1 << 10;
        /// It belongs to the right side of a `vs`.
        const CLASS = 1 << 11;
        /// It was dropped before other changes, which pass over it.
        const ASIDE = 1 << 12;
    }
}

/// A die of a pool, or a sub-roll of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Die {
    /// Its face; a sub-roll's total.
    pub face: i64,
    /// Which of its sides came up, counted from 1: the face itself, except for custom dice. 0 for a
    /// sub-roll.
    pub place: u32,
    /// Its contribution to the total.
    pub value: i64,
    /// The number of its sides; 0 for a sub-roll.
    pub sides: u32,
    /// The caller's tag; the interpreter stores the die's index in its trace here.
    pub tag: u32,
    /// Its marks.
    pub flags: Flags,
}

impl Die {
    /// Whether it counts.
    pub fn is_kept(&self) -> bool {
        !self.flags.contains(Flags::DROPPED)
    }

    /// Whether it counts as a success or a failure.
    pub(super) fn is_counted(&self) -> bool {
        self.flags.intersects(Flags::SUCCESS | Flags::FAILURE)
    }

    /// Whether changes and selections consider it: it may be dropped by a selection that is not set
    /// aside yet.
    pub(super) fn is_present(&self) -> bool {
        !self.flags.intersects(Flags::REROLLED | Flags::ASIDE)
    }
}
