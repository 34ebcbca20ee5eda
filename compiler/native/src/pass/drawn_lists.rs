//! Lists whose elements are only drawn at random: the last element replaces a drawn one, and no
//! others move (swap-remove). Only for fused sampling, because other elements are drawn with the
//! same rolls.
//!
//! ```text
//! v5 = dice 1, v4                            ; v4 elements are left
//! v6 = iadd_wrap v5, -1
//! v7 = load element (v1 + v6)
//! v8 = shift_down element (v1 + v6), (v4 - 1 - v6)
//! ; becomes
//! v8 = isub_wrap (v4 - 1), v6
//! v9 = burn v8
//! v10 = load element (v1 + (v4 - 1))
//! v11 = store element (v1 + v6), v10
//! ```
//!
//! Premise: nothing observes the order. All reads are of elements at random indices, which are then
//! removed, so permutations of a list have the same odds. Each draw must be one among all elements
//! that are left ([`Left`]). Elements may be appended, and anything may happen before the first
//! draw.

use super::objects::{Address, Objects};
use crate::analysis::KnownRanges;
use crate::ir::cfg::ControlFlow;
use crate::ir::{
    Block, Field, Function, Imm, Inst, InstData, Op, Tables, Target, Terminator, Value,
};
use cranelift_entity::SecondaryMap;
use dicec_runtime::script::HEADER;
use rustc_hash::{FxHashMap, FxHashSet};

/// Replaces the shifts of lists from which elements are only drawn.
pub(super) fn drawn_lists(function: &mut Function, tables: &Tables, known: &mut KnownRanges) {
    let is_shift = |inst: Inst| function.insts[inst].op == Op::ShiftDown;
    if !function.live_insts().any(is_shift) {
        return;
    }
    let objects = Objects::of(function, tables, known);
    let graph = ControlFlow::new(function);
    let users = users(function);
    let lists = (0..objects.all.len()).filter(|&list| {
        let object = &objects.all[list];
        object.is_list && object.is_shifted && !object.escapes
    });
    let drawn = lists.filter_map(|list| {
        let draws = Draws::of(&objects, &users, list)?;
        draws.are_all(&graph).then_some(draws.shifts)
    });
    let draws: Vec<(Inst, Draw)> = drawn.flatten().collect();
    for (shift, draw) in draws {
        draw.write(function, shift);
    }
}

/// The instructions that use each value; `None` stands for the terminator.
type Users = SecondaryMap<Value, Vec<Option<Inst>>>;

fn users(function: &Function) -> Users {
    let mut users = Users::new();
    for data in function.blocks.values() {
        for &inst in &data.insts {
            let args = &function.insts[inst].args;
            args.iter().for_each(|&arg| users[arg].push(Some(inst)));
        }
        let ends = data.terminator.iter().flat_map(Terminator::uses);
        ends.for_each(|value| users[value].push(None));
    }
    users
}

/// A value plus a constant, or only a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sum {
    base: Option<Value>,
    offset: i64,
}

impl Sum {
    fn number(offset: i64) -> Self {
        Self { base: None, offset }
    }

    /// A value that does not trap.
    fn of(function: &Function, mut value: Value) -> Self {
        let mut offset = 0i64;
        loop {
            if let Some(number) = function.as_iconst(value) {
                return Self::number(offset.wrapping_add(number));
            }
            let part = function.def(value).and_then(|data| {
                let args = data.args.as_slice();
                let number = |place: usize| function.as_iconst(args[place]);
                match (data.op, args) {
                    (Op::IaddWrap, &[a, b]) => {
                        number(1).map(|by| (a, by)).or(number(0).map(|by| (b, by)))
                    }
                    (Op::IsubWrap, &[a, _]) => number(1).map(|by| (a, by.wrapping_neg())),
                    // If the instruction does not trap, it equals the operand.
                    (Op::Index, &[a, _]) | (Op::DieSides | Op::NotNegative, &[a]) => Some((a, 0)),
                    _ => None,
                }
            });
            let Some((next, by)) = part else {
                return Self {
                    base: Some(value),
                    offset,
                };
            };
            (value, offset) = (next, offset.wrapping_add(by));
        }
    }

    fn plus(self, by: i64) -> Self {
        Self {
            offset: self.offset.wrapping_add(by),
            ..self
        }
    }
}

