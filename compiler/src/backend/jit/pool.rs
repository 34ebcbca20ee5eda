//! Pools in native code: a call of the runtime a step, so that what a step means is written once.
//!
//! The generator lives in registers between calls: a step that draws finds its state in the context and leaves it there.

use super::emit::{Emitter, at, trusted};
use crate::ir::{self, Inst, Op};
use cranelift::codegen::ir as clif;
use cranelift::prelude::{AbiParam, InstBuilder, Signature, types};
use dicec_runtime::abi::{PoolStep, call, offset};
use dicec_runtime::pool::Step;

impl Emitter<'_, '_> {
    /// Takes a step on a pool, with up to two numbers.
    pub(super) fn step(
        &mut self,
        pool: ir::Pool,
        step: Step,
        numbers: &[clif::Value],
        inst: Inst,
    ) -> clif::Value {
        let number = self.steps.len();
        self.steps.push(PoolStep {
            pool: pool.as_u32(),
            step,
        });
        let draws = draws(step);
        if draws {
            self.store_generator();
        }
        let result = self.call_step(number, numbers);
        if draws {
            self.load_generator();
        }
        if Op::of_step(step).info().traps {
            let status = offset::STEP_STATUS;
            let ins = self.builder.ins();
            let status = ins.load(types::I32, trusted(), self.context, at(status));
            self.trap_if_with(status, status, inst);
        }
        result
    }

    fn call_step(&mut self, number: usize, numbers: &[clif::Value]) -> clif::Value {
        let function: call::StepCall = call::step;
        let b = &mut self.builder;
        let pointer = b.func.dfg.value_type(self.context);
        let mut signature = Signature::new(b.func.signature.call_conv);
        let params = [pointer, types::I64, types::I64, types::I64];
        signature.params.extend(params.map(AbiParam::new));
        signature.returns.push(AbiParam::new(types::I64));
        let signature = b.import_signature(signature);
        let address = b.ins().iconst(pointer, function as usize as i64);
        let number = b.ins().iconst(types::I64, number as i64);
        let zero = b.ins().iconst(types::I64, 0);
        let [first, second] = [0, 1].map(|index| numbers.get(index).copied().unwrap_or(zero));
        let args = [self.context, number, first, second];
        let call = b.ins().call_indirect(signature, address, &args);
        b.inst_results(call)[0]
    }

    /// Takes the generator's state back from what was called.
    fn load_generator(&mut self) {
        let b = &mut self.builder;
        for (word, variable) in self.state.into_iter().enumerate() {
            let place = at(offset::STATE + word * size_of::<u64>());
            let value = b.ins().load(types::I64, trusted(), self.context, place);
            b.def_var(variable, value);
        }
    }
}

/// Whether a step may take words from the generator.
fn draws(step: Step) -> bool {
    matches!(
        step,
        Step::Draw | Step::Explode { .. } | Step::Reroll { .. }
    )
}
