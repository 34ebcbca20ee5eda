//! The effect of clamping at 0 on the odds of a rule: compiles and solves the rule again without
//! clamps. If that is too much work, it compares single trials.

use super::bind::Bound;
use super::compiler::Compiler;
use super::program::Program;
use crate::answer::{Answer, Distribution, Exactness, Share, Weights, exact};
use dicec_lang::check::bounds::clamps;
use dicec_lang::front::notation::Dialect;
use dicec_runtime::control::Control;
use dicec_runtime::events::Events;
use dicec_runtime::pmf::Limits;
use dicec_runtime::rng::Stream;

/// The budget of exact odds that explain sampled ones.
const CHEAP_WORK: u64 = 1_000_000;

/// The maximum number of trials that are compared, and of the interpreter's steps for them.
const TRIALS: u64 = 10_000;
const STEPS: u64 = 20_000_000;

impl Program {
    /// The same rule without the clamps at 0 of the rule book's dialect; none if it has none.
    fn unclamped(&self) -> Option<&Program> {
        if self.dialect() != Some(Dialect::Rulebook) || !self.hir().clamps() {
            return None;
        }
        let unclamped = || {
            let compiler = Compiler::new().limits(self.limits()).unclamped();
            compiler.rule(self.text()).ok()
        };
        self.kept_unclamped().get_or_init(unclamped).as_ref()
    }
}

impl Bound {
    /// An exact answer with the share of rolls that the clamps change.
    pub(super) fn exactly_clamped(
        &self,
        mut answer: Answer,
        limits: &Limits,
        control: &Control,
    ) -> Answer {
        if let Some(odds) = answer.result.take() {
            let weights = match odds.denominator() {
                Some(_) => Weights::Cheapest,
                None => Weights::Floats,
            };
            let clamped = match answer.may_clamp && self.may_clamp() {
                false => None,
                true => self
                    .unclamped()
                    .and_then(|other| other.plain(weights, limits, control))
                    .and_then(|other| odds.moved_from(&other)),
            };
            answer.result = Some(odds.clamped_by(clamped));
        }
        answer
    }

    /// The share of rolls that the clamps change, for sampled odds: exactly if that is cheap.
    pub(super) fn clamped_share(&self, seed: u64) -> Option<Share> {
        if !self.may_clamp() {
            return None;
        }
        let unclamped = self.unclamped()?;
        let limits = Limits {
            work: CHEAP_WORK,
            ..Limits::default()
        };
        let exactly = |bound: &Bound| bound.plain(Weights::Floats, &limits, &Control::default());
        match (exactly(self), exactly(&unclamped)) {
            (Some(odds), Some(other)) => odds.moved_from(&other),
            _ => self.counted(&unclamped, seed),
        }
    }

    /// Counts the trials whose result differs without clamps; both draw the same dice. `None` if
    /// none differs, or if a trial traps.
    fn counted(&self, unclamped: &Bound, seed: u64) -> Option<Share> {
        let (kernel, other) = (self.interp_kernel(), unclamped.interp_kernel());
        let mut stream = Stream::from_seed(seed);
        let mut events = Events::default();
        let (mut trials, mut changed, mut steps) = (0, 0, 0);
        while trials < TRIALS && steps < STEPS {
            let mut same_dice = stream.clone();
            let resources = self.resources();
            let trial = kernel.counted(&mut stream, resources, &mut events, STEPS);
            let without = other.counted(&mut same_dice, resources, &mut events, STEPS);
            steps += trial.steps + without.steps;
            changed += u64::from(trial.result.ok()? != without.result.ok()?);
            trials += 1;
        }
        Share::counted(changed, trials)
    }

    /// Whether a clamp of a rule may change a result with these resources.
    fn may_clamp(&self) -> bool {
        let rule = self.program().hir().rule();
        rule.is_none_or(|roll| clamps(&roll.body, self.resources()))
    }

    /// The same roll of the rule without clamps, if it has any.
    fn unclamped(&self) -> Option<Bound> {
        let program = self.program().unclamped()?;
        program.bind_values(self.resources()).ok()
    }

    /// Its exact odds, if they fit the budget.
    fn plain(&self, weights: Weights, limits: &Limits, control: &Control) -> Option<Distribution> {
        let exactness = Exactness {
            weights,
            extremes: false,
        };
        let answer = exact(&self.question(), self.kind(), limits, exactness, control);
        answer.ok()?.result
    }
}