/// A shift that removes a drawn element.
struct Draw {
    block: Block,
    /// The instructions that read the element.
    loads: Vec<Inst>,
    /// The index of the last element.
    last: Value,
    /// The address of the first element.
    first: Value,
    field: Field,
    /// The maximum number of elements.
    most: i64,
}

impl Draw {
    /// The draw of a shift of a list, if its index is uniform among all up to the last that moves,
    /// and nothing else observes the index.
    fn of(
        objects: &Objects<'_>,
        users: &Users,
        (list, block): (usize, Block),
        shift: Inst,
    ) -> Option<Self> {
        let function = objects.function;
        let data = &function.insts[shift];
        let Imm::Field(field) = data.imm else {
            return None;
        };
        let index = objects.shifted(data)?.index?;
        let &[address, count] = data.args.as_slice() else {
            return None;
        };
        let difference = function.def(count)?;
        let &[last, from] = difference.args.as_slice() else {
            return None;
        };
        let mut moved = function.def(address)?.args.iter().copied();
        let first = moved.find(|&arg| arg != index)?;
        let die = random(function, index, Sum::of(function, last))?;
        let is_draw = data.op == Op::ShiftDown
            && difference.op == Op::IsubWrap
            && from == index
            && users[die].len() == 1;
        if !is_draw {
            return None;
        }
        let mut loads = Vec::new();
        for &user in &users[index] {
            for &user in &users[function.insts[user?].result] {
                let user = user?;
                let used = &function.insts[user];
                let is_load = used.op == Op::Load
                    && objects.word(used).is_some_and(|word| word.object == list);
                match is_load {
                    true => loads.push(user),
                    false if user == shift => {}
                    false => return None,
                }
            }
        }
        Some(Self {
            block,
            loads,
            last,
            first,
            field,
            most: objects.all[list].size - HEADER,
        })
    }

    fn write(self, function: &mut Function, shift: Inst) {
        let InstData { args, span, .. } = function.insts[shift].clone();
        let mut insts = Vec::new();
        let mut add = |op: Op, args: Vec<Value>, imm: Imm| {
            let inst = function.new_inst(op, args, imm, span);
            insts.push(inst);
            function.insts[inst].result
        };
        let field = Imm::Field(self.field);
        let last = add(Op::IaddWrap, vec![self.first, self.last], Imm::None);
        let last = add(Op::Load, vec![last], field);
        add(Op::Burn, vec![args[1]], Imm::Int(self.most));
        add(Op::Store, vec![args[0], last], field);
        let block = &mut function.blocks[self.block].insts;
        let position = block.iter().position(|&inst| inst == shift);
        let position = position.unwrap_or(block.len());
        block.splice(position..=position, insts);
        let moved = function.insts[shift].result;
        function.replace_uses(|value| if value == moved { args[1] } else { value });
    }
}

/// The die of an index that is uniform from 0 to `last`.
fn random(function: &Function, index: Value, last: Sum) -> Option<Value> {
    let Sum {
        base: Some(die),
        offset: -1,
    } = Sum::of(function, index)
    else {
        return None;
    };
    let data = function.def(die)?;
    let sides = match (data.op, data.imm, data.args.as_slice()) {
        (Op::Pool, Imm::Dice { count: 1, sides }, _) => Sum::number(sides.into()),
        (Op::Dice, _, &[count, sides]) if function.as_iconst(count) == Some(1) => {
            Sum::of(function, sides)
        }
        _ => return None,
    };
    // They are adjacent, so nothing else can use the die.
    let is_next = function.def(index)?.args.contains(&die);
    (is_next && sides == last.plus(1)).then_some(die)
}

/// The number of elements that are left, as sums that equal it; `None` before the first draw, when
/// it does not matter.
type Left = Option<Vec<Sum>>;

/// The draws from a list, and the other uses of its elements.
struct Draws<'o> {
    objects: &'o Objects<'o>,
    list: usize,
    shifts: Vec<(Inst, Draw)>,
    by_shift: FxHashMap<Inst, usize>,
    /// The blocks in which values are computed.
    places: SecondaryMap<Value, Option<Block>>,
}

