//! Statistics of sampled results: counts of outcomes with moments and quantiles ([`Tally`]), or
//! only moments ([`Summary`]); their uncertainty ([`wilson`], [`standard_error`]); and whether they
//! agree with an exact table (`chi_square`).
//!
//! The driver fills one tally per worker and merges them. Every statistic depends only on which
//! values were recorded and how often, never on the order of recording or merging, so results are
//! the same for any number of threads.

mod cells;
mod float_moments;
#[cfg(feature = "goodness-of-fit")]
mod gof;
#[cfg(all(test, feature = "goodness-of-fit"))]
mod gof_tests;
mod interval;
mod summary;
mod sums;
mod tally;
#[cfg(test)]
mod tests;

pub use cells::{MAX_DENSE, MAX_GROUPS};
#[cfg(feature = "goodness-of-fit")]
pub use gof::{GoodnessOfFit, chi_square};
pub use interval::{Z95, standard_error, wilson, wilson_half_width};
pub use summary::Summary;
pub use tally::Tally;
