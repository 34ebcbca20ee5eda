//! The cache that questions about one program share: the plan of its functions, and the outcomes
//! computed with it. A row of a table plans nothing, and computes only outcomes that no earlier row
//! had.
//!
//! Invariant: an answer does not depend on the questions before it. A question is charged for a
//! cached case or distribution as if it had computed it, states are packed as if it was the first,
//! and an error is found again without the cache. The cost of a call is only known roughly: a
//! question that used calls of others, and was not cheap, is asked again without them. Calls that
//! leave something out or have notes are not cached.
//!
//! A plan does not depend on the values of resources; outcomes do, as they do on the words of a
//! state. Only calls of functions that read resources are dropped if a resource changes.

use super::Question;
use super::activation::Calls;
use super::constants::Constants;
use super::floors::Floors;
use super::known::Cases;
use super::lower::lower;
use super::lowering::Context;
use super::machine::{Machine, Pin};
use super::plan::Plans;
use super::rewrite::Rewritten;
use super::roll_distributions::RollDistributions;
use super::shape::Shapes;
use super::values::Values;
use crate::Shortcuts;
use crate::shortcuts::fire;
use dicec_lang::hir::{FunctionId, Module, Policy};
use dicec_runtime::limits::{RollLimits, ScriptLimits};
use dicec_runtime::pmf::{Budget, Exhausted, Weight};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The maximum number of idle plans: one for each question that runs at the same time.
const MAX_PLANS: usize = 64;

/// The maximum sizes of what is cached with a plan; if one is exceeded, all of it is dropped.
const MAX_WORDS: u64 = 1 << 20;
const MAX_OUTCOMES: u64 = 1 << 16;
const MAX_VALUES: usize = 1 << 12;
const MAX_PINS: usize = 1 << 8;

/// Debug builds check the first answers about a program, and then one of this many.
const FIRST_CHECKED: u64 = 8;
const EVERY_CHECKED: u64 = 64;

/// The plans of a program that no question is using.
#[derive(Default)]
pub struct KeptPlans {
    plans: Mutex<Vec<Box<dyn Any + Send>>>,
    floors: OnceLock<Arc<Floors>>,
    /// The number of questions so far.
    asked: AtomicU64,
    /// The rewritten program, the shortcuts that rewrote it, and its own cache.
    rewritten: OnceLock<(Shortcuts, Option<Rewritten>, Box<KeptPlans>)>,
}

impl fmt::Debug for KeptPlans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeptPlans")
    }
}

/// Everything that a plan and its cached outcomes depend on besides the script.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key {
    floors: Arc<Floors>,
    policies: Vec<Policy>,
    rolls: RollLimits,
    limits: ScriptLimits,
    /// The limits of the budget, which do not depend on what was spent.
    outcomes: u64,
    cut: f64,
    shortcuts: Shortcuts,
}

impl Key {
    pub(super) fn new(question: &Question<'_>, floors: &Arc<Floors>, budget: &Budget) -> Self {
        Self {
            floors: floors.clone(),
            policies: question.policies.to_vec(),
            rolls: question.rolls,
            limits: question.limits,
            outcomes: budget.limits().outcomes,
            cut: budget.cut(),
            shortcuts: question.shortcuts,
        }
    }
}

/// A plan with the outcomes computed with it.
pub(super) struct Kept<W> {
    pub(super) key: Key,
    pub(super) shapes: Shapes,
    pub(super) plans: Plans,
    pub(super) found: Found<W>,
    /// The number of values in the plan itself.
    pub(super) values: usize,
}

/// The outcomes computed with a plan.
pub(super) struct Found<W> {
    pub(super) values: Values,
    pub(super) cases: Cases<W>,
    pub(super) distributions: RollDistributions<W>,
    pub(super) calls: Calls<W>,
    /// Kept for the constants in it; the rest only saves allocations.
    pub(super) machine: Machine,
    /// The sets of the callers' objects that functions were called with.
    pub(super) pins: IndexSet<Vec<Pin>, FxBuildHasher>,
}

impl<W: Weight> Found<W> {
    /// Drops the cases of segments that call these functions.
    fn forget_calls(&mut self, plans: &Plans, forgotten: impl Fn(FunctionId) -> bool) {
        let segments = plans.calls.iter().filter(|(_, callee)| forgotten(*callee));
        segments.for_each(|(segment, _)| self.cases.forget(*segment));
    }

    /// Cleans up after a question: drops its calls, unless they are the same for all questions
    /// (`plain`) and few.
    pub(super) fn close(&mut self, plans: &Plans, roll: FunctionId, plain: bool) {
        let keeps = self.calls.close(roll) && plain && self.calls.size() <= MAX_OUTCOMES;
        if !keeps {
            self.calls = Calls::new(plans.functions.len());
            self.forget_calls(plans, |_| true);
        }
    }
}

