//! Dead code elimination: removes pure instructions and parameters without uses. An instruction
//! with an effect stays, because the generator's state is part of the meaning, and so does one that
//! may trap.

use super::params::remove;
use crate::ir::{Function, Op, Terminator, Value, ValueDef};
use cranelift_entity::SecondaryMap;

pub(super) fn dce(function: &mut Function) {
    remove_unused(function, Op::may_be_dropped);
}

/// Also removes unused dice. Only for fused sampling, where this preserves the distribution.
pub(super) fn drop_dice(function: &mut Function) {
    let drawn = |op| matches!(op, Op::Pool | Op::Packed | Op::Drawn | Op::Word);
    remove_unused(function, |op| op.may_be_dropped() || drawn(op));
}

fn remove_unused(function: &mut Function, may_be_dropped: impl Fn(Op) -> bool) {
    let used = used_values(function, &may_be_dropped);
    let insts = &function.insts;
    for block in function.blocks.values_mut() {
        block.insts.retain(|&inst| {
            let data = &insts[inst];
            !may_be_dropped(data.op) || used[data.result]
        });
    }
    // The parameters of the entry are those of the function.
    let entry = function.entry();
    let own: Vec<Value> = function.blocks[entry].params.clone();
    remove(function, |param| !used[param] && !own.contains(&param));
}

/// The values that the function's effects, branches and result depend on.
fn used_values(
    function: &Function,
    may_be_dropped: impl Fn(Op) -> bool,
) -> SecondaryMap<Value, bool> {
    // An argument is used if its parameter is.
    let mut passed: SecondaryMap<Value, Vec<Value>> = SecondaryMap::new();
    let mut pending = Vec::new();
    for block in function.blocks.values() {
        match &block.terminator {
            Some(Terminator::Branch { condition, .. }) => pending.push(*condition),
            Some(Terminator::Return(value)) => pending.push(*value),
            _ => {}
        }
        let targets = block.terminator.iter().flat_map(Terminator::targets);
        for target in targets {
            let params = &function.blocks[target.block].params;
            for (&param, &arg) in params.iter().zip(&target.args) {
                passed[param].push(arg);
            }
        }
    }
    for inst in function.live_insts() {
        let data = &function.insts[inst];
        if !may_be_dropped(data.op) {
            pending.extend(&data.args);
        }
    }
    let mut used = SecondaryMap::new();
    while let Some(value) = pending.pop() {
        if std::mem::replace(&mut used[value], true) {
            continue;
        }
        match function.values[value].1 {
            ValueDef::Param(_) => pending.extend(&passed[value]),
            ValueDef::Result(inst) => pending.extend(&function.insts[inst].args),
        }
    }
    used
}
