//! The IR evaluator: runs a function as it stands, before or after any pass. Tests hold the passes to it, and it replays
//! what the JIT does with a fused program.

use crate::ir::{Block, Const, Function, Imm, InstData, Op, Target, Terminator, Value, evaluate};
use cranelift_entity::SecondaryMap;
use dicec_runtime::events::Events;
use dicec_runtime::kernel::{Kernel, Sink, Stopped};
use dicec_runtime::pool::Pool;
use dicec_runtime::rng::{Dice, Stream};
use dicec_runtime::span::Span;
use dicec_runtime::trap::{Trap, TrapCode};

/// Runs trials of a verified function.
#[derive(Clone, Copy, Debug)]
pub struct EvalKernel<'f> {
    function: &'f Function,
    sink: Sink,
}

impl<'f> EvalKernel<'f> {
    /// A kernel of `function`, which [`crate::ir::verify`] accepts. `sink` has to fit its results.
    pub fn new(function: &'f Function, sink: Sink) -> Self {
        Self { function, sink }
    }

    /// One trial. `resources` holds a value a slot.
    ///
    /// # Errors
    /// The first trap.
    pub fn trial(&self, dice: &mut impl Dice, resources: &[i64]) -> Result<Const, Trap> {
        self.trial_on(&mut self.pools(), dice, resources)
    }

    /// What stands on the table when a run begins: empty pools.
    fn pools(&self) -> Vec<Pool> {
        let pools = self.function.pools.values();
        pools.map(|faces| Pool::new(faces)).collect()
    }

    fn trial_on(
        &self,
        pools: &mut [Pool],
        dice: &mut impl Dice,
        resources: &[i64],
    ) -> Result<Const, Trap> {
        let mut values = SecondaryMap::with_default(Const::I64(0));
        let mut block = self.function.entry();
        loop {
            for &inst in &self.function.blocks[block].insts {
                let data = &self.function.insts[inst];
                values[data.result] = run(data, &values, pools, dice, resources)?;
            }
            let target = match &self.function.blocks[block].terminator {
                Some(Terminator::Return(value)) => return Ok(values[*value]),
                Some(Terminator::Jump(target)) => target,
                Some(Terminator::Branch {
                    condition,
                    then,
                    otherwise,
                }) => match values[*condition] {
                    Const::Bool(true) => then,
                    _ => otherwise,
                },
                // A verified function has no open block.
                None => return Ok(Const::I64(0)),
            };
            block = self.enter(target, &mut values);
        }
    }

    /// Passes the arguments, all at once.
    fn enter(&self, target: &Target, values: &mut SecondaryMap<Value, Const>) -> Block {
        let args: Vec<Const> = target.args.iter().map(|&arg| values[arg]).collect();
        let params = &self.function.blocks[target.block].params;
        for (&param, arg) in params.iter().zip(args) {
            values[param] = arg;
        }
        target.block
    }
}

fn run(
    data: &InstData,
    values: &SecondaryMap<Value, Const>,
    pools: &mut [Pool],
    dice: &mut impl Dice,
    resources: &[i64],
) -> Result<Const, Trap> {
    let args: Vec<Const> = data.args.iter().map(|&arg| values[arg]).collect();
    let drawn = match (data.op, args.as_slice(), data.imm) {
        (Op::Resource, _, Imm::Slot(slot)) => resources.get(slot as usize).copied().unwrap_or(0),
        (Op::Roll, &[Const::I64(sides)], _) => {
            let face = dice.roll(sides.max(1).unsigned_abs());
            face.map_err(at(data.span))?.cast_signed()
        }
        (Op::Pool, _, Imm::Dice { count, sides }) => {
            let mut sum = 0;
            for _ in 0..count {
                sum += dice.roll(sides.into()).map_err(at(data.span))?;
            }
            sum.cast_signed()
        }
        (Op::Packed, _, Imm::Dice { count, sides }) => {
            let sum = dice.packed(count, sides).map_err(at(data.span))?;
            sum.cast_signed()
        }
        (_, numbers, Imm::Step(pool, step)) => {
            let number = |index: usize| match numbers.get(index) {
                Some(&Const::I64(number)) => number,
                _ => 0,
            };
            let numbers = [number(0), number(1)];
            let taken = step.take(pools, pool.as_u32(), numbers, dice);
            taken.map_err(at(data.span))?
        }
        (op, args, imm) => {
            // A verified instruction's operands fit its row.
            let result = evaluate(op, args, imm).unwrap_or(Ok(Const::I64(0)));
            return result.map_err(at(data.span));
        }
    };
    Ok(Const::I64(drawn))
}

/// The trap of an instruction from `span`.
fn at(span: Span) -> impl Fn(TrapCode) -> Trap {
    move |code| Trap { code, span }
}

impl Kernel for EvalKernel<'_> {
    fn sink(&self) -> Sink {
        self.sink
    }

    fn run(
        &self,
        stream: &mut Stream,
        resources: &[i64],
        trials: usize,
        cells: &mut [i64],
        _events: &mut Events,
    ) -> Result<(), Stopped> {
        if resources.len() < self.function.resources.len() || cells.len() < self.sink.cells(trials)
        {
            return Ok(());
        }
        let mut pools = self.pools();
        for trial in 0..trials {
            let value = self
                .trial_on(&mut pools, stream, resources)
                .map_err(|trap| Stopped {
                    trial: trial as u64,
                    trap,
                })?;
            self.sink.record(cells, trial, value.to_cell());
        }
        Ok(())
    }
}
