//! The outcomes of one state in a segment: the state goes through it once for each outcome of its
//! head, which gives a [`Case`] for all states with the same answers.

use super::case::{Case, Draft, Exit};
use super::dist::Share;
use super::eval::at;
use super::notes::{Mean, StatKey};
use super::plan::{Head, Segment, Step, Tail};
use super::reads::Word;
use super::walk::{Engine, Run};
use crate::engine::exact::{Exact, ExactError};
use dicec_runtime::pmf::Weight;
use dicec_runtime::trap::{Trap, TrapCode};

impl<'p, W: Weight> Engine<'p, W> {
    /// Computes the outcomes of a state that burnt `fuel` before; the machine keeps what was read.
    pub(super) fn work(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        state: usize,
        scale: f64,
        fuel: u64,
    ) -> Result<Case<W>, ExactError> {
        let row = run.input.row(state);
        self.machine.reads.begin(row.len() as i64);
        let mut draft = Draft::new();
        self.load(run, &row, fuel);
        match &run.segment.head {
            None => {
                self.pay_work(1, row.len())?;
                self.follow(run, &mut draft, Share::certain(0))?;
            }
            Some(Head::Roll(site, into, holes)) => {
                for slot in &self.plans.rolls[*site].reads {
                    let value = self.world.resources[*slot];
                    self.machine.reads.resource(*slot, value);
                }
                let holes: Result<Vec<i64>, Trap> = holes
                    .iter()
                    .map(|hole| self.machine.eval(hole, &mut self.world))
                    .collect();
                let rolled = self.distributions.roll(
                    (*site, &self.plans.rolls[*site]),
                    (self.question.resources, &holes?),
                    self.question.rolls,
                    self.budget,
                )?;
                self.tab = self.tab.saturating_add(rolled.cost);
                self.outcomes(run, &mut draft, &row, *into, &rolled.exact)?;
                draft.rolled = Some(rolled);
            }
            Some(Head::Option(into, option)) => {
                let distribution = self.distributions.option(*option);
                self.outcomes(run, &mut draft, &row, *into, &distribution)?;
            }
            Some(Head::Call {
                into,
                function,
                args,
                span,
            }) => self.call(
                run,
                &mut draft,
                &row,
                *into,
                (*function, args, *span),
                scale,
            )?,
        }
        Ok(draft.finish())
    }

    /// Unpacks the row of a state that enters a segment.
    pub(super) fn load(&mut self, run: &Run<'_, 'p, W>, row: &[i64], fuel: u64) {
        let pins = run.frame.pins.as_slice();
        let locals = run.frame.plan.locals.len() + pins.len();
        let live = (&*run.segment.live, pins);
        self.machine.unpack(locals, live, Word::row(row));
        self.machine.floors = pins.is_empty();
        self.machine.fuel = fuel;
        self.machine.start = fuel;
    }

    /// The outcomes of a roll or an option.
    fn outcomes(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        draft: &mut Draft<W>,
        row: &[i64],
        into: usize,
        distribution: &Exact<W>,
    ) -> Result<(), ExactError> {
        self.pay_work(distribution.pmf.len(), row.len())?;
        let fuel = self.machine.fuel;
        draft.count.residual = distribution.residual;
        draft.total = distribution.pmf.total().clone();
        for (value, weight) in distribution.pmf.iter() {
            let start = self.machine.start;
            self.load(run, row, start);
            self.machine.locals[into] = Word::new(value);
            let share = Share::new(weight.clone(), distribution.pmf.roundings(), fuel - start);
            self.follow(run, draft, share)?;
        }
        Ok(())
    }

    /// Takes a state from the head to the end of a segment. Its fuel is what was burnt in the
    /// segment.
    pub(super) fn follow(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        draft: &mut Draft<W>,
        share: Share<W>,
    ) -> Result<(), Trap> {
        let start = self.machine.start;
        self.machine.fuel = start.saturating_add(share.fuel());
        let mut place = Place {
            segment: run.segment,
            entry: 0,
            next: Exit::Next,
        };
        let exit = loop {
            for step in &place.segment.straight {
                self.step(step, draft, &share)?;
            }
            if let Some(exit) = self.leave(run, &mut place)? {
                break exit;
            }
        };
        let machine = &mut self.machine;
        let share = share.with_fuel(machine.fuel - start);
        let live = run.live(exit);
        let unchanged = !machine.moved && live.objects == run.segment.live.objects;
        let live = (&*live, run.frame.pins.as_slice());
        self.copier
            .pack(self.shapes, machine, live, unchanged, &mut self.words);
        let row = self.words.iter();
        let row = row.map(|word| machine.reads.outcome(*word));
        draft.add(exit, row.collect(), share);
        Ok(())
    }

