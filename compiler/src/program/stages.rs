//! The stages of compilation, each computed once per roll and policies of simulated players:
//! lowered, optimised, fused, vector form, and the kernels for any arguments.

use super::bind::Bound;
use super::cache::Optimised;
use super::each_rewrite::EachRewrite;
use super::failure::Failure;
use super::patterns::Pattern;
use dicec_lang::interp::InterpKernel;
use dicec_native::eval::seen_in_trials;
use dicec_native::ir::{Module, OpenRange, OpenWords, verify};
use dicec_native::lower;
use dicec_native::pass::{
    NoLanes, Obstacle, RESOURCES, Rewrites, Sampling, Switches, VectorForm, optimise, share_words,
    specialise,
};
use dicec_runtime::bug;
use dicec_runtime::kernel::{Kernel, Sink};
use std::sync::Arc;

/// The code of fused simulations: lanes, or else scalar code.
pub(super) type Simulated = Result<VectorForm, Box<Module>>;

#[doc(hidden)]
impl Bound {
    /// The module of one trial, as it is lowered.
    pub fn lowered(&self) -> &Arc<Module> {
        self.stages().lowered.get_or_init(|| {
            let program = self.program();
            let module = lower::lower(
                program.hir(),
                self.definition().function_id(),
                self.policies(),
                program.limits().roll,
                program.trial_limits(),
            );
            debug_assert_eq!(verify(&module), Ok(()), "after lowering:\n{module}");
            Arc::new(module)
        })
    }

    /// The module as a back end runs it for any arguments and resources, with the draws of
    /// `sampling`.
    pub fn optimised(&self, sampling: Sampling) -> &Arc<Module> {
        &self.optimised_stage(sampling).module
    }

    fn optimised_stage(&self, sampling: Sampling) -> &Optimised {
        let stages = self.stages();
        let stage = match sampling {
            Sampling::Faithful => &stages.faithful,
            Sampling::Fused => &stages.fused,
        };
        stage.get_or_init(|| {
            let mut rewrites = self.rewrites();
            let mut module = Module::clone(self.lowered());
            optimise(&mut module, sampling, &mut rewrites);
            Optimised {
                module: Arc::new(module),
                left: rewrites.left(),
            }
        })
    }

