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

use super::few_values::FewValues;
use super::manager::Pass;
use crate::ir::{Block, Function, Imm, Inst, InstData, Module, Op, Value};
use dicec_runtime::limits::MAX_SIDES;
use dicec_runtime::span::Span;

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
    let values = FewValues::of(function);
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
    fn of(data: &InstData, values: &FewValues) -> Option<Self> {
        let (Op::Dice, &[count, sides]) = (data.op, data.args.as_slice()) else {
            return None;
        };
        let counts = values.numbers(count)?;
        let mut all_sides: Vec<i64> = values.numbers(sides)?.to_vec();
        // Fewer than 1 side counts as 1.
        all_sides.retain(|&sides| sides > 1);
        let most = *counts.last()?;
        // Dice of one side need no words, but they are written out, too.
        let number = all_sides.len().max(1) as i64;
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
