//! Chooses the sink of a function's results, and the cells of its statistics.

use crate::analysis::{Given, Interval, Ranges, known_names, result_range, result_range_of};
use crate::ir::{Function, Imm, Module, Op, Tables, Type};
use crate::pass::VectorForm;
use dicec_runtime::kernel::Sink;
use dicec_runtime::moments::Moments;
use dicec_runtime::script::{NamedWindow, Window, Windows};
use std::borrow::Borrow;

/// A histogram is used for results that span at most this many values: its cells stay in the
/// second-level cache.
const MAX_CELLS: u128 = 1 << 16;

/// The cheapest sink: a count for a check, a histogram if the results are known to be close
/// together, otherwise a buffer of values.
pub fn best_sink(module: &Module) -> Sink {
    sink_of(module.trial(), result_range(module))
}

/// The same for a function in vector form.
pub fn vector_sink(form: &VectorForm) -> Sink {
    let range = result_range_of(form.function(), &form.ranges());
    sink_of(form.function(), range)
}

fn sink_of(function: &Function, range: Option<Interval>) -> Sink {
    match range {
        Some(range) if range.width() <= MAX_CELLS => Sink::Histogram {
            low: range.low,
            // At most MAX_CELLS.
            cells: range.width() as u32,
        },
        None if function.result == Type::Bool => Sink::Count,
        _ => Sink::Values,
    }
}

/// The range of the results if their moments can be kept: they have to be whole numbers that are
/// close enough together.
pub fn moments_of(module: &Module) -> Option<Moments> {
    let range = result_range(module)?;
    Moments::new(range.low, range.high)
}

/// The same for a function in vector form, whose lanes have to hold the results' distances from the
/// centre.
pub fn vector_moments_of(form: &VectorForm) -> Option<Moments> {
    let range = result_range_of(form.function(), &form.ranges())?;
    let moments = Moments::new(range.low, range.high)?;
    let [low, high] = [moments.low(), moments.high()].map(|end| end - moments.centre());
    let fits = form.width.holds(low, high) && moments.reach() <= MAX_LANE_REACH;
    fits.then_some(moments)
}

/// The maximum distance of results in lanes from their centre, so that the sum of the squares of
/// 2^16 of them is below 2^63.
const MAX_LANE_REACH: u64 = 1 << 23;

/// The cheapest sink if only the moments of the results are wanted. Incrementing a result's cell
/// takes less time than adding the result and its square and comparing it with the lowest and the
/// highest.
pub fn summary_sink(module: &Module) -> Sink {
    cheaper(best_sink(module), moments_of(module), MAX_QUICK_CELLS)
}

/// The same for a function in vector form, which sums several lanes at a time.
pub fn vector_summary_sink(form: &VectorForm) -> Sink {
    let moments = vector_moments_of(form);
    cheaper(vector_sink(form), moments, MAX_SHARED_CELLS)
}

fn cheaper(counting: Sink, moments: Option<Moments>, max_cells: u32) -> Sink {
    match (counting, moments) {
        (Sink::Count, _) | (_, None) => counting,
        (Sink::Histogram { cells, .. }, _) if cells <= max_cells => counting,
        (_, Some(moments)) => Sink::Moments(moments),
    }
}

/// A histogram of more cells takes longer than moments (measured: `1d170*1d170`, of 28,900, takes
/// as long).
const MAX_QUICK_CELLS: u32 = 1 << 15;

/// Up to this many cells, two results in lanes share a cell's index; incrementing a cell for each
/// result takes longer than moments (`1d20*1d20` 0.51 ns, 0.40 with moments; `4d6kh3` 0.66 and
/// 0.64, `10d10kh5` 1.88 and 2.36, because its sorting network needs the registers).
const MAX_SHARED_CELLS: u32 = 1 << 6;

/// The maximum number of cells of a statistic.
const MAX_STAT_CELLS: u32 = 1 << 10;

/// The maximum number of cells of all statistics of a site.
const MAX_SITE_CELLS: u32 = 1 << 14;

/// The numbers of each statistic of a module that have a cell: all possible ones if they are close
/// together, otherwise those near its lowest number, or near 0.
pub fn stat_windows(module: &Module) -> Windows {
    let functions = module.functions.values();
    let given = Given::of(&module.tables);
    let ranges = |function: &Function| Ranges::within(function, given);
    windows(functions, &module.tables, ranges)
}

/// The same for a vector form whose numbers have these ranges; a rule has no statistics.
pub fn vector_stat_windows(form: &VectorForm, ranges: &Ranges) -> Windows {
    let tables = &form.module.tables;
    windows([form.function()].into_iter(), tables, |_| ranges)
}

fn windows<'f, R: Borrow<Ranges>>(
    functions: impl Iterator<Item = &'f Function>,
    tables: &Tables,
    ranges_of: impl Fn(&Function) -> R,
) -> Windows {
    let mut stats: Vec<Option<Interval>> = vec![None; tables.stat_count()];
    let mut named: Vec<Option<[Interval; 2]>> = vec![None; tables.sites.len()];
    for function in functions {
        let mut ranges = None;
        for inst in function.live_insts() {
            let data = &function.insts[inst];
            match (data.op, data.imm) {
                (Op::Stat, Imm::Stat(stat)) => {
                    let ranges = ranges.get_or_insert_with(|| ranges_of(function));
                    let range = (*ranges).borrow().of(data.args[0]);
                    let known = &mut stats[stat as usize];
                    *known = Some(known.map_or(range, |known| known.join(range)));
                }
                (Op::NamedStat, Imm::Site(site)) => {
                    let ranges = ranges.get_or_insert_with(|| ranges_of(function));
                    let ranges: &Ranges = (*ranges).borrow();
                    let Some(texts) = known_names(tables, ranges, data) else {
                        continue;
                    };
                    let range = ranges.of(data.args[1]);
                    let known = &mut named[site as usize];
                    *known = Some(known.map_or([texts, range], |[all, numbers]| {
                        [all.join(texts), numbers.join(range)]
                    }));
                }
                _ => {}
            }
        }
    }
    let last = named.iter().rposition(Option::is_some);
    named.truncate(last.map_or(0, |last| last + 1));
    Windows {
        stats: stats.into_iter().map(window).collect(),
        named: named.into_iter().map(named_window).collect(),
    }
}

fn named_window(known: Option<[Interval; 2]>) -> NamedWindow {
    let Some([texts, range]) = known else {
        return NamedWindow::default();
    };
    // All of them are texts of the program, of which there are far fewer than 2^32.
    let count = texts.width() as u32;
    let most = MAX_SITE_CELLS / count;
    NamedWindow {
        first: texts.low,
        texts: count,
        numbers: window_of(range, most.min(MAX_STAT_CELLS)),
    }
}

fn window(range: Option<Interval>) -> Window {
    range.map_or_else(Window::default, |range| window_of(range, MAX_STAT_CELLS))
}

/// The numbers of a range that have a cell, this many at most.
fn window_of(range: Interval, most: u32) -> Window {
    let cells = range.width().min(most.into()) as u32;
    let near = |number: i64| (-(1 << 32)..1 << 32).contains(&number);
    let low = if near(range.low) || range.width() <= most.into() {
        range.low
    } else {
        0
    };
    Window { low, cells }
}
