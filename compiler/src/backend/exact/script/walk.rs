//! The walk over segments: a distribution over states goes in, one comes out on each way that leads on.

use super::call::Calls;
use super::dist::{Dist, Share};
use super::eval::{World, at};
use super::laws::Laws;
use super::machine::{Copier, Machine, Pin};
use super::notes::{Mean, Notes};
use super::plan::{Block, Head, Loop, Plan, Plans, Pure, Segment, Step, Tail};
use super::shape::Shapes;
use crate::backend::exact::{Exact, ExactError};
use dicec_runtime::pmf::{Budget, SERIES_CUT, Weight};
use dicec_runtime::trap::{Trap, TrapCode};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// What one outcome of one state costs, in elementary operations, and how many words of it cost one more.
const OUTCOME_COST: u64 = 8;
const WORDS_A_COST: u64 = 8;

/// Stack that is made sure of before a block, and how much is added where it is short. Expressions in it are trees of limited height.
const STACK_LEFT: usize = 1 << 20;
const STACK_ADDED: usize = 4 << 20;

pub(super) struct Engine<'p, W> {
    pub(super) plans: &'p Plans<'p>,
    pub(super) shapes: &'p Shapes,
    pub(super) world: World,
    pub(super) laws: Laws<'p, W>,
    pub(super) calls: Calls<W>,
    pub(super) budget: &'p mut Budget,
    /// The state at work.
    pub(super) machine: Machine,
    pub(super) copier: Copier,
    /// A packed state.
    pub(super) words: Vec<i64>,
    /// What stood where an outcome of a call changed words, the last change last.
    pub(super) undo: Vec<(i64, i64)>,
}

/// A function at work.
pub(super) struct Frame<'p, W> {
    pub(super) plan: &'p Plan,
    /// The objects of the caller, which outlive it.
    pub(super) pins: Vec<Pin>,
    pub(super) returns: Dist<W>,
    /// The ways out of the loops around, the innermost last.
    pub(super) loops: Vec<Ways<W>>,
    /// How likely it is that the function is called, if that matters.
    pub(super) scale: f64,
    /// The probability of what was cut.
    pub(super) residual: f64,
    pub(super) notes: Notes,
    /// How often each of [`Calls::done`] happens.
    pub(super) calls: FxHashMap<usize, Mean>,
    /// How deep the calls go.
    pub(super) height: u32,
}

/// The ways out of a round of a loop.
pub(super) struct Ways<W> {
    breaks: Dist<W>,
    continues: Dist<W>,
}

/// A segment at work.
pub(super) struct Run<'r, 'p, W> {
    pub(super) frame: &'r mut Frame<'p, W>,
    pub(super) segment: &'p Segment,
    pub(super) input: &'r Dist<W>,
    /// The probability of all of that, once it was asked for.
    pub(super) mass: OnceCell<f64>,
    /// Where the segment leads.
    next: &'r mut Dist<W>,
    /// Where it leads inside: the two blocks of an `if`, the first round of a loop.
    inner: [Dist<W>; 2],
}

impl<W: Weight> Run<'_, '_, W> {
    /// The total of the weights of outcomes that have this total themselves.
    pub(super) fn total(&self, outcomes: &W) -> W {
        W::product_total(&self.input.total, outcomes)
    }

    /// The probability of a state that goes in.
    pub(super) fn mean(&self, state: usize) -> Mean {
        mean(self.input.share(state), &self.input.total)
    }
}

fn mean<W: Weight>(share: &Share<W>, total: &W) -> Mean {
    Mean {
        value: share.weight.ratio(total),
        roundings: share.roundings,
    }
}

impl<'p, W: Weight> Engine<'p, W> {
    /// Runs a block; what falls through it comes to `out`.
    pub(super) fn block(
        &mut self,
        frame: &mut Frame<'p, W>,
        block: &'p Block,
        mut input: Dist<W>,
        out: &mut Dist<W>,
    ) -> Result<(), ExactError> {
        for (index, segment) in block.segments.iter().enumerate() {
            if input.is_empty() {
                return Ok(());
            }
            let later = block.segments.get(index + 1);
            let Some(later) = later else {
                return self.segment(frame, segment, &input, out);
            };
            let mut next = Dist::new(later.live.clone());
            self.segment(frame, segment, &input, &mut next)?;
            input = next;
        }
        out.join(input);
        Ok(())
    }

