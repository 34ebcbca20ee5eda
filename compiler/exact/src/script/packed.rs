//! Packs the rows of states into keys: each column takes the bits that its numbers need, and none
//! if it is constant.
//!
//! Column 0 is the length of the row, the others are its words. A shorter row is padded with zeros.
//! A layout grows if a number does not fit. Distributions at the same point of a script start with
//! the previous one's layout ([`super::live::Live`]), so layouts soon stop growing.

use super::column::Ranges;
use std::ops::RangeInclusive;

/// The bits of a word of a key.
const BITS: u32 = u64::BITS;

/// The bits of one column in a key.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Column {
    /// The range of numbers that it covers.
    range: RangeInclusive<i64>,
    /// The number that is stored as 0.
    base: i64,
    bits: u32,
    word: usize,
    shift: u32,
}

impl Column {
    fn mask(&self) -> u64 {
        u64::MAX.checked_shr(BITS - self.bits).unwrap_or(0)
    }

    /// Whether a number fits.
    fn fits(&self, number: i64) -> bool {
        number >= self.base && number.wrapping_sub(self.base) as u64 <= self.mask()
    }

    /// Extends the range to more numbers, with a reserve on the side where they are.
    fn cover(&mut self, more: &RangeInclusive<i64>) {
        let least = *more.start().min(self.range.start());
        let most = *more.end().max(self.range.end());
        let lower = least < *self.range.start();
        self.range = least..=most;
        if self.fits(least) && self.fits(most) {
            return;
        }
        let span = most.wrapping_sub(least) as u64;
        self.bits = BITS - span.leading_zeros();
        let spare = i64::try_from(self.mask() - span).unwrap_or(i64::MAX);
        self.base = if lower {
            least.saturating_sub(spare)
        } else {
            least
        };
    }

    #[inline]
    fn read(&self, key: &[u64]) -> i64 {
        if self.bits == 0 {
            return self.base;
        }
        let code = key[self.word] >> self.shift & self.mask();
        self.base.wrapping_add(code as i64)
    }

    /// Writes a number that fits, over bits that are 0.
    fn write(&self, key: &mut [u64], number: i64) {
        if self.bits > 0 {
            key[self.word] |= (number.wrapping_sub(self.base) as u64) << self.shift;
        }
    }
}

/// A packed layout; see the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    columns: Vec<Column>,
    /// The number of bits of a key, if it is one word.
    bits: Option<u32>,
    /// The number of words of a key.
    stride: usize,
}

impl Layout {
    /// The number of words of a key.
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// The number of bits of a key that is one word.
    pub(super) fn bits(&self) -> Option<u32> {
        self.bits
    }

    /// The number in a column of a key.
    pub(super) fn read(&self, key: &[u64], column: usize) -> i64 {
        self.columns[column].read(key)
    }

    /// The columns that are not constant.
    pub(super) fn varied(&self) -> impl Iterator<Item = usize> {
        let columns = self.columns.iter().enumerate();
        columns
            .filter(|(_, column)| column.bits > 0)
            .map(|(place, _)| place)
    }

    /// The words of a row.
    pub(super) fn row<'k>(&'k self, key: &'k [u64]) -> impl Iterator<Item = i64> + 'k {
        let words = self.read(key, 0) as usize;
        self.columns[1..=words]
            .iter()
            .map(|column| column.read(key))
    }

    /// The range of the numbers that were added to a column.
    pub(super) fn range(&self, column: usize) -> RangeInclusive<i64> {
        self.columns[column].range.clone()
    }

    /// Writes a number that fits into a column whose bits are 0.
    pub(super) fn write(&self, key: &mut [u64], column: usize, number: i64) {
        self.columns[column].write(key, number);
    }

    /// The contribution of a number to a key: the index of the word, and the addend.
    pub(super) fn code(&self, column: usize, number: i64) -> (usize, u64) {
        let column = &self.columns[column];
        let code = number.wrapping_sub(column.base) as u64;
        (
            column.word,
            if column.bits == 0 {
                0
            } else {
                code << column.shift
            },
        )
    }

    /// The index of a column's word in the key, and the column's lowest bit there.
    pub(super) fn position(&self, column: usize) -> (usize, u32) {
        let column = &self.columns[column];
        (column.word, column.shift)
    }

    /// The change of a key if a number grows by this much.
    pub(super) fn growth(&self, column: usize, by: i64) -> (usize, u64) {
        let column = &self.columns[column];
        let code = by as u64;
        (
            column.word,
            if column.bits == 0 {
                0
            } else {
                code << column.shift
            },
        )
    }

    /// Changes the number of a constant column.
    pub(super) fn renew(&mut self, column: usize, numbers: &RangeInclusive<i64>) {
        if let Some(column) = self.columns.get_mut(column)
            && column.bits == 0
        {
            column.range = numbers.clone();
            column.base = *numbers.start();
        }
    }

    /// Whether the layout covers these numbers in a column.
    pub(super) fn holds(&self, column: usize, numbers: &RangeInclusive<i64>) -> bool {
        self.columns.get(column).is_some_and(|column| {
            column.range.contains(numbers.start()) && column.range.contains(numbers.end())
        })
    }