    /// Where a tail leads: to an exit, or to a place that is decided with it.
    fn leave(&mut self, run: &Run<'_, 'p, W>, place: &mut Place<'p>) -> Result<Option<Exit>, Trap> {
        let (machine, world) = (&mut self.machine, &mut self.world);
        Ok(Some(match &place.segment.tail {
            Tail::Next => place.next,
            Tail::Loop(_) => Exit::Inner(0),
            Tail::If(condition, then, otherwise) => {
                let block = if machine.truth(condition, world)? {
                    then
                } else {
                    place.entry += then.entries();
                    otherwise
                };
                match block.segments.as_slice() {
                    [segment, rest @ ..] if block.begins_decided() => {
                        place.segment = segment;
                        if !rest.is_empty() {
                            place.next = Exit::Inner(place.entry);
                        }
                        return Ok(None);
                    }
                    [] => Exit::Next,
                    _ => Exit::Inner(place.entry),
                }
            }
            Tail::Break => Exit::Break,
            Tail::Continue => Exit::Continue,
            Tail::Return(value) => {
                let plan = run.frame.plan;
                if let Some(value) = value {
                    let word = machine.copy(value, world)?;
                    machine.locals[plan.result()] = word;
                    machine.moved |= plan.locals[plan.result()].is_object();
                }
                Exit::Return
            }
        }))
    }

    fn step(&mut self, step: &Step, draft: &mut Draft<W>, share: &Share<W>) -> Result<(), Trap> {
        let (machine, world) = (&mut self.machine, &mut self.world);
        let notes = &mut draft.count.notes;
        let total = &draft.total;
        let mean = || Mean {
            value: share.weight.ratio(total),
            roundings: share.roundings(),
        };
        match step {
            Step::Eval(value) => {
                machine.copy(value, world)?;
            }
            Step::Set(local, value, object) => {
                machine.locals[*local] = machine.copy(value, world)?;
                machine.moved |= object;
            }
            Step::Slot(record, slot, value, object) => {
                let record = machine.eval(record, world)?;
                let value = machine.copy(value, world)?;
                machine.put(record + *slot as i64, value);
                machine.moved |= object;
            }
            Step::Element(list, index, value, span) => {
                let list = machine.eval(list, world)?;
                let index = machine.eval(index, world)?;
                let value = machine.copy(value, world)?;
                machine.moved = true;
                let put = machine.put_element(list, index, value);
                put.ok_or(TrapCode::NoElement).map_err(at(*span))?;
            }
            Step::Append(list, value, span) => {
                let list = machine.eval(list, world)?;
                let value = machine.copy(value, world)?;
                machine.burn(1, world, *span)?;
                machine.append(list, value, world).map_err(at(*span))?;
            }
            Step::Shorten(list) => {
                let list = machine.eval(list, world)?;
                machine.shorten(list);
            }
            Step::Require(condition, span) => {
                if !machine.truth(condition, world)? {
                    return Err(at(*span)(TrapCode::NoElement));
                }
            }
            Step::Pay(units, span) => machine.burn(*units, world, *span)?,
            Step::Output(line) => {
                let line = machine.eval(line, world)?;
                notes.line(line, mean());
            }
            Step::Stat(stat, value) => {
                let value = machine.eval(value, world)?;
                notes.stat(StatKey::Known(*stat), value, mean());
            }
            Step::NamedStat(name, value) => {
                let name = machine.eval(name, world)?;
                let value = machine.eval(value, world)?;
                notes.stat(StatKey::Template(name), value, mean());
            }
        }
        Ok(())
    }
}

/// Where a state is in the segments that are decided together.
struct Place<'p> {
    segment: &'p Segment,
    /// The number of the first [`Entry`](super::plan::Entry) of the segment.
    entry: usize,
    /// Where the segment leads if it does not branch.
    next: Exit,
}
