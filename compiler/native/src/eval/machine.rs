//! The machine that runs instructions. Calls have frames on the heap, so recursive functions cannot
//! overflow the stack.

use crate::ir::{
    Block, Const, Function, Imm, InstData, Module, Op, Tables, Target, Terminator, Value, evaluate,
};
use cranelift_entity::{EntityRef, SecondaryMap};
use dicec_runtime::bug;
use dicec_runtime::events::Events;
use dicec_runtime::limits::{MAX_DICE_CEILING, MAX_SIDES};
use dicec_runtime::pool::Pool;
use dicec_runtime::rng::Dice;
use dicec_runtime::script::Workspace;
use dicec_runtime::trap::{Trap, TrapCode};

/// The machine of trials.
#[derive(Clone, Debug)]
pub(super) struct Machine<'m> {
    functions: &'m [Function],
    /// Those of a script.
    tables: Option<&'m Tables>,
    /// The pools of each function.
    pools: Vec<Vec<Pool>>,
    resources: &'m [i64],
    workspace: Option<Workspace>,
}

/// A trial that is running.
#[derive(Debug)]
pub(super) struct Trial {
    frame: Frame,
    callers: Vec<Frame>,
    fuel: i64,
}

impl Trial {
    /// The frame of the innermost function.
    pub(super) fn block(&self) -> Block {
        self.frame.block
    }

    /// The fuel that is left.
    pub(super) fn fuel(&self) -> i64 {
        self.fuel
    }

    /// A value of that function.
    pub(super) fn value(&self, value: Value) -> Const {
        self.frame.values[value]
    }
}

/// A frame: a call of a function.
#[derive(Debug)]
struct Frame {
    function: usize,
    block: Block,
    /// The index of the next instruction.
    next: usize,
    values: SecondaryMap<Value, Const>,
    /// How many calls deep it is.
    depth: u32,
}

impl<'m> Machine<'m> {
    /// A machine for trials of a module; a script's work on a workspace.
    pub(super) fn new(
        module: &'m Module,
        resources: &'m [i64],
        workspace: Option<Workspace>,
    ) -> Self {
        let functions = module.functions.values().as_slice();
        let pools = functions.iter().map(|function| {
            let pools = function.pools.values();
            pools.map(|faces| Pool::new(faces)).collect()
        });
        Self {
            functions,
            tables: workspace.is_some().then_some(&module.tables),
            pools: pools.collect(),
            resources,
            workspace,
        }
    }

    /// Restores the memory with which a script's trials begin.
    pub(super) fn restart(&mut self, arguments: &[i64], written: &[u32]) {
        if let Some(workspace) = &mut self.workspace {
            workspace.restart(arguments, written);
        }
    }

    /// Adds what trials noted.
    pub(super) fn report(&self, events: &mut Events) {
        if let Some(workspace) = &self.workspace {
            workspace.notes.report(&workspace.texts, events);
        }
    }

    /// A trial before its first instruction.
    pub(super) fn begin(&self) -> Trial {
        Trial {
            frame: Frame::new(self.functions, 0, 0, &[]),
            callers: Vec::new(),
            fuel: self.tables.map_or(0, |tables| tables.limits.fuel.into()),
        }
    }

    /// One trial.
    pub(super) fn trial(&mut self, dice: &mut impl Dice) -> Result<Const, Trap> {
        let mut trial = self.begin();
        loop {
            if let Some(result) = self.advance(&mut trial, dice)? {
                return Ok(result);
            }
        }
    }

