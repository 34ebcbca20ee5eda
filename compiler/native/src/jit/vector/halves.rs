//! Kernels with 8-bit lanes: numbers that do not fit, or operations without an 8-bit instruction,
//! use two *halves* with 16-bit lanes, as in a kernel of that width.
//!
//! ```text
//! Number --halves--> [Lane; 2] --in_part--> [Lane; 2] --joined--> Number
//! ```

use super::lane::Lane;
use super::number::{Number, Ranged, TRUTHS};
use super::state::VectorEmitter;
use crate::analysis::Interval;
use crate::ir::Op;
use cranelift::codegen::ir as clif;
use cranelift::prelude::{InstBuilder, types};
use dicec_runtime::bug;
use dicec_runtime::rng::lanes::LaneWidth;

impl VectorEmitter<'_, '_> {
    /// The number of parts of a group in code with at least 16-bit lanes: two halves, or all lanes
    /// at once.
    pub(super) fn parts(&self) -> usize {
        match self.width {
            LaneWidth::V8 => 2,
            LaneWidth::V16 | LaneWidth::V32 => 1,
        }
    }

    /// Emits code for one of the [`parts`](Self::parts) of the group.
    pub(super) fn in_part<R>(&mut self, part: usize, emit: impl FnOnce(&mut Self) -> R) -> R {
        let (width, lanes, before) = (self.width, self.lanes, self.part);
        if width == LaneWidth::V8 {
            (self.width, self.lanes, self.part) = (LaneWidth::V16, types::I16X8, part);
        }
        let emitted = emit(self);
        (self.width, self.lanes, self.part) = (width, lanes, before);
        emitted
    }

    /// The index of the first lane of the current part.
    pub(super) fn first_lane(&self) -> usize {
        self.part * self.width.lanes()
    }

    /// The type of the lanes of a part.
    pub(super) fn part_lanes(&self) -> clif::Type {
        match self.width {
            LaneWidth::V8 => types::I16X8,
            LaneWidth::V16 | LaneWidth::V32 => self.lanes,
        }
    }

    /// Whether numbers in this interval fit the kernel's own lanes.
    pub(super) fn fits(&self, range: Interval) -> bool {
        self.width != LaneWidth::V8 || self.width.holds(range.low, range.high)
    }

    /// The lane of a number without halves, such as a truth value.
    pub(super) fn one(&self, number: Number) -> Lane {
        match number {
            Number::One(lane) => lane,
            Number::Halves(_) => bug!("a number has halves where it may not").raise(),
        }
    }

    /// The lanes of a number that fits them.
    pub(super) fn fitting(&self, (number, range): Ranged) -> Option<Lane> {
        match number {
            Number::One(lane) if self.fits(range) => Some(lane),
            Number::One(_) | Number::Halves(_) => None,
        }
    }

    /// A number in the lanes of each part.
    pub(super) fn lanes_of(&mut self, number: Ranged) -> Vec<Lane> {
        match self.width {
            LaneWidth::V8 => self.halves(number).to_vec(),
            LaneWidth::V16 | LaneWidth::V32 => vec![self.one(number.0)],
        }
    }

    /// A mask in the lanes of each part.
    pub(super) fn masks_of(&mut self, mask: clif::Value) -> Vec<clif::Value> {
        match self.width {
            LaneWidth::V8 => self.sign_extended(mask).to_vec(),
            LaneWidth::V16 | LaneWidth::V32 => vec![mask],
        }
    }