impl<W: Weight> Kept<W> {
    /// A new plan.
    ///
    /// # Errors
    /// The script is too large.
    pub(super) fn new(
        question: &Question<'_>,
        key: Key,
        budget: &mut Budget,
    ) -> Result<Self, Exhausted> {
        let mut shapes = Shapes::of(question.module);
        let mut values = Values::default();
        let context = Context {
            script: question.module,
            policies: question.policies,
            decided: &[],
            shapes: &mut shapes,
            values: &mut values,
            constants: Constants::default(),
            rolls: Vec::new(),
            floors: Floors::clone(&key.floors),
            segments: 0,
            calls: Vec::new(),
            shortcuts: question.shortcuts,
        };
        let plans = lower(context, budget)?;
        Ok(Self {
            key,
            shapes,
            values: values.len(),
            found: Found {
                values,
                cases: Cases::new(plans.segments, question.resources),
                calls: Calls::new(plans.functions.len()),
                distributions: RollDistributions::new(plans.rolls.len(), question.policies),
                pins: IndexSet::default(),
                machine: Machine::new(plans.constants.clone()),
            },
            plans,
        })
    }

    fn is_small(&self) -> bool {
        let found = &self.found;
        found.values.len() <= self.values + MAX_VALUES
            && found.cases.words() <= MAX_WORDS
            && found.distributions.size() <= MAX_OUTCOMES
            && found.pins.len() <= MAX_PINS
    }
}

impl KeptPlans {
    /// Takes out a plan for a question with this key, in the state of a new plan.
    ///
    /// # Errors
    /// The plan costs more than the budget.
    pub(super) fn take<W: Weight>(
        &self,
        question: &Question<'_>,
        key: &Key,
        budget: &mut Budget,
    ) -> Result<Option<Kept<W>>, Exhausted> {
        let is_it = |kept: &Box<dyn Any + Send>| {
            let kept = kept.downcast_ref::<Kept<W>>();
            kept.is_some_and(|kept| kept.key == *key)
        };
        let mut all = self.plans();
        let taken = all
            .iter()
            .rposition(is_it)
            .map(|place| all.swap_remove(place));
        drop(all);
        let Some(Ok(mut kept)) = taken.map(|kept| kept.downcast::<Kept<W>>()) else {
            return Ok(None);
        };
        for told in &kept.plans.told {
            budget.spend(*told, *told)?;
        }
        fire(Shortcuts::KEPT);
        kept.plans.renew();
        if kept.found.cases.resources() != question.resources {
            let readers = &kept.plans.readers;
            kept.found
                .forget_calls(&kept.plans, |function| readers[function.index()]);
            kept.found.calls.forget(readers);
            kept.found.distributions.forget_readers(&kept.plans.rolls);
        }
        kept.found.machine.renew();
        kept.found.cases.renew(question.resources);
        kept.found.calls.renew();
        kept.found.distributions.renew();
        Ok(Some(*kept))
    }

    /// Counts a question; whether its answer is in the sample that is checked.
    pub(crate) fn is_sampled(&self) -> bool {
        let asked = self.asked.fetch_add(1, Relaxed);
        asked < FIRST_CHECKED || asked.is_multiple_of(EVERY_CHECKED)
    }

    /// The rewritten program, if there is something to rewrite, and its cache; `None` if it was
    /// rewritten with other shortcuts before.
    pub(super) fn rewritten(
        &self,
        script: &Module,
        allowed: Shortcuts,
    ) -> Option<(Option<&Rewritten>, &KeptPlans)> {
        let made = || (allowed, Rewritten::of(script, allowed), Box::default());
        let (by, new, kept) = self.rewritten.get_or_init(made);
        (*by == allowed).then_some((new.as_ref(), kept))
    }

    /// The saturation bounds of the program.
    pub(super) fn floors(&self, script: &Module) -> Arc<Floors> {
        let floors = self.floors.get_or_init(|| Arc::new(Floors::of(script)));
        floors.clone()
    }

    fn plans(&self) -> MutexGuard<'_, Vec<Box<dyn Any + Send>>> {
        self.plans.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a plan to the cache after a question was answered.
    pub(super) fn put<W: Weight>(&self, kept: Kept<W>) {
        if !kept.is_small() {
            return;
        }
        let mut all = self.plans();
        if all.len() == MAX_PLANS {
            all.swap_remove(0);
        }
        all.push(Box::new(kept));
    }
}
