//! Which sink a function's results go to.

use crate::ir::{Function, Type};
use crate::pass::result_range;
use dicec_runtime::kernel::Sink;

/// A histogram is used for results that span at most this many values: its cells stay in the second-level cache.
const MOST_CELLS: u128 = 1 << 16;

/// The sink that costs least: a count for a check, a histogram where the results are known to lie close together,
/// otherwise a buffer of values.
pub fn best_sink(function: &Function) -> Sink {
    match result_range(function) {
        Some(range) if range.width() <= MOST_CELLS => Sink::Histogram {
            low: range.low,
            // At most MOST_CELLS.
            cells: range.width() as u32,
        },
        None if function.result == Type::Bool => Sink::Count,
        _ => Sink::Values,
    }
}
