//! The face and the value of a die as one number, while both matter.

use dicec_runtime::bug;
use rustc_hash::FxHashMap;

/// Pairs of a face and a value.
#[derive(Default)]
pub(super) struct Names {
    known: FxHashMap<(i64, i64), i64>,
    pairs: Vec<(i64, i64)>,
}

impl Names {
    /// The name of a pair.
    pub(super) fn of(&mut self, face: i64, value: i64) -> i64 {
        *self.known.entry((face, value)).or_insert_with(|| {
            self.pairs.push((face, value));
            // The budget on outcomes bounds their number.
            self.pairs.len() as i64 - 1
        })
    }

    /// The pair with a name.
    pub(super) fn pair(&self, name: i64) -> (i64, i64) {
        let index = usize::try_from(name).unwrap_or(usize::MAX);
        let pair = self.pairs.get(index);
        *pair.unwrap_or_else(|| bug!("the outcome {name} was given to nothing").raise())
    }
}

/// Encodes a face and a sum in one number, so that adding numbers adds the sums.
pub(super) struct Packed {
    low: i64,
    span: i64,
}

impl Packed {
    /// An encoding for `span` faces from `low` on and sums of `limit + 1` values of at most this
    /// size; `None` if it would overflow.
    pub(super) fn new(low: i64, span: u64, size: i64, limit: u64) -> Option<Self> {
        let span = i64::try_from(span).ok()?;
        let most = size.checked_mul(i64::try_from(limit).ok()?.checked_add(2)?)?;
        most.checked_mul(span)?.checked_add(span)?;
        Some(Self { low, span })
    }

    /// The number of a face and a value.
    pub(super) fn pack(&self, face: i64, value: i64) -> i64 {
        // In range: see `new`.
        value
            .wrapping_mul(self.span)
            .wrapping_add(face.wrapping_sub(self.low))
    }

    /// The face and the value of a number.
    pub(super) fn unpack(&self, packed: i64) -> (i64, i64) {
        let face = packed.rem_euclid(self.span).wrapping_add(self.low);
        (face, packed.div_euclid(self.span))
    }
}
