//! Precomputes texts that trials join from a few texts, such as the names of creatures, for lanes:
//! all possible texts are made with the module, consecutively, and the index of the joined text is
//! computed from the indices of its parts.
//!
//! Only texts that are noted are replaced. Compared texts need unique ids, and a precomputed text
//! may be equal to another one.

use super::look_up::{First, LookUp};
use crate::analysis::{Given, Ranges};
use crate::ir::cfg::ControlFlow;
use crate::ir::{ArgumentBlock, Function, Imm, Inst, Module, Op, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::limits::{JOIN_UNIT, MAX_TEXT, join_cost};
use dicec_runtime::span::Span;
use rustc_hash::FxHashMap;

/// The maximum number of possible texts of one join, and of all precomputed texts.
const MAX_CHOICES: i64 = 1 << 10;
const MAX_TEXTS: usize = 1 << 12;

/// Precomputes joined texts where possible; returns whether there were any.
pub(super) fn joined_texts(module: &mut Module, given: Given) -> bool {
    let joins = |inst: Inst| module.trial().insts[inst].op == Op::TextJoin;
    if !module.trial().live_insts().any(joins) {
        return false;
    }
    let Some(mut texts) = known_texts(module) else {
        return false;
    };
    let known = texts.len();
    let mut joining = Joining {
        noted: noted(module.trial()),
        ranges: Ranges::within(module.trial(), given),
        known,
        texts: &mut texts,
        first: FxHashMap::default(),
        replaced: SecondaryMap::new(),
    };
    let function = module.trial_mut();
    let order = ControlFlow::new(function).reverse_postorder().to_vec();
    for block in order {
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            if !joining.join(function, inst, &mut kept) {
                kept.push(inst);
            }
        }
        function.blocks[block].insts = kept;
    }
    let replaced = joining.replaced;
    function.replace_uses(|value| replaced[value].unwrap_or(value));
    module.tables.joined = texts.split_off(known).into();
    true
}

/// The texts that are known before the first trial, by id.
fn known_texts(module: &Module) -> Option<Vec<String>> {
    let tables = &module.tables;
    let arguments = ArgumentBlock::read(tables, module.slots(), tables.known.as_deref()?)?;
    let program = tables.texts.iter().cloned();
    Some(program.chain(arguments.texts).collect())
}

/// The values that are only noted, in lines or names, or joined into texts that are.
fn noted(function: &Function) -> SecondaryMap<Value, bool> {
    let mut other: SecondaryMap<Value, bool> = SecondaryMap::new();
    let mut joins = Vec::new();
    for data in function.live_insts().map(|inst| &function.insts[inst]) {
        for (place, &arg) in data.args.iter().enumerate() {
            match (data.op, place) {
                (Op::Output | Op::NamedStat, 0) => {}
                (Op::TextJoin, _) => joins.push((arg, data.result)),
                _ => other[arg] = true,
            }
        }
    }
    for block in function.blocks.values() {
        if let Some(end) = &block.terminator {
            end.clone().for_each_use(|&mut value| other[value] = true);
        }
    }
    // A text may be joined into others, and those come later in the layout.
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for &(part, text) in joins.iter().rev() {
            if other[text] && !other[part] {
                other[part] = true;
                changed = true;
            }
        }
    }
    let mut noted = SecondaryMap::new();
    for (_, text) in joins {
        noted[text] = !other[text];
    }
    noted
}

/// A part of a text: one of a few consecutive known texts.
#[derive(Clone, Copy)]
struct Part {
    text: Value,
    low: i64,
    count: i64,
}

struct Joining<'t> {
    noted: SecondaryMap<Value, bool>,
    ranges: Ranges,
    /// The number of texts of the module and its arguments.
    known: usize,
    texts: &'t mut Vec<String>,
    /// The id of the first precomputed text, by the ranges of its parts.
    first: FxHashMap<Vec<(i64, i64)>, i64>,
    replaced: SecondaryMap<Value, Option<Value>>,
}

