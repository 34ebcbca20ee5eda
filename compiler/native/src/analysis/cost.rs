//! A cost model of trials: fused sampling uses it to choose between lanes and tables.
//!
//! Costs are in hundredths of a nanosecond, measured in one run on one quiet core
//! (docs/decisions/003-tables-of-exact-distributions.md has figures). Only their ratios matter: a
//! rule for which both choices cost about the same is as fast with either.

use crate::ir::{Function, Imm, InstData, Op};
use dicec_runtime::rng::draw::dice_per_word;
use dicec_runtime::rng::lanes::LaneWidth;

/// A draw from a table, however many dice it replaces: `100d6` takes 1.86 ns.
pub(crate) const DRAWN: u64 = 190;

/// A die that shares its word with others of its pool.
const PACKED_DIE: u64 = 50;

/// Fifteen dice that share words. In scripts, a cheaper subexpression is not fused into a draw: the
/// other dice of its block would have fewer dice to share words with.
pub(crate) const MANY_DICE: u64 = 15 * PACKED_DIE;

/// A die with a word of its own.
const LONE_DIE: u64 = 100;

/// A call of the runtime, for a step on a pool.
const STEP: u64 = 3000;

/// Any other operation.
const OPERATION: u64 = 30;

/// A die in 16-bit lanes: `16d6` takes 1.35 times as long as `100d6` from its table, `15d20` 1.4
/// times.
const DIE_IN_LANES: u64 = 17;

/// Any other operation in lanes: `10d10kh5` with its sorting network takes 3.0 ns, `10d10 count>=8`
/// 1.1 times as long as a table.
const OPERATION_IN_LANES: u64 = 2;

/// An instruction of scalar code; pools share words where they can.
pub(crate) fn scalar(data: &InstData) -> u64 {
    match (data.op, data.imm) {
        (Op::Pool | Op::Packed, Imm::Dice { count, sides }) => {
            let shares = count >= 2 && dice_per_word(sides) >= 2;
            u64::from(count) * if shares { PACKED_DIE } else { LONE_DIE }
        }
        (Op::Drawn, _) => DRAWN,
        (_, Imm::Step(..)) => STEP,
        _ if data.args.is_empty() => 0,
        _ => OPERATION,
    }
}

/// A trial of scalar code; a loop counts as one iteration, and both arms of a branch count.
pub(crate) fn trial(function: &Function) -> u64 {
    let insts = function.live_insts();
    insts.map(|inst| scalar(&function.insts[inst])).sum()
}

/// A trial in lanes.
pub(crate) fn trial_in_lanes(function: &Function, width: LaneWidth) -> u64 {
    let insts = function.live_insts().map(|inst| &function.insts[inst]);
    let cost = |data: &InstData| match data.imm {
        Imm::Dice { count, .. } => u64::from(count) * DIE_IN_LANES,
        _ if data.args.is_empty() => 0,
        _ => OPERATION_IN_LANES,
    };
    let cost: u64 = insts.map(cost).sum();
    // Those of 16 bits cost 1 each.
    cost * u64::from(width.bits()) / 16
}
