//! Removes fuel that cannot run out: a trial without loops and calls burns at most the sum of its
//! `fuel` and `burn` instructions.

use crate::ir::cfg::ControlFlow;
use crate::ir::{Imm, Module, Op};
use dicec_runtime::limits::{MAX_TEXT, join_cost};

/// Removes these instructions if there is always enough.
pub(super) fn fuel(module: &mut Module) {
    let limit = module.tables.limits.fuel;
    let one = module.functions.len() == 1;
    let Some(trial) = module.functions.values_mut().next().filter(|_| one) else {
        return;
    };
    let graph = ControlFlow::new(trial);
    if graph.has_loops() {
        return;
    }
    let burnt = trial.live_insts().map(|inst| {
        let data = &trial.insts[inst];
        match (data.op, data.imm) {
            (Op::Fuel | Op::Burn, Imm::Int(units)) => units,
            (Op::TextJoin, Imm::Int(values)) => {
                let most = join_cost(values.unsigned_abs(), MAX_TEXT);
                i64::try_from(most).unwrap_or(i64::MAX)
            }
            // Each of its words burns, and there may be any number of them.
            (Op::ShiftDown | Op::ShiftUp, _) => i64::MAX,
            _ => 0,
        }
    });
    if burnt.fold(0, i64::saturating_add) > limit.into() {
        return;
    }
    let insts = &trial.insts;
    for block in trial.blocks.values_mut() {
        block
            .insts
            .retain(|&inst| !matches!(insts[inst].op, Op::Fuel | Op::Burn));
    }
    trial.compact();
}
