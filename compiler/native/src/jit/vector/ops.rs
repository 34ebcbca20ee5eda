//! Operations in lanes: one value of the function is one vector, with a trial in each lane.
//!
//! Constants are added as late as possible: a die's `+ 1`, a bonus and the lowest cell of a
//! histogram become one number, and a comparison moves them to its other side. Range analysis has
//! shown that all numbers fit a lane, so arithmetic modulo the lane's size is exact in the end. If
//! an instruction depends on the magnitude of a number, [`VectorEmitter::aligned`] ensures that the
//! vector without the constant fits, too.

use super::lane::Lane;
use super::number::{Number, Ranged, TRUTHS};
use super::rounded::RoundedReciprocal;
use super::state::VectorEmitter;
use crate::analysis::{Interval, Reciprocal};
use crate::ir::{Imm, InstData, Op, Type, Value};
use cranelift::codegen::ir as clif;
use cranelift::prelude::{InstBuilder, IntCC, types};
use dicec_runtime::bug;
use dicec_runtime::rng::lanes::LaneWidth;

impl VectorEmitter<'_, '_> {
    pub(super) fn value(&self, value: Value) -> Number {
        self.values[value].unwrap_or_else(|| bug!("{value} is used before it is defined").raise())
    }

    /// A value and its interval: that of masks for a truth value.
    pub(super) fn ranged(&self, value: Value) -> Ranged {
        (self.value(value), self.range_of(value))
    }

    pub(super) fn range_of(&self, value: Value) -> Interval {
        match self.form.function().value_type(value) {
            Type::Bool => TRUTHS,
            Type::I64 | Type::F64 => self.ranges.of(value),
        }
    }

    /// The result of an instruction that depends only on its operands or on resources.
    pub(super) fn inst(&mut self, data: &InstData) -> Option<Number> {
        let args = data.args.iter().map(|&arg| self.ranged(arg));
        let args: Vec<Ranged> = args.collect();
        let range = self.range_of(data.result);
        match (data.op, data.imm) {
            (Op::Iconst, Imm::Int(number)) => Some(Number::constant(number)),
            (Op::Bconst, Imm::Bool(truth)) => Some(Number::constant(-i64::from(truth))),
            // 8-bit vectors are shifted like 16-bit ones.
            (Op::IdivPos, _) if is_shifted(&args) => {
                self.on_lanes(&args, range, |emitter, args| emitter.known(data, args))
            }
            // 8-bit vectors have no multiplication.
            (Op::ImulWrap | Op::IdivPos | Op::IremPos, _) if self.width == LaneWidth::V8 => {
                self.on_halves(&args, range, |emitter, args| emitter.known(data, args))
            }
            _ => self.on_lanes(&args, range, |emitter, args| emitter.known(data, args)),
        }
    }

    /// The result, reused if it is [known](super::once), or emitted.
    fn known(&mut self, data: &InstData, args: &[(Lane, Interval)]) -> Option<Lane> {
        if args.is_empty() {
            return self.result(data, args);
        }
        let (lanes, ranges) = args.iter().copied().unzip();
        let name = (data.op, lanes, ranges);
        self.once(name, |emitter| emitter.result(data, args))
    }

