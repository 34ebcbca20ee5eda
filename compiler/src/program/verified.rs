//! `Bound::verify`: runs all checks on one program; it names the first rewrite or shortcut that
//! changes the meaning.

use super::bind::Bound;
use super::failure::Failure;
use super::stages::Simulated;
use crate::verify::{
    Checked, Checker, Difference, Distribution, Effort, Guilty, SEED, lanes_differ, module_differs,
    odds_differ,
};
#[cfg(feature = "jit")]
use crate::verify::{native_differs, native_lanes_differ};
use dashu_int::UBig;
use dicec_exact::Odds;
use dicec_native::ir::{Module, OpenWords};
use dicec_native::pass::{Rewrites, Sampling, VectorForm, optimise};
use dicec_runtime::pmf::{Budget, Limits, Weight};
use dicec_runtime::rng::Stream;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The checks of a program, in order, and the first fault.
#[derive(Clone, Debug, Default)]
pub struct Verification {
    /// The finished checks.
    pub checks: Vec<Verified>,
    /// The checks of each pass's rewrites, by name.
    pub passes: BTreeMap<&'static str, Checked>,
    /// The first rewrite, shortcut or stage that changes the meaning; later ones are not checked.
    pub fault: Option<Fault>,
}

/// A check, with its extent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The checked part of the compiler.
    pub part: String,
    /// The method and the extent.
    pub extent: String,
}

/// A part of the compiler that changes the meaning of the program.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The pass, shortcut or stage.
    pub name: String,
    /// The place where it ran: the question and the number of earlier rewrites.
    pub place: String,
    /// The change.
    pub difference: Difference,
    /// The way to run the program without it; empty for a stage that cannot be switched off.
    pub switch: String,
}

/// Ends the checks at the first fault.
type Step = Result<(), Stop>;

/// The reason why the checks end.
enum Stop {
    Fault(Box<Fault>),
    Failure(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Stop::Failure(failure)
    }
}

impl Bound {
    /// Checks everything that the compiler does to this roll: lowering against the interpreter,
    /// each rewrite against its contract, lanes and native code, and each shortcut of exact odds.
    ///
    /// # Errors
    /// An internal error, or native code that cannot be generated. A fault is not an error.
    pub fn verify(&self, effort: &Effort, limits: &Limits) -> Result<Verification, Failure> {
        let mut verifier = Verifier {
            bound: self,
            effort,
            found: Verification::default(),
        };
        match verifier.all(limits) {
            Ok(()) => {}
            Err(Stop::Fault(fault)) => verifier.found.fault = Some(*fault),
            Err(Stop::Failure(failure)) => return Err(failure),
        }
        Ok(verifier.found)
    }
}

struct Verifier<'b> {
    bound: &'b Bound,
    effort: &'b Effort,
    found: Verification,
}

