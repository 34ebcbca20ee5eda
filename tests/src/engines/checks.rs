//! That all engines agree about a roll.

use super::lanes::{self, check_some_lanes};
use super::wanted::Part;
use super::{Outcome, Stage, Wanted, after_pass, expect_round_trip, interpreted, optimised_for};
use dicec_compiler::Bound;
use dicec_compiler::unstable::{Data, Sampling};
use dicec_native::pass::Pass;
use dicec_native::{best_sink, moments_of};
use dicec_runtime::kernel::Sink;
use std::fmt::Debug;

/// More trials than a group has, and not a whole number of groups.
const LANE_TRIALS: usize = 77;

/// How a roll is compared.
#[derive(Clone, Copy)]
struct Check<'a> {
    bound: &'a Bound,
    wanted: Wanted,
    seed: u64,
    trials: usize,
    what: &'a dyn Debug,
}

/// Runs a roll on every engine and compares whole outcomes; returns the interpreter's.
///
/// # Panics
/// If two engines disagree; the message names `what` and the engine.
pub fn check(bound: &Bound, seed: u64, trials: usize, what: &dyn Debug) -> Outcome {
    check_some(bound, Wanted::ALL, seed, trials, what)
}

/// The same with some of the comparisons.
///
/// # Panics
/// As for [`check`].
pub fn check_some(
    bound: &Bound,
    wanted: Wanted,
    seed: u64,
    trials: usize,
    what: &dyn Debug,
) -> Outcome {
    let check = Check {
        bound,
        wanted,
        seed,
        trials,
        what,
    };
    let reference = interpreted(bound, seed, trials);
    check.lowered(&reference);
    check.optimised(&reference);
    reference
}

/// The part of [`check`] that is about modules as they run.
///
/// # Panics
/// As there.
pub fn check_optimised(
    bound: &Bound,
    reference: &Outcome,
    seed: u64,
    trials: usize,
    what: &dyn Debug,
) {
    let check = Check {
        bound,
        wanted: Wanted::ALL,
        seed,
        trials,
        what,
    };
    check.optimised(reference);
}

