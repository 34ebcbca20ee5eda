//! The vector form of a function: whether its trials can run in lanes, how wide these have to be, and how their dice are drawn.
//!
//! Only fused sampling asks for it. A function has one if its trial is a straight line of operations that lanes have, without traps
//! and with dice alone that are known beforehand, and if range analysis finds all its numbers within a lane. Resources are taken
//! to lie in [`RESOURCES`]; with others the function has no vector form. So tier and layout depend on the program alone, and on
//! whether its resources are of this size: not on the machine, and not on what else is known of them.

use super::{Given, Interval, Pass, Ranges, decide, specialise};
use crate::ir::{Function, Imm, InstData, Op, Terminator, Type, Value};
use dicec_runtime::rng::lanes::{Layout, Tier};

/// The resources that vector forms are made for.
pub const RESOURCES: Interval = Interval {
    low: -1000,
    high: 1000,
};

/// What follows from them. A lone function has no fuel.
const USUAL: Given = Given {
    resources: RESOURCES,
    fuel: 0,
};

/// Most dice of a trial: their words are written out in the code, but for those of large pools.
const MOST_DICE: u32 = 256;

/// Most instructions of a trial, for the same reason.
const MOST_INSTS: usize = 512;

/// A function whose trials run in lanes.
#[derive(Clone, Debug)]
pub struct VectorForm {
    /// One block of operations that lanes have. Its numbers fit the lanes as long as resources lie in [`RESOURCES`].
    pub function: Function,
    /// How its dice are drawn: in the order of its `pool` and `packed` instructions.
    pub layout: Layout,
}

impl VectorForm {
    /// The vector form of an optimised function with fused draws, for all resources of the usual size, if it has one.
    pub fn new(function: &Function) -> Option<Self> {
        let function = assumed(function);
        let ranges = Ranges::within(&function, USUAL);
        let sides = sides(&function)?;
        let tier = [Tier::V16, Tier::V32]
            .into_iter()
            .find(|&tier| fits(&function, &ranges, tier));
        // Sides that are too large for the one tier may fit the other.
        let tiers = match tier? {
            Tier::V16 => &[Tier::V16, Tier::V32][..],
            Tier::V32 => &[Tier::V32][..],
        };
        let layout = tiers.iter().find_map(|&tier| Layout::new(tier, &sides))?;
        Some(Self { function, layout })
    }

    /// Whether it is made for these resources.
    pub fn takes(resources: &[i64]) -> bool {
        let usual = RESOURCES.low..=RESOURCES.high;
        resources.iter().all(|value| usual.contains(value))
    }

    /// The same for these resources alone: other code, but the same draws. They lie in [`RESOURCES`].
    pub fn specialised(&self, resources: &[i64]) -> Self {
        let mut function = self.function.clone();
        specialise(&mut function, resources);
        for pass in Pass::PIPELINE {
            pass.run(&mut function);
        }
        Self {
            function,
            layout: self.layout.clone(),
        }
    }

    /// The intervals of its numbers.
    pub fn ranges(&self) -> Ranges {
        Ranges::within(&self.function, USUAL)
    }

    /// Its result.
    pub fn result(&self) -> Option<Value> {
        result(&self.function)
    }
}

/// The function as it is with the usual resources: with fewer checks.
fn assumed(function: &Function) -> Function {
    let mut function = function.clone();
    decide::decide(&mut function, USUAL);
    Pass::FOLD.run(&mut function);
    Pass::DCE.run(&mut function);
    function
}

fn result(function: &Function) -> Option<Value> {
    match function.blocks[function.entry()].terminator {
        Some(Terminator::Return(value)) if function.blocks.len() == 1 => Some(value),
        _ => None,
    }
}

/// The sides of the dice in draw order; `None` if there are none, or too many.
fn sides(function: &Function) -> Option<Vec<u32>> {
    let mut sides = Vec::new();
    let mut left = MOST_DICE;
    for inst in function.live_insts() {
        if let Imm::Dice {
            count,
            sides: of_each,
        } = function.insts[inst].imm
        {
            left = left.checked_sub(count)?;
            sides.extend(std::iter::repeat_n(of_each, count as usize));
        }
    }
    (!sides.is_empty()).then_some(sides)
}