    fn segment(
        &mut self,
        frame: &mut Frame<'p, W>,
        segment: &'p Segment,
        input: &Dist<W>,
        next: &mut Dist<W>,
    ) -> Result<(), ExactError> {
        let begin = |block: &Block| Dist::new(block.begin().unwrap_or(&next.live).clone());
        let inner = match &segment.tail {
            Tail::If(_, then, otherwise) => [begin(then), begin(otherwise)],
            Tail::Loop(rounds) => [rounds.live.clone(), next.live.clone()].map(Dist::new),
            _ => [next.live.clone(), next.live.clone()].map(Dist::new),
        };
        let mut run = Run {
            frame,
            segment,
            input,
            mass: OnceCell::new(),
            next,
            inner,
        };
        for state in 0..input.len() {
            self.unpack(&run, state);
            self.branch(&mut run, state)?;
        }
        let Run {
            frame, next, inner, ..
        } = run;
        let [first, second] = inner;
        match &segment.tail {
            Tail::If(_, then, otherwise) => stacker::maybe_grow(STACK_LEFT, STACK_ADDED, || {
                self.block(frame, then, first, next)?;
                self.block(frame, otherwise, second, next)
            }),
            Tail::Loop(rounds) => stacker::maybe_grow(STACK_LEFT, STACK_ADDED, || {
                self.rounds(frame, rounds, first, next)
            }),
            Tail::Next | Tail::Break | Tail::Continue | Tail::Return(_) => Ok(()),
        }
    }

    /// Unpacks a state that goes into a segment.
    pub(super) fn unpack(&mut self, run: &Run<'_, 'p, W>, state: usize) {
        let pins = &run.frame.pins;
        let locals = run.frame.plan.locals.len() + pins.len();
        let live = (&*run.segment.live, pins.as_slice());
        self.machine.unpack(locals, live, run.input.words(state));
        self.machine.fuel = run.input.share(state).fuel;
    }

    /// Pays for so many outcomes of a state.
    pub(super) fn pay(
        &mut self,
        run: &Run<'_, 'p, W>,
        state: usize,
        outcomes: usize,
        total: &W,
    ) -> Result<(), ExactError> {
        let words = run.input.words(state).len() as u64;
        let weight = W::mul_cost(&run.input.total, total);
        let cost = OUTCOME_COST + words / WORDS_A_COST + weight;
        let sizes = run.inner.iter().map(Dist::size).sum::<u64>();
        let held = run.next.size().saturating_add(sizes);
        self.budget
            .spend(cost.saturating_mul(outcomes as u64), held)?;
        let kept = self.world.values.len() + run.frame.notes.len();
        Ok(self.budget.check_outcomes(kept as u64)?)
    }

    /// Takes a state through a segment, which it is unpacked for.
    fn branch(&mut self, run: &mut Run<'_, 'p, W>, state: usize) -> Result<(), ExactError> {
        match &run.segment.head {
            None => {
                self.pay(run, state, 1, &W::from_u64(1))?;
                let share = run.input.share(state).clone();
                let total = run.input.total.clone();
                Ok(self.follow(run, share, &total)?)
            }
            Some(Head::Roll(site, into, holes)) => {
                let holes: Result<Vec<i64>, Trap> = holes
                    .iter()
                    .map(|hole| self.machine.eval(hole, &mut self.world))
                    .collect();
                let law = self.laws.roll(*site, &holes?, self.budget)?;
                self.outcomes(run, state, *into, &law)
            }
            Some(Head::Option(into, option)) => {
                let law = self.laws.option(*option);
                self.outcomes(run, state, *into, &law)
            }
            Some(Head::Call {
                into,
                function,
                args,
                span,
            }) => self.call(run, state, *into, (*function, args, *span)),
        }
    }

    /// The outcomes of a roll or an option.
    fn outcomes(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        state: usize,
        into: usize,
        law: &Exact<W>,
    ) -> Result<(), ExactError> {
        self.pay(run, state, law.pmf.len(), law.pmf.total())?;
        if law.residual > 0.0 {
            run.frame.residual += run.mean(state).value * law.residual;
        }
        let fuel = self.machine.fuel;
        let total = run.total(law.pmf.total());
        for (index, (value, weight)) in law.pmf.iter().enumerate() {
            if index > 0 && !run.segment.keeps {
                self.unpack(run, state);
            }
            self.machine.locals[into] = value;
            let mut share = run.input.share(state).of(weight, law.pmf.roundings());
            share.fuel = fuel;
            self.follow(run, share, &total)?;
        }
        Ok(())
    }

