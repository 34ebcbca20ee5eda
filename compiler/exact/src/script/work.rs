//! Computes a [`Case`]: takes one state through a segment, once for each outcome of its head. The
//! result holds for all states with the same answers.

use super::case::{Case, Draft};
use super::engine::{Engine, Run};
use super::eval::at;
use super::flight::Flight;
use super::notes::{Mean, StatKey};
use super::plan::{Exit, Head, Pure, RolledDice, Segment, Step, Tail};
use super::reads::Word;
use super::share::Share;
use super::side::Side;
use crate::{Exact, ExactError, Shortcuts};
use dicec_runtime::bug;
use dicec_runtime::pmf::{Pmf, Weight};
use dicec_runtime::trap::{Trap, TrapCode};
use std::ops::RangeInclusive;

impl<'p, W: Weight> Engine<'p, W> {
    /// Computes the outcomes of a state that burnt `fuel` before; the reads stay in the machine.
    pub(super) fn work(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        state: usize,
        scale: f64,
        fuel: u64,
    ) -> Result<Case<W>, ExactError> {
        let row = run.input.row(state);
        self.work_row(run, &row, scale, fuel)
    }

    /// The same for the row of a state.
    pub(super) fn work_row(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        row: &[i64],
        scale: f64,
        fuel: u64,
    ) -> Result<Case<W>, ExactError> {
        let mut draft = Draft::new();
        self.begin(run, row, fuel);
        match &run.segment.head {
            None => {
                self.pay_work(1, row.len())?;
                self.follow(run, &mut draft, Share::certain(0))?;
            }
            Some(Head::Roll(site, into, holes)) => {
                let filled = self.fill(*site, holes)?;
                let rolled = self.distributions.roll(
                    (*site, &self.plans.rolls[*site]),
                    (self.question.resources, &filled),
                    (self.question.rolls, self.shortcuts),
                    self.budget,
                )?;
                self.tab = self.tab.saturating_add(rolled.cost);
                let pmf = &rolled.exact.pmf;
                self.pay_work(pmf.len(), row.len())?;
                draft.total = pmf.total().clone();
                draft.count.residual = rolled.exact.residual;
                if !self.roll_at_once(run, &mut draft, row, *into, pmf)? {
                    draft = Draft::new();
                    self.begin(run, row, fuel);
                    self.fill(*site, holes)?;
                    self.outcomes(run, &mut draft, row, *into, &rolled.exact)?;
                }
                draft.rolled = Some(rolled);
            }
            Some(Head::Option(into, option)) => {
                let distribution = self.distributions.option(*option);
                self.pay_work(distribution.pmf.len(), row.len())?;
                self.outcomes(run, &mut draft, row, *into, &distribution)?;
            }
            Some(Head::Decision(_)) => bug!("a decision has no odds").raise(),
            Some(Head::Call {
                into,
                function,
                args,
                span,
            }) => self.call(run, &mut draft, row, *into, (*function, args, *span), scale)?,
        }
        Ok(draft.finish())
    }

    /// Starts recording the reads of a state that enters a segment.
    pub(super) fn begin(&mut self, run: &Run<'_, 'p, W>, row: &[i64], fuel: u64) {
        self.machine.reads.begin(row.len() as i64);
        self.load(run, row, fuel);
    }

    /// The numbers in the holes of a roll; for a dice value, those that describe it.
    fn fill(&mut self, site: usize, holes: &[Pure]) -> Result<Vec<i64>, Trap> {
        let site = &self.plans.rolls[site];
        for slot in &site.reads {
            let value = self.world.resources[*slot];
            self.machine.reads.resource(*slot, value);
        }
        let holes = holes.iter();
        let filled = holes.map(|hole| self.machine.eval(hole, &mut self.world));
        let filled: Vec<i64> = filled.collect::<Result<_, _>>()?;
        let (RolledDice::Value(layout), &[value]) = (&site.dice, &filled[..]) else {
            return Ok(filled);
        };
        let (numbers, fuel) = layout.numbers(&self.world.values, value, self.question.rolls);
        self.machine.burn(fuel, &self.world, layout.span)?;
        Ok(numbers)
    }

    /// Takes all outcomes of a roll at once, if its result is only moved. Otherwise returns
    /// `false`, and each outcome has to be taken by itself.
    fn roll_at_once(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        draft: &mut Draft<W>,
        row: &[i64],
        into: usize,
        pmf: &Pmf<W>,
    ) -> Result<bool, ExactError> {
        let (start, burnt) = (self.machine.start, self.machine.fuel - self.machine.start);
        self.load(run, row, start);
        let ends = pmf.min()..=pmf.max();
        self.machine.reads.begin_roll(ends.clone());
        self.machine.locals[into] = Word::rolled(*ends.start());
        let share = |weight: &W| Share::new(weight.clone(), pmf.roundings(), burnt);
        let results = pmf.iter();
        let results = results.map(|(result, weight)| (result, share(weight)));
        self.fly(run, draft, (ends, burnt), results)
    }

