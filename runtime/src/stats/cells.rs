//! How a tally stores its counts in bounded memory: [`Row`], an array, while the values lie close
//! together, and otherwise [`Groups`], a hash map whose keys coarsen when there are too many.

use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;

/// The widest range of values for which an array is made before there are any.
pub const MAX_DENSE: usize = 65_536;

/// The maximum number of groups of values that are kept apart.
pub const MAX_GROUPS: usize = 1 << 20;

/// The fewest and the most counts of an array that grew: 32 KiB, as a script may have hundreds of
/// statistics, each with an array for each thread.
const GROWN: RangeInclusive<usize> = 64..=1 << 12;

/// The counts of the consecutive values from `first` on.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    first: i64,
    /// At most as many as [`GROWN`] says, and `first + counts.len()` is an i64.
    counts: Vec<u64>,
}

impl Row {
    /// Zero counts for `first..first + length`; `None` when that is too wide or passes the end of
    /// i64.
    pub(super) fn new(first: i64, length: usize) -> Option<Self> {
        let room = i64::MAX.wrapping_sub(first) as u64;
        if length > MAX_DENSE || length as u64 > room {
            return None;
        }
        let counts = vec![0; length];
        Some(Self { first, counts })
    }

    /// The number of values with a count, including 0.
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// The same counts in an array that reaches `value`, with about as much spare room on that
    /// side, so that it rarely has to grow; `None` if it would be longer than [`GROWN`] allows.
    pub(super) fn reaching(&self, value: i64) -> Option<Self> {
        let (least, last) = match self.counts.len() as i64 {
            0 => (value, value),
            length => {
                let last = self.first.wrapping_add(length - 1);
                (self.first.min(value), last.max(value))
            }
        };
        let needed = usize::try_from(last.checked_sub(least)?).ok()?;
        if needed >= *GROWN.end() || last == i64::MAX {
            return None;
        }
        let length = (2 * needed).clamp(*GROWN.start(), *GROWN.end()) as i64;
        let first = match value < self.first {
            true => last.saturating_sub(length - 1),
            false => least.min(i64::MAX - length),
        };
        let mut counts = vec![0; length as usize];
        if !self.counts.is_empty() {
            let offset = self.first.wrapping_sub(first) as usize;
            counts[offset..][..self.counts.len()].copy_from_slice(&self.counts);
        }
        Some(Self { first, counts })
    }

    /// The count of `value`, if the array reaches there.
    pub(super) fn slot(&mut self, value: i64) -> Option<&mut u64> {
        // A value below `first`, or too far above, wraps to an offset of at least 2^63 - 2^16, far
        // past the end.
        let offset = value.wrapping_sub(self.first) as u64;
        self.counts.get_mut(usize::try_from(offset).ok()?)
    }

    /// The values that were recorded and their counts, ascending.
    pub(super) fn outcomes(&self) -> impl Iterator<Item = (i64, u64)> {
        let cells = self.counts.iter().enumerate();
        cells
            .filter(|(_, times)| **times > 0)
            .map(|(index, times)| (self.first.wrapping_add(index as i64), *times))
    }
}

/// Counts by `value >> shift`, in a limited number of groups.
///
/// The shift is the least at which the values fit: it rises only when some of them do not fit, and
/// then all of them do not. So it depends on the values only, not on their order.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    /// The maximum number of groups; [`MAX_GROUPS`] except in tests.
    most: usize,
    shift: u32,
    counts: FxHashMap<i64, u64>,
}

impl Groups {
    /// No counts, and room for `most` groups.
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            shift: 0,
            counts: FxHashMap::default(),
        }
    }

    /// The number of groups.
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// log2 of the values in a group.
    pub(super) fn shift(&self) -> u32 {
        self.shift
    }

    /// Counts `value` `times` over, saturating.
    pub(super) fn add(&mut self, value: i64, times: u64) {
        let count = self.counts.entry(value >> self.shift).or_insert(0);
        *count = count.saturating_add(times);
        if self.counts.len() > self.most {
            self.coarsen(self.least_shift());
        }
    }

    /// Adds the counts of `other`.
    pub(super) fn merge(&mut self, other: &Self) {
        if other.shift > self.shift {
            self.coarsen(other.shift);
        }
        // Sorted, because a hash map's own order is the worst to fill another one in: it piles up
        // in one place.
        for (value, times) in other.outcomes() {
            // A group's first value represents it at every coarser shift.
            self.add(value, times);
        }
    }

    /// The least shift at which the groups are few enough.
    fn least_shift(&self) -> u32 {
        let mut keys: Vec<i64> = self.counts.keys().copied().collect();
        keys.sort_unstable();
        // Neighbours fall into one group once the shift passes the highest bit in which they
        // differ.
        let mut joined_at = [0_usize; 65];
        for pair in keys.windows(2) {
            let differing = u64::BITS - (pair[0] ^ pair[1]).leading_zeros();
            joined_at[differing as usize] += 1;
        }
        let mut groups = keys.len();
        let mut further = 0;
        for (bits, joined) in (0..).zip(joined_at) {
            groups -= joined;
            further = bits;
            if groups <= self.most {
                break;
            }
        }
        self.shift + further
    }

    /// Joins groups up to a greater `shift`, which stays far below 64: 44 is enough for 2^20
    /// groups.
    fn coarsen(&mut self, shift: u32) {
        let further = shift - self.shift;
        let fine = std::mem::take(&mut self.counts);
        self.counts.reserve(fine.len());
        for (key, times) in fine {
            let count = self.counts.entry(key >> further).or_insert(0);
            *count = count.saturating_add(times);
        }
        self.shift = shift;
    }

    /// Each group's first value and its count, ascending.
    pub(super) fn outcomes(&self) -> Vec<(i64, u64)> {
        let groups = self.counts.iter();
        let mut outcomes: Vec<_> = groups
            .map(|(key, times)| (key << self.shift, *times))
            .collect();
        outcomes.sort_unstable();
        outcomes
    }
}