    /// The rewrites that the program allows.
    pub(super) fn rewrites(&self) -> Rewrites<'static> {
        self.checked(self.program().switches())
    }

    /// Rewrites, checked in debug builds ([`EachRewrite`]).
    fn checked(&self, switches: Switches) -> Rewrites<'static> {
        let rewrites = Rewrites::new(switches);
        match cfg!(debug_assertions) {
            true => rewrites.watched(EachRewrite::of(self)),
            false => rewrites,
        }
    }

    /// The rewrites that are still allowed on modules derived from an optimised rule.
    fn rewrites_left(&self, sampling: Sampling) -> Rewrites<'static> {
        self.checked(self.optimised_stage(sampling).left)
    }

    /// The module for these arguments and resources only, and the inputs of its kernels: faster
    /// than the one for any arguments. With faithful sampling it draws the same words; with fused
    /// sampling the dice of a script share them.
    ///
    /// # Errors
    /// An internal error.
    pub fn specialised(&self, sampling: Sampling) -> Result<(Module, Vec<i64>), Failure> {
        if self.program().is_script() {
            return self.specialised_script(sampling, &mut self.rewrites());
        }
        let mut module = Module::clone(self.optimised(sampling));
        if !self.resources().is_empty() {
            let mut rewrites = self.rewrites_left(sampling);
            specialise(&mut module, self.resources(), &mut rewrites);
        }
        Ok((module, self.resources().to_vec()))
    }

    /// The same for a script.
    fn specialised_script(
        &self,
        sampling: Sampling,
        rewrites: &mut Rewrites<'_>,
    ) -> Result<(Module, Vec<i64>), Failure> {
        let (mut module, inputs) = self.specialised_pools(sampling, rewrites)?;
        if sampling == Sampling::Fused {
            share_words(&mut module, rewrites);
        }
        Ok((module, inputs))
    }

    /// The code that simulations of these arguments and resources run, and the inputs of its
    /// kernels: the vector form of fused sampling if there is one, otherwise the module.
    pub(super) fn simulated(&self, sampling: Sampling) -> Result<(Simulated, Vec<i64>), Failure> {
        if self.program().is_script() {
            return self.simulated_by(sampling, &mut self.rewrites());
        }
        if sampling == Sampling::Fused
            && let Ok((form, inputs)) = self.specialised_vector_form()?
        {
            return Ok((Ok(form), inputs));
        }
        let (module, inputs) = self.specialised(sampling)?;
        Ok((Err(Box::new(module)), inputs))
    }

    /// The same with these rewrites, from the lowered module on, without the cache.
    ///
    /// # Errors
    /// An internal error.
    pub fn simulated_by(
        &self,
        sampling: Sampling,
        rewrites: &mut Rewrites<'_>,
    ) -> Result<(Simulated, Vec<i64>), Failure> {
        if self.program().is_script() {
            let (module, inputs) = self.specialised_pools(sampling, rewrites)?;
            let simulated = match sampling {
                Sampling::Fused => script_form(module, &inputs, rewrites),
                Sampling::Faithful => Err(Box::new(module)),
            };
            return Ok((simulated, inputs));
        }
        let resources = self.resources();
        let mut module = Module::clone(self.lowered());
        optimise(&mut module, sampling, rewrites);
        if sampling == Sampling::Fused
            && VectorForm::takes(resources)
            && let Ok(form) = VectorForm::new(&module, rewrites)
        {
            return Ok((
                Ok(form.specialised(resources, rewrites)),
                resources.to_vec(),
            ));
        }
        if !resources.is_empty() {
            specialise(&mut module, resources, rewrites);
        }
        Ok((Err(Box::new(module)), resources.to_vec()))
    }

    /// The module of a script for these arguments before its dice share words; its vector form is
    /// derived from this.
    fn specialised_pools(
        &self,
        sampling: Sampling,
        rewrites: &mut Rewrites<'_>,
    ) -> Result<(Module, Vec<i64>), Failure> {
        let (mut module, inputs) = self.lowered_for(&OpenWords::default(), &[])?;
        optimise(&mut module, sampling, rewrites);
        Ok((module, inputs))
    }

    /// The module of a script for these arguments, except for open words and unread words, and
    /// their argument block.
    pub(super) fn lowered_for(
        &self,
        open: &OpenWords,
        unread: &[u32],
    ) -> Result<(Module, Vec<i64>), Failure> {
        let program = self.program();
        let known = lower::lower_for(
            program.hir(),
            self.definition().function_id(),
            self.policies(),
            (program.limits().roll, program.trial_limits()),
            lower::Given {
                args: self.arguments(),
                resources: self.resources(),
                open,
                unread,
            },
        );
        let (module, inputs) = known.ok_or_else(|| self.wrong_types())?;
        debug_assert_eq!(verify(&module), Ok(()), "after lowering:\n{module}");
        Ok((module, inputs))
    }

    /// The code that simulations of all arguments of this pattern run, given arguments of it.
    pub(super) fn patterned(
        &self,
        pattern: &Pattern,
        sampling: Sampling,
        rewrites: &mut Rewrites<'_>,
    ) -> Result<Simulated, Failure> {
        let (mut module, inputs) = self.lowered_for(&pattern.open, &pattern.unread)?;
        optimise(&mut module, sampling, rewrites);
        Ok(match sampling {
            Sampling::Fused => script_form(module, &inputs, rewrites),
            Sampling::Faithful => Err(Box::new(module)),
        })
    }

    pub(super) fn wrong_types(&self) -> Failure {
        self.bug(bug!("bound arguments are not of the roll's types"))
    }

    /// The trial of a rule as fused sampling runs it in lanes for any resources in
    /// [`RESOURCES`](dicec_native::pass::RESOURCES). Scripts run in lanes only for known arguments.
    ///
    /// # Errors
    /// The reason why it cannot.
    pub fn vector_form(&self) -> Result<&Arc<VectorForm>, NoLanes> {
        let form = &self.stages().form;
        let form = form.get_or_init(|| match self.program().is_script() {
            false => {
                let mut rewrites = self.rewrites_left(Sampling::Fused);
                let rule = self.optimised(Sampling::Fused);
                VectorForm::new(rule, &mut rewrites).map(Arc::new)
            }
            true => Err(Obstacle::AnyArguments.anywhere()),
        });
        form.as_ref().map_err(|why| *why)
    }

    /// The trial as fused sampling runs it in lanes for these arguments and resources, with the
    /// inputs of its kernels; or the reason why it cannot.
    ///
    /// # Errors
    /// An internal error.
    pub fn specialised_vector_form(
        &self,
    ) -> Result<Result<(VectorForm, Vec<i64>), NoLanes>, Failure> {
        if self.program().is_script() {
            let mut rewrites = self.rewrites();
            let (module, inputs) = self.specialised_pools(Sampling::Fused, &mut rewrites)?;
            let form = script_lanes(&module, &inputs, &mut rewrites);
            return Ok(form.map(|form| (form, inputs)));
        }
        let resources = self.resources();
        if !VectorForm::takes(resources) {
            return Ok(Err(Obstacle::Resources(RESOURCES).anywhere()));
        }
        // Derived from the unspecialised rule, so that a seed gives the same rolls whether or not
        // resources are known.
        let form = self.vector_form();
        let mut rewrites = self.rewrites_left(Sampling::Fused);
        Ok(form.map(|form| {
            let form = form.specialised(resources, &mut rewrites);
            (form, resources.to_vec())
        }))
    }

    /// The inputs of kernels of `module`, which is one of this roll: its arguments and resources.
    ///
    /// # Errors
    /// An internal error.
    pub fn inputs(&self, module: &Module) -> Result<Vec<i64>, Failure> {
        match self.program().is_script() {
            false => Ok(self.resources().to_vec()),
            true => self.inputs_read(module, &[]),
        }
    }

    /// The inputs of kernels of a script's `module` that never reads the words at these addresses.
    pub(super) fn inputs_read(&self, module: &Module, unread: &[u32]) -> Result<Vec<i64>, Failure> {
        let arguments = lower::Arguments::new(module);
        let words = arguments.lay_out_read(self.arguments(), self.resources(), unread);
        words.ok_or_else(|| self.wrong_types())
    }

    /// The interpreter as a kernel, whose inputs are [`Bound::resources`].
    pub fn interpreter_kernel(&self, sink: Sink) -> Arc<dyn Kernel> {
        let program = self.program();
        let (args, policies) = self.shared_arguments();
        Arc::new(InterpKernel {
            module: Arc::clone(program.hir()),
            function: self.definition().function_id(),
            args: Arc::clone(args),
            policies: Arc::clone(policies),
            rolls: program.limits().roll,
            limits: program.trial_limits(),
            sink,
        })
    }
}