impl<'o> Draws<'o> {
    fn of(objects: &'o Objects<'o>, users: &Users, list: usize) -> Option<Self> {
        let function = objects.function;
        let mut draws = Self {
            objects,
            list,
            shifts: Vec::new(),
            by_shift: FxHashMap::default(),
            places: SecondaryMap::new(),
        };
        for (block, data) in function.blocks.iter() {
            for &param in &data.params {
                draws.places[param] = Some(block);
            }
            for &inst in &data.insts {
                let data = &function.insts[inst];
                draws.places[data.result] = Some(block);
                let shifted = objects.shifted(data);
                if shifted.is_some_and(|element| element.object == list) {
                    let draw = Draw::of(objects, users, (list, block), inst)?;
                    draws.by_shift.insert(inst, draws.shifts.len());
                    draws.shifts.push((inst, draw));
                }
            }
        }
        Some(draws)
    }

    /// Whether each draw is one among all elements that are left, and nothing else observes their
    /// order.
    fn are_all(&self, graph: &ControlFlow) -> bool {
        let function = self.objects.function;
        let mut before: SecondaryMap<Block, Left> = SecondaryMap::new();
        loop {
            let mut changed = false;
            for &block in graph.reverse_postorder() {
                let Some(left) = self.through(block, before[block].clone()) else {
                    return false;
                };
                let Some(left) = left else { continue };
                let targets = function.blocks[block].terminator.iter();
                for target in targets.flat_map(Terminator::targets) {
                    let mut passed = self.passed(graph, &left, target);
                    if let Some(others) = &before[target.block] {
                        passed.retain(|sum| others.contains(sum));
                        if passed.len() == others.len() {
                            continue;
                        }
                    }
                    before[target.block] = Some(passed);
                    changed = true;
                }
            }
            if !changed {
                return true;
            }
        }
    }

    /// The state after a block; `None` if the order of the elements may be observed.
    fn through(&self, block: Block, mut left: Left) -> Option<Left> {
        let Objects { function, .. } = *self.objects;
        let mut read = FxHashSet::default();
        for &inst in &function.blocks[block].insts {
            let data = &function.insts[inst];
            if inst == self.objects.all[self.list].made {
                left = None;
            } else if self.objects.grown(data) == Some(self.list) {
                return None;
            } else if let Some(&draw) = self.by_shift.get(&inst) {
                let (_, draw) = &self.shifts[draw];
                let last = Sum::of(function, draw.last);
                let is_all = left.is_none_or(|left| left.contains(&last.plus(1)));
                // All of its reads precede the next change.
                if !is_all || !draw.loads.iter().all(|load| read.contains(load)) {
                    return None;
                }
                read.clear();
                left = Some(vec![last]);
            } else if let Some(element) = self.element(data) {
                match (data.op, &mut left) {
                    (Op::Load, _) if self.is_drawn(inst) => {
                        read.insert(inst);
                    }
                    (Op::Load | Op::Store, None) => {}
                    (Op::Store, Some(left)) => {
                        let index = match element.index {
                            Some(index) => Sum::of(function, index),
                            None => Sum::number(element.offset - HEADER),
                        };
                        if !left.contains(&index) {
                            return None;
                        }
                        left.iter_mut().for_each(|left| *left = left.plus(1));
                        read.clear();
                    }
                    _ => return None,
                }
            }
        }
        Some(left)
    }

    fn is_drawn(&self, load: Inst) -> bool {
        let mut shifts = self.shifts.iter();
        shifts.any(|(_, draw)| draw.loads.contains(&load))
    }

    /// The element that an instruction reads, writes or moves.
    fn element(&self, data: &InstData) -> Option<Address> {
        let word = self.objects.word(data)?;
        (word.object == self.list && word.offset >= HEADER).then_some(word)
    }

    /// The sums that equal the number of elements at the destination of an edge.
    fn passed(&self, graph: &ControlFlow, left: &[Sum], target: &Target) -> Vec<Sum> {
        let function = self.objects.function;
        let stays = |sum: &&Sum| match sum.base.and_then(|base| self.places[base]) {
            Some(block) => block != target.block && graph.dominates(block, target.block),
            None => true,
        };
        let mut passed: Vec<Sum> = left.iter().filter(stays).copied().collect();
        let params = &function.blocks[target.block].params;
        for (&param, &arg) in params.iter().zip(&target.args) {
            let arg = Sum::of(function, arg);
            if let Some(same) = left.iter().find(|left| left.base == arg.base) {
                passed.push(Sum {
                    base: Some(param),
                    offset: same.offset.wrapping_sub(arg.offset),
                });
            }
        }
        passed
    }
}
