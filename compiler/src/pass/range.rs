//! Range analysis: the interval that each whole number lies in, and what follows from it.
//!
//! The analysis runs over the graph in reverse postorder until nothing changes, widening from the fourth round on. Then
//! checked arithmetic that cannot overflow becomes its wrapping form, division by a positive number becomes
//! `idiv_pos`, limits that hold are dropped, and comparisons and clamps that are decided become constants or operands.

use super::interval::Interval;
use super::reals::RealInterval;
use super::table::Table;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Imm, InstData, Op, Terminator, Type, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::limits::MAX_SIDES;

/// Rounds before a bound that still moves is given up.
const ROUNDS_BEFORE_WIDENING: u32 = 3;

/// The intervals of a function's values.
#[derive(Debug)]
pub struct Ranges {
    /// `None`: never computed, because nothing leads there.
    known: SecondaryMap<Value, Option<Interval>>,
    /// Of decimals; `None`: any number, infinite ones included, or none. They follow from whole numbers and each other
    /// in the order of the blocks, so each round computes them anew.
    reals: SecondaryMap<Value, Option<RealInterval>>,
}

impl Ranges {
    /// Analyses `function`.
    pub fn new(function: &Function) -> Self {
        let graph = ControlFlow::new(function);
        let mut ranges = Self {
            known: SecondaryMap::new(),
            reals: SecondaryMap::new(),
        };
        let mut table = Table::new(function, &graph);
        let mut round = 0;
        while ranges.round(
            function,
            &graph,
            &mut table,
            round >= ROUNDS_BEFORE_WIDENING,
        ) {
            round += 1;
        }
        ranges
    }

    /// The interval of a whole number.
    pub fn of(&self, value: Value) -> Interval {
        self.known[value].unwrap_or(Interval::ALL)
    }

    /// One round over the graph; says whether anything changed. With `widen`, a bound moves once at most, so that rounds
    /// come to an end.
    fn round(
        &mut self,
        function: &Function,
        graph: &ControlFlow,
        table: &mut Table,
        widen: bool,
    ) -> bool {
        let mut changed = false;
        for &block in graph.reverse_postorder() {
            for inst in &function.blocks[block].insts {
                let data = &function.insts[*inst];
                match data.op.info().result {
                    Type::I64 => {
                        changed |= table.note(function, data, self, widen);
                        let next = match data.imm {
                            Imm::Step(pool, step) => table.result(pool, step),
                            _ => self.transfer(data),
                        };
                        // Every cycle of values leads through a parameter or a pool, so only these widen.
                        changed |= self.update(data.result, next, false);
                    }
                    Type::F64 => self.reals[data.result] = self.transfer_real(data),
                    Type::Bool => {}
                }
            }
            changed |= self.pass_arguments(function, block, widen);
        }
        changed
    }

    fn pass_arguments(&mut self, function: &Function, block: Block, widen: bool) -> bool {
        let mut changed = false;
        let terminator = function.blocks[block].terminator.as_ref();
        for target in terminator.into_iter().flat_map(Terminator::targets) {
            let params = &function.blocks[target.block].params;
            for (&param, &arg) in params.iter().zip(&target.args) {
                if function.value_type(param) == Type::I64 {
                    changed |= self.update(param, self.of(arg), widen);
                }
            }
        }
        changed
    }

    fn update(&mut self, value: Value, next: Interval, widen: bool) -> bool {
        let new = match self.known[value] {
            None => next,
            Some(old) if widen => old.widen(next),
            Some(old) => old.join(next),
        };
        self.known[value].replace(new) != Some(new)
    }

    /// The results that an instruction can have, where it does not trap.
    fn transfer(&self, data: &InstData) -> Interval {
        let arg = |index: usize| self.of(data.args[index]);
        let everything = Interval::ALL;
        match (data.op, data.imm) {
            (Op::Iconst, Imm::Int(value)) => Interval::point(value),
            (_, Imm::Dice { count, sides }) => Interval::pool(count, sides),
            (Op::Iadd | Op::IaddWrap, _) => arg(0).add(arg(1)).unwrap_or(everything),
            (Op::Isub | Op::IsubWrap, _) => arg(0).sub(arg(1)).unwrap_or(everything),
            (Op::Imul | Op::ImulWrap, _) => arg(0).mul(arg(1)).unwrap_or(everything),
            (Op::Ineg | Op::InegWrap, _) => {
                let zero = Interval::point(0);
                zero.sub(arg(0)).unwrap_or(everything)
            }
            (Op::Btoi, _) => Interval::new(0, 1),
            (Op::Idiv, _) => arg(0).div(arg(1)),
            (Op::IdivPos, _) => arg(0).div_pos(arg(1)),
            (Op::Irem, _) => arg(0).rem(arg(1)),
            (Op::Imin, _) => arg(0).min(arg(1)),
            (Op::Imax, _) => arg(0).max(arg(1)),
            (Op::DiceCount, Imm::Limit(limit)) => {
                let fits = Interval::new(0, limit.into());
                arg(0).max(Interval::point(0)).clip(fits)
            }
            (Op::ExplosionsLeft | Op::RerollsLeft | Op::DiceLeft, _) => {
                let less = arg(0).sub(Interval::point(1)).unwrap_or(everything);
                less.clip(Interval::new(0, i64::MAX))
            }
            (Op::Dice, _) => arg(0).dice(arg(1)),
            (Op::Select, _) => arg(1).join(arg(2)),
            (Op::Index, _) => {
                let last = arg(1).sub(Interval::point(1)).unwrap_or(everything);
                arg(0).clip(Interval::new(0, last.high.max(0)))
            }
            (Op::Append, _) => Interval::new(1, u32::MAX.into()),
            (Op::Store, _) => arg(1),
            (Op::Alloc | Op::NewList | Op::Fuel | Op::Depth, _) => Interval::new(0, i64::MAX),
            (Op::DieSides, _) => arg(0).clip(Interval::new(1, MAX_SIDES.into())),
            (Op::Roll, _) => arg(0).faces(),
            (Op::Ffloor | Op::Fceil | Op::Fround, _) => {
                let rounded = self.reals[data.args[0]].and_then(|real| real.rounded(data.op));
                rounded.unwrap_or(everything)
            }
            _ => everything,
        }
    }

