//! Dice of computed number and sides as dice that lanes have, if both are among a few numbers, or
//! in a narrow range: a die with a common multiple of all sides stands for each of them, and the
//! dice that count are selected. If the multiple is too large, the dice of all sides are rolled,
//! and one is selected.
//!
//! ```text
//! v3 = dice v1, v2          ; v1 is 1 or 2, v2 is 6 or 8
//! ; becomes, with die = (d24 - 1) * v2 / 24 + 1
//! v3 = die + (v1 >= 2 ? die : 0)
//! ; if there were no d24, with die = v2 == 6 ? d6 : d8
//! ```
//!
//! The distribution is the same, because dice that are not selected change nothing; the words that
//! are drawn are others, so only vector forms of fused sampling do this.

use super::manager::Pass;
use crate::analysis::{FewValues, Given, Interval, Ranges, Reciprocal};
use crate::ir::{Block, Function, Imm, Inst, InstData, Module, Op, Value};
use dicec_runtime::limits::MAX_SIDES;
use dicec_runtime::span::Span;

/// The maximum number of dice that are rolled for one `dice`.
const MAX_DICE: i64 = 24;

/// The maximum number of numbers in a range that are told apart.
const MAX_NUMBERS: usize = 16;

/// The maximum number of sides of a die that stands for others: its faces, multiplied by the sides
/// of another, have to fit narrow lanes.
const MAX_MULTIPLE: i64 = 240;

/// Replaces dice of computed number and sides where both are among a few numbers, as far as is
/// known if this is `given`.
pub(super) fn few_dice(script: &mut Module, given: Given) {
    let trial = script.trial_mut();
    if trial
        .live_insts()
        .all(|inst| trial.insts[inst].op != Op::Dice)
    {
        return;
    }
    replace(trial, given);
    for pass in [Pass::FOLD, Pass::CSE, Pass::DCE] {
        pass.run(script);
    }
}

fn replace(function: &mut Function, given: Given) {
    let known = Known {
        values: FewValues::of(function),
        ranges: Ranges::within(function, given),
    };
    let blocks: Vec<Block> = function.blocks.keys().collect();
    for block in blocks {
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut written = Vec::with_capacity(insts.len());
        for inst in insts {
            let data = &function.insts[inst];
            match Choice::of(data, |value| known.numbers(block, value)) {
                Some(choice) => choice.write(function, inst, &mut written),
                None => written.push(inst),
            }
        }
        function.blocks[block].insts = written;
    }
}

/// What is known of numbers.
struct Known {
    values: FewValues,
    /// Numbers that a loop changes are only known by their range.
    ranges: Ranges,
}

impl Known {
    /// What a value may be in a block, in order, if these are few numbers.
    fn numbers(&self, block: Block, value: Value) -> Option<Vec<i64>> {
        let numbers = self.values.numbers(value).map(<[i64]>::to_vec);
        numbers.or_else(|| self.ranges.at(block, value).numbers(MAX_NUMBERS))
    }
}

/// A `dice` instruction of few numbers.
struct Choice {
    count: Value,
    sides: Value,
    /// What the count may be, in order.
    counts: Vec<i64>,
    most: i64,
    /// Those above 1.
    all_sides: Vec<i64>,
    /// The sides of the die that stands for all of them.
    multiple: Option<i64>,
    span: Span,
}

impl Choice {
    fn of(data: &InstData, numbers: impl Fn(Value) -> Option<Vec<i64>>) -> Option<Self> {
        let (Op::Dice, &[count, sides]) = (data.op, data.args.as_slice()) else {
            return None;
        };
        let counts = numbers(count)?;
        let mut all_sides = numbers(sides)?;
        // Fewer than 1 side counts as 1.
        all_sides.retain(|&sides| sides > 1);
        let most = *counts.last()?;
        let multiple = common_multiple(&all_sides);
        let number = match multiple {
            Some(_) => 1,
            // Dice of one side need no words, but they are written out, too.
            None => all_sides.len().max(1) as i64,
        };
        let fits = all_sides.iter().all(|&sides| sides <= MAX_SIDES.into())
            && most.saturating_mul(number) <= MAX_DICE;
        fits.then_some(Self {
            count,
            sides,
            counts,
            most,
            all_sides,
            multiple,
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
        let zero = writer.iconst(0);
        let mut sum = zero;
        for number in 1..=self.most {
            // Dice that are only rolled together have one condition.
            let number = self.counts.iter().find(|&&count| count >= number);
            let number = number.copied().unwrap_or(self.most);
            let die = match self.multiple {
                Some(multiple) => self.common_die(&mut writer, multiple),
                None => self.chosen_die(&mut writer),
            };
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

impl Choice {
    /// A die of the wanted sides: that of each sides, of which one is selected.
    fn chosen_die(&self, writer: &mut Writer<'_>) -> Value {
        let mut chosen = writer.iconst(1);
        for &sides in &self.all_sides {
            let face = writer.die(sides);
            let number = writer.iconst(sides);
            let here = writer.inst(Op::Ieq, vec![self.sides, number], Imm::None);
            chosen = writer.inst(Op::Select, vec![here, face, chosen], Imm::None);
        }
        chosen
    }

    /// A die of the wanted sides, from one with a multiple of them: equally many of its faces stand
    /// for each face.
    fn common_die(&self, writer: &mut Writer<'_>, multiple: i64) -> Value {
        let face = writer.die(multiple);
        let one = writer.iconst(1);
        let from_zero = writer.inst(Op::IsubWrap, vec![face, one], Imm::None);
        let sides = writer.inst(Op::Imax, vec![self.sides, one], Imm::None);
        let scaled = writer.inst(Op::ImulWrap, vec![from_zero, sides], Imm::None);
        let all = writer.iconst(multiple);
        let face = writer.inst(Op::IdivPos, vec![scaled, all], Imm::None);
        writer.inst(Op::IaddWrap, vec![face, one], Imm::None)
    }
}

/// The least common multiple of several sides, if it is small and lanes can divide by it.
fn common_multiple(sides: &[i64]) -> Option<i64> {
    let (&most, _) = sides
        .split_last()
        .filter(|(_, others)| !others.is_empty())?;
    let multiple = (1..=MAX_MULTIPLE / most)
        .map(|times| times * most)
        .find(|multiple| sides.iter().all(|sides| multiple % sides == 0))?;
    let dividends = Interval::new(0, (multiple - 1) * most);
    Reciprocal::new(dividends, multiple).map(|_| multiple)
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

    /// The sides are at least 1 and at most [`MAX_SIDES`].
    fn die(&mut self, sides: i64) -> Value {
        let sides = sides as u32;
        self.inst(Op::Pool, Vec::new(), Imm::Dice { count: 1, sides })
    }

    fn iconst(&mut self, value: i64) -> Value {
        self.inst(Op::Iconst, Vec::new(), Imm::Int(value))
    }
}
