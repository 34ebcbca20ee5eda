//! Narrows a form with 16-bit lanes to 8-bit lanes: a group has twice as many trials. Values that
//! do not fit take two vectors, so this pays only if most of them fit. Only forms with lane refill
//! ([`super::relay`]) are narrowed: other trials have few live values at once, and a larger group
//! waits for longer trials.
//!
//! ```text
//! VectorForm --in_bytes--> VectorForm of 8 bits, if it pays
//! ```
//!
//! Range analysis cannot bound numbers such as hit points this tightly. So the intervals are
//! speculative, chosen from sample trials or from the range of the free parameters (open words),
//! and kernels guard them ([`super::watched`]).

use super::seen::Seen;
use super::vector_form::{VectorForm, laid_out};
use crate::analysis::{Interval, passed_for};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Function, Op, Type, Value, ValueDef};
use dicec_runtime::rng::lanes::LaneWidth;
use rustc_hash::FxHashSet;

/// The possible guarded intervals: 2^7 numbers, with room on both sides for sums and differences
/// that still fit 8 bits. A guard sees a number that does not fit as the nearest one that does, so
/// the intervals contain neither end of the 8-bit range.
const NEAR: [Interval; 4] = [near(-64), near(-32), near(-16), near(-1)];

const fn near(low: i64) -> Interval {
    Interval {
        low,
        high: low + 127,
    }
}

/// The expected range of numbers that only decrease from small open words, whatever the profile
/// says: half of the first interval, because they may get twice as far.
const SMALL: Interval = Interval { low: -32, high: 31 };

/// The minimum ratio of numbers in an iteration that fit to those that do not.
const MIN_FITTING: usize = 2;

impl VectorForm {
    /// Whether 8-bit lanes are worth trying.
    pub fn may_fit_bytes(&self) -> bool {
        self.width == LaneWidth::V16 && self.relay.is_some()
    }

    /// The same trials in 8-bit lanes, if lanes refill; they draw other words. `seen` is a profile.
    pub fn in_bytes(&self, seen: &Seen) -> Option<Self> {
        if !self.may_fit_bytes() {
            return None;
        }
        self.watching(seen.params.iter().copied())
    }

    /// The same for a form with small open words, of which the profile `seen` has some values: only
    /// numbers that decrease from such a word, as hit points do, are guarded. The growth of a total
    /// depends on the words, which are not known.
    pub fn in_bytes_of_small(&self, seen: &Seen) -> Option<Self> {
        if !self.may_fit_bytes() {
            return None;
        }
        let (function, ranges) = (self.function(), self.lane_ranges());
        let graph = ControlFlow::new(function);
        let falls = |param| {
            let highest = ranges.of(param).high;
            LaneWidth::V8.holds(0, highest.max(0)) && begins_open(function, &graph, param)
        };
        let params = seen.params.iter().filter(|&&(param, _)| falls(param));
        self.watching(params.map(|&(param, seen)| (param, seen.join(SMALL))))
    }

    /// The form in 8-bit lanes, with guards on those of these parameters that do not always fit.
    fn watching(&self, expected: impl Iterator<Item = (Value, Interval)>) -> Option<Self> {
        let (function, ranges) = (self.function(), self.lane_ranges());
        let mut watched = self.watched.clone();
        for (param, expected) in expected {
            let range = ranges.of(param);
            if LaneWidth::V8.holds(range.low, range.high) {
                continue;
            }
            if let Some(near) = nearest(range, expected) {
                watched.0.retain(|&(known, _)| known != param);
                watched.0.push((param, near));
            }
        }
        Some(Self {
            width: LaneWidth::V8,
            region: laid_out(&self.region, function, LaneWidth::V8, false)?,
            watched,
            ..self.clone()
        })
    }

    /// Whether most numbers of the loop with lane refill fit 8-bit lanes.
    pub fn is_worth_bytes(&self) -> bool {
        let (function, ranges) = (self.function(), self.lane_ranges());
        let Some(region) = self.relay_region() else {
            return false;
        };
        let used = function.used(|_| true);
        let (mut fitting, mut others) = (0, 0);
        region.for_each_block(&mut |block| {
            let data = &function.blocks[block];
            let results = data.insts.iter().map(|&inst| function.insts[inst].result);
            for value in results.chain(data.params.iter().copied()) {
                let range = ranges.of(value);
                let is_number = function.value_type(value) == Type::I64 && used[value];
                match !is_number || LaneWidth::V8.holds(range.low, range.high) {
                    true => fitting += 1,
                    false => others += 1,
                }
            }
        });
        fitting >= MIN_FITTING * others
    }
}

/// The guarded interval for a number in `range` that leaves enough room around the `expected`
/// interval: the number may get twice as far from 0.
fn nearest(range: Interval, expected: Interval) -> Option<Interval> {
    let low = expected.low.min(0).saturating_mul(2).max(range.low);
    let high = expected.high.max(0).saturating_mul(2).min(range.high);
    let mut near = NEAR.iter().copied();
    near.find(|near| near.low <= low && high <= near.high)
}

/// Whether an incoming value of a parameter is an open word.
fn begins_open(function: &Function, graph: &ControlFlow, param: Value) -> bool {
    let mut seen = FxHashSet::default();
    let mut pending = vec![param];
    while let Some(value) = pending.pop() {
        if !seen.insert(value) {
            continue;
        }
        match function.values[value].1 {
            ValueDef::Result(inst) if function.insts[inst].op == Op::Resource => return true,
            ValueDef::Result(_) => {}
            ValueDef::Param(block) => pending.extend(passed_for(function, graph, block, value)),
        }
    }
    false
}