    /// Takes a state, whose head is done, to the end of a segment.
    pub(super) fn follow(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        mut share: Share<W>,
        total: &W,
    ) -> Result<(), Trap> {
        self.machine.fuel = share.fuel;
        for step in &run.segment.straight {
            self.step(run.frame, step, &share, total)?;
        }
        share.fuel = self.machine.fuel;
        let (machine, world) = (&mut self.machine, &mut self.world);
        let ways = run.frame.loops.last_mut();
        let to = match (&run.segment.tail, ways) {
            (Tail::Next, _) => &mut *run.next,
            (Tail::Loop(_), _) => &mut run.inner[0],
            (Tail::If(condition, then, otherwise), ways) => {
                let (block, place) = if machine.truth(condition, world)? {
                    (then, 0)
                } else {
                    (otherwise, 1)
                };
                match (block.way(), ways) {
                    (Way::Through, _) => &mut *run.next,
                    (Way::Break, Some(ways)) => &mut ways.breaks,
                    (Way::Continue, Some(ways)) => &mut ways.continues,
                    _ => &mut run.inner[place],
                }
            }
            (Tail::Break, Some(ways)) => &mut ways.breaks,
            (Tail::Continue, Some(ways)) => &mut ways.continues,
            // In a checked script they stand in loops.
            (Tail::Break | Tail::Continue, None) => &mut *run.next,
            (Tail::Return(value), _) => {
                let plan = run.frame.plan;
                if let Some(value) = value {
                    let word = machine.eval(value, world)?;
                    machine.locals[plan.result()] = word;
                    machine.moved |= plan.locals[plan.result()].is_object();
                    share.fuel = machine.fuel;
                }
                &mut run.frame.returns
            }
        };
        let unchanged = !machine.moved && to.live.objects == run.segment.live.objects;
        let live = (&*to.live, run.frame.pins.as_slice());
        self.copier
            .pack(self.shapes, machine, live, unchanged, &mut self.words);
        to.add(&self.words, share, total);
        Ok(())
    }

    fn step(
        &mut self,
        frame: &mut Frame<'p, W>,
        step: &Step,
        share: &Share<W>,
        total: &W,
    ) -> Result<(), Trap> {
        let (machine, world) = (&mut self.machine, &mut self.world);
        match step {
            Step::Eval(value) => {
                machine.eval(value, world)?;
            }
            Step::Set(local, value, object) => {
                machine.locals[*local] = machine.eval(value, world)?;
                machine.moved |= object;
            }
            Step::Slot(record, slot, value, object) => {
                let record = machine.eval(record, world)?;
                let value = machine.eval(value, world)?;
                machine.put(record + *slot as i64, value);
                machine.moved |= object;
            }
            Step::Element(list, index, value, span) => {
                let [list, index, value] = self.three([list, index, value])?;
                let machine = &mut self.machine;
                machine.moved = true;
                let put = machine.put_element(list, index, value);
                put.ok_or(TrapCode::NoElement).map_err(at(*span))?;
            }
            Step::Append(list, value, span) => {
                let list = machine.eval(list, world)?;
                let value = machine.eval(value, world)?;
                machine.burn(1, world, *span)?;
                machine.append(list, value, world).map_err(at(*span))?;
            }
            Step::Pay(units, span) => machine.burn(*units, world, *span)?,
            Step::Output(line) => {
                let line = machine.eval(line, world)?;
                frame.notes.line(line, mean(share, total));
            }
            Step::Stat(stat, value) => {
                let value = machine.eval(value, world)?;
                frame.notes.stat(*stat, value, mean(share, total));
            }
        }
        Ok(())
    }

    fn three(&mut self, values: [&Pure; 3]) -> Result<[i64; 3], Trap> {
        let mut words = [0; 3];
        for (word, value) in words.iter_mut().zip(values) {
            *word = self.machine.eval(value, &mut self.world)?;
        }
        Ok(words)
    }

    /// Rounds of a loop, until nothing is left in it or, where it can go on for ever, too little to matter.
    fn rounds(
        &mut self,
        frame: &mut Frame<'p, W>,
        rounds: &'p Loop,
        mut input: Dist<W>,
        out: &mut Dist<W>,
    ) -> Result<(), ExactError> {
        let enough = SERIES_CUT * input.mass().min(1.0);
        frame.loops.push(Ways {
            breaks: Dist::new(out.live.clone()),
            continues: Dist::new(rounds.live.clone()),
        });
        while !input.is_empty() {
            let left = input.mass();
            if !rounds.over_list && left <= enough {
                frame.residual += left;
                break;
            }
            let mut again = Dist::new(rounds.live.clone());
            self.block(frame, &rounds.body, input, &mut again)?;
            if let Some(ways) = frame.loops.last_mut() {
                out.join(ways.breaks.taken());
                again.join(ways.continues.taken());
            }
            input = again;
        }
        frame.loops.pop();
        Ok(())
    }
}

/// Where a block leads that does nothing.
enum Way {
    Through,
    Break,
    Continue,
    /// It does something.
    Into,
}

impl Block {
    fn way(&self) -> Way {
        match self.segments.as_slice() {
            [] => Way::Through,
            [segment, ..] if segment.head.is_none() && segment.straight.is_empty() => {
                match segment.tail {
                    Tail::Break => Way::Break,
                    Tail::Continue => Way::Continue,
                    _ => Way::Into,
                }
            }
            _ => Way::Into,
        }
    }
}