impl Joining<'_> {
    /// Replaces an instruction that joins a text; returns whether it could.
    fn join(&mut self, function: &mut Function, inst: Inst, kept: &mut Vec<Inst>) -> bool {
        let data = &function.insts[inst];
        let (Op::TextJoin, Imm::Int(values), true) = (data.op, data.imm, self.noted[data.result])
        else {
            return false;
        };
        let (result, span) = (data.result, data.span);
        let mut parts = Vec::new();
        if self.parts(function, result, &mut parts).is_none() {
            return false;
        }
        let Some(first) = self.make(&parts) else {
            return false;
        };
        let mut writer = Writer {
            function,
            insts: kept,
            span,
        };
        self.pay(&mut writer, &parts, values);
        let mut id = writer.number(first);
        let mut step = 1;
        for part in parts.iter().rev().filter(|part| part.count > 1) {
            let place = writer.plus(part.text, -part.low);
            let place = writer.times(place, step);
            id = writer.inst(Op::IaddWrap, vec![id, place], Imm::None);
            step *= part.count;
        }
        self.replaced[result] = Some(id);
        true
    }

    /// The parts of a text, in order; `None` if it has too many possible values.
    fn parts(&self, function: &Function, text: Value, parts: &mut Vec<Part>) -> Option<()> {
        if let Some(data) = function.def(text)
            && data.op == Op::TextJoin
        {
            let &[first, second] = data.args.as_slice() else {
                return None;
            };
            self.parts(function, first, parts)?;
            return self.parts(function, second, parts);
        }
        let range = self.ranges.of(text);
        let is_known = usize::try_from(range.high).is_ok_and(|high| high < self.known);
        let count = i64::try_from(range.width()).ok()?;
        let others = parts.iter().map(|part: &Part| part.count);
        let all = others.product::<i64>().checked_mul(count)?;
        (range.low >= 0 && is_known && all <= MAX_CHOICES).then(|| {
            parts.push(Part {
                text,
                low: range.low,
                count,
            });
        })
    }

    /// Makes all joins of these parts and returns the first id; joins that differ in the last part
    /// are consecutive.
    fn make(&mut self, parts: &[Part]) -> Option<i64> {
        let name: Vec<(i64, i64)> = parts.iter().map(|part| (part.low, part.count)).collect();
        if let Some(&first) = self.first.get(&name) {
            return Some(first);
        }
        let mut made = vec![String::new()];
        for part in parts {
            // Ids of known texts.
            let texts = &self.texts[part.low as usize..][..part.count as usize];
            let longer = made.iter().flat_map(|begin| {
                texts
                    .iter()
                    .map(move |text| [begin.as_str(), text].concat())
            });
            made = longer.collect();
        }
        let fits = made.iter().all(|text| text.len() <= MAX_TEXT);
        if !fits || self.texts.len() + made.len() > self.known + MAX_TEXTS {
            return None;
        }
        // The number of texts is bounded.
        let first = self.texts.len() as i64;
        self.texts.extend(made);
        self.first.insert(name, first);
        Some(first)
    }

    /// Burns the fuel of joining this many values, which depends on the length of the text.
    fn pay(&self, writer: &mut Writer<'_>, parts: &[Part], values: i64) {
        if values == 0 {
            return;
        }
        let ends = parts.iter().map(|part| {
            let lengths = self.lengths(part).map(|(_, length)| length);
            let longest = lengths.clone().max().unwrap_or(0);
            (lengths.min().unwrap_or(0), longest)
        });
        let (least, most) = ends.fold((0, 0), |all, part| (all.0 + part.0, all.1 + part.1));
        // A text is short.
        let cost = |length: i64| join_cost(values.unsigned_abs(), length as usize) as i64;
        if cost(least) == cost(most) {
            writer.inst(Op::Fuel, Vec::new(), Imm::Int(cost(most)));
            return;
        }
        let mut length = writer.number(0);
        for part in parts {
            let lengths = self.lengths(part);
            let lengths: Vec<_> = lengths
                .map(|(text, length)| (text, First::Number(length)))
                .collect();
            let of_part = writer.look_up(part.text, &lengths);
            length = writer.inst(Op::IaddWrap, vec![length, of_part], Imm::None);
        }
        let unit = writer.number(JOIN_UNIT.cast_signed());
        let units = writer.inst(Op::IdivPos, vec![length, unit], Imm::None);
        let units = writer.plus(units, cost(0) / values);
        let cost_of_text = writer.times(units, values);
        writer.inst(Op::Burn, vec![cost_of_text], Imm::Int(cost(most)));
    }

    /// The possible texts of a part, with their lengths.
    fn lengths(&self, part: &Part) -> impl Iterator<Item = (i64, i64)> + Clone + use<'_> {
        let Part { low, count, .. } = *part;
        // These are ids of known texts, which are short.
        (low..low + count).map(|text| (text, self.texts[text as usize].len() as i64))
    }
}

/// Writes instructions of a block.
struct Writer<'f> {
    function: &'f mut Function,
    insts: &'f mut Vec<Inst>,
    span: Span,
}

impl Writer<'_> {
    fn inst(&mut self, op: Op, args: Vec<Value>, imm: Imm) -> Value {
        let inst = self.function.new_inst(op, args, imm, self.span);
        self.insts.push(inst);
        self.function.insts[inst].result
    }

    fn number(&mut self, number: i64) -> Value {
        self.inst(Op::Iconst, Vec::new(), Imm::Int(number))
    }

    /// The word at the index.
    fn look_up(&mut self, index: Value, words: &[(i64, First)]) -> Value {
        LookUp::of(words).write(self.function, self.insts, index, self.span)
    }

    fn plus(&mut self, value: Value, number: i64) -> Value {
        let number = self.number(number);
        self.inst(Op::IaddWrap, vec![value, number], Imm::None)
    }

    fn times(&mut self, value: Value, number: i64) -> Value {
        let number = self.number(number);
        self.inst(Op::ImulWrap, vec![value, number], Imm::None)
    }
}
