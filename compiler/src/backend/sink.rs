//! Which sink a function's results go to, and which cells its statistics have.

use crate::ir::{Function, Imm, Type, Unit};
use crate::pass::{Interval, Ranges, VectorForm, result_range, result_range_of};
use dicec_runtime::kernel::Sink;
use dicec_runtime::moments::Moments;
use dicec_runtime::script::Window;

/// A histogram is used for results that span at most this many values: its cells stay in the second-level cache.
const MOST_CELLS: u128 = 1 << 16;

/// The sink that costs least: a count for a check, a histogram where the results are known to lie close together,
/// otherwise a buffer of values.
pub fn best_sink(function: &Function) -> Sink {
    sink_of(function, result_range(function))
}

/// The same for a function in vector form.
pub fn vector_sink(form: &VectorForm) -> Sink {
    sink_of(
        &form.function,
        result_range_of(&form.function, &form.ranges()),
    )
}

fn sink_of(function: &Function, range: Option<Interval>) -> Sink {
    match range {
        Some(range) if range.width() <= MOST_CELLS => Sink::Histogram {
            low: range.low,
            // At most MOST_CELLS.
            cells: range.width() as u32,
        },
        None if function.result == Type::Bool => Sink::Count,
        _ => Sink::Values,
    }
}

/// The same where the moments of the results are all that is asked for: registers for them where the results are whole numbers that lie close
/// enough together.
pub fn moments_sink(function: &Function) -> Sink {
    let moments = result_range(function).and_then(|range| Moments::new(range.low, range.high));
    moments.map_or_else(|| best_sink(function), Sink::Moments)
}

/// The same for a function in vector form, whose lanes have to hold the results' distances from the centre.
pub fn vector_moments_sink(form: &VectorForm) -> Sink {
    let range = result_range_of(&form.function, &form.ranges());
    let moments = range.and_then(|range| Moments::new(range.low, range.high));
    let fits = |moments: &Moments| {
        let [low, high] = [moments.low(), moments.high()].map(|end| end - moments.centre());
        form.tier.holds(low, high) && moments.reach() <= MOST_LANE_REACH
    };
    let moments = moments.filter(fits);
    moments.map_or_else(|| vector_sink(form), Sink::Moments)
}

/// How far from their centre results in lanes may lie, so that the sum of the squares of 2^16 of them is below 2^63.
const MOST_LANE_REACH: u64 = 1 << 23;

/// Most cells of a statistic.
const MOST_STAT_CELLS: u32 = 1 << 10;

/// The numbers of each statistic of a unit that have a cell: all that it can note if they lie close together, otherwise those
/// near its lowest number, or near 0.
pub fn stat_windows(unit: &Unit) -> Vec<Window> {
    let functions = unit.functions.values();
    windows(functions, unit.tables.stats.len(), Ranges::new)
}

/// The same for a vector form; a lone function's has no statistics.
pub fn vector_stat_windows(form: &VectorForm) -> Vec<Window> {
    let stats = form.tables.as_ref().map_or(0, |tables| tables.stats.len());
    windows([&form.function].into_iter(), stats, |_| form.ranges())
}

fn windows<'f>(
    functions: impl Iterator<Item = &'f Function>,
    stats: usize,
    ranges_of: impl Fn(&Function) -> Ranges,
) -> Vec<Window> {
    let mut known: Vec<Option<Interval>> = vec![None; stats];
    for function in functions {
        let mut ranges = None;
        for inst in function.live_insts() {
            let data = &function.insts[inst];
            if let Imm::Stat(stat) = data.imm {
                let ranges = ranges.get_or_insert_with(|| ranges_of(function));
                let range = ranges.of(data.args[0]);
                let known = &mut known[stat as usize];
                *known = Some(known.map_or(range, |known| known.join(range)));
            }
        }
    }
    known.into_iter().map(window).collect()
}

fn window(range: Option<Interval>) -> Window {
    let Some(range) = range else {
        return Window::default();
    };
    let cells = range.width().min(MOST_STAT_CELLS.into()) as u32;
    let near = |number: i64| (-(1 << 32)..1 << 32).contains(&number);
    let low = if near(range.low) || range.width() <= MOST_STAT_CELLS.into() {
        range.low
    } else {
        0
    };
    Window { low, cells }
}