    fn result(&mut self, data: &InstData, args: &[(Lane, Interval)]) -> Option<Lane> {
        let lanes: Vec<Lane> = args.iter().map(|&(lane, _)| lane).collect();
        Some(match (data.op, data.imm, &lanes[..]) {
            (Op::Resource, Imm::Slot(slot), _) => Lane::new(self.splat_resource(slot), 0),
            (Op::IaddWrap, _, &[a, b]) => self.add(a, b),
            (Op::IsubWrap, _, &[a, b]) => self.add(a, b.negative()),
            (Op::InegWrap, _, &[a]) => a.negative(),
            (Op::ImulWrap, _, &[a, b]) => self.multiply(a, b),
            (Op::IdivPos, _, &[_, b]) => self.divide(args[0], b.offset)?,
            (Op::IremPos, _, &[a, b]) => {
                // The dividend is not negative.
                let quotient = self.divide(args[0], b.offset)?;
                let product = self.multiply(quotient, b);
                self.add(a, product.negative())
            }
            (Op::Btoi, _, &[a]) => a.negative(),
            (Op::Not, _, &[a]) => {
                let mask = self.above(a, 0);
                Lane::new(self.builder.ins().bnot(mask), 0)
            }
            (Op::Both | Op::Either, _, &[a, b]) => {
                let (a, b) = (self.above(a, 0), self.above(b, 0));
                let ins = self.builder.ins();
                let mask = match data.op {
                    Op::Both => ins.band(a, b),
                    _ => ins.bor(a, b),
                };
                Lane::new(mask, 0)
            }
            (Op::Select, _, &[condition, _, _]) => {
                let mask = self.above(condition, 0);
                self.choose_lanes(mask, args[1], args[2])
            }
            (Op::Imin, ..) => {
                let ([a, b], offset) = self.aligned([args[0], args[1]]);
                Lane::new(self.builder.ins().smin(a, b), offset)
            }
            (Op::Imax, ..) => {
                let ([a, b], offset) = self.aligned([args[0], args[1]]);
                Lane::new(self.builder.ins().smax(a, b), offset)
            }
            (Op::Ior, _, &[a, b]) => {
                let (a, b) = (self.above(a, 0), self.above(b, 0));
                Lane::new(self.builder.ins().bor(a, b), 0)
            }
            (Op::IandNot, _, &[a, b]) => {
                let (a, b) = (self.above(a, 0), self.above(b, 0));
                Lane::new(self.builder.ins().band_not(a, b), 0)
            }
            (op, _, &[_, _]) => self.compare(op, args[0], args[1])?,
            _ => return None,
        })
    }

    pub(super) fn compare(
        &mut self,
        op: Op,
        a: (Lane, Interval),
        b: (Lane, Interval),
    ) -> Option<Lane> {
        if let Some(mask) = self.compare_word(op, a.0, b.0) {
            return Some(mask);
        }
        if let Some(mask) = self.compare_truth(op, a, b.0) {
            return Some(mask);
        }
        // Machines have "equal" and "greater"; "at least" a constant is "greater than" the constant
        // minus 1.
        let (comparison, [a, b]) = match op {
            Op::Ieq => (IntCC::Equal, [a, b]),
            Op::Ine => (IntCC::NotEqual, [a, b]),
            Op::Igt => (IntCC::SignedGreaterThan, [a, b]),
            Op::Ilt => (IntCC::SignedGreaterThan, [b, a]),
            Op::Ige => at_least(self.width, a, b),
            Op::Ile => at_least(self.width, b, a),
            _ => return None,
        };
        let ([a, b], _) = self.aligned([a, b]);
        Some(Lane::new(self.builder.ins().icmp(comparison, a, b), 0))
    }

    /// Compares a face with a constant. The face grows monotonically with its word, so the word is
    /// compared instead, and the face need not be computed.
    fn compare_word(&mut self, op: Op, a: Lane, b: Lane) -> Option<Lane> {
        let (op, a, b) = if a.vector.is_some() {
            (op, a, b)
        } else {
            (mirrored(op)?, b, a)
        };
        let face = a.face.filter(|_| b.vector.is_none())?;
        let rest = b.offset.checked_sub(a.offset)?;
        let (op, number) = if a.negated {
            (mirrored(op)?, face.above.checked_sub(rest)?)
        } else {
            (op, face.above.checked_add(rest)?)
        };
        let highest = i64::from(face.die.sides());
        // Whether it is true for the faces from this one on, or up to this one.
        let (from, holds) = match op {
            Op::Ige => (number, true),
            Op::Igt => (number + 1, true),
            Op::Ilt => (number, false),
            Op::Ile => (number + 1, false),
            Op::Ieq if number == highest => (number, true),
            Op::Ine if number == highest => (number, false),
            Op::Ieq if number == 1 => (2, false),
            Op::Ine if number == 1 => (2, true),
            _ => return None,
        };
        // Comparisons with the same result for all faces were folded before.
        let from = u32::try_from(from).ok().filter(|&from| from > 1)?;
        let least = face.die.least(self.width.word(), face.bits, from)?;
        let [a, b] = if holds {
            [face.x, self.splat(least - 1)]
        } else {
            [self.splat(least), face.x]
        };
        let greater = IntCC::SignedGreaterThan;
        Some(Lane::new(self.builder.ins().icmp(greater, a, b), 0))
    }

