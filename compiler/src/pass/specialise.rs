//! Specialisation: resources whose values are known become constants.

use crate::ir::{Function, Imm, Op};

/// Puts `values`, one a slot, in the place of the resources. Slots beyond its end stay resources.
pub fn specialise(function: &mut Function, values: &[i64]) {
    for inst in function.insts.values_mut() {
        if let (Op::Resource, Imm::Slot(slot)) = (inst.op, inst.imm)
            && let Some(&value) = values.get(slot as usize)
        {
            inst.op = Op::Iconst;
            inst.imm = Imm::Int(value);
        }
    }
}
