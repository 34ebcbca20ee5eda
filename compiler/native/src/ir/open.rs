//! Open words (free parameters): words of a known argument block that may have other values. Code
//! reads them with `resource` at run time, and relies on their range.

use std::ops::RangeInclusive;
use std::sync::Arc;

/// A number of ordinary size.
const ORDINARY: i64 = 8;

/// The open words of a module. It has none if its arguments are all known, or none of them is;
/// then their range is the usual one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct OpenWords {
    /// Their addresses in the argument block, in order.
    pub addresses: Arc<[u32]>,
    /// Their range.
    pub range: OpenRange,
}

/// The range of open words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OpenRange {
    /// The bonuses, armour and hit points of ordinary creatures, from -16 to 63: their sums and
    /// differences fit 8 bits.
    Small,
    /// Any whole number from -1000 to 1000.
    #[default]
    Usual,
}

impl OpenRange {
    /// The numbers in it.
    pub const fn numbers(self) -> RangeInclusive<i64> {
        match self {
            Self::Small => -16..=63,
            Self::Usual => -1000..=1000,
        }
    }
}

impl OpenWords {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }

    /// The argument block with ordinary numbers for its open words. All blocks of a module give the
    /// same one, so code may be chosen by it.
    pub fn ordinary(&self, arguments: &[i64]) -> Vec<i64> {
        let mut words = arguments.to_vec();
        for &address in &*self.addresses {
            words[address as usize] = ORDINARY;
        }
        words
    }

    /// Whether the word at an address of the argument block is open.
    pub fn contains(&self, address: u32) -> bool {
        self.addresses.binary_search(&address).is_ok()
    }
}