    /// Compares a truth value that became the number 0 or 1 with 0: its mask is still available.
    fn compare_truth(&mut self, op: Op, a: (Lane, Interval), b: Lane) -> Option<Lane> {
        let (number, range) = a;
        let vector = number.vector.filter(|_| b.as_constant() == Some(0))?;
        let is_bit = range.low >= 0 && range.high <= 1;
        let is_one = match op {
            Op::Igt | Op::Ine if is_bit => true,
            Op::Ile | Op::Ieq if is_bit => false,
            _ => return None,
        };
        // 0 or -1 in each lane, where the number is that vector's negative or one more than it.
        let mask = match (number.negated, number.offset) {
            (true, 0) => is_one,
            (false, 1) => !is_one,
            _ => return None,
        };
        Some(Lane::new(
            if mask {
                vector
            } else {
                self.builder.ins().bnot(vector)
            },
            0,
        ))
    }

    /// The sum of two numbers, and its interval.
    pub(super) fn sum(&mut self, a: Ranged, b: Ranged) -> Ranged {
        let range = Interval::new(
            a.1.low.saturating_add(b.1.low),
            a.1.high.saturating_add(b.1.high),
        );
        let sum = self.on_lanes(&[a, b], range, |emitter, args| {
            Some(emitter.add(args[0].0, args[1].0))
        });
        (
            sum.unwrap_or_else(|| bug!("a sum of nothing").raise()),
            range,
        )
    }

    pub(super) fn add(&mut self, a: Lane, b: Lane) -> Lane {
        let (Some(x), Some(y)) = (a.vector, b.vector) else {
            let (vector, constant) = if a.vector.is_some() { (a, b) } else { (b, a) };
            return vector.plus(constant.offset);
        };
        let ins = self.builder.ins();
        let (vector, negated) = match (a.negated, b.negated) {
            (false, true) => (ins.isub(x, y), false),
            (true, false) => (ins.isub(y, x), false),
            (_, negated) => (ins.iadd(x, y), negated),
        };
        Lane {
            vector: Some(vector),
            negated,
            offset: a.offset.wrapping_add(b.offset),
            face: None,
        }
    }

    pub(super) fn multiply(&mut self, a: Lane, b: Lane) -> Lane {
        let (a, b) = if a.vector.is_some() { (a, b) } else { (b, a) };
        let Some(x) = a.vector else {
            return Lane::constant(a.offset.wrapping_mul(b.offset));
        };
        if b.vector.is_none() {
            let factor = self.splat(b.offset);
            return Lane {
                vector: Some(self.builder.ins().imul(x, factor)),
                negated: a.negated,
                offset: a.offset.wrapping_mul(b.offset),
                face: None,
            };
        }
        let (x, y) = (self.above(a, 0), self.above(b, 0));
        Lane::new(self.builder.ins().imul(x, y), 0)
    }

    /// `dividend` divided by a constant that has a reciprocal for it.
    fn divide(&mut self, (dividend, range): (Lane, Interval), divisor: i64) -> Option<Lane> {
        if divisor > 0 && divisor.count_ones() == 1 {
            let x = self.above(dividend, 0);
            let log = i64::from(divisor.trailing_zeros());
            let ins = self.builder.ins();
            let quotient = match range.low >= 0 {
                true => ins.ushr_imm_u(x, log),
                false => ins.sshr_imm_u(x, log),
            };
            return Some(Lane::new(quotient, 0));
        }
        if self.width == LaneWidth::V16
            && let Some(by) = RoundedReciprocal::new(range, divisor)
        {
            let x = self.above(dividend, -by.add);
            let factor = self.splat(by.factor);
            return Some(Lane::new(self.mulhrs(x, factor), 0));
        }
        let by = Reciprocal::new(range, divisor)?;
        let x = self.above(dividend, -by.add);
        let quotient = match self.width {
            LaneWidth::V32 => self.reciprocal(x, by),
            LaneWidth::V8 | LaneWidth::V16 => {
                let ins = &mut self.builder;
                let (low, high) = (ins.ins().swiden_low(x), ins.ins().swiden_high(x));
                let (low, high) = (self.reciprocal(low, by), self.reciprocal(high, by));
                self.builder.ins().snarrow(low, high)
            }
        };
        Some(Lane::new(quotient, -by.less))
    }

