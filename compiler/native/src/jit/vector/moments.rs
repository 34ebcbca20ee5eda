//! Moments in lanes: each lane has a sum, a sum of squares, a lowest and a highest number; the end
//! of a call merges those of all lanes.
//!
//! ```text
//! lanes of 16 bits:  r --r * r, pairs added (pmaddwd)--> squares of 32 bits --> sums of 32 or 64
//! lanes of 32 bits:  r --r * r--> squares of 32 or 64 bits --> sums
//! ```
//!
//! The maximum distance of results from the centre determines the width of the sums, and the number
//! of trials after which a call has to end ([`max_trials`]). The sums in the cells have 128 bits.

use super::kept::{LaneMoments, NARROW_REACH, Sum, sums};
use super::lane::Lane;
use super::node::Mask;
use super::state::VectorEmitter;
use crate::jit::moments::Found;
use cranelift::codegen::ir as clif;
use cranelift::frontend::{FunctionBuilder, Variable};
use cranelift::prelude::{InstBuilder, types};
use dicec_runtime::moments::Moments;
use dicec_runtime::rng::lanes::LaneWidth;

/// The maximum number of trials of a call that keeps these moments: four lanes of 32 bits share the
/// sum of the squares, unless it is kept in 64 bits.
pub(super) fn max_trials(moments: Moments) -> usize {
    let reach = moments.reach();
    if reach >= NARROW_REACH {
        return usize::MAX;
    }
    let squares = u64::from(u32::MAX) / (reach * reach).max(1);
    // At most 2^34.
    (squares * 4) as usize
}

impl VectorEmitter<'_, '_> {
    /// The values of the lanes before the first group.
    pub(super) fn begin_moments(&mut self, kept: LaneMoments) {
        for sum in [kept.sum, kept.squares] {
            let zero = self.splat_of(sums(sum.is_narrow), 0);
            self.builder.def_var(sum.variable, zero);
        }
        let centre = kept.moments.centre();
        for (variable, end) in [
            (kept.least, kept.moments.high()),
            (kept.greatest, kept.moments.low()),
        ] {
            let lanes = self.part_lanes();
            let end = self.splat_of(lanes, end - centre);
            self.builder.def_var(variable, end);
        }
    }

    /// Adds the results of a group: a vector for each trial of a lane. Lanes outside of the mask
    /// are ignored.
    pub(super) fn keep_moments(&mut self, kept: LaneMoments, results: &[Lane], mask: Mask) {
        let centre = kept.moments.centre();
        let results: Vec<clif::Value> = results
            .iter()
            .map(|&result| self.above(result, centre))
            .collect();
        for &result in &results {
            let b = &mut self.builder;
            let (low, high) = (b.use_var(kept.least), b.use_var(kept.greatest));
            let [least, greatest] = [low, high].map(|end| match mask {
                Some(mask) => b.ins().bitselect(mask, result, end),
                None => result,
            });
            let least = b.ins().smin(low, least);
            b.def_var(kept.least, least);
            let greatest = b.ins().smax(high, greatest);
            b.def_var(kept.greatest, greatest);
        }
        // A 0 adds nothing.
        let results: Vec<clif::Value> = match mask {
            Some(mask) => results
                .into_iter()
                .map(|result| self.builder.ins().band(result, mask))
                .collect(),
            None => results,
        };
        for &result in &results {
            for squares in self.squares(kept, result) {
                self.accumulate(kept.squares, squares);
            }
        }
        for sum in self.slots_together(kept, results) {
            for sum in self.widened(kept, sum) {
                self.accumulate(kept.sum, sum);
            }
        }
    }

