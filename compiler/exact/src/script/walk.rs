//! Propagates a distribution over states through segments: one distribution goes in, one comes out
//! at each exit. The outcomes of a state are the cached case of the segment, or computed for the
//! first time ([`super::work`]).

use super::case::{Case, Count};
use super::cost::{LOOKED_UP_COST, OUTCOME_COST, WORK_COST, WORK_WORD_COST};
use super::dist::{Dist, MAX_STATES};
use super::engine::{Engine, Frame, LoopExits, Run, STACK_ADDED, STACK_LEFT};
use super::notes::Mean;
use super::plan::{Head, Loop, Segment, Tail};
use super::reads::Reads;
use super::state_explosion::{StateExplosion, parts};
use crate::{ExactError, Shortcuts};
use dicec_runtime::pmf::Weight;
use std::sync::Arc;

impl<'p, W: Weight> Engine<'p, W> {
    /// Runs segments; the states that reach their end are added to `out`.
    pub(super) fn block(
        &mut self,
        frame: &mut Frame<'p, W>,
        block: &'p [Segment],
        mut input: Dist<W>,
        out: &mut Dist<W>,
    ) -> Result<(), ExactError> {
        let mut rest = block;
        while let [segment, others @ ..] = rest {
            if input.is_empty() {
                return Ok(());
            }
            if self.shortcuts.contains(Shortcuts::COLUMNS) {
                input.unpack();
                match self.at_once(frame, rest, &input, out)? {
                    Some((length, Some(next))) => {
                        (rest, input) = (&rest[length..], next);
                        continue;
                    }
                    Some((_, None)) => return Ok(()),
                    None => {}
                }
            }
            let Some(later) = others.first() else {
                return self.segment(frame, segment, input, out);
            };
            let mut next = Dist::new(later.live.clone());
            self.segment(frame, segment, input, &mut next)?;
            (rest, input) = (others, next);
        }
        out.join(input);
        Ok(())
    }

    fn segment(
        &mut self,
        frame: &mut Frame<'p, W>,
        segment: &'p Segment,
        input: Dist<W>,
        next: &mut Dist<W>,
    ) -> Result<(), ExactError> {
        self.longest = self.longest.max(input.longest());
        let entries = segment.entries();
        let inner = entries.iter();
        let inner = inner.map(|entry| Dist::new(segment.begin(entry, &next.live)));
        let inner = inner.collect();
        let mut run = Run::new(&mut *frame, segment, &input, &mut *next, inner);
        let taken = self.states(&mut run);
        taken.map_err(|error| self.explosion(&run, error))?;
        let Run { inner, met, .. } = run;
        for (count, mean) in met.into_values() {
            self.note(frame, &count, mean);
        }
        // Loops and branches take long, and need only their own states.
        drop(input);
        let mut inner = inner.into_iter().zip(entries);
        stacker::maybe_grow(STACK_LEFT, STACK_ADDED, || match &segment.tail {
            Tail::Loop(iterations) => {
                inner.try_for_each(|(first, _)| self.iterations(frame, iterations, first, next))
            }
            _ => inner.try_for_each(|(input, entry)| self.block(frame, entry, input, next)),
        })
    }

    /// Adds the location of the state explosion to a budget error.
    pub(super) fn explosion(&self, run: &Run<'_, 'p, W>, error: ExactError) -> ExactError {
        let ExactError::Exhausted(exhausted) = error else {
            return error;
        };
        let exits = run.inner.iter().chain([run.input, &*run.next]);
        let most = exits.max_by_key(|exits| exits.len()).unwrap_or(run.input);
        let names = &run.frame.plan.names;
        let parts = parts(
            (self.question.module, self.shapes),
            names,
            &run.frame.pins,
            most,
        );
        ExactError::StateExplosion(Box::new(StateExplosion {
            exhausted,
            span: run.segment.span,
            states: most.len() as u64,
            parts,
        }))
    }

    /// Takes all states through a segment.
    fn states(&mut self, run: &mut Run<'_, 'p, W>) -> Result<(), ExactError> {
        let input = run.input;
        if let Some(column) = input.column() {
            if column.weights.len() > 1 {
                self.takes(Shortcuts::COLUMNS);
            }
            return self.convolve(run, column);
        }
        let together = self.shortcuts.contains(Shortcuts::TOGETHER) && input.len() > 1;
        if together && self.together(run)? {
            self.takes(Shortcuts::TOGETHER);
            return Ok(());
        }
        (0..run.input.len()).try_for_each(|state| self.state(run, state))
    }

    /// Takes a state through a segment.
    fn state(&mut self, run: &mut Run<'_, 'p, W>, state: usize) -> Result<(), ExactError> {
        let mut scale = 1.0;
        if let Some(Head::Call { function, .. }) = &run.segment.head {
            scale = self.scale(run, *function);
            if scale <= self.budget.cut() {
                run.frame.residual += run.input.mean(state..state + 1).value;
                return Ok(());
            }
        }
        let (number, case) = self.case(run, state, scale)?;
        self.pay_each(run, (1, LOOKED_UP_COST), &case)?;
        self.meet(run, state..state + 1, number, &case);
        let total = W::product_total(&run.input.total, &case.total);
        for flight in &case.flights {
            flight.pour(run.input, state..state + 1, &total, run.to(flight.exit));
        }
        Ok(())
    }

