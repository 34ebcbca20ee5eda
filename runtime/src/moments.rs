//! The cells of a sink of moments ([`Sink::Moments`](crate::kernel::Sink::Moments)), which holds
//! the results of a call if only their mean, spread and extremes are wanted. Compiled code writes
//! the cells, and the driver reads them after each call.
//!
//! The cells are integers that start at 0 and are only added to or raised, so the order of trials
//! does not matter. Each result is measured from the centre of its known range: then squares are
//! small enough for narrow lanes.

/// The sum of the results, each minus the centre.
pub const SUM: usize = 0;
/// The sum of the squares of these, its low word.
pub const SQUARES: usize = 1;
/// Its high word.
pub const SQUARES_HIGH: usize = 2;
/// The distance of the lowest result from the range's high end.
pub const BELOW_HIGH: usize = 3;
/// The distance of the highest result from the range's low end.
pub const ABOVE_LOW: usize = 4;

/// A range whose moments fit the cells: at most 2^32 consecutive numbers, none beyond 2^40. So a
/// square is below 2^63, [`SUM`] is right for 2^31 trials of one call, and both sums, measured from
/// 0, fit in 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moments {
    low: i64,
    high: i64,
}

/// The maximum distance between the ends of the range.
const MAX_WIDTH: u64 = u32::MAX as u64;

/// The maximum distance of a number from 0.
const FARTHEST: u64 = 1 << 40;

impl Moments {
    /// The number of cells.
    pub const CELLS: usize = 5;

    /// The moments of results in `low..=high`; `None` if the range is empty, too wide or too far
    /// from 0.
    pub fn new(low: i64, high: i64) -> Option<Self> {
        let near = low.unsigned_abs() <= FARTHEST && high.unsigned_abs() <= FARTHEST;
        let fits = near && low <= high && low.abs_diff(high) <= MAX_WIDTH;
        fits.then_some(Self { low, high })
    }

    /// The low end of the range.
    pub fn low(self) -> i64 {
        self.low
    }

    /// Its high end.
    pub fn high(self) -> i64 {
        self.high
    }

    /// The number from which results are measured. If there are two numbers in the middle, it is
    /// the higher one, so that differences fit in lanes of 16 or 32 bits if the results do.
    pub fn centre(self) -> i64 {
        self.low + (self.high - self.low + 1) / 2
    }

    /// The maximum distance of a result from the centre.
    pub fn reach(self) -> u64 {
        self.centre().abs_diff(self.low)
    }

    /// Adds a result to the [`Moments::CELLS`] `cells`, as compiled code does, for kernels that are
    /// not compiled. A result outside of the range makes the cells meaningless, but is safe.
    #[inline]
    pub fn record(self, cells: &mut [i64], result: i64) {
        let Some((cells, _)) = cells.split_first_chunk_mut::<{ Self::CELLS }>() else {
            return;
        };
        let from_centre = result.wrapping_sub(self.centre());
        cells[SUM] = cells[SUM].wrapping_add(from_centre);
        let square = from_centre.wrapping_mul(from_centre).cast_unsigned();
        let (squares, carry) = cells[SQUARES].cast_unsigned().overflowing_add(square);
        cells[SQUARES] = squares.cast_signed();
        cells[SQUARES_HIGH] = cells[SQUARES_HIGH].wrapping_add(i64::from(carry));
        let ends = [
            (BELOW_HIGH, self.high.wrapping_sub(result)),
            (ABOVE_LOW, result.wrapping_sub(self.low)),
        ];
        for (cell, distance) in ends {
            cells[cell] = cells[cell].max(distance);
        }
    }

    /// The summary of `cells` after this many trials, at least one.
    pub(crate) fn read(self, cells: &[i64; Self::CELLS], trials: u64) -> PowerSums {
        let (count, centre) = (i128::from(trials), i128::from(self.centre()));
        let sum = i128::from(cells[SUM]);
        let high = i128::from(cells[SQUARES_HIGH]) << 64;
        let squares = high + i128::from(cells[SQUARES].cast_unsigned());
        // The squares from 0 follow from those from the centre: sum (d + c)^2. With fewer than 2^32
        // trials, every term is below 2^115.
        let around_zero = squares + 2 * centre * sum + count * centre * centre;
        PowerSums {
            count: trials,
            sum: sum + count * centre,
            squares: around_zero.unsigned_abs(),
            least: self.high - cells[BELOW_HIGH],
            greatest: self.low + cells[ABOVE_LOW],
        }
    }
}

/// The sums and extremes of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PowerSums {
    pub(crate) count: u64,
    pub(crate) sum: i128,
    pub(crate) squares: u128,
    pub(crate) least: i64,
    pub(crate) greatest: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_say_what_was_recorded() {
        let far = 1 << 40;
        for (low, high) in [
            (3, 18),
            (-7, -7),
            (-32768, 32767),
            (far - 5, far),
            (-far, 0xffff_ffff - far),
        ] {
            let moments = Moments::new(low, high).expect("it is narrow");
            let (middle, mut cells) = (low + (high - low) / 2, [0; Moments::CELLS]);
            let values = [high, middle, low, low, middle];
            for value in values {
                moments.record(&mut cells, value);
            }
            let wide = values.map(i128::from);
            let found = moments.read(&cells, 5);
            assert_eq!(found.sum, wide.iter().sum());
            assert_eq!(
                found.squares.cast_signed(),
                wide.iter().map(|value| value * value).sum()
            );
            assert_eq!((found.least, found.greatest), (low, high));
        }
    }

    #[test]
    fn squares_carry_into_the_high_word() {
        let moments = Moments::new(0, u32::MAX.into()).expect("it is narrow enough");
        let mut cells = [0; Moments::CELLS];
        for _ in 0..9 {
            moments.record(&mut cells, 0);
        }
        assert_eq!(cells[SQUARES_HIGH], 2);
        assert_eq!(moments.read(&cells, 9).squares, 0);
        assert_eq!(moments.read(&cells, 9).sum, 0);
    }

    #[test]
    fn ranges_that_do_not_fit() {
        assert_eq!(Moments::new(0, 1 << 32), None);
        assert_eq!(Moments::new(1, 0), None);
        assert_eq!(Moments::new((1 << 40) - 1, (1 << 40) + 1), None);
        assert_eq!(Moments::new(i64::MIN, i64::MAX), None);
    }

    #[test]
    fn what_fits_a_lane_fits_it_from_the_centre() {
        for (low, high, half) in [
            (-32768, 32767, 1 << 15),
            (0, 65535, 1 << 15),
            (3, 18, 8),
            (3, 17, 7),
        ] {
            let moments = Moments::new(low, high).expect("it is narrow");
            let ends = [low, high].map(|end| end - moments.centre());
            assert!(ends[0] >= -half && ends[1] < half.max(8), "{ends:?}");
            assert_eq!(moments.reach(), half.unsigned_abs());
        }
    }
}
