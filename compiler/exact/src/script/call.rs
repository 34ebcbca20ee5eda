//! Calls. The result of a function depends only on its arguments and the objects they refer to, so
//! it is computed once for each such input (an [`Activation`]). Its outcomes are used like those of
//! a roll: each is a result together with the new contents of the objects.

use super::activation::Activation;
use super::case::Draft;
use super::dist::Dist;
use super::engine::{Engine, Frame, Run};
use super::eval::at;
use super::machine::{Found, Pin};
use super::notes::{Mean, Notes};
use super::plan::Pure;
use super::reads::Word;
use super::share::Share;
use crate::shortcuts::count;
use crate::{ExactError, Shortcuts};
use dicec_lang::hir::FunctionId;
use dicec_runtime::pmf::Weight;
use dicec_runtime::span::Span;
use dicec_runtime::trap::TrapCode;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// A call in a segment.
type Written<'p> = (FunctionId, &'p [Pure], Span);

impl<'p, W: Weight> Engine<'p, W> {
    /// The outcomes of a call in a state.
    pub(super) fn call(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        draft: &mut Draft<W>,
        row: &[i64],
        into: Option<usize>,
        (function, args, span): Written<'p>,
        scale: f64,
    ) -> Result<(), ExactError> {
        let touched = self.shortcuts.contains(Shortcuts::TOUCHED);
        let mut moves = touched && !self.machine.large;
        self.input(function, args, moves)?;
        self.machine.burn(1, &self.world, span)?;
        let (start, fuel) = (self.machine.start, self.machine.fuel);
        let was_large = self.machine.large;
        let mut objects = std::mem::take(&mut self.copier.found);
        let mut id = self.known_activation(function, &objects, scale, fuel, span)?;
        if self.machine.large && !was_large {
            // If it is large, the words that it moves may overflow, so they count as reads.
            moves = false;
            self.load(run, row, start);
            self.input(function, args, false)?;
            objects = std::mem::take(&mut self.copier.found);
            id = self.known_activation(function, &objects, scale, fuel, span)?;
        }
        let done = self.calls.done[id].clone();
        self.pay_work(done.outcomes.len(), row.len())?;
        draft.count.call = Some(id);
        draft.total = done.outcomes.total.clone();
        let burnt = (start, fuel - start);
        if self.call_at_once(run, draft, row, (&done, burnt), (&objects, into))? {
            return Ok(());
        }
        *draft = Draft::new();
        draft.count.call = Some(id);
        draft.total = done.outcomes.total.clone();
        // The questions of the input are asked again first.
        self.begin(run, row, start);
        self.input(function, args, moves)?;
        for outcome in 0..done.outcomes.len() {
            self.load(run, row, start);
            self.apply(&done, outcome, &objects, into);
            let share = done.outcomes.share(outcome).clone();
            let burnt = share.fuel().saturating_add(fuel - start);
            let share = share.with_fuel(burnt);
            self.follow(run, draft, share)?;
        }
        Ok(())
    }

    /// Takes all outcomes of a call at once, if they differ in one number only and that is only
    /// moved. The state had burnt `start` before the segment and `burnt` up to the call.
    fn call_at_once(
        &mut self,
        run: &mut Run<'_, 'p, W>,
        draft: &mut Draft<W>,
        row: &[i64],
        (done, (start, burnt)): (&Activation<W>, (u64, u64)),
        (objects, into): (&[Found], Option<usize>),
    ) -> Result<bool, ExactError> {
        let Some(numbers) = done.numbers() else {
            return Ok(false);
        };
        let Some((least, most)) = numbers.iter().min().zip(numbers.iter().max()) else {
            return Ok(false);
        };
        let ends = *least..=*most;
        self.load(run, row, start);
        self.machine.reads.begin_roll(ends.clone());
        if !self.apply_number(done, Word::rolled(*ends.start()), objects, into) {
            return Ok(false);
        }
        let shares = (0..numbers.len()).map(|outcome| {
            let share = done.outcomes.share(outcome).clone();
            let burnt = share.fuel().saturating_add(burnt);
            share.with_fuel(burnt)
        });
        let results = numbers.iter().copied().zip(shares);
        self.fly(run, draft, (ends, burnt), results)
    }