/// The code of fused simulations for a script's optimised module: lanes, or else scalar code, both
/// from the same pools.
fn script_form(mut module: Module, inputs: &[i64], rewrites: &mut Rewrites<'_>) -> Simulated {
    script_lanes(&module, inputs, rewrites).map_err(|_| {
        share_words(&mut module, rewrites);
        Box::new(module)
    })
}

/// The vector form of a script's module with these inputs. If all of them are known, a profile
/// decides whether 8-bit lanes pay; the form for a pattern is the same for all inputs.
fn script_lanes(
    module: &Module,
    inputs: &[i64],
    rewrites: &mut Rewrites<'_>,
) -> Result<VectorForm, NoLanes> {
    let form = VectorForm::new(module, rewrites)?;
    if !form.may_fit_bytes() {
        return Ok(form);
    }
    if !module.tables.open.is_empty() {
        if module.tables.open.range != OpenRange::Small {
            return Ok(form);
        }
        // The same for all inputs of the pattern.
        let seen = seen_in_trials(&form, &module.tables.open.ordinary(inputs));
        let narrow = form.in_bytes_of_small(&seen);
        return Ok(narrow.filter(VectorForm::is_worth_bytes).unwrap_or(form));
    }
    let seen = seen_in_trials(&form, inputs);
    let narrow = form.in_bytes(&seen);
    Ok(narrow.filter(VectorForm::is_worth_bytes).unwrap_or(form))
}
