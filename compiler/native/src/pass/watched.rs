//! Guarded intervals, here called *watched*: numbers that may exceed their lanes, but usually stay
//! far inside, such as hit points. Range analysis bounds them by the sum over the longest possible
//! trial, which no trial reaches. In lanes, a loop guards such parameters: if one leaves a narrow
//! interval in any lane, the group is left to the evaluator. So everything computed from them in an
//! iteration fits.

use crate::analysis::{Given, Interval, Ranges, loop_heads};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Function, Module, OpenRange, Type, Value};
use dicec_runtime::rng::lanes::LaneWidth;

/// The narrow intervals, as fractions of a lane's range (1 / 2^shift), each with the maximum number
/// of changes of a number that it allows for. A wider interval leaves no room for sums and products
/// of guarded numbers; more trials leave a narrower one, and the evaluator is far slower.
const NARROW: [(u32, u32); 3] = [(1, 100), (2, 50), (3, 25)];

/// Another one for small open words: each of them can be 63, but rarely all of them are.
const NARROW_OF_SMALL: (u32, u32) = (1, 25);

/// The guarded parameters of loops with their intervals. The length of an interval is a power of
/// two: 2^7 for 8-bit lanes, otherwise the same for all.
#[derive(Clone, Debug, Default)]
pub struct Watched(pub Vec<(Value, Interval)>);

impl Watched {
    /// The parameters that do not fit lanes of this width under these assumptions, but usually stay
    /// narrow; one result for each narrow interval, the widest first.
    pub(super) fn all<'m>(
        module: &'m Module,
        (ranges, given): (&'m Ranges, Given),
        width: LaneWidth,
    ) -> impl Iterator<Item = Self> + 'm {
        let is_small = module.tables.open.range == OpenRange::Small;
        let tries = NARROW
            .into_iter()
            .chain(is_small.then_some(NARROW_OF_SMALL));
        let function = module.trial();
        tries.map(move |(shift, changes)| {
            let most = 1 << (width.bits() - 1 - shift);
            let few = Given {
                extras: changes,
                fuel: changes,
                ..given
            };
            let usual = Ranges::within(function, few);
            let heads = loop_heads(&ControlFlow::new(function)).into_iter();
            let params = heads.flat_map(|head| &function.blocks[head].params);
            let seldom = params.copied().filter(|&param| {
                let (all, usual) = (ranges.of(param), usual.of(param));
                function.value_type(param) == Type::I64
                    && !width.holds(all.low, all.high)
                    && (-most <= usual.low && usual.high < most)
            });
            let narrow = Interval::new(-most, most - 1);
            Self(seldom.map(|param| (param, narrow)).collect())
        })
    }

    /// The guarded interval of a parameter, if it has one.
    pub fn interval(&self, param: Value) -> Option<Interval> {
        let mut watched = self.0.iter();
        watched.find_map(|&(known, interval)| (known == param).then_some(interval))
    }

    /// The ranges of trials in which the guards hold.
    pub(super) fn ranges(&self, function: &Function, given: Given) -> Ranges {
        Ranges::bounded(function, given, self.0.iter().copied())
    }
}