    /// [`Ranges::transfer`] for decimals.
    fn transfer_real(&self, data: &InstData) -> Option<RealInterval> {
        let arg = |index: usize| self.reals[data.args[index]];
        match (data.op, data.imm, data.args.len()) {
            (_, Imm::Float(value), _) => RealInterval::point(value),
            (Op::Itof, _, _) => RealInterval::of_whole(self.of(data.args[0])),
            (op, _, 1) => arg(0)?.unary(op),
            (op, _, 2) => arg(0)?.binary(op, arg(1)?),
            _ => None,
        }
    }
}

/// The interval of a function's result, where that is a whole number.
pub fn result_range(function: &Function) -> Option<Interval> {
    let ranges = Ranges::new(function);
    let results = function
        .blocks
        .values()
        .filter_map(|block| match block.terminator {
            Some(Terminator::Return(value)) => Some(ranges.of(value)),
            _ => None,
        });
    (function.result == Type::I64)
        .then(|| results.reduce(Interval::join))
        .flatten()
}

/// What an instruction becomes.
enum Change {
    /// Another operation on the same operands.
    Op(Op),
    /// A constant.
    Const(Op, Imm),
    /// One of its operands.
    Operand(usize),
}

pub(super) fn apply(function: &mut Function) {
    let ranges = Ranges::new(function);
    let mut replaced: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    // In reverse postorder, so that what an operand was replaced by is known where it is used.
    let graph = ControlFlow::new(function);
    for &block in graph.reverse_postorder() {
        let mut insts = std::mem::take(&mut function.blocks[block].insts);
        insts.retain(|&inst| {
            let data = &mut function.insts[inst];
            for arg in &mut data.args {
                *arg = replaced[*arg].unwrap_or(*arg);
            }
            match change(&ranges, data) {
                None => {}
                Some(Change::Op(op)) => data.op = op,
                Some(Change::Const(op, imm)) => {
                    (data.op, data.imm) = (op, imm);
                    data.args.clear();
                }
                Some(Change::Operand(index)) => {
                    replaced[data.result] = Some(data.args[index]);
                    return false;
                }
            }
            true
        });
        function.blocks[block].insts = insts;
    }
    function.replace_uses(|value| replaced[value].unwrap_or(value));
}

fn change(ranges: &Ranges, data: &InstData) -> Option<Change> {
    let arg = |index: usize| ranges.of(data.args[index]);
    let when = |holds: bool, op: Op| holds.then_some(Change::Op(op));
    match data.op {
        Op::Iadd => when(arg(0).add(arg(1)).is_some(), Op::IaddWrap),
        Op::Isub => when(arg(0).sub(arg(1)).is_some(), Op::IsubWrap),
        Op::Imul => when(arg(0).mul(arg(1)).is_some(), Op::ImulWrap),
        Op::Ineg => when(arg(0).low > i64::MIN, Op::InegWrap),
        Op::Idiv => when(arg(1).low >= 1, Op::IdivPos),
        Op::Imin => decided_extreme(arg(0), arg(1)),
        Op::Imax => decided_extreme(arg(1), arg(0)),
        Op::DiceCount => {
            let Imm::Limit(limit) = data.imm else {
                return None;
            };
            let fits = arg(0).low >= 0 && arg(0).high <= limit.into();
            fits.then_some(Change::Operand(0))
        }
        Op::Index => {
            let fits = arg(0).low >= 0 && arg(0).high < arg(1).low;
            fits.then_some(Change::Operand(0))
        }
        Op::DieSides => {
            let fits = arg(0).low >= 1 && arg(0).high <= MAX_SIDES.into();
            fits.then_some(Change::Operand(0))
        }
        Op::Ieq | Op::Ine | Op::Ilt | Op::Ile | Op::Igt | Op::Ige => {
            let truth = decided(data.op, arg(0), arg(1))?;
            Some(Change::Const(Op::Bconst, Imm::Bool(truth)))
        }
        _ => None,
    }
}

/// The operand that `min(a, b)` always is, by its place; `max(a, b)` asks with its operands' ranges exchanged.
fn decided_extreme(a: Interval, b: Interval) -> Option<Change> {
    if a.high <= b.low {
        Some(Change::Operand(0))
    } else if b.high <= a.low {
        Some(Change::Operand(1))
    } else {
        None
    }
}

/// The truth of a comparison that the ranges decide.
fn decided(op: Op, a: Interval, b: Interval) -> Option<bool> {
    let (less, greater) = (a.high < b.low, a.low > b.high);
    let equal = a.single().is_some() && a == b;
    let decide = |yes: bool, no: bool| if yes { Some(true) } else { no.then_some(false) };
    match op {
        Op::Ieq => decide(equal, less || greater),
        Op::Ine => decide(less || greater, equal),
        Op::Ilt => decide(less, a.low >= b.high),
        Op::Ile => decide(a.high <= b.low, greater),
        Op::Igt => decide(greater, a.high <= b.low),
        Op::Ige => decide(a.low >= b.high, less),
        _ => None,
    }
}
