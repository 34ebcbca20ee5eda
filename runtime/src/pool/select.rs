//! Keeping and dropping dice.

use super::{Flags, Pool};
use std::fmt;

/// Which end of a pool is kept or dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Selector {
    /// `kh`
    KeepHigh,
    /// `kl`
    KeepLow,
    /// `dh`
    DropHigh,
    /// `dl`
    DropLow,
}

impl Selector {
    /// All of them.
    pub const ALL: [Selector; 4] = [Self::KeepHigh, Self::KeepLow, Self::DropHigh, Self::DropLow];

    /// Whether it counts from the highest die.
    pub fn is_high(self) -> bool {
        matches!(self, Selector::KeepHigh | Selector::DropHigh)
    }

    /// Whether it drops the dice that it counts.
    pub fn drops(self) -> bool {
        matches!(self, Selector::DropHigh | Selector::DropLow)
    }

    /// Whether a selection with this `count` keeps the die of this rank. Ranks count from 0 at the
    /// end from which the selector counts.
    pub fn keeps(self, rank: u64, count: i64) -> bool {
        let counted = i64::try_from(rank).is_ok_and(|rank| rank < count);
        counted != self.drops()
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Selector::KeepHigh => "kh",
            Selector::KeepLow => "kl",
            Selector::DropHigh => "dh",
            Selector::DropLow => "dl",
        })
    }
}

impl Pool {
    /// Marks the dice that `selector` drops, given its `count`. It considers all dice, including
    /// those that other selections dropped, so that several selections combine; but not those that
    /// were [set aside](Pool::set_aside). The earlier of
    /// equal dice ranks higher, whichever end is counted from: so dropping the lowest of four dice
    /// is the same as keeping the highest three, and the highest and the lowest die are always
    /// different dice. A negative count is 0; a count above the size of the pool means all dice.
    pub fn select(&mut self, selector: Selector, count: i64) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        let present = self.dice.iter().zip(0_u32..);
        order.extend(
            present
                .filter(|(die, _)| die.is_present())
                .map(|(die, index)| (die.value, !index)),
        );
        let pool = order.len();
        // Cut to the size of the pool, so it fits.
        let count = usize::try_from(count.max(0)).unwrap_or(pool).min(pool);
        let lows = if selector.is_high() {
            pool - count
        } else {
            count
        };
        if (1..pool).contains(&lows) {
            order.select_nth_unstable(lows);
        }
        for (position, &(_, index)) in order.iter().enumerate() {
            let counted = (position < lows) != selector.is_high();
            if let Some(die) = self.dice.get_mut(!index as usize)
                && counted == selector.drops()
            {
                die.flags |= Flags::DROPPED;
            }
        }
        self.order = order;
    }

    /// Sets the dropped dice aside: further changes and selections do not consider them.
    pub fn set_aside(&mut self) {
        for die in self.dice.iter_mut().filter(|die| !die.is_kept()) {
            die.flags |= Flags::ASIDE;
        }
    }
}