    fn reciprocal(&mut self, x: clif::Value, by: Reciprocal) -> clif::Value {
        let factor = self.splat_of(types::I32X4, by.factor);
        let product = self.builder.ins().imul(x, factor);
        self.builder.ins().sshr_imm_u(product, i64::from(by.shift))
    }

    /// A vector of the number's distance from `base`.
    pub(super) fn above(&mut self, lane: Lane, base: i64) -> clif::Value {
        let rest = lane.offset.wrapping_sub(base);
        match lane.vector {
            Some(vector) if rest == 0 && !lane.negated => vector,
            Some(vector) => self.vector_once((lane, base), |emitter| {
                if rest == 0 {
                    return emitter.builder.ins().ineg(vector);
                }
                let rest = emitter.splat(rest);
                let ins = emitter.builder.ins();
                if lane.negated {
                    ins.isub(rest, vector)
                } else {
                    ins.iadd(vector, rest)
                }
            }),
            None => self.splat(rest),
        }
    }

    /// Vectors of two numbers' distances from a common base, and the base: one that needs no
    /// addition if both fit their lanes then. It is 0 if that is one of them, so that numbers that
    /// many merges select keep one form.
    pub(super) fn aligned(&mut self, operands: [(Lane, Interval); 2]) -> ([clif::Value; 2], i64) {
        let ready = operands
            .iter()
            .filter(|(lane, _)| lane.vector.is_some() && !lane.negated);
        let mut bases = ready.map(|(lane, _)| lane.offset);
        let first = bases.next().unwrap_or(0);
        let base = if bases.any(|base| base == 0) {
            0
        } else {
            first
        };
        let fits = operands.iter().all(|(_, range)| {
            let ends = [range.low, range.high].map(|end| end.checked_sub(base));
            matches!(ends, [Some(low), Some(high)] if self.width.holds(low, high))
        });
        let base = if fits { base } else { 0 };
        (operands.map(|(lane, _)| self.above(lane, base)), base)
    }
}

/// The equivalent comparison for swapped operands.
fn mirrored(op: Op) -> Option<Op> {
    Some(match op {
        Op::Ieq | Op::Ine => op,
        Op::Igt => Op::Ilt,
        Op::Ilt => Op::Igt,
        Op::Ige => Op::Ile,
        Op::Ile => Op::Ige,
        _ => return None,
    })
}

/// Whether a division of these operands is a shift, also of lanes of 8 bits.
fn is_shifted(args: &[Ranged]) -> bool {
    let &[(_, dividend), (_, divisor)] = args else {
        return false;
    };
    let divisor = (divisor.low == divisor.high).then_some(divisor.low);
    dividend.low >= 0 && divisor.is_some_and(|number| number > 0 && number.count_ones() == 1)
}

/// `a >= b`, as "greater" if one of them is a constant that can change by one.
fn at_least(
    width: LaneWidth,
    a: (Lane, Interval),
    b: (Lane, Interval),
) -> (IntCC, [(Lane, Interval); 2]) {
    let moved = |(lane, range): (Lane, Interval), by: i64| {
        let number = range.single().filter(|_| lane.vector.is_none())?;
        let number = number.checked_add(by)?;
        let fits = width.holds(number, number);
        fits.then(|| (Lane::constant(number), Interval::point(number)))
    };
    if let Some(b) = moved(b, -1) {
        (IntCC::SignedGreaterThan, [a, b])
    } else if let Some(a) = moved(a, 1) {
        (IntCC::SignedGreaterThan, [a, b])
    } else {
        (IntCC::SignedGreaterThanOrEqual, [a, b])
    }
}
