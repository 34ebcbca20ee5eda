//! Dice of computed number and sides as dice that lanes have: where both are among a few numbers,
//! the dice of all sides are rolled, and those that count are selected.
//!
//! ```text
//! v3 = dice v1, v2          ; v1 is 1 or 2, v2 is 6 or 8
//! ; becomes
//! v3 = (v2 == 6 ? d6 : d8) + (v1 >= 2 ? (v2 == 6 ? d6 : d8) : 0)
//! ```
//!
//! The distribution is the same, because dice that are not selected change nothing; the words that
//! are drawn are others, so only vector forms of fused sampling do this.

use super::manager::Pass;
use crate::analysis::Edge;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Imm, Inst, InstData, Module, Op, Type, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::limits::MAX_SIDES;
use dicec_runtime::span::Span;

/// The maximum number of values that are told apart.
const MAX_VALUES: usize = 16;

/// The maximum number of dice that are rolled for one `dice`.
const MAX_DICE: i64 = 24;

/// Replaces dice of computed number and sides where both are among a few numbers.
pub(super) fn few_dice(script: &mut Module) {
    let trial = script.trial_mut();
    if trial
        .live_insts()
        .all(|inst| trial.insts[inst].op != Op::Dice)
    {
        return;
    }
    replace(trial);
    for pass in [Pass::FOLD, Pass::CSE, Pass::DCE] {
        pass.run(script);
    }
}

fn replace(function: &mut Function) {
    let values = Values::of(function);
    let blocks: Vec<Block> = function.blocks.keys().collect();
    for block in blocks {
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut written = Vec::with_capacity(insts.len());
        for inst in insts {
            let data = &function.insts[inst];
            match Choice::of(data, &values) {
                Some(choice) => choice.write(function, inst, &mut written),
                None => written.push(inst),
            }
        }
        function.blocks[block].insts = written;
    }
}

/// A `dice` instruction of few numbers.
struct Choice {
    count: Value,
    sides: Value,
    most: i64,
    /// Those above 1.
    all_sides: Vec<i64>,
    span: Span,
}

impl Choice {
    fn of(data: &InstData, values: &Values) -> Option<Self> {
        let (Op::Dice, &[count, sides]) = (data.op, data.args.as_slice()) else {
            return None;
        };
        let counts = values.0[count].as_ref()?;
        let mut all_sides: Vec<i64> = values.0[sides].clone()?;
        // Fewer than 1 side counts as 1.
        all_sides.retain(|&sides| sides > 1);
        let most = *counts.last()?;
        let number = all_sides.len() as i64;
        let fits = all_sides.iter().all(|&sides| sides <= MAX_SIDES.into())
            && most.saturating_mul(number) <= MAX_DICE;
        fits.then_some(Self {
            count,
            sides,
            most,
            all_sides,
            span: data.span,
        })
    }

    /// Writes the dice; `inst` becomes their sum.
    fn write(self, function: &mut Function, inst: Inst, written: &mut Vec<Inst>) {
        let mut writer = Writer {
            function,
            written,
            span: self.span,
        };
        let (zero, one) = (writer.iconst(0), writer.iconst(1));
        let mut sum = zero;
        for number in 1..=self.most {
            let mut die = one;
            for &sides in &self.all_sides {
                // The sides fit, as `Choice::of` checked.
                let dice = Imm::Dice {
                    count: 1,
                    sides: sides as u32,
                };
                let face = writer.inst(Op::Pool, Vec::new(), dice);
                let number = writer.iconst(sides);
                let here = writer.inst(Op::Ieq, vec![self.sides, number], Imm::None);
                die = writer.inst(Op::Select, vec![here, face, die], Imm::None);
            }
            let number = writer.iconst(number);
            let counts = writer.inst(Op::Ige, vec![self.count, number], Imm::None);
            let die = writer.inst(Op::Select, vec![counts, die, zero], Imm::None);
            sum = writer.inst(Op::IaddWrap, vec![sum, die], Imm::None);
        }
        let data = &mut function.insts[inst];
        data.op = Op::IaddWrap;
        data.args = vec![sum, zero];
        data.imm = Imm::None;
        written.push(inst);
    }
}

struct Writer<'f> {
    function: &'f mut Function,
    written: &'f mut Vec<Inst>,
    span: Span,
}

impl Writer<'_> {
    fn inst(&mut self, op: Op, args: Vec<Value>, imm: Imm) -> Value {
        let inst = self.function.new_inst(op, args, imm, self.span);
        self.written.push(inst);
        self.function.insts[inst].result
    }

    fn iconst(&mut self, value: i64) -> Value {
        self.inst(Op::Iconst, Vec::new(), Imm::Int(value))
    }
}

/// The numbers that each value may be, in order; `None` if they are unknown or too many.
struct Values(SecondaryMap<Value, Option<Vec<i64>>>);

impl Values {
    /// In one pass in reverse postorder: what depends on a later value is unknown.
    fn of(function: &Function) -> Self {
        let mut values = Self(SecondaryMap::new());
        let graph = ControlFlow::new(function);
        for &block in graph.reverse_postorder() {
            for (index, &param) in function.blocks[block].params.iter().enumerate() {
                if function.value_type(param) != Type::I64 {
                    continue;
                }
                let before = graph.predecessors(block).iter();
                let edges = before.flat_map(|&from| Edge::between(function, from, block));
                let args = edges.map(|edge| edge.target.args[index]);
                values.0[param] = values.union(args);
            }
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                values.0[data.result] = values.result(function, data);
            }
        }
        values
    }

    fn result(&self, function: &Function, data: &InstData) -> Option<Vec<i64>> {
        let pairs = |apply: fn(i64, i64) -> Option<i64>| {
            let (left, right) = (
                self.0[data.args[0]].as_ref()?,
                self.0[data.args[1]].as_ref()?,
            );
            let all = left
                .iter()
                .flat_map(|&a| right.iter().map(move |&b| apply(a, b)));
            few(all.collect::<Option<_>>()?)
        };
        match data.op {
            Op::Iconst => function.as_iconst(data.result).map(|number| vec![number]),
            Op::Select => self.union(data.args[1..].iter().copied()),
            Op::Iadd | Op::IaddWrap => pairs(i64::checked_add),
            Op::Isub | Op::IsubWrap => pairs(i64::checked_sub),
            Op::Imul | Op::ImulWrap => pairs(i64::checked_mul),
            // Others trap.
            Op::DieSides => {
                let mut sides = self.0[data.args[0]].clone()?;
                sides.retain(|&sides| sides >= 1);
                few(sides)
            }
            Op::DiceCount => {
                let counts = self.0[data.args[0]].as_ref()?.iter();
                few(counts.map(|&count| count.max(0)).collect())
            }
            Op::Index => self.0[data.args[0]].clone(),
            Op::Imin => pairs(|a, b| Some(a.min(b))),
            Op::Imax => pairs(|a, b| Some(a.max(b))),
            _ => None,
        }
    }

    fn union(&self, values: impl Iterator<Item = Value>) -> Option<Vec<i64>> {
        let mut all = Vec::new();
        for value in values {
            all.extend(self.0[value].as_ref()?);
        }
        few(all)
    }
}

/// Each number once, in order, if they are few.
fn few(mut numbers: Vec<i64>) -> Option<Vec<i64>> {
    numbers.sort_unstable();
    numbers.dedup();
    (1..=MAX_VALUES).contains(&numbers.len()).then_some(numbers)
}
