//! That native code in lanes agrees with the evaluator.

use super::{Outcome, Wanted, expect_round_trip, run};
use crate::stages;
use dicec_compiler::Bound;
use dicec_native::eval::{VectorEvalKernel, seen_in_trials};
use dicec_native::jit::VectorKernel;
use dicec_native::pass::VectorForm;
use dicec_native::{vector_moments_of, vector_sink};
use dicec_runtime::kernel::{Kernel, Sink};
use std::fmt::Debug;
use std::sync::Arc;

/// The vector forms of a roll that take its resources, with the inputs of their kernels: for any
/// resources and for its own.
///
/// # Panics
/// On an internal error.
pub fn forms(bound: &Bound) -> Vec<(VectorForm, Vec<i64>)> {
    forms_where(bound, |_| true)
}

/// Those for any resources (false) or for a roll's own (true) that are wanted.
fn forms_where(bound: &Bound, wanted: impl Fn(bool) -> bool) -> Vec<(VectorForm, Vec<i64>)> {
    if !bound.program().is_script() && !VectorForm::takes(bound.resources()) {
        return Vec::new();
    }
    let mut forms = Vec::new();
    if wanted(false) {
        let any = stages::form(bound, false);
        forms.extend(any.map(|form| (form, bound.resources().to_vec())));
    }
    if wanted(true) {
        forms.extend(bound.specialised_vector_form().expect("no bug"));
    }
    forms
}

/// The evaluator and native code of a vector form.
///
/// # Panics
/// If this machine runs no native code.
pub fn lane_kernels(form: &VectorForm, sink: Sink) -> [Arc<dyn Kernel>; 2] {
    let native = VectorKernel::compile(form.clone(), sink).expect("native code");
    [
        Arc::new(VectorEvalKernel::new(form.clone(), sink)),
        Arc::new(native),
    ]
}

/// Runs a roll in lanes, if it has a vector form, and compares whole outcomes, which it returns.
///
/// # Panics
/// If they disagree; the message names `what`.
pub fn check_lanes(bound: &Bound, seed: u64, trials: usize, what: &dyn Debug) -> Option<Outcome> {
    check_some_lanes(bound, Wanted::ALL, seed, trials, what)
}

/// The same with some of the comparisons.
pub(super) fn check_some_lanes(
    bound: &Bound,
    wanted: Wanted,
    seed: u64,
    trials: usize,
    what: &dyn Debug,
) -> Option<Outcome> {
    let forms = forms_where(bound, |is_own| wanted.own(is_own)).into_iter();
    let outcomes = forms.map(|(form, inputs)| {
        let check = Check {
            wanted,
            inputs: &inputs,
            seed,
            trials,
            what,
        };
        check.form(&form)
    });
    outcomes.reduce(|any, known| {
        let resources = bound.resources();
        assert_eq!(known, any, "specialised on {resources:?}: {what:?}");
        any
    })
}

/// Compares whole outcomes of native code with the evaluator's, which it returns: all results, and
/// the counts and moments of a simulation. The same is compared in relays, if trials can relay.
///
/// # Panics
/// If they disagree; the message names `what`.
pub fn check_form(
    form: &VectorForm,
    inputs: &[i64],
    seed: u64,
    trials: usize,
    what: &dyn Debug,
) -> Outcome {
    let wanted = Wanted::ALL;
    let check = Check {
        wanted,
        inputs,
        seed,
        trials,
        what,
    };
    check.form(form)
}

/// How a form is compared.
#[derive(Clone, Copy)]
pub(super) struct Check<'a> {
    pub(super) wanted: Wanted,
    pub(super) inputs: &'a [i64],
    pub(super) seed: u64,
    pub(super) trials: usize,
    pub(super) what: &'a dyn Debug,
}

impl Check<'_> {
    /// The form and those that are made of it, or the one that is wanted.
    pub(super) fn form(self, form: &VectorForm) -> Outcome {
        if let Some(ways) = self.wanted.ways() {
            let made = (0..2).filter(|way| ways >> way & 1 == 1);
            let made = made.fold(form.clone(), |form, way| {
                self.other(&form, way).unwrap_or(form)
            });
            return self.sinks(&made);
        }
        for other in (0..2).filter_map(|way| self.other(form, way)) {
            self.form(&other);
        }
        self.sinks(form)
    }

    /// A form with relays, or with lanes of eight bits.
    fn other(self, form: &VectorForm, way: u8) -> Option<VectorForm> {
        match way {
            0 => form.in_relays().filter(|_| form.relay.is_none()),
            _ => form.in_bytes(&seen_in_trials(form, self.inputs)),
        }
    }

    fn sinks(self, form: &VectorForm) -> Outcome {
        expect_round_trip(&form.module);
        let counts = Some(vector_sink(form)).filter(|counts| *counts != Sink::Values);
        let moments = vector_moments_of(form).map(Sink::Moments);
        if self.wanted.sink(1) {
            counts.map(|sink| self.sink(form, sink));
        }
        if self.wanted.sink(2) {
            moments.map(|sink| self.sink(form, sink));
        }
        self.sink(form, Sink::Values)
    }

    fn sink(self, form: &VectorForm, sink: Sink) -> Outcome {
        let (inputs, seed) = (self.inputs, self.seed);
        let [evaluated, native] =
            lane_kernels(form, sink).map(|kernel| run(&*kernel, inputs, seed, self.trials));
        let (what, module) = (self.what, &form.module);
        assert_eq!(native, evaluated, "{sink:?} in lanes of {what:?}\n{module}");
        evaluated
    }
}