impl Check<'_> {
    fn is_script(self) -> bool {
        self.bound.program().is_script()
    }

    /// As lowered, and after each pass alone.
    fn lowered(self, reference: &Outcome) {
        let module = self.bound.lowered();
        let inputs = self.bound.inputs(module).expect("no bug");
        let wanted = |pass: &usize| self.wanted.part(Part::After(*pass));
        let passes = (0..Pass::ALL.len()).filter(wanted);
        let after = passes.filter_map(|pass| after_pass(module, &inputs, pass));
        let first = self.wanted.part(Part::Lowered);
        let first = first.then(|| Stage::new("lowered", module.clone(), &inputs));
        for stage in first.into_iter().chain(after) {
            expect_round_trip(&stage.module);
            stage.expect(reference, self.seed, self.trials, self.what);
        }
    }

    /// Modules as they run.
    fn optimised(self, reference: &Outcome) {
        if self.wanted.part(Part::Faithful) {
            self.faithful(reference);
        }
        if self.wanted.part(Part::Fused) {
            self.fused();
        }
        if self.wanted.part(Part::Lanes) {
            check_some_lanes(self.bound, self.wanted, self.seed, LANE_TRIALS, self.what);
        }
        if self.is_script() && self.wanted.part(Part::Shared) {
            self.shared(reference);
        }
    }

    /// The modules for any arguments and for these, as far as they are wanted.
    fn stages(self, sampling: Sampling) -> Vec<Stage> {
        let wanted = [false, true].into_iter();
        let wanted = wanted.filter(|is_own| self.wanted.own(*is_own));
        let stage = |is_own| optimised_for(self.bound, sampling, is_own);
        wanted.map(stage).collect()
    }

    fn faithful(self, reference: &Outcome) {
        let mut stages = self.stages(Sampling::Faithful);
        // Without arguments, both are the same.
        stages.dedup_by(|own, any| (&own.module, &own.inputs) == (&any.module, &any.inputs));
        for stage in stages {
            self.stage(&stage, reference);
        }
    }

    /// A module that draws what the interpreter draws.
    fn stage(self, stage: &Stage, reference: &Outcome) {
        expect_round_trip(&stage.module);
        if self.wanted.sink(0) {
            stage.expect(reference, self.seed, self.trials, self.what);
        }
        self.sinks(stage);
    }

    /// Compares the counts and moments of a simulation, if it has any, with the evaluator's.
    fn sinks(self, stage: &Stage) {
        let counts = best_sink(&stage.module);
        let counts = (counts != Sink::Values).then_some((1, counts));
        let moments = moments_of(&stage.module).map(|moments| (2, Sink::Moments(moments)));
        let sinks = counts.into_iter().chain(moments);
        for (_, sink) in sinks.filter(|(number, _)| self.wanted.sink(*number)) {
            let [evaluated, native] = stage.both(sink, self.seed, self.trials);
            let (what, module) = (self.what, &stage.module);
            assert_eq!(native, evaluated, "{sink:?} of {what:?}\n{module}");
        }
    }

    /// The evaluator and native code agree on each fused module.
    fn fused(self) {
        let mut outcomes = Vec::new();
        for stage in self.stages(Sampling::Fused) {
            outcomes.push(self.fused_stage(&stage));
        }
        // Different modules of a script fuse different dice, so they draw different words.
        let are_equal = outcomes.windows(2).all(|both| both[0] == both[1]);
        let what = self.what;
        assert!(self.is_script() || are_equal, "{what:?}: {outcomes:?}");
    }

    fn fused_stage(self, stage: &Stage) -> Outcome {
        if self.is_script() {
            expect_round_trip(&stage.module);
        }
        let [evaluated, native] = stage.both(Sink::Values, self.seed, self.trials);
        let (name, what, module) = (stage.name, self.what, &stage.module);
        assert_eq!(native, evaluated, "fused, {name}, {what:?}\n{module}");
        evaluated
    }

    /// What all arguments of a script's pattern share gives for these what it gives in the
    /// interpreter, or fused in the evaluator; and it is the same for others.
    fn shared(self, reference: &Outcome) {
        if self.wanted.own(false) {
            self.shared_faithful(reference);
        }
        if self.wanted.own(true) {
            let (fused, inputs) = self.bound.shared(Sampling::Fused).expect("no bug");
            match fused {
                Ok(form) => {
                    self.lanes(&inputs).form(&form);
                }
                Err(module) => {
                    let stage = Stage::new("shared", *module, &inputs);
                    self.fused_stage(&stage);
                }
            }
        }
    }

    fn lanes<'b>(self, inputs: &'b [i64]) -> lanes::Check<'b>
    where
        Self: 'b,
    {
        lanes::Check {
            wanted: self.wanted,
            inputs,
            seed: self.seed,
            trials: LANE_TRIALS,
            what: self.what,
        }
    }

    fn shared_faithful(self, reference: &Outcome) {
        let (faithful, inputs) = self.bound.shared(Sampling::Faithful).expect("no bug");
        let faithful = *faithful.expect_err("faithful sampling has no lanes");
        let stage = Stage::new("shared", faithful, &inputs);
        self.stage(&stage, reference);
        for changed in changed(self.bound) {
            let (other, _) = changed.shared(Sampling::Faithful).expect("no bug");
            let other = *other.expect_err("faithful sampling has no lanes");
            let tables = [&other, &*stage.module].map(|module| &module.tables);
            let [a, b] = tables.map(|tables| (&tables.known, &tables.open));
            if a == b {
                let (args, what) = (changed.arguments(), self.what);
                assert_eq!(other, *stage.module, "shared with {args:?}: {what:?}");
            }
        }
    }
}

/// The same roll with other numbers in its arguments: one, another one, and all.
pub(crate) fn changed(bound: &Bound) -> impl Iterator<Item = Bound> {
    let masks = [0b1, 0b1000, !0_u64];
    masks.into_iter().map(|mask| {
        let mut number = 0;
        let args = bound.arguments().iter();
        let args = args.map(|data| with_others(data, mask, &mut number));
        let roll = bound.definition();
        let changed = roll.bind_values(args.collect(), bound.resources());
        let changed = changed.expect("arguments of the same types");
        let options = bound.program().options().iter();
        let decided = options.zip(bound.policies());
        decided.fold(changed, |changed, (option, policy)| {
            changed.with_policy(option, *policy).expect("an option")
        })
    })
}

/// A value whose numbers differ by one where the mask, repeated, has a bit.
fn with_others(data: &Data, mask: u64, number: &mut u32) -> Data {
    match data {
        Data::Int(value) => {
            let bit = mask >> (*number % 64) & 1;
            *number += 1;
            Data::Int(value.saturating_add_unsigned(bit))
        }
        Data::Record(parts) | Data::List(parts) => {
            let parts = parts.iter();
            let parts = parts.map(|part| with_others(part, mask, number)).collect();
            match data {
                Data::List(_) => Data::List(parts),
                _ => Data::Record(parts),
            }
        }
        other => other.clone(),
    }
}
