//! The record of a roll for showing it: its dice, pools and sub-rolls.

use dicec_runtime::pool::{Flags, Pool};
use dicec_runtime::span::Span;

/// One die on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RolledDie {
    /// The number of sides.
    pub sides: u32,
    /// The face that it shows.
    pub face: i64,
    /// Which of its sides came up, counted from 1: the face itself, except for dice with faces of
    /// their own.
    pub place: u32,
    /// Its value, if it is kept.
    pub value: i64,
    /// The marks on the die: dropped, exploded and so on.
    pub flags: Flags,
    /// Where its pool was written.
    pub span: Span,
}

impl RolledDie {
    /// Whether it counts.
    pub fn is_kept(&self) -> bool {
        !self.flags.contains(Flags::DROPPED)
    }
}

/// One pool: which of the trace's dice belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolRoll {
    /// Where it was written.
    pub span: Span,
    /// The index of its first die in [`Trace::dice`].
    pub first: usize,
    /// The number of its dice, which are consecutive.
    pub count: usize,
}

/// One member of a group that selects or counts totals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubRoll {
    /// Where it was written.
    pub span: Span,
    /// Its total.
    pub total: i64,
    /// Whether it was dropped, succeeded or failed.
    pub flags: Flags,
}

/// Observes a roll. The unit type observes nothing and costs nothing.
pub trait Observer {
    /// Whether anything is observed: if so, pools keep details that are only for showing.
    const WATCHES: bool;
    /// A pool, written at `span`, is complete. Its dice are tagged with their indices here. `role`
    /// marks all of them.
    fn pool(&mut self, pool: &mut Pool, role: Flags, span: Span);
    /// Dice that were joined to a pool of a group have these flags now.
    fn joined(&mut self, pool: &Pool);
    /// The number of dice so far.
    fn mark(&self) -> usize;
    /// The number of rerolled dice that may still be kept.
    fn history(&self) -> usize;
    /// A pool or group was counted instead of summed.
    fn counted(&mut self, successes: i64, failures: i64);
    /// A member of a group is complete: its dice are those from `first` up to `end`, see
    /// [`Observer::mark`].
    fn member(&mut self, member: SubRoll, first: usize, end: usize);
}

impl Observer for () {
    const WATCHES: bool = false;
    #[inline]
    fn pool(&mut self, _pool: &mut Pool, _role: Flags, _span: Span) {}
    #[inline]
    fn joined(&mut self, _pool: &Pool) {}
    #[inline]
    fn mark(&self) -> usize {
        0
    }
    #[inline]
    fn history(&self) -> usize {
        0
    }
    #[inline]
    fn counted(&mut self, _successes: i64, _failures: i64) {}
    #[inline]
    fn member(&mut self, _member: SubRoll, _first: usize, _end: usize) {}
}

/// Keeps everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// All dice, pool by pool.
    pub dice: Vec<RolledDie>,
    /// All pools, in the order in which they were completed; each has a span of its own.
    pub pools: Vec<PoolRoll>,
    /// All members of groups, in the order in which they were completed.
    pub members: Vec<SubRoll>,
    /// The numbers of successes and failures among dice and members, if any were counted.
    pub counted: Option<(i64, i64)>,
    /// The number of rerolled dice.
    rerolled: usize,
}

/// Most rerolled dice that a roll keeps for showing them.
const MAX_HISTORY: usize = 10_000;

impl Observer for Trace {
    const WATCHES: bool = true;

    fn pool(&mut self, pool: &mut Pool, role: Flags, span: Span) {
        let first = self.dice.len();
        for die in pool.dice_mut() {
            // A trace of 2^32 dice does not fit in memory.
            die.tag = self.dice.len() as u32;
            self.rerolled += usize::from(die.flags.contains(Flags::REROLLED));
            self.dice.push(RolledDie {
                sides: die.sides,
                face: die.face,
                place: die.place,
                value: die.value,
                flags: die.flags | role,
                span,
            });
        }
        self.pools.push(PoolRoll {
            span,
            first,
            count: pool.dice().len(),
        });
    }

    fn joined(&mut self, pool: &Pool) {
        for die in pool.dice() {
            if let Some(seen) = self.dice.get_mut(die.tag as usize) {
                // A group may have marks of its own.
                seen.flags = (seen.flags - Flags::CRITICAL - Flags::FUMBLE) | die.flags;
            }
        }
    }

    fn mark(&self) -> usize {
        self.dice.len()
    }

    fn history(&self) -> usize {
        MAX_HISTORY.saturating_sub(self.rerolled)
    }

    fn counted(&mut self, successes: i64, failures: i64) {
        let before = self.counted.unwrap_or_default();
        // Each is at most the dice of a pool.
        self.counted = Some((before.0 + successes, before.1 + failures));
    }

    fn member(&mut self, member: SubRoll, first: usize, end: usize) {
        if member.flags.contains(Flags::DROPPED) {
            for die in self.dice.get_mut(first..end).into_iter().flatten() {
                die.flags |= Flags::DROPPED;
            }
        }
        self.members.push(member);
    }
}