    /// Packs the input of a call: the arguments and the objects they refer to. With `moves`, words
    /// that the call only moves are replaced by 0.
    fn input(
        &mut self,
        function: FunctionId,
        args: &[Pure],
        moves: bool,
    ) -> Result<(), ExactError> {
        let params = &self.plans.functions[function.index()].params;
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.machine.copy(arg, &mut self.world)?);
        }
        let objects = params.objects.iter().map(|(param, _)| param);
        self.words.clear();
        let places = params.values.iter().chain(objects);
        self.words.extend(places.map(|place| values[*place]));
        let touched = &self.plans.touched[function.index()];
        let objects = (params.objects.as_slice(), touched);
        let machine = &mut self.machine;
        let heap = (machine.heap.as_slice(), &mut machine.reads);
        let first = params.values.len();
        self.copier
            .gather_touched(self.shapes, objects, first, heap, &mut self.words);
        let base = first + params.objects.len();
        let end = &self.plans.functions[function.index()].end;
        let mut found = self.copier.found.iter();
        let moves = moves
            && end.objects.is_empty()
            && found.all(|found| self.shapes.get(found.shape).is_plain());
        for found in &mut self.copier.found {
            for slot in found.moved().slots() {
                let word = &mut self.words[base + found.to as usize + slot];
                if moves && machine.reads.shifted(*word, 0).is_some() {
                    *word = Word::new(0);
                    count(&mut self.fired, Shortcuts::TOUCHED);
                } else {
                    found.reads.insert(slot);
                }
            }
        }
        let words = self.words.iter();
        self.input.clear();
        self.input
            .extend(words.map(|word| machine.reads.look(*word)));
        Ok(())
    }

    /// The outcomes of a function for this packed input, without changing the reads of the current
    /// state.
    fn known_activation(
        &mut self,
        function: FunctionId,
        objects: &[Found],
        scale: f64,
        fuel: u64,
        span: Span,
    ) -> Result<usize, ExactError> {
        let reads = std::mem::take(&mut self.machine.reads);
        let id = self.activation(function, objects, scale, fuel, span);
        self.machine.reads = reads;
        id
    }

    /// The precision that a call needs: a recursive call is left out if it is too unlikely to
    /// matter, so that endless recursion terminates. 1 for all other functions, whose outcomes all
    /// callers share.
    pub(super) fn scale(&self, run: &Run<'_, 'p, W>, function: FunctionId) -> f64 {
        if self.calls.active[function.index()] == 0 {
            1.0
        } else {
            run.frame.scale * *run.mass.get_or_init(|| run.input.mass())
        }
    }

    /// The outcomes of a function for the packed input.
    fn activation(
        &mut self,
        function: FunctionId,
        objects: &[Found],
        scale: f64,
        fuel: u64,
        span: Span,
    ) -> Result<usize, ExactError> {
        // The body of the roll is active too, but is not a call.
        if self.calls.depth > self.world.limits.depth {
            return Err(at(span)(TrapCode::TooDeep).into());
        }
        let left = u64::from(self.world.limits.fuel).saturating_sub(fuel);
        if !self.shortcuts.contains(Shortcuts::CALLS) {
            let input = self.input.clone();
            return self.work_out(function, &input, objects, scale, fuel);
        }
        let known = self.calls.known[function.index()].get(self.input.as_slice());
        let limits = self.world.limits;
        let fits = known
            .copied()
            .filter(|&id| self.calls.fits(id, scale, limits));
        if let Some(id) = fits
            && self.calls.done[id].fuel <= left
        {
            self.pay_call(id)?;
            self.takes(Shortcuts::CALLS);
            return Ok(id);
        }
        let input = self.input.clone();
        let id = match fits {
            Some(id) => id,
            None => {
                self.calls.burnt += fuel;
                let id = self.work_out(function, &input, objects, scale, 0)?;
                self.calls.burnt -= fuel;
                id
            }
        };
        if self.calls.done[id].fuel > left {
            // With the remaining fuel it traps; computing it again finds where.
            self.work_out(function, &input, objects, scale, fuel)?;
            return Err(at(span)(TrapCode::OutOfFuel).into());
        }
        Ok(id)
    }

    /// Computes the outcomes of a function for an input, whose objects must be listed at its end.
    /// `fuel` was burnt before; the fuel of the outcomes does not include it.
    pub(super) fn work_out(
        &mut self,
        function: FunctionId,
        input: &[i64],
        objects: &[Found],
        scale: f64,
        fuel: u64,
    ) -> Result<usize, ExactError> {
        let plan = &self.plans.functions[function.index()];
        let first = plan.locals.len();
        let pins = objects.iter().enumerate();
        let pins: Vec<Pin> = pins
            .map(|(index, object)| (first + index, object.shape))
            .collect();
        let (pinned, _) = self.pins.insert_full(pins.clone());
        let mut frame = Frame {
            plan,
            pinned,
            returns: Dist::new(plan.end.clone()),
            loops: Vec::new(),
            scale,
            residual: 0.0,
            notes: Notes::default(),
            calls: FxHashMap::default(),
            height: 0,
            pins,
        };
        let before = self.budget.spent();
        let tab = std::mem::take(&mut self.tab);
        let peak = std::mem::take(&mut self.peak);
        let was_clamped = std::mem::take(&mut self.machine.clamped);
        let start = self.start(&frame, input, objects, fuel);
        self.calls.active[function.index()] += 1;
        self.calls.depth += 1;
        let mut end = Dist::new(plan.end.clone());
        self.block(&mut frame, &plan.body.segments, start, &mut end)?;
        frame.returns.join(end);
        self.calls.active[function.index()] -= 1;
        self.calls.depth -= 1;
        // The cost of deep calls grows without bound, so it saturates, as the total does.
        let cost = (self.budget.spent() - before).saturating_add(self.tab);
        self.tab = self.tab.saturating_add(tab);
        let id = self.remember(function, input, frame, (cost, fuel))?;
        self.machine.clamped |= was_clamped;
        self.peak = self.peak.max(peak);
        Ok(id)
    }

    fn start(
        &mut self,
        frame: &Frame<'p, W>,
        input: &[i64],
        objects: &[Found],
        fuel: u64,
    ) -> Dist<W> {
        let plan = frame.plan;
        let locals = plan.locals.len() + frame.pins.len();
        let words = input.iter().copied().map(Word::new);
        self.machine.unpack(locals, (&plan.params, &[]), words);
        for ((pin, _), object) in frame.pins.iter().zip(objects) {
            self.machine.locals[*pin] = Word::new(object.to);
        }
        let mut start = Dist::new(plan.begin.clone());
        let live = (&*plan.begin, frame.pins.as_slice());
        let machine = &mut self.machine;
        self.copier
            .pack(self.shapes, machine, live, false, &mut self.words);
        let row: Vec<i64> = self
            .words
            .iter()
            .map(|word| machine.reads.look(*word))
            .collect();
        start.add(&row, Share::certain(fuel));
        if !self.shortcuts.contains(Shortcuts::COLUMNS) {
            start.pack();
        }
        start
    }

    fn remember(
        &mut self,
        function: FunctionId,
        input: &[i64],
        frame: Frame<'p, W>,
        (cost, burnt): (u64, u64),
    ) -> Result<usize, ExactError> {
        let mut outcomes = frame.returns;
        self.mixed |= outcomes.column().is_some_and(|column| column.mixed);
        outcomes.pack();
        outcomes.burn_less(burnt);
        let fuel = (0..outcomes.len())
            .map(|outcome| outcomes.share(outcome).fuel())
            .fold(0, Ord::max);
        let done = Activation {
            patches: self.patches(function, input, &frame.pins, &outcomes),
            outcomes,
            residual: frame.residual,
            notes: frame.notes,
            calls: frame.calls,
            height: frame.height,
            scale: frame.scale,
            fuel,
            clamped: self.machine.clamped,
            cost,
            peak: self.peak,
            paid: AtomicU64::new(self.calls.question),
        };
        let kept = done.outcomes.size() + (done.notes.len() + done.calls.len()) as u64 + 1;
        self.calls.kept = self.calls.kept.saturating_add(kept);
        self.calls.held = self.calls.held.saturating_add(kept);
        self.budget.check_outcomes(self.calls.kept)?;
        let id = self.calls.done.len();
        self.calls.done.push(Arc::new(done));
        self.calls.known[function.index()].insert(input.into(), id);
        Ok(id)
    }

    /// The notes of the last call that ended, with those of the calls that it makes.
    pub(super) fn noted(&self) -> Notes {
        let done = &self.calls.done;
        let once = Mean {
            value: 1.0,
            roundings: 0,
        };
        let last = done.len().checked_sub(1).map(|last| (last, once));
        let mut times: BTreeMap<usize, Mean> = last.into_iter().collect();
        let mut all = Notes::default();
        while let Some((id, share)) = times.pop_last() {
            if share.value == 0.0 {
                continue;
            }
            let call = &done[id];
            all.join(&call.notes, share);
            for (callee, mean) in &call.calls {
                times.entry(*callee).or_default().add(mean.times(share));
            }
        }
        all
    }

    /// Computes the odds of a roll, whose arguments nothing observes afterwards.
    pub(super) fn roll(
        &mut self,
        function: FunctionId,
        args: &[Pure],
    ) -> Result<Arc<Activation<W>>, ExactError> {
        self.input(function, args, false)?;
        let input = self.input.clone();
        let id = self.work_out(function, &input, &[], 1.0, 0)?;
        Ok(self.calls.done[id].clone())
    }
}