    /// The case of a state, with its number.
    pub(super) fn case(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        state: usize,
        scale: f64,
    ) -> Result<(usize, Arc<Case<W>>), ExactError> {
        if !self.shortcuts.contains(Shortcuts::CASES) {
            return self.case_alone(run, state, scale);
        }
        let place = (run.segment.number, run.frame.pinned);
        let input = run.input;
        let fuel = burnt(input, state);
        if !run
            .begin
            .as_ref()
            .is_some_and(|begin| self.cases.holds(begin))
        {
            run.begin = match input.column() {
                Some(column) => self.cases.begin(place, column),
                None => self.cases.begin(place, &**input.layout()),
            };
        }
        let known = run.begin.as_ref();
        let known = known.and_then(|begin| match input.column() {
            Some(column) => {
                let read = |place| column.word(state, place);
                self.cases.find(place.0, begin, read)
            }
            None => {
                let (layout, key) = (input.layout(), input.key(state));
                let read = |place| layout.read(key, place);
                self.cases.find(place.0, begin, read)
            }
        });
        let known = known.map(|(number, case)| (number, case.clone()));
        if let Some((number, case)) = known {
            self.pay_again(&case)?;
            let still = case
                .count
                .call
                .is_none_or(|call| self.calls.fits(call, scale, self.world.limits));
            if !still {
                self.cases.forget(run.segment.number);
            } else if fuel.saturating_add(case.fuel) <= u64::from(self.world.limits.fuel) {
                self.takes(Shortcuts::CASES);
                return Ok((number, case));
            } else {
                // With the remaining fuel it traps; computing it again finds the place.
                return Ok((number, Arc::new(self.work(run, state, scale, fuel)?)));
            }
        }
        let (number, case) = self.new_case(run, state, (scale, fuel))?;
        if fuel.saturating_add(case.fuel) > u64::from(self.world.limits.fuel) {
            self.work(run, state, scale, fuel)?;
        }
        Ok((number, case))
    }

    /// The case of this state only, computed with the fuel that it has left.
    fn case_alone(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        state: usize,
        scale: f64,
    ) -> Result<(usize, Arc<Case<W>>), ExactError> {
        let fuel = burnt(run.input, state);
        let case = self.work(run, state, scale, fuel)?;
        self.machine.reads = Reads::default();
        Ok((self.cases.number(), Arc::new(case)))
    }

    /// Charges for the outcomes of states, this much for each.
    pub(super) fn pay_each(
        &mut self,
        run: &Run<'_, 'p, W>,
        (states, each): (usize, u64),
        case: &Case<W>,
    ) -> Result<(), ExactError> {
        let words = run.input.layout().stride() as u64;
        let weight = W::mul_cost(&run.input.total, &case.total);
        let outcomes = (case.outcomes() as u64).saturating_mul(OUTCOME_COST + words + weight);
        let work = outcomes.saturating_add(each);
        self.pay(run, work.saturating_mul(states as u64))
    }

    /// Charges for work on the states of a segment.
    pub(super) fn pay(&mut self, run: &Run<'_, 'p, W>, work: u64) -> Result<(), ExactError> {
        let sizes = run.inner.iter().map(Dist::size).sum::<u64>();
        let held = run.next.size().saturating_add(sizes);
        if held > MAX_STATES {
            // More states than there are indices.
            self.budget.spend(u64::MAX, held)?;
        }
        self.peak = self.peak.max(held);
        self.budget.spend(work, held)?;
        let kept = self.world.values.len() + run.frame.notes.len() + run.met.len();
        Ok(self.budget.check_outcomes(kept as u64)?)
    }

    /// Charges for computing outcomes with rows of `words` words.
    pub(super) fn pay_work(&mut self, outcomes: usize, words: usize) -> Result<(), ExactError> {
        let words = WORK_WORD_COST.saturating_mul(words as u64);
        let cost = WORK_COST.saturating_add(words);
        let work = cost.saturating_mul(outcomes as u64);
        self.peak = self.peak.max(outcomes as u64);
        Ok(self.budget.spend(work, outcomes as u64)?)
    }

    /// Counts a case that occurred, with its probability.
    pub(super) fn note(&self, frame: &mut Frame<'p, W>, count: &Count, mean: Mean) {
        frame.residual += mean.value * count.residual;
        frame.notes.join(&count.notes, mean);
        if let Some(call) = count.call {
            let done = &self.calls.done[call];
            frame.height = frame.height.max(done.height + 1);
            frame.residual += mean.value * done.residual;
            frame.calls.entry(call).or_default().add(mean);
        }
    }

    /// Runs iterations of a loop until no state is left in it. A loop that can go on forever ends
    /// when the probability that is left is too small to matter.
    fn iterations(
        &mut self,
        frame: &mut Frame<'p, W>,
        iterations: &'p Loop,
        mut input: Dist<W>,
        out: &mut Dist<W>,
    ) -> Result<(), ExactError> {
        let enough = self.budget.cut() * input.mass().min(1.0);
        frame.loops.push(LoopExits {
            breaks: Dist::new(out.live.clone()),
            continues: Dist::new(iterations.live.clone()),
        });
        while !input.is_empty() {
            input = self.interchange(frame, input)?;
            let left = input.mass();
            if !iterations.ends && left <= enough {
                frame.residual += left;
                break;
            }
            let mut again = Dist::new(iterations.live.clone());
            self.block(frame, &iterations.body.segments, input, &mut again)?;
            if let Some(exits) = frame.loops.last_mut() {
                exits.breaks.move_into(out);
                exits.continues.move_into(&mut again);
            }
            input = again;
        }
        frame.loops.pop();
        Ok(())
    }
}

/// The maximum fuel of any path to a state.
fn burnt<W: Weight>(input: &Dist<W>, state: usize) -> u64 {
    match input.column() {
        Some(column) => column.fuel,
        None => input.share(state).fuel(),
    }
}
