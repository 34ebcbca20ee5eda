//! Specialisation: resources whose values are known become constants.

use super::contract::Pass;
use super::rewrites::Rewrites;
use crate::ir::{Imm, Module, Op};

/// Replaces the resources of a rule by `values`, one per slot, and optimises the rule again. Slots
/// beyond the end of `values` stay resources. Its draws stay as they are.
pub fn specialise(module: &mut Module, values: &[i64], rewrites: &mut Rewrites<'_>) {
    rewrites.known.resources = values.to_vec();
    rewrites.run(Pass::SPECIALISE, module);
    rewrites.run_all(&Pass::PIPELINE, module);
}

/// Replaces the resources of a rule by these.
pub(super) fn replace(module: &mut Module, values: &[i64]) {
    for inst in module.trial_mut().insts.values_mut() {
        if let (Op::Resource, Imm::Slot(slot)) = (inst.op, inst.imm)
            && let Some(&value) = values.get(slot as usize)
        {
            inst.op = Op::Iconst;
            inst.imm = Imm::Int(value);
        }
    }
}