impl Verifier<'_> {
    fn all(&mut self, limits: &Limits) -> Step {
        let reference = self.lowering()?;
        for sampling in [Sampling::Faithful, Sampling::Fused] {
            self.any_arguments(sampling)?;
            self.own_arguments(sampling)?;
            self.pattern(sampling)?;
        }
        self.exact_odds(reference.as_ref(), limits)
    }

    /// Checks that the lowered module means what the interpreter computes. Returns the enumeration,
    /// if it is small.
    fn lowering(&mut self) -> Result<Option<Distribution>, Stop> {
        let (bound, effort) = (self.bound, self.effort);
        let question = bound.question();
        let module = bound.lowered();
        let inputs = bound.inputs(module)?;
        let trials = module_differs(&question, module, &inputs, effort)
            .map_err(|difference| stage_fault("lowering", difference))?;
        let reference = Distribution::of_interpreter(&question, effort);
        let lowered = reference
            .as_ref()
            .and_then(|_| Distribution::of(module, &inputs, effort));
        let mut extent = format!("{trials} trials against the interpreter");
        if let (Some(reference), Some(lowered)) = (&reference, &lowered) {
            if let Some(difference) = reference.difference(lowered) {
                return Err(stage_fault("lowering", difference));
            }
            extent += ", and all rolls as fractions";
        }
        self.note("lowering", extent);
        Ok(reference)
    }

    /// Checks the module for any arguments and resources.
    fn any_arguments(&mut self, sampling: Sampling) -> Step {
        let mut module = Module::clone(self.bound.lowered());
        let inputs = self.bound.inputs(&module)?;
        let place = format!("{}, any arguments", mode(sampling));
        self.rewritten(&place, &inputs, |rewrites| {
            optimise(&mut module, sampling, rewrites);
            Ok(())
        })?;
        self.runs(&place, Err(Box::new(module)), &inputs, sampling)
    }

    /// Checks the code that simulations of these arguments run.
    fn own_arguments(&mut self, sampling: Sampling) -> Step {
        let bound = self.bound;
        let inputs = match bound.program().is_script() {
            true => bound.lowered_for(&OpenWords::default(), &[])?.1,
            false => bound.resources().to_vec(),
        };
        let place = format!("{}, these arguments", mode(sampling));
        let made = self.rewritten(&place, &inputs, |rewrites| {
            Ok(bound.simulated_by(sampling, rewrites)?.0)
        })?;
        self.runs(&place, made, &inputs, sampling)
    }

    /// Checks the code that simulations of all arguments of the same pattern run.
    fn pattern(&mut self, sampling: Sampling) -> Step {
        let bound = self.bound;
        if !bound.program().is_script() {
            return Ok(());
        }
        let pattern = bound.pattern()?;
        let (_, inputs) = bound.lowered_for(&pattern.open, &pattern.unread)?;
        let place = format!("{}, arguments of this pattern", mode(sampling));
        let made = self.rewritten(&place, &inputs, |rewrites| {
            bound.patterned(&pattern, sampling, rewrites)
        })?;
        self.runs(&place, made, &inputs, sampling)
    }

    /// Runs rewrites under a checker.
    fn rewritten<T>(
        &mut self,
        place: &str,
        inputs: &[i64],
        make: impl FnOnce(&mut Rewrites<'_>) -> Result<T, Failure>,
    ) -> Result<T, Stop> {
        let mut checker = Checker::new(inputs, *self.effort);
        let switches = self.bound.program().switches();
        let made = make(&mut Rewrites::new(switches).watched(&mut checker))?;
        if let Some(guilty) = checker.guilty {
            return Err(pass_fault(place, guilty));
        }
        let mut all = Checked::default();
        for (pass, checked) in checker.checked {
            all = all.and(&checked);
            let passed = self.found.passes.entry(pass).or_default();
            *passed = passed.and(&checked);
        }
        self.note(place, format!("{all}"));
        Ok(made)
    }

    /// Checks the finished module or form: in lanes, in native code, and against the interpreter.
    fn runs(&mut self, place: &str, made: Simulated, inputs: &[i64], sampling: Sampling) -> Step {
        match made {
            Ok(form) => self.form(place, &form, inputs),
            Err(module) => {
                let module = Arc::from(module);
                if sampling == Sampling::Faithful {
                    let question = self.bound.question();
                    module_differs(&question, &module, inputs, self.effort)
                        .map_err(|difference| stage_fault(place, difference))?;
                }
                self.native(place, &module, inputs)
            }
        }
    }

    fn form(&mut self, place: &str, form: &VectorForm, inputs: &[i64]) -> Step {
        let trials = lanes_differ(form, inputs, Stream::from_seed(SEED), self.effort)
            .map_err(|difference| stage_fault(&format!("lanes ({place})"), difference))?;
        let part = format!("lanes, {place}");
        self.note(
            &part,
            format!("{trials} trials with the faces of their lanes"),
        );
        self.native_lanes(place, form, inputs)
    }

    #[cfg(feature = "jit")]
    fn native(&mut self, place: &str, module: &Arc<Module>, inputs: &[i64]) -> Step {
        let difference = native_differs(module, inputs, self.effort).map_err(Failure::from)?;
        self.compared(place, difference)
    }

    #[cfg(feature = "jit")]
    fn native_lanes(&mut self, place: &str, form: &VectorForm, inputs: &[i64]) -> Step {
        let difference = native_lanes_differ(form, inputs, self.effort).map_err(Failure::from)?;
        self.compared(place, difference)
    }

    #[cfg(feature = "jit")]
    fn compared(&mut self, place: &str, difference: Option<Difference>) -> Step {
        let part = format!("native code, {place}");
        match difference {
            Some(difference) => Err(stage_fault(&part, difference)),
            None => {
                self.note(&part, "bit for bit as the evaluator".to_owned());
                Ok(())
            }
        }
    }

    #[cfg(not(feature = "jit"))]
    fn native(&mut self, _place: &str, _module: &Arc<Module>, _inputs: &[i64]) -> Step {
        Ok(())
    }

    #[cfg(not(feature = "jit"))]
    fn native_lanes(&mut self, _place: &str, _form: &VectorForm, _inputs: &[i64]) -> Step {
        Ok(())
    }

    /// Checks odds in floats, which some shortcuts need, and in fractions if there are few rolls:
    /// those of long scripts would fill the memory.
    fn exact_odds(&mut self, reference: Option<&Distribution>, limits: &Limits) -> Step {
        let solved = self.shortcuts::<f64>(limits)?.is_some();
        self.note_odds(solved, "in floats within their bounds");
        let reference = reference.filter(|reference| reference.traps().next().is_none());
        let Some(reference) = reference else {
            return Ok(());
        };
        let odds = self.shortcuts::<UBig>(limits)?;
        if let Some(odds) = &odds {
            let names = &self.bound.question().module.stats;
            odds_differ(odds, reference, names)
                .map_err(|difference| stage_fault("exact odds", difference))?;
        }
        self.note_odds(odds.is_some(), "as fractions, and against all rolls");
        Ok(())
    }

    /// Checks that the odds do not depend on the shortcuts; `None` if there are no odds.
    fn shortcuts<W: Weight>(&mut self, limits: &Limits) -> Result<Option<Odds<W>>, Stop> {
        let question = self.bound.question();
        let plain = Budget::new(dicec_exact::plain_limits(limits));
        match dicec_exact::first_wrong_shortcut::<W>(&question, &plain) {
            Some((name, difference)) => Err(shortcut_fault(name, difference)),
            None => Ok(dicec_exact::solve(&question, &mut Budget::new(*limits)).ok()),
        }
    }

    fn note_odds(&mut self, solved: bool, how: &str) {
        let extent = match solved {
            true => format!("every shortcut on and off, {how}"),
            false => "there are none: a trap, or too much work".to_owned(),
        };
        self.note("exact odds", extent);
    }

    fn note(&mut self, part: &str, extent: String) {
        self.found.checks.push(Verified {
            part: part.to_owned(),
            extent,
        });
    }
}

fn mode(sampling: Sampling) -> &'static str {
    match sampling {
        Sampling::Faithful => "faithful",
        Sampling::Fused => "fused",
    }
}

fn stage_fault(name: &str, difference: Difference) -> Stop {
    Stop::Fault(Box::new(Fault {
        name: name.to_owned(),
        place: String::new(),
        difference,
        switch: String::new(),
    }))
}

fn shortcut_fault(name: &str, difference: dicec_exact::Difference) -> Stop {
    Stop::Fault(Box::new(Fault {
        name: name.to_owned(),
        place: "exact odds".to_owned(),
        difference: Difference {
            of: difference.what,
            before: difference.without,
            after: difference.with,
        },
        switch: format!("DICEC_EXACT=-{name}"),
    }))
}

fn pass_fault(place: &str, guilty: Guilty) -> Stop {
    let Guilty { pass, after, .. } = guilty;
    Stop::Fault(Box::new(Fault {
        name: pass.to_owned(),
        place: format!("{place}, after {after} other rewrites (DICEC_FUEL={after})"),
        difference: guilty.difference,
        switch: format!("DICEC_PASSES=-{pass}"),
    }))
}
