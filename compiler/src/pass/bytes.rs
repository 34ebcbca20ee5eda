//! Lanes of 8 bits: a group of twice as many trials. Numbers that do not fit take two vectors, so
//! this pays where most fit. Only relays try it: other trials have few numbers at once, and their
//! groups would wait for longer trials.
//!
//! ```text
//! VectorForm --in_bytes--> VectorForm of 8 bits, if it pays
//! ```
//!
//! Range analysis cannot bound numbers like hit points as narrowly. So it takes a guess, from a few
//! trials or from the range of open words, and kernels watch it ([`super::watched`]).

use super::seen::Seen;
use super::vector_form::{VectorForm, laid_out};
use crate::analysis::{Interval, passed_for};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Function, Op, Type, Value, ValueDef};
use dicec_runtime::rng::lanes::LaneWidth;
use rustc_hash::FxHashSet;

/// Where a watched number may have to stay: intervals of 2^7 numbers, with numbers that fit 8 bits
/// on both sides, as sums and differences are computed of what is watched. A number that does not
/// fit is the nearest one that does when it is watched, so neither end of 8 bits is in them.
const NEAR: [Interval; 4] = [near(-64), near(-32), near(-16), near(-1)];

const fn near(low: i64) -> Interval {
    Interval {
        low,
        high: low + 127,
    }
}

/// What numbers that fall from small open words are expected to be, whatever was seen: half of the
/// first interval, as they may get twice as far.
const SMALL: Interval = Interval { low: -32, high: 31 };

/// At least this many of the numbers of an iteration have to fit for each one that does not.
const MIN_FITTING: usize = 2;

impl VectorForm {
    /// Whether lanes of 8 bits are worth a try.
    pub fn may_fit_bytes(&self) -> bool {
        self.width == LaneWidth::V16 && self.relay.is_some()
    }

    /// The same trials in lanes of 8 bits, if they relay; they draw other words. `seen` is what a
    /// few trials did.
    pub fn in_bytes(&self, seen: &Seen) -> Option<Self> {
        if !self.may_fit_bytes() {
            return None;
        }
        self.watching(seen.params.iter().copied())
    }

    /// The same for a form with small open words, of which `seen` has some: only numbers that fall
    /// from such a word, as hit points do, are watched. How far a total rises depends on the words,
    /// which are not known.
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

    /// In lanes of 8 bits, with these parameters watched around what they are expected to be, as
    /// far as they do not always fit.
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

    /// Whether most numbers of the loop in which lanes relay fit lanes of 8 bits.
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

/// The interval in which to watch a number that is in `range`, if one leaves enough room around
/// what is `expected`: it may get twice as far from 0.
fn nearest(range: Interval, expected: Interval) -> Option<Interval> {
    let low = expected.low.min(0).saturating_mul(2).max(range.low);
    let high = expected.high.max(0).saturating_mul(2).min(range.high);
    let mut near = NEAR.iter().copied();
    near.find(|near| near.low <= low && high <= near.high)
}

/// Whether what paths pass for a parameter is an open word on one of them.
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