    /// Takes all results of a roll or call to the end of the segment at once; one word of the state
    /// depends on the result. `burnt` is the fuel before it. `false` if the result is read, or if
    /// other than one word depends on it.
    pub(super) fn fly(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        draft: &mut Draft<W>,
        (ends, burnt): (RangeInclusive<i64>, u64),
        results: impl Iterator<Item = (i64, Share<W>)>,
    ) -> Result<bool, ExactError> {
        if !self.shortcuts.contains(Shortcuts::OUTCOMES) {
            return Ok(false);
        }
        let certain = Share::new(draft.total.clone(), 0, burnt);
        let (exit, fuel) = self.lead(run, draft, &certain)?;
        let reads = &self.machine.reads;
        let sides = self.words.iter().map(|word| reads.rolled_outcome(*word));
        let (row, rolled): (Vec<Side>, Vec<i8>) = sides.unzip();
        let mut varied = rolled.iter().zip(1..).filter(|(times, _)| **times != 0);
        let Some((times, place)) = varied.next() else {
            return Ok(false);
        };
        let is_raised =
            self.words[place - 1].has_floor() && matches!(row[place - 1], Side::Word(_));
        if reads.reads_roll() || varied.next().is_some() || is_raised {
            return Ok(false);
        }
        let times = i64::from(*times);
        let [one, two] = [*ends.start(), *ends.end()].map(|end| end * times);
        let outcomes = results.map(|(result, share)| {
            let fuel = share.fuel().saturating_add(fuel - burnt);
            (result * times, share.with_fuel(fuel))
        });
        let range = one.min(two)..=one.max(two);
        self.takes(Shortcuts::OUTCOMES);
        draft.fly(Flight::of_numbers(exit, &row, (place, &range), outcomes));
        Ok(true)
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

    /// Takes each outcome of a roll or an option through the segment.
    fn outcomes(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        draft: &mut Draft<W>,
        row: &[i64],
        into: usize,
        distribution: &Exact<W>,
    ) -> Result<(), ExactError> {
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

    /// Takes a state from the head to the end of a segment. Its fuel is the fuel burnt in the
    /// segment.
    pub(super) fn follow(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        draft: &mut Draft<W>,
        share: Share<W>,
    ) -> Result<(), Trap> {
        let (exit, fuel) = self.lead(run, draft, &share)?;
        let row = self.words.iter();
        let row = row.map(|word| self.machine.reads.outcome(*word));
        draft.add(exit, row.collect(), share.with_fuel(fuel));
        Ok(())
    }

    /// The same without adding an outcome: returns the exit and the fuel. The row is left in
    /// [`Engine::words`].
    fn lead(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        draft: &mut Draft<W>,
        share: &Share<W>,
    ) -> Result<(Exit, u64), Trap> {
        let start = self.machine.start;
        self.machine.fuel = start.saturating_add(share.fuel());
        let mut place = Place {
            segment: run.segment,
            entry: 0,
            next: Exit::Next,
        };
        let exit = loop {
            for step in &place.segment.straight {
                self.step(step, draft, share)?;
            }
            if let Some(exit) = self.leave(run, &mut place)? {
                break exit;
            }
        };
        let machine = &mut self.machine;
        let fuel = machine.fuel - start;
        let live = run.live(exit);
        let unchanged = !machine.moved && live.objects == run.segment.live.objects;
        let live = (&*live, run.frame.pins.as_slice());
        self.copier
            .pack(self.shapes, machine, live, unchanged, &mut self.words);
        Ok((exit, fuel))
    }

    /// The exit of a tail; `None` if it leads to a segment that is decided together with it.
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
            Step::Consume(list) => {
                let list = machine.eval(list, world)?;
                machine.remove(list, 0);
                machine.consumed += 1;
            }
            Step::Remove(list, index, span) => {
                let list = machine.eval(list, world)?;
                let index = machine.eval(index, world)?;
                let moved = machine.remove(list, index);
                // Removing the last element of all costs a unit, too.
                machine.burn(moved + 1, world, *span)?;
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

/// The position of a state among the segments that are decided together.
struct Place<'p> {
    segment: &'p Segment,
    /// The number of the first [`Entry`](super::plan::Entry) of the segment.
    entry: usize,
    /// The exit of the segment if it does not branch.
    next: Exit,
}
