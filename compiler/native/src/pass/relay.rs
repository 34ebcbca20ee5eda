//! Lane refill, here called a *relay*: each lane runs trials of different length one after the
//! other.
//!
//! Otherwise a group of lanes waits for its longest trial. If a trial is mostly one loop (a fight,
//! a walk), a lane whose trial leaves that loop ends it and begins the next one, while the other
//! lanes go on. Each lane runs the same number of trials: counting the first trials that end would
//! favour short ones.

use crate::analysis::{Part, Region, Uniform};
use crate::ir::cfg::successors;
use crate::ir::{Block, Function, Imm, Op, Terminator};
use rustc_hash::FxHashSet;

/// The minimum ratio between the cost of an iteration and that of ending a trial in any lane. Below
/// it (a game of single dice), a relay is slower than waiting.
const MIN_RATIO: u64 = 1;

/// The fixed cost of ending a trial and beginning another one, besides the code outside of the
/// loop.
const REFILL: u64 = 64;

/// The maximum fuel of all blocks together: 16-bit lanes count the fuel of an iteration.
const MAX_FUEL: i64 = 1 << 12;

/// The weight of an iteration of a nested loop, and that of a die.
const ITERATIONS: u64 = 8;
const DIE: u64 = 10;

/// The index of the part of the outermost region in which lanes can refill: a loop.
pub(super) fn possible(function: &Function, region: &Region) -> Option<usize> {
    if fuel_of(function) > MAX_FUEL {
        return None;
    }
    let uniform = Uniform::of(function, region, None);
    let loops = region.parts.iter().enumerate().filter_map(|(place, part)| {
        let Part::Loop(inner) = part else { return None };
        let fits = is_only_way(function, region, place) && !uniform.leave_together(function, inner);
        fits.then(|| (place, cost(function, inner)))
    });
    let longest = loops.max_by_key(|&(_, cost)| cost);
    longest.map(|(place, _)| place)
}

/// Whether a relay in the loop at this index is faster than waiting for the longest trial.
pub(super) fn pays(function: &Function, region: &Region, place: usize) -> bool {
    let Some(Part::Loop(inner)) = region.parts.get(place) else {
        return false;
    };
    let inner = cost(function, inner);
    let outside = cost(function, region) - inner * ITERATIONS;
    inner >= MIN_RATIO * (outside + REFILL)
}

/// The approximate cost of executing the blocks of a region.
fn cost(function: &Function, region: &Region) -> u64 {
    let own = region
        .blocks()
        .flat_map(|block| &function.blocks[block].insts);
    let own = own.map(
        |&inst| match (function.insts[inst].op, function.insts[inst].imm) {
            (Op::Fuel | Op::Burn, _) => 0,
            (_, Imm::Dice { count, .. }) => DIE * u64::from(count),
            _ => 1,
        },
    );
    let inner = region.loops();
    let inner = inner.map(|inner| ITERATIONS * cost(function, inner));
    own.chain(inner).sum()
}

/// Whether all trials reach the loop at this index before anything after it.
fn is_only_way(function: &Function, region: &Region, place: usize) -> bool {
    let after = region.parts.iter().skip(place + 1).filter_map(Part::first);
    let after: FxHashSet<Block> = after.collect();
    let header = region.parts[place].first();
    let mut seen = FxHashSet::default();
    let mut pending = vec![function.entry()];
    while let Some(block) = pending.pop() {
        let returns = matches!(
            function.blocks[block].terminator,
            Some(Terminator::Return(_))
        );
        if returns || after.contains(&block) {
            return false;
        }
        let next = successors(function, block).filter(|&next| Some(next) != header);
        pending.extend(next.filter(|&next| seen.insert(next)));
    }
    true
}

/// The fuel of all blocks together.
fn fuel_of(function: &Function) -> i64 {
    let burned = function.live_insts().map(|inst| {
        let data = &function.insts[inst];
        match (data.op, data.imm) {
            (Op::Fuel | Op::Burn, Imm::Int(units)) => units,
            _ => 0,
        }
    });
    burned.fold(0, i64::saturating_add)
}
