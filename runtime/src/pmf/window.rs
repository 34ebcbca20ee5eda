//! The sum of uniform dice, one die after the other, using only additions.
//!
//! Adding a die of `s` sides replaces each weight by the sum of the `s` weights that end there. The
//! usual running sum (add the new, subtract the old) is one addition and one subtraction a weight,
//! but in `f64` its cancellation ruins the small weights of the tails. Here the window is doubled
//! instead: from sums of `m` neighbours come those of `2m` or `2m + 1` in one pass, so a d6 takes
//! two passes. All terms are positive, so no relative error is amplified, and each pass is a plain
//! loop over slices that the compiler vectorises.
//!
//! A sum of dice is symmetric, so only the lower half of each table is computed.

use std::ops::Add;

/// The lower half of the weights of a growing pool.
pub(super) struct Window<T> {
    sides: usize,
    dice: usize,
    /// Index of `half[0]` in the whole table; weights below it have been dropped.
    start: usize,
    /// Weights `start..=(dice * (sides - 1)) / 2` of the table whose index 0 is the smallest sum.
    half: Vec<T>,
    current: Vec<T>,
    next: Vec<T>,
}

impl<T: Copy + Add<Output = T>> Window<T> {
    /// One die of `sides >= 2` with the weight `one` on each face, ready to grow to `dice`.
    pub(super) fn new(sides: usize, dice: usize, one: T) -> Self {
        let capacity = dice * (sides - 1) / 2 + 1;
        let mut half = Vec::with_capacity(capacity);
        half.resize((sides - 1) / 2 + 1, one);
        Self {
            sides,
            dice: 1,
            start: 0,
            half,
            current: Vec::with_capacity(capacity),
            next: Vec::with_capacity(capacity),
        }
    }

    /// The dice in the table.
    pub(super) fn dice(&self) -> usize {
        self.dice
    }

    /// The weights that are kept, in the order of their sums up to the middle, to be scaled in
    /// place.
    pub(super) fn half_mut(&mut self) -> &mut [T] {
        &mut self.half
    }

    /// Drops the leading weights that are small by `is_small`, unless later mirroring needs them.
    pub(super) fn trim(&mut self, is_small: impl Fn(T) -> bool) {
        // `mirror` reads down to this index when the next die is added.
        let needed = (self.dice - 1) * (self.sides - 1) / 2;
        let most = needed.saturating_sub(self.start);
        let small = self
            .half
            .iter()
            .take(most)
            .take_while(|w| is_small(**w))
            .count();
        self.half.drain(..small);
        self.start += small;
    }

    /// Adds one die.
    pub(super) fn add_die(&mut self) {
        self.mirror();
        let length = self.half.len();
        let mut width = 1;
        // The binary digits of the number of sides below the leading one, from the top.
        for digit in (0..self.sides.ilog2()).rev() {
            let odd = (self.sides >> digit) & 1 == 1;
            let source = if width == 1 {
                &self.half
            } else {
                &self.current
            };
            self.next.clear();
            widen(source, odd.then_some(&self.half), width, &mut self.next);
            std::mem::swap(&mut self.current, &mut self.next);
            width = 2 * width + usize::from(odd);
        }
        debug_assert_eq!((self.current.len(), width), (length, self.sides));
        std::mem::swap(&mut self.half, &mut self.current);
        self.dice += 1;
    }

    /// Extends the half to the indices that the next die's half needs, from the table's symmetry.
    fn mirror(&mut self) {
        let last = self.dice * (self.sides - 1);
        let wanted = (last + self.sides - 1) / 2 + 1;
        for index in self.start + self.half.len()..wanted {
            // index <= (last + sides - 1) / 2, so last - index >= (dice - 1)(sides - 1) / 2 >=
            // start: see `trim`.
            let mirrored = self.half[last - index - self.start];
            self.half.push(mirrored);
        }
    }

    /// The whole table: `fill` where weights were dropped, then each weight through `finish`.
    pub(super) fn into_table<W: Clone>(self, fill: W, finish: impl Fn(T) -> W) -> Vec<W> {
        let length = self.dice * (self.sides - 1) + 1;
        let mut table = Vec::with_capacity(length);
        table.resize(self.start, fill);
        table.extend(self.half.iter().map(|w| finish(*w)));
        for index in table.len()..length {
            table.push(table[length - 1 - index].clone());
        }
        table
    }
}

/// Appends to the empty `next` the sums of `2 * width` neighbours, given those of `width`, or of `2
/// * width + 1` where `base` holds the single weights. Weights before the beginning are zero.
fn widen<T: Copy + Add<Output = T>>(
    sums: &[T],
    base: Option<&Vec<T>>,
    width: usize,
    next: &mut Vec<T>,
) {
    let length = sums.len();
    let first = width.min(length);
    next.extend_from_slice(&sums[..first]);
    let Some(base) = base else {
        next.extend(sums[first..].iter().zip(sums).map(|(a, b)| *a + *b));
        return;
    };
    let second = (2 * width).min(length);
    next.extend(sums[first..second].iter().zip(sums).map(|(a, b)| *a + *b));
    let pairs = sums[second..].iter().zip(&sums[second - first..]);
    next.extend(pairs.zip(base).map(|((a, b), c)| *a + *b + *c));
}