    /// Runs a trial to the end of its current block, or up to a call in it; returns the result of a
    /// trial that has ended.
    pub(super) fn advance(
        &mut self,
        trial: &mut Trial,
        dice: &mut impl Dice,
    ) -> Result<Option<Const>, Trap> {
        let functions = self.functions;
        let function = &functions[trial.frame.function];
        let block = &function.blocks[trial.frame.block];
        while let Some(&inst) = block.insts.get(trial.frame.next) {
            trial.frame.next += 1;
            let data = &function.insts[inst];
            if let Imm::Call(callee, deeper) = data.imm {
                let frame = &trial.frame;
                let args: Vec<Const> = data.args.iter().map(|&arg| frame.values[arg]).collect();
                let depth = frame.depth.saturating_add(deeper);
                let inner = Frame::new(functions, callee.index(), depth, &args);
                let caller = std::mem::replace(&mut trial.frame, inner);
                trial.callers.push(caller);
                return Ok(None);
            }
            let result = self.run(data, trial, dice);
            trial.frame.values[data.result] = result.map_err(|code| Trap {
                code,
                span: data.span,
            })?;
        }
        let target = match &block.terminator {
            Some(Terminator::Jump(target)) => target,
            Some(Terminator::Branch {
                condition,
                then,
                otherwise,
            }) => match trial.frame.values[*condition] {
                Const::Bool(true) => then,
                _ => otherwise,
            },
            Some(Terminator::Return(value)) => {
                let value = trial.frame.values[*value];
                let Some(caller) = trial.callers.pop() else {
                    return Ok(Some(value));
                };
                trial.frame = caller;
                trial.frame.returned(functions, value);
                return Ok(None);
            }
            None => bug!("{} has no terminator", trial.frame.block).raise(),
        };
        trial.frame.enter(function, target);
        Ok(None)
    }

    fn run(
        &mut self,
        data: &InstData,
        trial: &mut Trial,
        dice: &mut impl Dice,
    ) -> Result<Const, TrapCode> {
        let frame = &trial.frame;
        let args: Vec<Const> = data.args.iter().map(|&arg| frame.values[arg]).collect();
        let number = |index: usize| match args.get(index) {
            Some(&Const::I64(number)) => number,
            _ => 0,
        };
        let drawn = match (data.op, data.imm) {
            (Op::Resource, Imm::Slot(slot)) => {
                let word = self.resources.get(slot as usize);
                *word.ok_or_else(|| bug!("no resource {slot}"))?
            }
            (Op::Roll, _) => dice.roll(number(0).max(1).unsigned_abs())?.cast_signed(),
            (Op::Dice, _) => {
                let count = number(0).clamp(0, MAX_DICE_CEILING.into());
                let sides = number(1).clamp(1, MAX_SIDES.into()).unsigned_abs();
                let mut sum = 0;
                for _ in 0..count {
                    sum += dice.roll(sides)?;
                }
                sum.cast_signed()
            }
            (Op::Pool, Imm::Dice { count, sides }) => {
                let mut sum = 0;
                for _ in 0..count {
                    sum += dice.roll(sides.into())?;
                }
                sum.cast_signed()
            }
            (Op::Packed, Imm::Dice { count, sides }) => dice.packed(count, sides)?.cast_signed(),
            (Op::Drawn, Imm::Draw(draw)) => {
                let draws = &self.functions[frame.function].draws;
                dice.drawn(draws[draw].table())?
            }
            (Op::Word, Imm::Int(product)) => {
                dice.shared_word(product.unsigned_abs())?.cast_signed()
            }
            (_, Imm::Step(pool, step)) => {
                let pools = &mut self.pools[frame.function];
                step.take(pools, pool.as_u32(), [number(0), number(1)], dice)?
            }
            (Op::Fuel, Imm::Int(units)) => {
                if trial.fuel < units {
                    return Err(TrapCode::OutOfFuel);
                }
                trial.fuel -= units;
                trial.fuel
            }
            _ => match (self.tables, &mut self.workspace) {
                (Some(tables), Some(workspace)) if data.op.is_of_scripts() => {
                    let numbers = [number(0), number(1)];
                    scripted(
                        tables,
                        workspace,
                        data,
                        frame.depth,
                        numbers,
                        &mut trial.fuel,
                    )?
                }
                _ => {
                    // A verified instruction's operands fit its row.
                    let result = evaluate(data.op, &args, data.imm);
                    return result.unwrap_or_else(|| {
                        Err(bug!("{} of operands that it does not take", data.op).into())
                    });
                }
            },
        };
        Ok(Const::I64(drawn))
    }
}

