//! Pools in native code: each step is one call of the runtime, so that the meaning of a step is
//! written only once.
//!
//! The generator lives in registers between calls: a step that draws loads its state from the
//! context and stores it there.

use super::state::Emitter;
use crate::ir::{self, Inst, Op};
use cranelift::codegen::ir as clif;
use cranelift::frontend::FunctionBuilder;
use cranelift::prelude::{AbiParam, InstBuilder, Signature, types};
use dicec_runtime::abi::call;
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
        self.steps.push(self.source.step(self.func, pool, step));
        let draws = draws(step);
        if draws {
            self.store_generator();
        }
        let number = self.builder.ins().iconst(types::I64, number as i64);
        let result = self.runtime_at(call::step, number, numbers);
        if draws {
            self.load_generator();
        }
        if Op::of_step(step).info().traps {
            self.check_call(inst);
        }
        result
    }

    /// [`call_runtime`] from here.
    pub(super) fn runtime_at(
        &mut self,
        function: call::Call,
        number: clif::Value,
        args: &[clif::Value],
    ) -> clif::Value {
        call_runtime(&mut self.builder, self.context, function, number, args)
    }
}

/// Calls the runtime, by address, which lives as long as the process does, with up to three
/// numbers.
pub(super) fn call_runtime(
    b: &mut FunctionBuilder<'_>,
    context: clif::Value,
    function: call::Call,
    number: clif::Value,
    args: &[clif::Value],
) -> clif::Value {
    let pointer = b.func.dfg.value_type(context);
    let mut signature = Signature::new(b.func.signature.call_conv);
    let params = [pointer, types::I64, types::I64, types::I64];
    signature.params.extend(params.map(AbiParam::new));
    signature.returns.push(AbiParam::new(types::I64));
    let signature = b.import_signature(signature);
    let address = b.ins().iconst(pointer, function as usize as i64);
    let zero = b.ins().iconst(types::I64, 0);
    let [first, second] = [0, 1].map(|index| args.get(index).copied().unwrap_or(zero));
    let args = [context, number, first, second];
    let call = b.ins().call_indirect(signature, address, &args);
    b.inst_results(call)[0]
}

/// Whether a step may take words from the generator.
fn draws(step: Step) -> bool {
    matches!(
        step,
        Step::Draw | Step::Explode { .. } | Step::Reroll { .. }
    )
}
