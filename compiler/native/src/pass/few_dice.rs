//! Rewrites `dice` with a computed number and computed sides for lanes, if both are among a few
//! numbers or in a narrow range. A die with a common multiple of all sides replaces each of them,
//! and the dice that count are selected. If the multiple is too large, several dice are rolled, and
//! one is selected.
//!
//! ```text
//! v3 = dice v1, v2          ; v1 is 1 or 2, v2 is 6 or 8
//! ; becomes, with die = (d24 - 1) * v2 / 24 + 1
//! v3 = die + (v1 >= 2 ? die : 0)
//! ; if there were no d24, with die = v2 == 6 ? d6 : d8
//! ```
//!
//! The distribution is the same, because dice that are not selected change nothing. The drawn words
//! change, so only vector forms of fused sampling do this.

use crate::analysis::{FewValues, Given, Interval, Ranges, Reciprocal};
use crate::ir::{Block, Function, Imm, Inst, InstData, Op, Value};
use dicec_runtime::limits::MAX_SIDES;
use dicec_runtime::span::Span;

/// The maximum number of dice that replace one `dice`.
const MAX_DICE: i64 = 24;

/// The maximum number of values in a range that are distinguished.
const MAX_NUMBERS: usize = 16;

/// The maximum number of sides of a common multiple: its faces, times the sides of another die,
/// must fit narrow lanes.
const MAX_MULTIPLE: i64 = 240;

/// The minimum number of different sides that a multiple must cover, unless it covers all: scaling
/// its faces costs about as much as another die.
const MIN_SHARED: usize = 3;

/// Rewrites `dice` whose number and sides are among a few numbers under the assumptions `given`.
/// Returns whether there were any.
pub(super) fn few_dice(trial: &mut Function, given: Given) -> bool {
    let is_dice = |inst| trial.insts[inst].op == Op::Dice;
    let any = trial.live_insts().any(is_dice);
    if any {
        replace(trial, given);
    }
    any
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

/// The facts about the values of a function.
struct Known {
    values: FewValues,
    /// Numbers that a loop changes are known only as ranges.
    ranges: Ranges,
}

impl Known {
    /// The possible values in a block, in order, if there are few.
    fn numbers(&self, block: Block, value: Value) -> Option<Vec<i64>> {
        let numbers = self.values.numbers(value).map(<[i64]>::to_vec);
        numbers.or_else(|| self.ranges.at(block, value).numbers(MAX_NUMBERS))
    }
}

/// A `dice` instruction with few possible parameters.
struct Choice {
    count: Value,
    sides: Value,
    /// The possible counts, in order.
    counts: Vec<i64>,
    most: i64,
    /// The dice that are rolled for each unit of the count.
    dice: Vec<Die>,
    span: Span,
}

impl Choice {
    fn of(data: &InstData, numbers: impl Fn(Value) -> Option<Vec<i64>>) -> Option<Self> {
        let (Op::Dice, &[count, sides]) = (data.op, data.args.as_slice()) else {
            return None;
        };
        let counts = numbers(count)?;
        let mut all_sides = numbers(sides)?;
        // Fewer than 1 side count as 1.
        all_sides.retain(|&sides| sides > 1);
        let most = *counts.last()?;
        if all_sides.iter().any(|&sides| sides > MAX_SIDES.into()) {
            return None;
        }
        let dice = Die::of_all(all_sides);
        // Dice with one side need no random words, but they are written out, too.
        let number = dice.len().max(1) as i64;
        let fits = most.saturating_mul(number) <= MAX_DICE;
        fits.then_some(Self {
            count,
            sides,
            counts,
            most,
            dice,
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
            // Dice that are always rolled together share a condition.
            let number = self.counts.iter().find(|&&count| count >= number);
            let number = number.copied().unwrap_or(self.most);
            let die = self.die(&mut writer);
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
    /// A die with the wanted sides: the one that covers them.
    fn die(&self, writer: &mut Writer<'_>) -> Value {
        let mut chosen = None;
        for die in &self.dice {
            let face = match die.sides.as_slice() {
                [sides] => writer.die(*sides),
                _ => self.common_die(writer, die.multiple),
            };
            chosen = Some(match chosen {
                // A die that covers several sides is scaled to 1 side, too.
                None if die.sides.len() > 1 => face,
                others => {
                    let others = others.unwrap_or_else(|| writer.iconst(1));
                    die.sides.iter().fold(others, |others, &sides| {
                        let number = writer.iconst(sides);
                        let here = writer.inst(Op::Ieq, vec![self.sides, number], Imm::None);
                        writer.inst(Op::Select, vec![here, face, others], Imm::None)
                    })
                }
            });
        }
        chosen.unwrap_or_else(|| writer.iconst(1))
    }

    /// A die with the wanted sides, from one with a multiple of them: equally many faces map to
    /// each face.
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

/// A die that covers several numbers of sides: it has a common multiple of them, or the only
/// number.
struct Die {
    multiple: i64,
    sides: Vec<i64>,
}

impl Die {
    /// Dice that cover all of these sides, which are above 1 and in order. Greedy: always first the
    /// multiple that covers the most that are left.
    fn of_all(mut sides: Vec<i64>) -> Vec<Self> {
        let mut dice = Vec::new();
        let least = sides.len().min(MIN_SHARED);
        let highest = sides.last().copied().unwrap_or(1);
        while let Some(common) =
            Self::of_most(&sides, highest).filter(|die| die.sides.len() >= least)
            && common.sides.len() > 1
        {
            sides.retain(|sides| !common.sides.contains(sides));
            dice.push(common);
        }
        dice.extend(sides.into_iter().map(|sides| Self {
            multiple: sides,
            sides: vec![sides],
        }));
        dice
    }

    /// The die that covers the most of these sides, if lanes can divide by its sides when its faces
    /// are multiplied by up to `highest`.
    fn of_most(sides: &[i64], highest: i64) -> Option<Self> {
        let dice = (1..=MAX_MULTIPLE).map(|multiple| Self {
            multiple,
            sides: sides
                .iter()
                .copied()
                .filter(|sides| multiple % sides == 0)
                .collect(),
        });
        let divides = |die: &Self| {
            let dividends = Interval::new(0, (die.multiple - 1) * highest);
            Reciprocal::new(dividends, die.multiple).is_some()
        };
        // Of equal ones, the last has the least multiple.
        dice.rev().filter(divides).max_by_key(|die| die.sides.len())
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

    /// The sides are at least 1 and at most [`MAX_SIDES`].
    fn die(&mut self, sides: i64) -> Value {
        let sides = sides as u32;
        self.inst(Op::Pool, Vec::new(), Imm::Dice { count: 1, sides })
    }

    fn iconst(&mut self, value: i64) -> Value {
        self.inst(Op::Iconst, Vec::new(), Imm::Int(value))
    }
}
