//! The table in which a call counts before the counts are added to the cells of a histogram.

use super::draws::Draws;
use crate::pass::VectorForm;
use dicec_runtime::kernel::Sink;

/// The maximum number of cells of a call's own table: it has to stay in the first-level cache, and
/// clearing and folding it must not cost more than it saves.
const MAX_CELLS: u64 = 1 << 12;

/// A call's own table, which is folded into the sink's cells.
#[derive(Clone, Debug)]
pub(super) enum Table {
    /// No table.
    None,
    /// A table of results, or of tuples of results.
    Results(Counting),
    /// A table of drawn numbers.
    Draws(Draws),
}

impl Table {
    /// The table of a form's kernel.
    pub(super) fn new(form: &VectorForm, sink: Sink) -> Self {
        let Sink::Histogram { cells, .. } = sink else {
            return Table::None;
        };
        if let Some(draws) = Draws::new(form, sink) {
            return Table::Draws(draws);
        }
        Counting::new(cells, form.trials_per_lane()).map_or(Table::None, Table::Results)
    }

    /// The counting scheme for results.
    pub(super) fn counting(&self) -> Counting {
        match self {
            Table::Results(counting) => *counting,
            Table::None | Table::Draws(_) => Counting {
                digits: 1,
                table: 0,
            },
        }
    }

    /// The number of cells.
    pub(super) fn size(&self) -> usize {
        match self {
            Table::None => 0,
            Table::Results(counting) => counting.table,
            Table::Draws(draws) => draws.size(),
        }
    }

    /// Adds its counts to the sink's cells.
    pub(super) fn fold(&self, table: &[u32], cells: &mut [i64]) {
        match self {
            Table::None => {}
            Table::Results(counting) => fold(table, counting.digits, cells),
            Table::Draws(draws) => draws.fold(table, cells),
        }
    }
}

/// The number of results that one cell counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counting {
    /// The number of results that are digits of a cell's index.
    pub(super) digits: u32,
    /// The size of the table; 0 if the sink's cells are incremented directly.
    pub(super) table: usize,
}

impl Counting {
    /// The counting scheme for this many trials per lane, if it needs few cells.
    fn new(cells: u32, per_lane: usize) -> Option<Self> {
        let mut digits = [4, 2, 1].into_iter();
        digits.find_map(|digits| {
            let table = u64::from(cells).saturating_pow(digits);
            let fits = per_lane.is_multiple_of(digits as usize) && table <= MAX_CELLS;
            fits.then_some(Self {
                digits,
                table: table as usize,
            })
        })
    }
}

/// Folds a table: each count is added to `cells[d]` for each digit `d` of its index.
fn fold(table: &[u32], digits: u32, cells: &mut [i64]) {
    if digits <= 1 {
        for (cell, &count) in cells.iter_mut().zip(table) {
            *cell += i64::from(count);
        }
        return;
    }
    let size = table.len() / cells.len().max(1);
    let mut rest = vec![0; size];
    for (first, row) in table.chunks_exact(size.max(1)).enumerate() {
        for (sum, &count) in rest.iter_mut().zip(row) {
            *sum += count;
        }
        // A call runs fewer than 2^32 trials.
        cells[first] += i64::from(row.iter().sum::<u32>());
    }
    fold(&rest, digits - 1, cells);
}
