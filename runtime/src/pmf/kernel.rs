//! The algorithms that differ between the two kinds of weight. This trait is the seal of
//! [`Weight`](super::Weight): public because its supertrait must be, but never named outside `pmf`.

/// One implementation for `f64` (see `float`), one for `UBig` (see `exact`).
pub trait Kernel: Sized {
    /// The relative error of one rounding; 0 for exact weights.
    const ROUNDING: f64;

    /// The elementary operations that one addition to a weight of a table with total `total` counts
    /// for.
    fn add_cost(total: &Self) -> u64;

    /// The elementary operations that one product of weights of two tables counts for, its addition
    /// included.
    fn mul_cost(total: &Self, other: &Self) -> u64;

    /// The number of outcomes that an entry counts as in a table whose total is the product of
    /// these.
    fn storage(total: &Self, other: &Self) -> u64;

    /// The work of [`pool`](Self::pool) and the storage of one of its entries, from above.
    fn pool_cost(count: u64, sides: u64) -> PoolCost;

    /// The weights of the sums `count, count + 1, ... count * sides` of dice.
    ///
    /// Needs `count >= 1`, `sides >= 2`, and that the budget has accepted
    /// [`pool_cost`](Self::pool_cost).
    fn pool(count: u64, sides: u64) -> Table<Self>;

    /// The sum of raw weights. `None` when it is zero, or a weight or the sum is not a sensible
    /// number.
    fn checked_sum<'a>(weights: impl Iterator<Item = &'a Self>) -> Option<Self>
    where
        Self: 'a;

    /// Turns raw weights with the sum `total` into those of a table and returns the table's total:
    /// divides by `total` if weights are probabilities, and otherwise leaves them unchanged.
    fn normalise(weights: &mut [Self], total: Self) -> Self;

    /// The weights of the sum of two independent variables, both given by weights of consecutive
    /// values; zero is a value that cannot occur. `None` when the caller must take the general path
    /// instead.
    fn convolve(a: &[Self], b: &[Self]) -> Option<Vec<Self>>;

    /// The factors for a common denominator of tables with the denominators `acc` and `total`.
    fn common(acc: &Self, total: &Self) -> Common<Self>;

    /// The total of a product of two tables.
    fn product_total(total: &Self, other: &Self) -> Self;

    /// The mean of a table.
    fn mean<'a>(entries: impl Entries<'a, Self>, total: &Self) -> f64
    where
        Self: 'a;

    /// The variance (of the whole distribution, so over n) of a table.
    fn variance<'a>(entries: impl Entries<'a, Self>, total: &Self) -> f64
    where
        Self: 'a;
}

/// The entries of a table, from either end and more than once.
pub trait Entries<'a, W: 'a>: DoubleEndedIterator<Item = (i64, &'a W)> + Clone {}

impl<'a, W: 'a, I: DoubleEndedIterator<Item = (i64, &'a W)> + Clone> Entries<'a, W> for I {}

/// The estimate that is charged for a pool.
pub struct PoolCost {
    /// Elementary operations.
    pub work: u64,
    /// Outcomes that one entry counts for.
    pub storage: u64,
}

/// Weights of consecutive values.
pub struct Table<W> {
    /// One nonzero weight per value.
    pub weights: Vec<W>,
    /// Their sum; 1 for probabilities.
    pub total: W,
    /// Roundings that any one weight went through; 0 for exact weights.
    pub roundings: u64,
}

/// How two tables get a common denominator.
pub struct Common<W> {
    /// The factor of the first table's weights.
    pub acc_factor: W,
    /// The factor of the second table's weights.
    pub part_factor: W,
    /// The common denominator.
    pub denominator: W,
}

/// The factors of one die that shows none of some faces.
pub struct Draw<W> {
    /// It shows the next face.
    pub face: W,
    /// It shows a later face, and a later draw decides which.
    pub later: W,
    /// It shows any later face.
    pub any_later: W,
}
