//! Sentinels: numbers that represent "none yet", such as the 2^63 - 1 or the 9999 with which a
//! search for a minimum begins. Most of them are too large for lanes.
//!
//! A sentinel flows into merges (selects, parameters, minima and maxima), and through them into
//! others. If these merges are only compared, only the order of their numbers matters: a sentinel
//! above every other number that reaches them or is compared with them may be any other such
//! number. This pass takes the least one; for a sentinel below everything, the greatest.

use super::merges::Uses;
use crate::analysis::{Given, Ranges};
use crate::ir::{Function, Imm, Op, Type, Value};
use rustc_hash::FxHashSet;

/// Numbers at least this far from 0 are replaced.
const FAR: i64 = 1 << 12;

/// Replaces the sentinels of a function.
pub(super) fn narrow(function: &mut Function, given: Given) {
    let constants = function.live_insts().filter_map(|inst| {
        let number = function.as_iconst(function.insts[inst].result)?;
        (!(-FAR..FAR).contains(&number)).then_some(number)
    });
    let mut far: Vec<i64> = constants.collect();
    far.sort_unstable();
    far.dedup();
    for sentinel in far {
        let ranges = close_ranges(function, given);
        for flow in Flow::all(function, sentinel) {
            if let Some(number) = flow.nearer(function, &ranges) {
                flow.replace(function, number);
            }
        }
    }
}

/// Ranges without self-sustaining widening: the analysis starts again from the bounds that it
/// found.
fn close_ranges(function: &Function, given: Given) -> Ranges {
    let wide = Ranges::within(function, given);
    let params = function.blocks.values().flat_map(|block| &block.params);
    let whole = params.filter(|&&param| function.value_type(param) == Type::I64);
    let bounds = whole.map(|&param| (param, wide.of(param)));
    Ranges::bounded(function, given, bounds)
}

/// The merges that a sentinel reaches together.
struct Flow {
    sentinel: i64,
    merges: FxHashSet<Value>,
}

impl Flow {
    /// The flows of a sentinel; merges that pass it to each other are in one flow.
    fn all(function: &Function, sentinel: i64) -> Vec<Self> {
        let passed = Uses::of(function).passed;
        let begins = passed.iter().filter_map(|&(merge, arg, _)| {
            let is_sentinel = function.as_iconst(arg) == Some(sentinel);
            is_sentinel.then_some(merge)
        });
        let mut reached: FxHashSet<Value> = FxHashSet::default();
        let mut pending: Vec<Value> = begins.collect();
        while let Some(value) = pending.pop() {
            if reached.insert(value) {
                let next = passed.iter().filter(|&&(_, arg, _)| arg == value);
                pending.extend(next.map(|&(merge, ..)| merge));
            }
        }
        // Merges that pass it to each other, in both directions.
        let mut flows = Vec::new();
        let mut left = reached;
        for &(begin, ..) in &passed {
            let mut merges = FxHashSet::default();
            let mut pending = vec![begin];
            while let Some(value) = pending.pop() {
                if left.remove(&value) {
                    merges.insert(value);
                    let next = passed.iter().filter_map(|&(merge, arg, _)| match value {
                        _ if merge == value => Some(arg),
                        _ if arg == value => Some(merge),
                        _ => None,
                    });
                    pending.extend(next);
                }
            }
            if !merges.is_empty() {
                flows.push(Self { sentinel, merges });
            }
        }
        flows
    }

    /// The number that may replace the sentinel.
    fn nearer(&self, function: &Function, ranges: &Ranges) -> Option<i64> {
        let uses = Uses::of(function);
        if uses.others.iter().any(|value| self.merges.contains(value)) {
            return None;
        }
        let passed = uses
            .passed
            .iter()
            .filter(|(merge, ..)| self.merges.contains(merge));
        let compared = uses
            .compared
            .iter()
            .filter(|(value, ..)| self.merges.contains(value));
        let met = passed
            .chain(compared)
            .map(|&(_, other, _)| other)
            .filter(|&other| {
                function.as_iconst(other) != Some(self.sentinel) && !self.merges.contains(&other)
            });
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        for other in met {
            let range = ranges.of(other);
            (low, high) = (low.min(range.low), high.max(range.high));
        }
        let nearer = if high < self.sentinel {
            high.checked_add(1)?
        } else if low > self.sentinel {
            low.checked_sub(1)?
        } else {
            return None;
        };
        (nearer != self.sentinel).then_some(nearer)
    }

    /// Replaces the sentinel by the number.
    fn replace(&self, function: &mut Function, number: i64) {
        let uses = Uses::of(function);
        let constant = function.begin_with(function.entry(), Op::Iconst, Imm::Int(number));
        for (value, other, site) in uses.passed.into_iter().chain(uses.compared) {
            if !self.merges.contains(&value) || function.as_iconst(other) != Some(self.sentinel) {
                continue;
            }
            site.replace(function, other, constant);
        }
    }
}
