//! Moments of a kernel's results: the trial loop keeps those of [`dicec_runtime::moments`] in
//! registers and adds them to the cells at the end. `vector/moments.rs` does the same in lanes,
//! with the same code at the end.

use super::state::{Emitter, Kept, trusted};
use cranelift::codegen::ir as clif;
use cranelift::frontend::FunctionBuilder;
use cranelift::prelude::{InstBuilder, types};
use dicec_runtime::moments::{ABOVE_LOW, BELOW_HIGH, Moments, SQUARES, SQUARES_HIGH, SUM};

impl Emitter<'_, '_> {
    /// Their initial values: the lowest of no results is the maximum.
    pub(super) fn begin_moments(&mut self, kept: Kept) {
        let centre = kept.moments.centre();
        let b = &mut self.builder;
        let zero = b.ins().iconst(types::I64, 0);
        let wide_zero = b.ins().uextend(types::I128, zero);
        b.def_var(kept.sum, zero);
        b.def_var(kept.squares, wide_zero);
        for (variable, end) in [
            (kept.least, kept.moments.high()),
            (kept.greatest, kept.moments.low()),
        ] {
            let end = b.ins().iconst(types::I64, end - centre);
            b.def_var(variable, end);
        }
    }

    /// Takes a result.
    pub(super) fn keep_moments(&mut self, kept: Kept, result: clif::Value) {
        let b = &mut self.builder;
        let result = b.ins().iadd_imm_s(result, -kept.moments.centre());
        let sum = b.use_var(kept.sum);
        let sum = b.ins().iadd(sum, result);
        b.def_var(kept.sum, sum);
        // Below 2^63: the centre is that near.
        let square = b.ins().imul(result, result);
        let square = b.ins().uextend(types::I128, square);
        let squares = b.use_var(kept.squares);
        let squares = b.ins().iadd(squares, square);
        b.def_var(kept.squares, squares);
        let least = b.use_var(kept.least);
        let least = b.ins().smin(least, result);
        b.def_var(kept.least, least);
        let greatest = b.use_var(kept.greatest);
        let greatest = b.ins().smax(greatest, result);
        b.def_var(kept.greatest, greatest);
    }

    /// Adds them to the cells.
    pub(super) fn store_moments(&mut self, kept: Kept, cells: clif::Value) {
        let b = &mut self.builder;
        let found = Found {
            sum: b.use_var(kept.sum),
            squares: b.use_var(kept.squares),
            least: b.use_var(kept.least),
            greatest: b.use_var(kept.greatest),
        };
        found.store(b, kept.moments, cells);
    }
}

/// The moments of a call, measured from the centre.
pub(super) struct Found {
    pub(super) sum: clif::Value,
    /// Of 128 bits.
    pub(super) squares: clif::Value,
    pub(super) least: clif::Value,
    pub(super) greatest: clif::Value,
}

impl Found {
    /// Adds it to the sink's cells at this address.
    pub(super) fn store(self, b: &mut FunctionBuilder<'_>, moments: Moments, cells: clif::Value) {
        let load = |b: &mut FunctionBuilder<'_>, cell: usize| {
            b.ins().load(types::I64, trusted(), cells, at(cell))
        };
        let sum = load(b, SUM);
        let sum = b.ins().iadd(sum, self.sum);
        let (low, high) = (load(b, SQUARES), load(b, SQUARES_HIGH));
        let squares = b.ins().iconcat(low, high);
        let squares = b.ins().iadd(squares, self.squares);
        let (low, high) = b.ins().isplit(squares);
        let centre = moments.centre();
        let to_high = b.ins().iconst(types::I64, moments.high() - centre);
        let below = b.ins().isub(to_high, self.least);
        let above = b.ins().iadd_imm_s(self.greatest, centre - moments.low());
        let ends = [(BELOW_HIGH, below), (ABOVE_LOW, above)].map(|(cell, distance)| {
            let before = load(b, cell);
            (cell, b.ins().smax(before, distance))
        });
        let sums = [(SUM, sum), (SQUARES, low), (SQUARES_HIGH, high)];
        for (cell, value) in sums.into_iter().chain(ends) {
            b.ins().store(trusted(), value, cells, at(cell));
        }
    }
}

/// The address of a cell.
fn at(cell: usize) -> i32 {
    // There are five.
    cell as i32 * 8
}
