//! Scripts on their way to native code: the module of one trial, and what its kernels are given.

use super::BoundScript;
use crate::engine::interp::InterpKernel;
use crate::ir::{Module, verify};
use crate::lower::{Arguments, lower, lower_for};
use crate::pass::{VectorForm, optimise, share_words};
use crate::program::simulate::Sampling;
use dicec_runtime::kernel::Sink;
use std::sync::Arc;

impl BoundScript<'_> {
    /// The module of one trial, as it is lowered.
    pub fn lowered(&self) -> Module {
        let module = lower(
            self.script.hir(),
            self.roll.function,
            &self.policies,
            self.script.roll_limits(),
            self.script.limits(),
        );
        debug_assert_eq!(verify(&module), Ok(()), "after lowering:\n{module}");
        module
    }

    /// The module as a back end runs it, with the draws of `sampling`.
    pub fn optimised(&self, sampling: Sampling) -> Module {
        let mut module = self.lowered();
        optimise(&mut module, sampling);
        module
    }

    /// The module for these arguments alone, and the image that its kernels are given: faster than the one for any arguments. With faithful
    /// sampling it draws the same words; with fused sampling its dice share them.
    pub fn specialised(&self, sampling: Sampling) -> (Module, Vec<i64>) {
        let (mut module, image) = self.specialised_pools(sampling);
        if sampling == Sampling::Fused {
            share_words(&mut module);
        }
        (module, image)
    }

    /// [`BoundScript::specialised`] while its dice are still pools of their own: what a vector form is made of.
    pub fn specialised_pools(&self, sampling: Sampling) -> (Module, Vec<i64>) {
        let known = lower_for(
            self.script.hir(),
            self.roll.function,
            &self.policies,
            (self.script.roll_limits(), self.script.limits()),
            (&self.args, &self.resources),
        );
        // The arguments are of the roll's types.
        let Some((mut module, image)) = known else {
            return (self.optimised(sampling), Vec::new());
        };
        debug_assert_eq!(verify(&module), Ok(()), "after lowering:\n{module}");
        optimise(&mut module, sampling);
        (module, image)
    }

    /// The trial as fused sampling runs it in lanes, if it can be with these arguments, and the image that its kernels are given.
    pub fn vector_form(&self) -> Option<(VectorForm, Vec<i64>)> {
        let (module, image) = self.specialised_pools(Sampling::Fused);
        Some((VectorForm::new(&module)?, image))
    }

    /// The arguments and resources as kernels of `module` are given them, which is one of this roll.
    pub fn image(&self, module: &Module) -> Vec<i64> {
        let image = Arguments::new(module).image(&self.args, &self.resources);
        // The arguments are of the roll's types, so there is one.
        image.unwrap_or_default()
    }

    /// The interpreter as a kernel; its resources are [`BoundScript::resources`].
    pub fn interpreter_kernel(&self) -> InterpKernel {
        InterpKernel {
            module: Arc::clone(self.script.hir()),
            function: self.roll.function,
            args: self.args.as_slice().into(),
            policies: self.policies.as_slice().into(),
            rolls: self.script.roll_limits(),
            limits: self.script.limits(),
            sink: Sink::Values,
        }
    }

    /// The values of the script's resources, one a slot.
    pub fn resources(&self) -> &[i64] {
        &self.resources
    }
}