    /// Extends a column to cover these numbers.
    pub(super) fn cover(&mut self, column: usize, numbers: &RangeInclusive<i64>) {
        while self.columns.len() <= column {
            self.columns.push(Column {
                range: numbers.clone(),
                base: *numbers.start(),
                bits: 0,
                word: 0,
                shift: 0,
            });
        }
        self.columns[column].cover(numbers);
    }

    /// Assigns bits to each column, after columns were extended.
    pub(super) fn arrange(&mut self) {
        let (mut word, mut used) = (0, 0);
        for column in &mut self.columns {
            if used + column.bits > BITS {
                (word, used) = (word + 1, 0);
            }
            // A column without bits has no position.
            (column.word, column.shift) = (word, used.min(BITS - 1));
            used += column.bits;
        }
        self.stride = word + 1;
        self.bits = (word == 0).then_some(used);
    }

    /// Whether keys of the other layout are valid in this one, unchanged.
    pub(super) fn same_keys(&self, other: &Self) -> bool {
        self.columns.len() == other.columns.len()
            && self.columns.iter().zip(&other.columns).all(|(one, two)| {
                (one.base, one.bits, one.word, one.shift)
                    == (two.base, two.bits, two.word, two.shift)
            })
    }

    /// Converts a key of the other layout to this one, which covers it.
    pub(super) fn convert(&self, other: &Self, key: &[u64], into: &mut Vec<u64>) {
        let place = into.len();
        into.resize(place + self.stride, 0);
        let into = &mut into[place..];
        self.columns[0].write(into, other.read(key, 0));
        for (column, word) in self.columns[1..].iter().zip(other.row(key)) {
            column.write(into, word);
        }
    }

    /// The move of a column of another layout into one of this layout, which covers its range.
    pub(super) fn step(&self, column: usize, other: &Self, from: usize) -> Move {
        let (to, from) = (&self.columns[column], &other.columns[from]);
        Move {
            from: from.word,
            down: from.shift,
            mask: from.mask(),
            add: from.base.wrapping_sub(to.base) as u64,
            to: to.word,
            up: to.shift,
        }
    }
}

impl Ranges for Layout {
    fn known_range(&self, column: usize) -> Option<RangeInclusive<i64>> {
        Some(self.columns.get(column)?.range.clone())
    }
}

/// The precomputed move of one number from a key into another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    from: usize,
    down: u32,
    mask: u64,
    add: u64,
    to: usize,
    up: u32,
}

impl Move {
    /// Adds the number to the target column. Sums wrap around, so the order does not matter, and a
    /// partial sum need not fit.
    #[inline]
    pub(super) fn apply(&self, key: &[u64], into: &mut [u64]) {
        let code = (key[self.from] >> self.down & self.mask).wrapping_add(self.add);
        into[self.to] = into[self.to].wrapping_add(code << self.up);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A layout that covers all rows, extended row by row.
    fn layout(rows: &[&[i64]]) -> Layout {
        let mut layout = Layout::default();
        for row in rows {
            layout.cover(0, &(row.len() as i64..=row.len() as i64));
            for (column, word) in row.iter().enumerate() {
                layout.cover(column + 1, &(*word..=*word));
            }
            layout.arrange();
        }
        layout
    }

    fn key(layout: &Layout, row: &[i64]) -> Vec<u64> {
        let mut key = vec![0; layout.stride()];
        layout.write(&mut key, 0, row.len() as i64);
        for (column, word) in row.iter().enumerate() {
            layout.write(&mut key, column + 1, *word);
        }
        key
    }

    #[test]
    fn rows_come_back() {
        let rows: &[&[i64]] = &[
            &[5, -3, 7],
            &[5, 60, 7, i64::MIN],
            &[5, -40],
            &[],
            &[5, 0, 7, i64::MAX, 1, 1 << 40],
            &[5, 1, 7, 0, -1, -(1 << 40)],
        ];
        for count in 1..=rows.len() {
            let layout = layout(&rows[..count]);
            for row in &rows[..count] {
                let key = key(&layout, row);
                assert_eq!(layout.row(&key).collect::<Vec<_>>(), *row);
            }
        }
    }

    #[test]
    fn small_numbers_take_few_bits() {
        // A constant column takes no bits.
        let rows: Vec<[i64; 3]> = (0..100).rev().map(|hp| [7, hp - 30, hp % 2]).collect();
        let rows: Vec<&[i64]> = rows.iter().map(<[i64; 3]>::as_slice).collect();
        assert_eq!(layout(&rows).bits(), Some(8));
    }

    #[test]
    fn keys_move_between_layouts() {
        let rows: &[&[i64]] = &[&[1, 2], &[-100, 2], &[50, 3], &[7, i64::MAX]];
        let (old, new) = (layout(&rows[..3]), layout(rows));
        assert!(!new.same_keys(&old));
        for row in &rows[..3] {
            let key = key(&old, row);
            let mut converted = Vec::new();
            new.convert(&old, &key, &mut converted);
            assert_eq!(new.row(&converted).collect::<Vec<_>>(), *row);
            let mut moved = vec![0; new.stride()];
            for column in 0..3 {
                new.step(column, &old, column).apply(&key, &mut moved);
            }
            assert_eq!(moved, converted);
        }
    }
}
