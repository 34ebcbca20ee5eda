//! Comparisons of sums of dice with constants. Such a sum has known bounds, so its distance from
//! the lowest value is compared, and constant terms move to the other side. The comparison becomes
//! unsigned, and its carry can be added to a count.

use super::state::Emitter;
use super::sums::Term;
use crate::ir::{Imm, InstData, Op, Value};
use cranelift::codegen::ir as clif;
use cranelift::prelude::{InstBuilder, IntCC, types};

/// Numbers farther from 0 than this are compared directly: the distance of any two others fits an
/// `i64`.
const FAR: i64 = 1 << 61;

/// A number and a constant, neither negative, with the operator that compares them.
struct Distance {
    op: Op,
    number: clif::Value,
    constant: i64,
}

impl Emitter<'_, '_> {
    /// The sum that `result` is, if there is a cheaper way to compute it than as written.
    pub(super) fn sum(&mut self, result: Value) -> Option<clif::Value> {
        let terms = self.sums.take(result)?;
        // Added terms come first: there is always one.
        let (added, taken): (Vec<_>, Vec<_>) = terms.into_iter().partition(|&(_, times)| times > 0);
        let mut sum = None;
        for (term, _) in added {
            let value = self.term(term);
            sum = Some(match sum {
                None => value,
                Some(sum) => self.builder.ins().iadd(sum, value),
            });
        }
        let mut sum = sum?;
        for (term, _) in taken {
            let value = self.term(term);
            sum = self.builder.ins().isub(sum, value);
        }
        Some(sum)
    }

    fn term(&mut self, term: Term) -> clif::Value {
        match term {
            Term::Plain(value) => self.value(value),
            Term::Lower((_, numbers)) => self.ordered(Op::Imin, numbers, None),
            Term::Higher((_, numbers)) => self.ordered(Op::Imax, numbers, None),
        }
    }
}

impl Emitter<'_, '_> {
    /// The result of a comparison, if it compares a sum of dice with a constant.
    pub(super) fn compared(&mut self, op: Op, args: &[Value]) -> Option<clif::Value> {
        let (op, condition) = (op, condition(op)?);
        let distance = self.distance(op, args)?;
        let ins = self.builder.ins();
        Some(ins.icmp_imm_u(condition, distance.number, distance.constant))
    }

    /// `count`, plus 1 if the comparison that computes `value` holds; `None` unless it compares a
    /// sum of dice with a constant.
    pub(super) fn counted(&mut self, value: Value, count: clif::Value) -> Option<clif::Value> {
        let data = self.function.def(value)?;
        let distance = self.distance(data.op, &data.args)?;
        let (number, constant) = (distance.number, distance.constant);
        // It holds if `high - low` needs no carry.
        let b = &mut self.builder;
        let (high, low) = match distance.op {
            Op::Ige => (number, b.ins().iconst(types::I64, constant)),
            // Not negative and at most what a pool can show, so it does not overflow.
            Op::Igt => (number, b.ins().iconst(types::I64, constant + 1)),
            Op::Ile => (b.ins().iconst(types::I64, constant), number),
            Op::Ilt if constant > 0 => (b.ins().iconst(types::I64, constant - 1), number),
            _ => return None,
        };
        // In the upper halves, `count + 1 - carry`.
        let minus_one = b.ins().iconst(types::I64, -1);
        let high = b.ins().iconcat(high, count);
        let low = b.ins().iconcat(low, minus_one);
        let difference = b.ins().isub(high, low);
        Some(b.ins().isplit(difference).1)
    }

    /// The lower or the higher of two numbers, which is the value of `result`. If both have the
    /// same lower bound, their distances from it are compared.
    pub(super) fn ordered(
        &mut self,
        op: Op,
        [a, b]: [Value; 2],
        result: Option<Value>,
    ) -> clif::Value {
        let least = |value: Value| Some(self.bounds[value]?.0);
        let least = least(a).filter(|&low| least(b) == Some(low));
        let [a, b] = match least {
            Some(least) => [a, b].map(|value| self.distance_from(least, value)),
            None => [a, b].map(|value| self.value(value)),
        };
        let ins = self.builder.ins();
        let found = match op {
            Op::Imin => ins.smin(a, b),
            _ => ins.smax(a, b),
        };
        match (least, result) {
            (Some(least), Some(result)) => self.above_least(result, found, least),
            (Some(least), None) => self.builder.ins().iadd_imm_s(found, least),
            (None, _) => found,
        }
    }

    /// The number at this distance above the lowest possible value of `value`.
    pub(super) fn above_least(
        &mut self,
        value: Value,
        distance: clif::Value,
        least: i64,
    ) -> clif::Value {
        self.above[value] = Some(distance);
        self.builder.ins().iadd_imm_s(distance, least)
    }

    /// The distance of a number from its lowest possible value.
    fn distance_from(&mut self, least: i64, value: Value) -> clif::Value {
        match self.above[value] {
            Some(distance) => distance,
            None => {
                let value = self.value(value);
                self.builder.ins().iadd_imm_s(value, -least)
            }
        }
    }

    /// The lowest and the highest result of an instruction on dice and constants. Numbers so large
    /// that a sum or a distance may wrap have no bounds.
    pub(super) fn bounds_of(&self, data: &InstData) -> Option<(i64, i64)> {
        let of = |arg: usize| self.bounds[data.args[arg]];
        let bounds = match (data.op, data.imm) {
            (Op::Iconst, Imm::Int(number)) => Some((number, number)),
            (Op::Pool | Op::Packed, Imm::Dice { count, sides }) => {
                // At most 10^7 dice of 10^9 sides.
                Some((count.into(), i64::from(count) * i64::from(sides)))
            }
            (Op::IaddWrap, _) => {
                let (a, b) = (of(0)?, of(1)?);
                Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?))
            }
            (Op::Imin, _) => of(0).zip(of(1)).map(|(a, b)| (a.0.min(b.0), a.1.min(b.1))),
            (Op::Imax, _) => of(0).zip(of(1)).map(|(a, b)| (a.0.max(b.0), a.1.max(b.1))),
            _ => None,
        };
        bounds.filter(|&(least, most)| -FAR <= least && most <= FAR)
    }

    fn distance(&mut self, op: Op, args: &[Value]) -> Option<Distance> {
        let &[number, constant] = args else {
            return None;
        };
        let constant = self.function.as_iconst(constant)?;
        let (least, most) = self.bounds[number]?;
        if !(least..=most).contains(&constant) {
            return None;
        }
        Some(Distance {
            op,
            number: self.distance_from(least, number),
            constant: constant - least,
        })
    }
}

fn condition(op: Op) -> Option<IntCC> {
    Some(match op {
        Op::Ieq => IntCC::Equal,
        Op::Ine => IntCC::NotEqual,
        Op::Ilt => IntCC::UnsignedLessThan,
        Op::Ile => IntCC::UnsignedLessThanOrEqual,
        Op::Igt => IntCC::UnsignedGreaterThan,
        Op::Ige => IntCC::UnsignedGreaterThanOrEqual,
        _ => return None,
    })
}
