//! Which dice count: keeping and dropping.

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

    /// Whether `count` of `pool` dice, of which this one has the given rank among equals and betters, leave it in. Ranks
    /// count from 0 at the end that the selector counts from.
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
    /// Marks what `selector` drops, counting `count` dice. It looks at all dice, whatever other selections dropped, so that
    /// several are joined. Of equal dice the earlier is the higher, whichever end is counted from: so the lowest of four dice
    /// dropped and the highest three kept are the same, and the highest one and the lowest one are two. A count below 0 is 0;
    /// above the pool it is all.
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
        // Brought into the pool's range, so it fits.
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
}
