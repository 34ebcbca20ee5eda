//! Dead code: removes pure instructions that nothing uses. One with an effect stays, because the generator's state is part
//! of the meaning, and so does one that may trap.

use crate::ir::{Function, Value};
use cranelift_entity::SecondaryMap;

pub(super) fn dce(function: &mut Function) {
    let used = used_values(function);
    let insts = &function.insts;
    for block in function.blocks.values_mut() {
        block.insts.retain(|&inst| {
            let data = &insts[inst];
            !data.op.may_be_dropped() || used[data.result]
        });
    }
}

/// The values that the function's effects and its result depend on.
fn used_values(function: &Function) -> SecondaryMap<Value, bool> {
    let mut pending = Vec::new();
    for block in function.blocks.values() {
        if let Some(mut terminator) = block.terminator.clone() {
            terminator.for_each_use(|&mut value| pending.push(value));
        }
    }
    for inst in function.live_insts() {
        let data = &function.insts[inst];
        if !data.op.may_be_dropped() {
            pending.extend(&data.args);
        }
    }
    let mut used = SecondaryMap::new();
    while let Some(value) = pending.pop() {
        if !std::mem::replace(&mut used[value], true)
            && let Some(data) = function.def(value)
        {
            pending.extend(&data.args);
        }
    }
    used
}
