//! Numbers that may leave their lanes, but usually stay far inside, like hit points: range analysis
//! bounds them by what a trial of the greatest length could add, which no trial does. In lanes, a
//! loop *watches* such parameters: if one leaves a narrow interval in any lane, the group is left
//! to the evaluator. So all that is computed from them in an iteration fits.

use super::usual::usual;
use crate::analysis::{Given, Interval, Ranges, loop_heads};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Function, Type, Value};
use dicec_runtime::rng::lanes::LaneWidth;

/// The narrow intervals, as parts of a lane's numbers (1 / 2^shift), with how often what changes a
/// number may be executed before it leaves the interval. A wider one leaves no space for sums and
/// products of what is watched; a narrower one is left by more trials, and the evaluator is far
/// slower.
const NARROW: [(u32, u32); 3] = [(1, 100), (2, 50), (3, 25)];

/// Parameters of loops that a trial in lanes watches.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The parameters.
    pub params: Vec<Value>,
    /// Where they have to stay: from `-most` to `most - 1`.
    pub most: i64,
}

impl Default for Watched {
    /// Nothing.
    fn default() -> Self {
        Self {
            params: Vec::new(),
            most: 1,
        }
    }
}

impl Watched {
    /// The parameters that do not fit lanes of this width, but usually stay narrow; for each narrow
    /// interval, the widest first.
    pub(super) fn all<'f>(
        function: &'f Function,
        ranges: &'f Ranges,
        width: LaneWidth,
    ) -> impl Iterator<Item = Self> + 'f {
        NARROW.iter().map(move |&(shift, changes)| {
            let most = 1 << (width.bits() - 1 - shift);
            let given = Given {
                extras: changes,
                ..usual(changes)
            };
            let usual = Ranges::within(function, given);
            let heads = loop_heads(&ControlFlow::new(function)).into_iter();
            let params = heads.flat_map(|head| &function.blocks[head].params);
            let seldom = params.copied().filter(|&param| {
                let (all, usual) = (ranges.of(param), usual.of(param));
                function.value_type(param) == Type::I64
                    && !width.holds(all.low, all.high)
                    && (-most <= usual.low && usual.high < most)
            });
            Self {
                params: seldom.collect(),
                most,
            }
        })
    }

    /// The ranges of trials in which the parameters stay narrow.
    pub(super) fn ranges(&self, function: &Function, given: Given) -> Ranges {
        let narrow = Interval::new(-self.most, self.most - 1);
        let bounds = self.params.iter().map(|&param| (param, narrow));
        Ranges::bounded(function, given, bounds)
    }
}
