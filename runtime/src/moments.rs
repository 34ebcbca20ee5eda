//! The cells of a sink of moments ([`Sink::Moments`](crate::kernel::Sink::Moments)): what a call leaves of its results where only their mean,
//! spread and extremes are asked for. Compiled code writes them, and the driver reads them after each call.
//!
//! All are integers that start at 0 and only add up or rise, so that any order and any pieces give the same. Results are taken from the
//! centre of the range that they are known to lie in: so squares stay small, and lanes of few bits hold them.

/// The sum of the results, each less the centre.
pub const SUM: usize = 0;
/// The sum of the squares of these, its low word.
pub const SQUARES: usize = 1;
/// Its high word.
pub const SQUARES_HIGH: usize = 2;
/// How far the lowest result lies below the range's high end.
pub const BELOW_HIGH: usize = 3;
/// How far the highest result lies above the range's low end.
pub const ABOVE_LOW: usize = 4;

/// A range that moments can be taken in: at most 2^32 neighbouring numbers, none beyond 2^40. So a square is below 2^63, [`SUM`] is right for
/// 2^31 trials of one call, and what both come to around 0 fits 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moments {
    low: i64,
    high: i64,
}

/// The widest range, from its low end to its high one.
const MOST_WIDTH: u64 = u32::MAX as u64;

/// The farthest number from 0.
const FARTHEST: u64 = 1 << 40;

impl Moments {
    /// How many cells there are.
    pub const CELLS: usize = 5;

    /// The moments of results in `low..=high`; `None` where that is empty, too wide or too far from 0.
    pub fn new(low: i64, high: i64) -> Option<Self> {
        let near = low.unsigned_abs() <= FARTHEST && high.unsigned_abs() <= FARTHEST;
        let fits = near && low <= high && low.abs_diff(high) <= MOST_WIDTH;
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

    /// What results are taken from: of two numbers in the middle the higher, so that what lies in lanes of 16 or 32 bits does so from there, too.
    pub fn centre(self) -> i64 {
        self.low + (self.high - self.low + 1) / 2
    }

    /// How far a result may lie from the centre.
    pub fn reach(self) -> u64 {
        self.centre().abs_diff(self.low)
    }

    /// Adds a result to `cells`, of which there are [`Moments::CELLS`]: what compiled code does, for kernels that are not compiled. One outside of
    /// the range makes them meaningless, no more.
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

    /// What `cells` say of the results of so many trials, at least one.
    pub(crate) fn read(self, cells: &[i64; Self::CELLS], trials: u64) -> PowerSums {
        let (count, centre) = (i128::from(trials), i128::from(self.centre()));
        let sum = i128::from(cells[SUM]);
        let high = i128::from(cells[SQUARES_HIGH]) << 64;
        let squares = high + i128::from(cells[SQUARES].cast_unsigned());
        // Squares around 0 are those around the centre, moved: sum (d + c)^2. With fewer than 2^32 trials all of it is below 2^115.
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

/// What moments are made of.
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