    /// The halves of a number.
    pub(super) fn halves(&mut self, (number, range): Ranged) -> [Lane; 2] {
        let lane = match number {
            Number::Halves(halves) => return halves,
            Number::One(lane) => lane,
        };
        let Some(vector) = lane.vector else {
            return [lane; 2];
        };
        // The range of the vector without the offset. If that fits, the lane keeps its form.
        let held = [range.low, range.high].map(|end| end.checked_sub(lane.offset));
        let held = match held {
            [Some(low), Some(high)] if lane.negated => Some((-high, -low)),
            [Some(low), Some(high)] => Some((low, high)),
            _ => None,
        };
        if held.is_some_and(|(low, high)| self.width.holds(low, high)) {
            let halves = self.sign_extended(vector);
            return halves.map(|vector| Lane {
                vector: Some(vector),
                face: None,
                ..lane
            });
        }
        let vector = self.above(lane, 0);
        self.sign_extended(vector)
            .map(|vector| Lane::new(vector, 0))
    }

    /// The halves of a vector of 8 bits, with their signs.
    fn sign_extended(&mut self, vector: clif::Value) -> [clif::Value; 2] {
        if let Some(&known) = self.computed.halves.get(&vector) {
            return known;
        }
        let ins = &mut self.builder;
        let halves = [ins.ins().swiden_low(vector), ins.ins().swiden_high(vector)];
        self.computed.halves.insert(vector, halves);
        halves
    }

    /// The number with these halves, which is in this interval.
    pub(super) fn joined(&mut self, [low, high]: [Lane; 2], range: Interval) -> Number {
        if let (Some(one), true) = (low.as_constant(), low == high) {
            return Number::constant(one);
        }
        if !self.fits(range) {
            return Number::Halves([low, high]);
        }
        let low = self.in_part(0, |emitter| emitter.above(low, 0));
        let high = self.in_part(1, |emitter| emitter.above(high, 0));
        let vector = self.narrowed(low, high);
        // The halves may differ from the number only in lanes where the number does not matter.
        self.computed.halves.insert(vector, [low, high]);
        Number::One(Lane::new(vector, 0))
    }

    /// Halves whose numbers fit 8 bits as one vector.
    pub(super) fn narrowed(&mut self, low: clif::Value, high: clif::Value) -> clif::Value {
        self.builder.ins().snarrow(low, high)
    }

    /// Emits an operation on numbers: in the kernel's own lanes if all of them and the result fit,
    /// otherwise in halves.
    pub(super) fn on_lanes(
        &mut self,
        args: &[Ranged],
        range: Interval,
        mut emit: impl FnMut(&mut Self, &[(Lane, Interval)]) -> Option<Lane>,
    ) -> Option<Number> {
        let fitting = args.iter().map(|&arg| Some((self.fitting(arg)?, arg.1)));
        let fitting: Option<Vec<_>> = fitting.collect();
        match fitting.filter(|_| self.fits(range)) {
            Some(lanes) => emit(self, &lanes).map(Number::One),
            None => self.on_halves(args, range, emit),
        }
    }

    /// Emits an operation on the halves of numbers.
    pub(super) fn on_halves(
        &mut self,
        args: &[Ranged],
        range: Interval,
        mut emit: impl FnMut(&mut Self, &[(Lane, Interval)]) -> Option<Lane>,
    ) -> Option<Number> {
        let halves = args.iter().map(|&arg| (self.halves(arg), arg.1));
        let halves: Vec<_> = halves.collect();
        let mut each = |part: usize| {
            let lanes = halves.iter().map(|&(half, range)| (half[part], range));
            let lanes: Vec<_> = lanes.collect();
            self.in_part(part, |emitter| emit(emitter, &lanes))
        };
        let results = [each(0)?, each(1)?];
        Some(self.joined(results, range))
    }

    /// The mask of a truth value.
    pub(super) fn mask_of_truth(&mut self, truth: Number) -> clif::Value {
        let lane = self.one(truth);
        self.above(lane, 0)
    }

    /// A comparison; a mask.
    pub(super) fn compare_numbers(&mut self, op: Op, a: Ranged, b: Ranged) -> Option<Number> {
        self.on_lanes(&[a, b], TRUTHS, |emitter, args| {
            emitter.compare(op, args[0], args[1])
        })
    }
}