/// The operations that only scripts have.
fn scripted(
    tables: &Tables,
    workspace: &mut Workspace,
    data: &InstData,
    depth: u32,
    [first, second]: [i64; 2],
    fuel: &mut i64,
) -> Result<i64, TrapCode> {
    if let (Op::TextJoin, Imm::Int(values)) = (data.op, data.imm) {
        return workspace.join([first, second], values.unsigned_abs(), fuel);
    }
    let Workspace {
        memory,
        texts,
        notes,
    } = workspace;
    let most = tables.limits;
    Ok(match (data.op, data.imm) {
        (Op::Peek | Op::Load, Imm::Field(field)) => {
            memory.load(first.wrapping_add(tables.fields[field].offset.into()))
        }
        (Op::Store, Imm::Field(field)) => {
            let offset = i64::from(tables.fields[field].offset);
            memory.store(first.wrapping_add(offset), second);
            second
        }
        (Op::ShiftDown | Op::ShiftUp, Imm::Field(field)) => {
            let count = second.max(0);
            if *fuel < count {
                return Err(TrapCode::OutOfFuel);
            }
            *fuel -= count;
            let offset = i64::from(tables.fields[field].offset);
            memory.shift(first.wrapping_add(offset), count, data.op == Op::ShiftUp);
            count
        }
        (Op::Burn, Imm::Int(most)) => {
            let units = first.min(most).max(0);
            if *fuel < units {
                return Err(TrapCode::OutOfFuel);
            }
            *fuel -= units;
            *fuel
        }
        // The verifier bounds counts.
        (Op::Alloc, Imm::Int(words)) => memory.alloc(words as usize)?,
        (Op::NewList, Imm::Int(count)) => memory.list(count as u32)?,
        (Op::Append, _) => memory.append(first, second, most.list)?,
        (Op::Depth, Imm::Int(deeper)) => {
            let depth = i64::from(depth) + deeper;
            if depth > most.depth.into() {
                return Err(TrapCode::TooDeep);
            }
            depth
        }
        (Op::Output, Imm::Site(site)) => {
            notes.line(site, first, texts)?;
            first
        }
        (Op::Stat, Imm::Stat(stat)) => {
            notes.stat(stat, first);
            first
        }
        (Op::NamedStat, Imm::Site(site)) => {
            notes.named_stat(site, first, second, texts)?;
            second
        }
        (op, _) => return Err(bug!("{op} with another immediate than its row says").into()),
    })
}

impl Frame {
    fn new(functions: &[Function], function: usize, depth: u32, args: &[Const]) -> Self {
        let entry = functions[function].entry();
        let mut values = SecondaryMap::with_default(Const::I64(0));
        let params = &functions[function].blocks[entry].params;
        for (&param, &arg) in params.iter().zip(args) {
            values[param] = arg;
        }
        Self {
            function,
            block: entry,
            next: 0,
            values,
            depth,
        }
    }

    /// Passes the arguments, all at once.
    fn enter(&mut self, function: &Function, target: &Target) {
        let args: Vec<Const> = target.args.iter().map(|&arg| self.values[arg]).collect();
        let params = &function.blocks[target.block].params;
        for (&param, arg) in params.iter().zip(args) {
            self.values[param] = arg;
        }
        (self.block, self.next) = (target.block, 0);
    }

    /// Takes the result of the call that it waits for.
    fn returned(&mut self, functions: &[Function], value: Const) {
        let function = &functions[self.function];
        let insts = &function.blocks[self.block].insts;
        if let Some(&call) = self.next.checked_sub(1).and_then(|index| insts.get(index)) {
            self.values[function.insts[call].result] = value;
        }
    }
}
