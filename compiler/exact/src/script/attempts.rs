//! Odds by state propagation, attempted with a plan: with fewer shortcuts, another bound, or a new
//! cache if an attempt shows that these do not fit.

use super::activation::Activation;
use super::constants::Constants;
use super::engine::Engine;
use super::floors::{Floors, Holder};
use super::kept::{Found, Kept, Key};
use super::lowering::Context;
use super::plan::Pure;
use super::shape::Shapes;
use super::values::Values;
use super::{Odds, Question};
use crate::ExactError;
use crate::shortcuts::Shortcuts;
use dicec_runtime::bug;
use dicec_runtime::pmf::{Budget, Weight};
use dicec_runtime::trap::{Trap, TrapCode};
use std::sync::Arc;

/// The odds by state propagation. Weights are [`f64`] or [`dashu_int::UBig`].
///
/// # Errors
/// See [`ExactError`].
pub(super) fn states<W: Weight>(
    question: &Question<'_>,
    budget: &mut Budget,
) -> Result<Odds<W>, ExactError> {
    let odds = states_within(question, budget, 1)?;
    Ok(odds.unwrap_or_else(|| bug!("the fuel of the script itself is known").raise()))
}

/// The same; `None` if a trial may take so much fuel that `times` as much is more than its limit,
/// or if its numbers are so large that they overflow in another order.
///
/// # Errors
/// See [`ExactError`].
pub(super) fn states_within<W: Weight>(
    question: &Question<'_>,
    budget: &mut Budget,
    times: u64,
) -> Result<Option<Odds<W>>, ExactError> {
    let all = question.shortcuts;
    let mut floors = match question.kept {
        _ if !all.contains(Shortcuts::FLOORS) => Arc::default(),
        Some(kept) => kept.floors(question.module),
        None => Arc::new(Floors::of(question.module)),
    };
    for retries in 0.. {
        let before = budget.clone();
        let key = Key::new(question, &floors, budget);
        let kept = question.kept.map(|kept| kept.take(question, &key, budget));
        let mut solved = match kept {
            Some(Ok(Some(kept))) => match states_with(question, kept, (budget, times), all) {
                // An error is found again without the cache.
                Solved::Odds(Err(_)) | Solved::Late(_) => Solved::Again(all),
                solved => solved,
            },
            _ => Solved::Again(all),
        };
        while let Solved::Again(shortcuts) = solved {
            *budget = before.clone();
            let kept = Kept::new(question, key.clone(), budget)?;
            solved = states_with(question, kept, (budget, times), shortcuts);
        }
        if let Solved::Late(trap) = solved {
            *budget = before.clone();
            let kept = Kept::<W>::new(question, key.clone(), budget)?;
            let alone = all.difference(OF_FUEL).closed();
            let again = states_with(question, kept, (budget, times), alone);
            solved = match is_out_of_fuel(&again) {
                true => again,
                false => Solved::Odds(Err(trap)),
            };
        }
        match solved {
            Solved::Odds(odds) => return odds.map(|odds| Some(*odds)),
            Solved::Unsure => return Ok(None),
            Solved::Refuted(holder) => Arc::make_mut(&mut floors).without(holder, retries),
            Solved::Again(_) | Solved::Late(_) => break,
        }
        *budget = before;
    }
    bug!("a floor was assumed and dropped forever").raise()
}

/// The result of state propagation with a plan.
enum Solved<W> {
    Odds(Result<Box<Odds<W>>, ExactError>),
    /// A number with this owner was used below its saturation bound.
    Refuted(Holder),
    /// A trap in a call in a trial that may have run out of fuel before: calls do not know the fuel
    /// that their callers burnt.
    Late(ExactError),
    /// A trial of the module before it was rewritten may run out of fuel, or overflow.
    Unsure,
    /// Compute the odds again with these shortcuts. Either the fuel may have run out where only a
    /// bound on it is known, which merging less makes more precise; or a question that used calls
    /// of other questions cost too much.
    Again(Shortcuts),
}

fn is_out_of_fuel<W>(solved: &Solved<W>) -> bool {
    let Solved::Odds(Err(ExactError::Trap(trap))) = solved else {
        return false;
    };
    trap.code == TrapCode::OutOfFuel
}

/// The shortcuts that merge orders, which may burn different fuel.
const OF_ORDERS: Shortcuts = Shortcuts::ORDERS.union(Shortcuts::LISTS);

/// The shortcuts that keep only a bound on the fuel of some states.
const OF_BOUNDS: Shortcuts = OF_ORDERS.union(Shortcuts::COLUMNS);

/// The shortcuts that compute a segment or call without the fuel that is left for it. Without them,
/// a trial that runs out of fuel does so before any later trap.
const OF_FUEL: Shortcuts = OF_BOUNDS.union(Shortcuts::CASES).union(Shortcuts::CALLS);

