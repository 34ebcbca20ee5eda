//! Levels of Parquet: for each value of a column with lists, at what depth of them it begins a new
//! element. Level 0 begins a row.

use super::{MAX_ELEMENTS, Refusal};

/// How many elements the rows of a column have.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Elements {
    /// Of the row at hand, and of the greatest so far.
    pub(super) here: usize,
    pub(super) most: usize,
}

impl Elements {
    /// A row begins with this value, or goes on.
    fn add(&mut self, level: u64, times: usize) -> Option<()> {
        match level {
            0 => self.here = 1,
            _ => self.here = self.here.checked_add(times)?,
        }
        self.most = self.most.max(self.here);
        (self.most <= MAX_ELEMENTS).then_some(())
    }

    /// Counts the elements of a page with this many values, whose levels are these runs: of one
    /// level, or of eight levels and their multiples with a number of bits each.
    pub(super) fn count(
        &mut self,
        mut bytes: &[u8],
        max_level: i16,
        values: usize,
    ) -> Result<(), Refusal> {
        let bits = width(max_level);
        let mut left = values;
        while left > 0 {
            let Some(run) = take_varint(&mut bytes) else {
                return Err(super::damaged("a page ends within its levels"));
            };
            let length = usize::try_from(run >> 1).unwrap_or(usize::MAX);
            let counted = match run & 1 {
                0 => self.run(&mut bytes, bits, length.min(left)),
                _ => self.packed(&mut bytes, bits, length, left),
            };
            left -= counted.ok_or_else(too_long)?;
        }
        Ok(())
    }

    /// Counts a run of one level.
    fn run(&mut self, bytes: &mut &[u8], bits: usize, length: usize) -> Option<usize> {
        let (level, rest) = bytes.split_at_checked(bits.div_ceil(8))?;
        let level = level
            .iter()
            .rev()
            .fold(0, |all, byte| all << 8 | u64::from(*byte));
        *bytes = rest;
        // A run without length would go on forever.
        (length > 0).then_some(())?;
        self.add(level, length)?;
        Some(length)
    }

    /// Counts groups of eight levels, the last of which may be beyond the page's values.
    fn packed(
        &mut self,
        bytes: &mut &[u8],
        bits: usize,
        groups: usize,
        left: usize,
    ) -> Option<usize> {
        let length = groups.checked_mul(bits)?.min(bytes.len());
        let (packed, rest) = bytes.split_at_checked(length)?;
        let values = (packed.len() * 8 / bits).min(left);
        for value in 0..values {
            self.add(unpacked(packed, value * bits, bits), 1)?;
        }
        *bytes = rest;
        (values > 0).then_some(values)
    }
}

fn too_long() -> Refusal {
    format!("a list has more than {MAX_ELEMENTS} elements, or a page's levels make no sense")
}

/// How many bits a level takes.
pub(super) fn width(max_level: i16) -> usize {
    (u16::BITS - max_level.unsigned_abs().leading_zeros()) as usize
}

/// The number in this many bits from this one on; missing ones are 0.
pub(super) fn unpacked(bytes: &[u8], from: usize, bits: usize) -> u64 {
    let bit = |at: usize| {
        let byte = bytes.get(at / 8).copied().unwrap_or(0);
        u64::from(byte >> (at % 8) & 1)
    };
    (0..bits).fold(0, |value, at| value | bit(from + at) << at)
}

/// A number of seven bits a byte.
pub(super) fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..63).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Elements, MAX_ELEMENTS};

    #[test]
    fn rows_have_the_elements_of_their_levels() {
        let mut elements = Elements::default();
        // Three rows, the last of three values and its end on the next page; then a run of one row.
        let packed = [0b11, 0b0001_1000];
        elements.count(&packed, 1, 5).expect("good levels");
        assert_eq!((elements.here, elements.most), (3, 3));
        elements
            .count(&[4 << 1, 1, 2 << 1, 0], 1, 6)
            .expect("good levels");
        assert_eq!((elements.here, elements.most), (1, 7));
        assert!(elements.count(&[4 << 1], 1, 4).is_err(), "it is cut off");
        assert!(elements.count(&[0, 1], 1, 4).is_err(), "it goes on forever");
    }

    #[test]
    fn a_list_may_not_be_endless() {
        let mut elements = Elements::default();
        let run = [0xfe, 0xff, 0xff, 0x7f, 1];
        assert!(elements.count(&run, 1, MAX_ELEMENTS + 1).is_err());
        assert!(Elements::default().count(&run, 1, MAX_ELEMENTS).is_ok());
    }
}