    /// The squares of results, in vectors of the type of their sums.
    fn squares(&mut self, kept: LaneMoments, result: clif::Value) -> Vec<clif::Value> {
        let narrow = kept.squares.is_narrow;
        let b = &mut self.builder;
        if (self.width, narrow) == (LaneWidth::V32, true) {
            return vec![b.ins().imul(result, result)];
        }
        let (low, high) = (b.ins().swiden_low(result), b.ins().swiden_high(result));
        let (low, high) = (b.ins().imul(low, low), b.ins().imul(high, high));
        if self.width == LaneWidth::V32 {
            return vec![low, high];
        }
        // Of two squares of at most 2^30, so without a sign.
        let pairs = b.ins().iadd_pairwise(low, high);
        if narrow {
            return vec![pairs];
        }
        vec![b.ins().uwiden_low(pairs), b.ins().uwiden_high(pairs)]
    }

    /// The sum of the results of all trials of each lane in one vector, if it fits the lanes.
    fn slots_together(&mut self, kept: LaneMoments, results: Vec<clif::Value>) -> Vec<clif::Value> {
        let most = kept.moments.reach().saturating_mul(results.len() as u64);
        // Below 2^40.
        let most = most as i64;
        if !self.width.holds(-most, most) {
            return results;
        }
        let ins = &mut self.builder;
        let sum = results
            .into_iter()
            .reduce(|sum, result| ins.ins().iadd(sum, result));
        sum.into_iter().collect()
    }

    /// Numbers in vectors of the type of their sums.
    fn widened(&mut self, kept: LaneMoments, number: clif::Value) -> Vec<clif::Value> {
        let narrow = kept.sum.is_narrow;
        if (self.width, narrow) == (LaneWidth::V32, true) {
            return vec![number];
        }
        let b = &mut self.builder;
        let (low, high) = (b.ins().swiden_low(number), b.ins().swiden_high(number));
        match self.width {
            LaneWidth::V8 | LaneWidth::V16 => vec![b.ins().iadd_pairwise(low, high)],
            LaneWidth::V32 => vec![low, high],
        }
    }

    fn accumulate(&mut self, sum: Sum, by: clif::Value) {
        let b = &mut self.builder;
        let before = b.use_var(sum.variable);
        let after = b.ins().iadd(before, by);
        b.def_var(sum.variable, after);
    }

    /// Adds the moments of all lanes to the cells.
    pub(super) fn end_moments(&mut self, kept: LaneMoments, cells: clif::Value) {
        let sum = self.put_together(kept.sum.variable, true, |b, one, other| {
            b.ins().iadd(one, other)
        });
        // Below 2^63: 2^16 squares of at most 2^46.
        let squares = self.put_together(kept.squares.variable, false, |b, one, other| {
            b.ins().iadd(one, other)
        });
        let least = self.put_together(kept.least, true, |b, one, other| b.ins().smin(one, other));
        let greatest = self.put_together(kept.greatest, true, |b, one, other| {
            b.ins().smax(one, other)
        });
        let squares = self.builder.ins().uextend(types::I128, squares);
        let found = Found {
            sum,
            squares,
            least,
            greatest,
        };
        found.store(&mut self.builder, kept.moments, cells);
    }

    /// One whole number from all lanes.
    fn put_together(
        &mut self,
        variable: Variable,
        signed: bool,
        join: impl Fn(&mut FunctionBuilder<'_>, clif::Value, clif::Value) -> clif::Value,
    ) -> clif::Value {
        let b = &mut self.builder;
        let vector = b.use_var(variable);
        let ty = b.func.dfg.value_type(vector);
        let lane = |b: &mut FunctionBuilder<'_>, lane: u8| {
            let number = b.ins().extractlane(vector, lane);
            match (ty.lane_type() == types::I64, signed) {
                (true, _) => number,
                (false, true) => b.ins().sextend(types::I64, number),
                (false, false) => b.ins().uextend(types::I64, number),
            }
        };
        let first = lane(b, 0);
        // At most 7.
        (1..ty.lane_count() as u8).fold(first, |sum, number| {
            let number = lane(b, number);
            join(b, sum, number)
        })
    }
}
