//! Transfer functions: the interval of an operation's result, from those of its operands.

use super::float_interval::FloatInterval;
use super::interval::Interval;
use super::ranges::Ranges;
use crate::ir::{Imm, InstData, Op, Value};
use dicec_runtime::limits::MAX_SIDES;

/// More words than any machine has memory for. A list's address must have a bound: otherwise an
/// addition to it would seem to overflow, and with it the counter of a loop.
const MAX_ADDRESS: i64 = 1 << 60;

impl Ranges {
    /// The possible results of an instruction that does not trap.
    ///
    /// `at` gives the intervals of its operands.
    pub(crate) fn transfer(&self, data: &InstData, at: impl Fn(Value) -> Interval) -> Interval {
        let arg = |index: usize| at(data.args[index]);
        let everything = Interval::ALL;
        match (data.op, data.imm) {
            (Op::Iconst, Imm::Int(value)) => Interval::point(value),
            (Op::Bconst, Imm::Bool(value)) => Interval::truth(value),
            (Op::Not, _) => {
                // It may have no range yet.
                let truth = arg(0).clip(Interval::TRUTHS);
                Interval::new(1 - truth.high, 1 - truth.low)
            }
            (Op::Ieq | Op::Ine | Op::Ilt | Op::Ile | Op::Igt | Op::Ige, _) => {
                let truth = compared(data.op, arg(0), arg(1));
                truth.map_or(Interval::TRUTHS, Interval::truth)
            }
            (Op::Feq | Op::Fne | Op::Flt | Op::Fle | Op::Fgt | Op::Fge, _) => Interval::TRUTHS,
            (Op::Resource, _) => self.given.resources,
            (_, Imm::Dice { count, sides }) => Interval::pool(count, sides),
            (Op::Iadd | Op::IaddWrap, _) => arg(0).add(arg(1)).unwrap_or(everything),
            (Op::Isub | Op::IsubWrap, _) => arg(0).sub(arg(1)).unwrap_or(everything),
            (Op::Imul | Op::ImulWrap, _) => arg(0).mul(arg(1)).unwrap_or(everything),
            (Op::Ineg | Op::InegWrap, _) => {
                let zero = Interval::point(0);
                zero.sub(arg(0)).unwrap_or(everything)
            }
            (Op::Btoi, _) => arg(0).clip(Interval::TRUTHS),
            // 0 is less than 1.
            (Op::Both, _) => arg(0).min(arg(1)),
            (Op::Either, _) => arg(0).max(arg(1)),
            (Op::Idiv, _) => arg(0).div(arg(1)),
            (Op::IdivPos, _) => arg(0).div_pos(arg(1)),
            (Op::Irem, _) => arg(0).rem(arg(1)),
            (Op::IremPos, _) => arg(0).rem(arg(1).max(Interval::point(1))),
            (Op::Imin, _) => arg(0).min(arg(1)),
            (Op::Imax, _) => arg(0).max(arg(1)),
            (Op::Ior, _) => arg(0).or(arg(1)),
            (Op::IandNot, _) => arg(0).and_not(),
            (Op::DiceCount, Imm::Limit(limit)) => {
                let fits = Interval::new(0, limit.into());
                arg(0).max(Interval::point(0)).clip(fits)
            }
            (Op::ExplosionsLeft | Op::RerollsLeft | Op::DiceLeft, _) => {
                // One die is left, or it traps.
                let left = arg(0).clip(Interval::new(1, i64::MAX));
                left.sub(Interval::point(1)).unwrap_or(everything)
            }
            (Op::Dice, _) => arg(0).dice(arg(1)),
            (Op::Face, Imm::Int(sides)) => Interval::new(1, sides),
            (Op::Select, _) => match arg(0).single() {
                Some(0) => arg(2),
                Some(_) => arg(1),
                None => arg(1).join(arg(2)),
            },
            (Op::Index, _) => {
                let last = arg(1).high.saturating_sub(1).max(0);
                arg(0).clip(Interval::new(0, last))
            }
            (Op::Append, _) => Interval::new(1, u32::MAX.into()),
            (Op::Store, _) => arg(1),
            (Op::Alloc | Op::NewList, _) => Interval::new(0, MAX_ADDRESS),
            (Op::Fuel | Op::Burn | Op::Depth, _) => Interval::new(0, i64::MAX),
            (Op::NotNegative, _) => arg(0).clip(Interval::new(0, i64::MAX)),
            (Op::DieSides, _) => arg(0).clip(Interval::new(1, MAX_SIDES.into())),
            (Op::Roll, _) => arg(0).faces(),
            (Op::Ffloor | Op::Fceil | Op::Fround, _) => {
                let rounded = self.floats[data.args[0]].and_then(|float| float.rounded(data.op));
                rounded.unwrap_or(everything)
            }
            _ => everything,
        }
    }

    /// [`Ranges::transfer`] for floats.
    pub(super) fn transfer_float(&self, data: &InstData) -> Option<FloatInterval> {
        let arg = |index: usize| self.floats[data.args[index]];
        match (data.op, data.imm, data.args.len()) {
            (_, Imm::Float(value), _) => FloatInterval::point(value),
            (Op::Itof, _, _) => FloatInterval::of_whole(self.of(data.args[0])),
            (op, _, 1) => arg(0)?.unary(op),
            (op, _, 2) => arg(0)?.binary(op, arg(1)?),
            _ => None,
        }
    }
}

/// The result of a comparison, if the intervals of its operands determine it.
pub(crate) fn compared(op: Op, a: Interval, b: Interval) -> Option<bool> {
    let (less, greater) = (a.high < b.low, a.low > b.high);
    let equal = a.single().is_some() && a == b;
    let decide = |yes: bool, no: bool| if yes { Some(true) } else { no.then_some(false) };
    match op {
        Op::Ieq => decide(equal, less || greater),
        Op::Ine => decide(less || greater, equal),
        Op::Ilt => decide(less, a.low >= b.high),
        Op::Ile => decide(a.high <= b.low, greater),
        Op::Igt => decide(greater, a.high <= b.low),
        Op::Ige => decide(a.low >= b.high, less),
        _ => None,
    }
}
