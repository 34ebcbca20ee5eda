//! The stages of programs, for tests that know that a program has them.

use crate::programs::bare;
use dicec_compiler::unstable::Sampling;
use dicec_compiler::{Bound, Failure, Program};
use dicec_exact::Exact;
use dicec_native::ir::Module;
use dicec_native::pass::{NoLanes, Rewrites, VectorForm};
use dicec_runtime::pmf::{Limits, Weight};

/// The module of a roll, for any arguments and resources or its own.
///
/// # Panics
/// On an internal error.
pub fn module(bound: &Bound, known: bool, sampling: Sampling) -> Module {
    match known {
        true => bound.specialised(sampling).expect("no bug").0,
        false => Module::clone(bound.optimised(sampling)),
    }
}

/// The vector form of a module.
///
/// # Errors
/// As for [`VectorForm::new`].
pub fn lanes(module: &Module) -> Result<VectorForm, NoLanes> {
    VectorForm::new(module, &mut Rewrites::from_environment())
}

/// The vector form of a rule, for any resources or its own.
///
/// # Panics
/// On an internal error.
pub fn form(bound: &Bound, known: bool) -> Option<VectorForm> {
    match known {
        true => Some(bound.specialised_vector_form().expect("no bug").ok()?.0),
        false => bound.vector_form().ok().map(|form| VectorForm::clone(form)),
    }
}

/// The module of a rule for any resources.
///
/// # Panics
/// If it is a script.
pub fn module_of(rule: &Program, sampling: Sampling) -> Module {
    module(&bare(rule), false, sampling)
}

/// The vector form of a rule for any resources.
///
/// # Panics
/// If it is a script.
pub fn form_of(rule: &Program) -> Option<VectorForm> {
    form(&bare(rule), false)
}

/// The exact distribution of a rule, and the probability that it leaves out.
///
/// # Errors
/// As for [`Bound::solve`].
///
/// # Panics
/// It returns nothing, and is not a rule.
pub fn solve<W: Weight>(bound: &Bound, limits: &Limits) -> Result<Exact<W>, Failure> {
    let odds = bound.solve(limits)?;
    Ok(Exact {
        pmf: odds.result.expect("a rule gives something"),
        residual: odds.residual,
    })
}