/// The odds by state propagation with this plan.
fn states_with<W: Weight>(
    question: &Question<'_>,
    kept: Kept<W>,
    (budget, times): (&mut Budget, u64),
    shortcuts: Shortcuts,
) -> Solved<W> {
    let Kept {
        key,
        mut shapes,
        plans,
        mut found,
        values,
    } = kept;
    if !shortcuts.contains(Shortcuts::EQUAL) {
        plans.keep_apart();
    }
    let args = arguments(question, &mut shapes, &mut found.values);
    let mut engine = Engine::new(question, (&plans, &shapes), found, budget, shortcuts);
    engine.machine.sorts = shortcuts.contains(Shortcuts::LISTS);
    let last = engine.roll(question.function, &args);
    engine.count_fired();
    if let Some(holder) = engine.machine.refuted {
        return Solved::Refuted(holder);
    }
    if let Ok(last) = &last
        && !engine.is_the_same_in_any_order(last)
    {
        return Solved::Again(shortcuts.difference(OF_ORDERS));
    }
    if let Ok(last) = &last
        && times > 1
        && engine.may_differ(last, times)
    {
        return Solved::Unsure;
    }
    let odds = match last.and_then(|last| engine.odds(&last)) {
        Ok(odds) => odds,
        Err(ExactError::Trap(trap)) => return engine.trapped(trap),
        Err(error) => return Solved::Odds(Err(error)),
    };
    let is_cheap = engine.is_cheap();
    if engine.calls.borrowed && !is_cheap {
        return Solved::Again(shortcuts);
    }
    if let Some(all) = question.kept {
        let is_first = shortcuts.contains(question.shortcuts.intersection(OF_BOUNDS));
        let plain = is_first && is_cheap && !engine.machine.large;
        let mut found = Found {
            values: engine.world.values,
            cases: engine.cases,
            distributions: engine.distributions,
            pins: engine.pins,
            calls: engine.calls,
            machine: engine.machine,
        };
        found.close(&plans, question.function, plain);
        all.put(Kept {
            key,
            shapes,
            plans,
            found,
            values,
        });
    }
    Solved::Odds(Ok(Box::new(odds)))
}

/// The arguments as values of a plan.
fn arguments(question: &Question<'_>, shapes: &mut Shapes, values: &mut Values) -> Vec<Pure> {
    let mut context = Context {
        script: question.module,
        policies: question.policies,
        decided: &[],
        shapes,
        values,
        constants: Constants::default(),
        rolls: Vec::new(),
        floors: Floors::default(),
        segments: 0,
        calls: Vec::new(),
        shortcuts: question.shortcuts,
    };
    let function = question.module.function(question.function);
    let params = function.locals.iter().zip(question.args);
    params
        .map(|(param, data)| context.data(data, &param.ty))
        .collect()
}

impl<W: Weight> Engine<'_, W> {
    /// The answer after a trap: the trap, or another attempt with fewer shortcuts, if in the order
    /// of the script no trial may end in it.
    fn trapped(&self, trap: Trap) -> Solved<W> {
        let is_fuel = trap.code == TrapCode::OutOfFuel;
        let has_order = is_fuel || trap.code == TrapCode::Overflow;
        if has_order && self.fuel_of_orders() > 0 {
            return Solved::Again(self.shortcuts.difference(OF_ORDERS));
        }
        if is_fuel && self.mixed {
            return Solved::Again(self.shortcuts.difference(OF_BOUNDS).closed());
        }
        let error = ExactError::Trap(trap);
        match self.may_be_late(is_fuel) {
            true => Solved::Late(error),
            false => Solved::Odds(Err(error)),
        }
    }

    /// Whether a trial that trapped in a call may have run out of fuel earlier. `is_fuel` if the
    /// trap is running out of fuel, at a possibly earlier place.
    fn may_be_late(&self, is_fuel: bool) -> bool {
        let shared = Shortcuts::CASES.union(Shortcuts::CALLS);
        let burnt = self.calls.burnt.saturating_add(self.machine.fuel);
        let late = match is_fuel {
            true => self.calls.burnt > 0,
            false => burnt > u64::from(self.world.limits.fuel),
        };
        self.shortcuts.intersects(shared) && late
    }

    /// Whether a trial may take so much fuel that `times` as much is more than its limit, or have
    /// numbers that overflow in another order.
    fn may_differ(&self, last: &Activation<W>, times: u64) -> bool {
        let orders = self.fuel_of_orders().max(1);
        let fuel = last.fuel.saturating_add(1).saturating_mul(orders);
        fuel.saturating_mul(times) > self.world.limits.fuel.into() || self.machine.large
    }
}
