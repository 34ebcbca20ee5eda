//! Calls of functions that decide something: a state that enters one takes the caller's objects
//! with it, and the context keeps the caller's other variables.

use super::super::case::{Case, Draft};
use super::super::engine::Engine;
use super::super::eval::at;
use super::super::machine::Pin;
use super::super::plan::{Head, Pure};
use super::super::reads::Word;
use super::super::share::Share;
use super::control::{Context, Next, Spot};
use super::step::Stepper;
use crate::ExactError;
use dicec_lang::hir::FunctionId;
use dicec_runtime::bug;
use dicec_runtime::span::Span;
use dicec_runtime::trap::TrapCode;

impl Stepper<'_> {
    /// Begins a call of a function.
    pub(super) fn enter(
        &mut self,
        spot: Spot,
        row: &[i64],
        (function, args, span): (FunctionId, &[Pure], Span),
        fuel: u64,
    ) -> Result<(Next, Vec<i64>, u64), ExactError> {
        if self.control.depth(spot.context) >= self.engine.world.limits.depth {
            return Err(at(span)(TrapCode::TooDeep).into());
        }
        let (segment, callee) = (
            self.control.segment(spot),
            &self.engine.plans.functions[function.index()],
        );
        let outer = self.control.function(spot.context).1.to_vec();
        let objects = || segment.live.objects.iter().chain(&outer);
        let pins = objects().zip(callee.locals.len()..);
        let pins: Vec<Pin> = pins.map(|((_, shape), local)| (local, *shape)).collect();
        let (row, saved, fuel) = self.with_run(spot, |engine, run| {
            engine.begin(run, row, fuel);
            let Engine {
                machine,
                world,
                copier,
                shapes,
                ..
            } = engine;
            let words = args.iter().map(|arg| machine.copy(arg, world));
            let words: Vec<Word> = words.collect::<Result<_, _>>()?;
            machine.burn(1, world, span)?;
            let saved = segment
                .live
                .values
                .iter()
                .map(|local| machine.locals[*local]);
            let saved: Vec<Word> = saved.collect();
            let held: Vec<Word> = objects().map(|(local, _)| machine.locals[*local]).collect();
            let size = callee.locals.len() + pins.len();
            machine
                .locals
                .resize(size.max(machine.locals.len()), Word::new(0));
            machine.locals[..words.len()].copy_from_slice(&words);
            machine.locals[callee.locals.len()..size].copy_from_slice(&held);
            let mut packed = Vec::new();
            copier.pack(shapes, machine, (&callee.begin, &pins), false, &mut packed);
            let mut looked = |words: &[Word]| -> Vec<i64> {
                words.iter().map(|word| machine.reads.look(*word)).collect()
            };
            let (packed, saved) = (looked(&packed), looked(&saved));
            Ok((packed, saved, machine.fuel))
        })?;
        let context = self.control.add(Context::Call {
            caller: spot,
            saved: saved.into(),
            pins,
        });
        Ok((self.control.start(function, context), row, fuel))
    }

    /// Ends a call: the rest of the segment that called, in the caller's state.
    pub(super) fn resume(
        &mut self,
        context: u32,
        row: &[i64],
        fuel: u64,
    ) -> Result<(Spot, Case<f64>), ExactError> {
        let (callee, pins) = self.control.function(context);
        let pins = pins.to_vec();
        let Context::Call { caller, saved, .. } = self.control.context(context).clone() else {
            bug!("a return without a call").raise()
        };
        let segment = self.control.segment(caller);
        let outer = self.control.function(caller.context).1.to_vec();
        let into = segment.head.as_ref().and_then(Head::into);
        let case = self.with_run(caller, |engine, run| {
            let machine = &mut engine.machine;
            machine.reads.begin(0);
            let size = callee.locals.len() + pins.len();
            let words = row.iter().copied().map(Word::new);
            machine.unpack(size, (&callee.end, &pins), words);
            let result = machine.locals[callee.result()];
            let held: Vec<Word> = pins
                .iter()
                .map(|(local, _)| machine.locals[*local])
                .collect();
            let size = run.frame.plan.locals.len() + outer.len();
            machine
                .locals
                .resize(size.max(machine.locals.len()), Word::new(0));
            for (local, word) in segment.live.values.iter().zip(&saved) {
                machine.locals[*local] = Word::new(*word);
            }
            let objects = segment.live.objects.iter().chain(&outer);
            for ((local, _), word) in objects.zip(held) {
                machine.locals[*local] = word;
            }
            if let Some(into) = into {
                machine.locals[into] = result;
            }
            machine.moved = true;
            machine.floors = false;
            machine.start = fuel;
            let mut draft = Draft::new();
            engine.follow(run, &mut draft, Share::certain(0))?;
            Ok(draft.finish())
        })?;
        Ok((caller, case))
    }
}