/// Whether all that the function does can be done in lanes of this tier.
fn fits(function: &Function, ranges: &Ranges, tier: Tier) -> bool {
    let small = function.live_insts().count() <= MOST_INSTS;
    let lanes = |value: Value| match function.value_type(value) {
        Type::I64 => {
            let range = ranges.of(value);
            tier.holds(range.low, range.high)
        }
        Type::Bool => true,
        Type::F64 => false,
    };
    let mut insts = function.live_insts().map(|inst| &function.insts[inst]);
    small
        && result(function).is_some()
        && insts.all(|data| lanes(data.result) && has_vector_form(function, ranges, data))
}

fn has_vector_form(function: &Function, ranges: &Ranges, data: &InstData) -> bool {
    use Op::{
        Bconst, Btoi, IaddWrap, Iconst, Ieq, Ige, Igt, Ile, Ilt, Imax, Imin, ImulWrap, Ine,
        InegWrap, IsubWrap, Not, Packed, Pool, Resource, Select,
    };
    match data.op {
        Iconst | Bconst | Resource | IaddWrap | IsubWrap | ImulWrap | InegWrap | Imin | Imax
        | Ieq | Ine | Ilt | Ile | Igt | Ige | Btoi | Not | Select | Pool | Packed => true,
        Op::IdivPos => function.as_iconst(data.args[1]).is_some_and(|divisor| {
            let dividend = ranges.of(data.args[0]);
            Reciprocal::new(dividend, divisor).is_some()
        }),
        _ => false,
    }
}

/// Division by a constant, rounded down, as a multiplication in 32 bits: `((x + add) factor >> shift) - less`.
///
/// `add` is a multiple of the divisor `d` that makes every dividend 0 or more, and `less` the quotient of it. With `factor = ceil(2^shift / d)
/// = (2^shift + e) / d`, the product is `x / d + x e / (d 2^shift)`: above `x / d` by less than `1 / d`, as long as `x e < 2^shift`,
/// and so rounded down to the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reciprocal {
    /// Makes the dividend 0 or more, and at most 2^15 - 1.
    pub add: i64,
    /// A positive `i32`, as its product with all dividends is.
    pub factor: i64,
    /// At most 30.
    pub shift: u32,
    /// What `add` added to the quotient.
    pub less: i64,
}

impl Reciprocal {
    /// The reciprocal of `divisor`, where one serves all these dividends.
    pub fn new(dividend: Interval, divisor: i64) -> Option<Self> {
        let most = (1 << 15) - 1;
        if !(1..=most).contains(&divisor) || dividend.width() > 1 << 15 {
            return None;
        }
        let below = dividend.low.min(0).checked_neg()?;
        let less = below / divisor + i64::from(below % divisor > 0);
        let add = less.checked_mul(divisor)?;
        let highest = dividend.high.checked_add(add)?;
        if !(0..=most).contains(&highest) {
            return None;
        }
        (0..=30).find_map(|shift| {
            let power = 1_i64 << shift;
            let factor = (power + divisor - 1) / divisor;
            let error = factor * divisor - power;
            let exact = highest * error < power && factor * highest < 1 << 31;
            exact.then_some(Self {
                add,
                factor,
                shift,
                less,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reciprocals_divide_like_the_operation() {
        for (low, high) in [(0, 600), (-40, 25), (-1, 0), (-9000, 9000), (5, 32_767)] {
            for divisor in (1..70).chain([100, 999, 8191]) {
                let Some(by) = Reciprocal::new(Interval { low, high }, divisor) else {
                    assert!(high - low > 16_000, "{low}..={high} by {divisor}");
                    continue;
                };
                for x in low..=high {
                    let quotient = (((x + by.add) * by.factor) >> by.shift) - by.less;
                    assert_eq!(
                        quotient,
                        dicec_runtime::ops::idiv_pos(x, divisor),
                        "{x} / {divisor}"
                    );
                }
            }
        }
    }
}
