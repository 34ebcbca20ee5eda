//! If-conversion: a branch becomes selects if its arms are small, only compute and roll dice, and
//! join again.
//!
//! Only for fused sampling, because then the dice of both arms are rolled, whichever arm is taken.
//! A die whose face is not used preserves the distribution: the words after it are as random as its
//! own. Two dice of which a trial uses at most one may even be the same die. So arms share dice of
//! equal sides: `2d8` in one and `1d8` in the other become a `1d8` that both use and another `1d8`
//! that the first one adds.
//!
//! Arms must not trap or read memory: if an arm is not taken, its address may be invalid.
//!
//! **Costs**: a predicted branch is free, a mispredicted one costs some twenty operations.
//! Probabilities are not known here, so arms of up to [`MAX_COST`] operations are converted; a die
//! that shares its word with others counts [`DIE_COST`]. Measured as user time of three million
//! trials (the minimum of several runs, start included): the duel of `ratios` took 130 ns a trial
//! without this pass, 108 with arms of up to 10, 98 with 20, 92 with 60, and 84 once addends were
//! selected instead of sums. The full attack took 51 to 56 with any bound: most of its branches
//! output lines, so they stay.

use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Imm, Inst, Op, Target, Terminator, Type, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::span::Span;
use rustc_hash::FxHashSet;

/// The maximum number of operations in both arms together.
const MAX_COST: u32 = 60;

/// The cost of a die, in operations.
const DIE_COST: u32 = 4;

/// The maximum number of iterations; each converts branches that have no block in common.
const MAX_ROUNDS: usize = 200;

/// The maximum cost for lanes, which compute both arms anyway.
const MAX_COST_IN_LANES: u32 = 200;

/// The arms that may be converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arms {
    /// Small arms without fuel.
    Small,
    /// Arms for lanes, which compute all arms: with fuel, but without dice, which share words with
    /// those of other paths.
    OfLanes,
}

impl Arms {
    fn max_cost(self) -> u32 {
        match self {
            Arms::Small => MAX_COST,
            Arms::OfLanes => MAX_COST_IN_LANES,
        }
    }

    /// The cost of running instructions unconditionally; `None` if that could be observed.
    pub(super) fn cost(self, function: &Function, insts: &[Inst]) -> Option<u32> {
        let costs = insts.iter().map(|&inst| {
            let data = &function.insts[inst];
            let info = data.op.info();
            match (data.op, data.imm) {
                (Op::Fuel | Op::Burn, _) if self == Arms::OfLanes => Some(0),
                (Op::Pool, Imm::Dice { count, .. }) if self == Arms::Small => {
                    count.checked_mul(DIE_COST)
                }
                (Op::Iconst | Op::Bconst, _) => Some(0),
                (Op::Peek, _) => None,
                _ if info.traps || info.effect || info.result == Type::F64 => None,
                _ => Some(1),
            }
        });
        let cost = costs.sum::<Option<u32>>()?;
        (cost <= self.max_cost()).then_some(cost)
    }
}

pub(super) fn if_convert(function: &mut Function, allowed: Arms) {
    for _ in 0..MAX_ROUNDS {
        let graph = ControlFlow::new(function);
        let mut changed = FxHashSet::default();
        // From the inside out: an arm that contains a branch cannot be converted.
        for &block in graph.reverse_postorder().iter().rev() {
            let choice = Choice::new(function, &graph, block, allowed);
            if let Some(choice) = choice
                && choice.blocks(block).all(|block| !changed.contains(&block))
            {
                changed.extend(choice.blocks(block));
                choice.convert(function, block);
            }
        }
        if changed.is_empty() {
            break;
        }
    }
}

/// A path from a branch to the block where both paths join.
#[derive(Clone)]
struct Arm {
    /// The block on it, with its arguments.
    through: Option<Target>,
    /// Where it ends.
    to: Target,
}

impl Arm {
    /// The paths that begin with this edge and end at a join.
    fn beginning(function: &Function, graph: &ControlFlow, edge: &Target) -> Vec<Arm> {
        let mut arms = vec![Arm {
            through: None,
            to: edge.clone(),
        }];
        if let Some(Terminator::Jump(to)) = &function.blocks[edge.block].terminator
            && graph.predecessors(edge.block).len() == 1
        {
            arms.push(Arm {
                through: Some(edge.clone()),
                to: to.clone(),
            });
        }
        arms
    }

    fn insts<'f>(&self, function: &'f Function) -> &'f [Inst] {
        let through = self.through.as_ref();
        through.map_or(&[], |through| &function.blocks[through.block].insts)
    }
}

/// A branch that becomes selects.
struct Choice {
    condition: Value,
    /// The path for true, and the path for false.
    arms: [Arm; 2],
}

impl Choice {
    fn new(function: &Function, graph: &ControlFlow, block: Block, allowed: Arms) -> Option<Self> {
        let Some(Terminator::Branch {
            condition,
            then,
            otherwise,
        }) = &function.blocks[block].terminator
        else {
            return None;
        };
        let [first, second] = [then, otherwise].map(|edge| Arm::beginning(function, graph, edge));
        let pairs = first
            .iter()
            .flat_map(|a| second.iter().map(move |b| [a, b]));
        let arms = pairs
            .into_iter()
            .find(|[a, b]| a.to.block == b.to.block && a.to.block != block)?;
        let [first, second] = arms.map(|arm| allowed.cost(function, arm.insts(function)));
        let cost = first?.checked_add(second?)?;
        let choice = Self {
            condition: *condition,
            arms: arms.map(Arm::clone),
        };
        (cost <= allowed.max_cost() && choice.has_selects(function)).then_some(choice)
    }

    /// The block of the branch, and those of its arms.
    fn blocks(&self, block: Block) -> impl Iterator<Item = Block> {
        let arms = self.arms.iter().filter_map(|arm| arm.through.as_ref());
        std::iter::once(block).chain(arms.map(|through| through.block))
    }

    /// Whether every argument in which the paths differ can be a select.
    fn has_selects(&self, function: &Function) -> bool {
        let [a, b] = &self.arms;
        let mut passed = a.to.args.iter().zip(&b.to.args);
        passed.all(|(a, b)| a == b || function.value_type(*a) != Type::F64)
    }

    fn convert(self, function: &mut Function, block: Block) {
        let mut replaced: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
        let mut taken = [true, false].into_iter();
        let arms = self.arms.each_ref().map(|arm| {
            let holds = taken.next() == Some(true);
            let Some(through) = &arm.through else {
                return Vec::new();
            };
            let data = &mut function.blocks[through.block];
            for (&param, &arg) in data.params.iter().zip(&through.args) {
                replaced[param] = Some(arg);
            }
            let insts = std::mem::take(&mut data.insts);
            burn_if(function, insts, self.condition, holds)
        });
        let insts = together(function, arms, &mut replaced);
        function.blocks[block].insts.extend(insts);
        let resolve = |mut value: Value| {
            while let Some(next) = replaced[value] {
                value = next;
            }
            value
        };
        function.replace_uses(resolve);
        let [a, b] = self.arms.map(|arm| arm.to);
        let passed = a.args.into_iter().zip(b.args);
        let mut args = Vec::new();
        for (a, b) in passed {
            args.push(select(
                function,
                block,
                self.condition,
                [resolve(a), resolve(b)],
            ));
        }
        let to = Target {
            block: a.block,
            args,
        };
        function.blocks[block].terminator = Some(Terminator::Jump(to));
    }
}

/// Instructions that burn fuel only if the condition holds, or does not.
pub(super) fn burn_if(
    function: &mut Function,
    insts: Vec<Inst>,
    condition: Value,
    holds: bool,
) -> Vec<Inst> {
    let mut written = Vec::with_capacity(insts.len());
    for inst in insts {
        let data = &function.insts[inst];
        let span = data.span;
        let units = match (data.op, data.imm) {
            (Op::Fuel, Imm::Int(_)) => {
                let units = function.new_inst(Op::Iconst, Vec::new(), data.imm, span);
                written.push(units);
                Some(function.insts[units].result)
            }
            (Op::Burn, _) => Some(data.args[0]),
            _ => None,
        };
        if let Some(units) = units {
            let none = function.new_inst(Op::Iconst, Vec::new(), Imm::Int(0), span);
            let [mut yes, mut no] = [units, function.insts[none].result];
            if !holds {
                std::mem::swap(&mut yes, &mut no);
            }
            let args = vec![condition, yes, no];
            let burned = function.new_inst(Op::Select, args, Imm::None, span);
            written.extend([none, burned]);
            let burned = function.insts[burned].result;
            let data = &mut function.insts[inst];
            (data.op, data.args) = (Op::Burn, vec![burned]);
        }
        written.push(inst);
    }
    written
}

/// A select: the first value if the condition holds, otherwise the second.
pub(super) fn select(
    function: &mut Function,
    block: Block,
    condition: Value,
    of: [Value; 2],
) -> Value {
    let [a, b] = of;
    if a == b {
        return a;
    }
    if [a, b].map(|value| as_bconst(function, value)) == [Some(true), Some(false)] {
        return condition;
    }
    let truths = of.map(|value| function.value_type(value)) == [Type::Bool; 2];
    if !truths {
        return match from_one(function, of) {
            Some((op, x, by)) => {
                let by = by.map(|by| by.unwrap_or_else(|| zero(function, block)));
                let by = select(function, block, condition, by);
                append(function, block, op, &[x, by], Imm::None)
            }
            None => append(function, block, Op::Select, &[condition, a, b], Imm::None),
        };
    }
    let known = [a, b].map(|value| as_bconst(function, value));
    let mut add = |op: Op, args: &[Value]| append(function, block, op, args, Imm::None);
    match known {
        [Some(true), _] => add(Op::Either, &[condition, b]),
        [_, Some(false)] => add(Op::Both, &[condition, a]),
        [Some(false), _] => {
            let other = add(Op::Not, &[condition]);
            add(Op::Both, &[other, b])
        }
        [_, Some(true)] => {
            let other = add(Op::Not, &[condition]);
            add(Op::Either, &[other, a])
        }
        [None, None] => {
            let other = add(Op::Not, &[condition]);
            let sides = [[condition, a], [other, b]].map(|side| add(Op::Both, &side));
            add(Op::Either, &sides)
        }
    }
}

fn zero(function: &mut Function, block: Block) -> Value {
    append(function, block, Op::Iconst, &[], Imm::Int(0))
}

/// If both values are the same number plus (or minus) an addend: the operation, the number and both
/// addends, `None` for the number itself. Then only the addend needs a select, which keeps the
/// select out of the dependency chain of a loop.
fn from_one(function: &Function, of: [Value; 2]) -> Option<(Op, Value, [Option<Value>; 2])> {
    let parts = of.map(|value| {
        let data = function.def(value)?;
        let moves = matches!(data.op, Op::IaddWrap | Op::IsubWrap);
        moves.then(|| (data.op, data.args[0], data.args[1]))
    });
    match (parts, of) {
        ([Some((op, x, a)), Some((same, y, b))], _) if op == same && x == y => {
            Some((op, x, [Some(a), Some(b)]))
        }
        ([Some((op, x, a)), _], [_, y]) if x == y => Some((op, x, [Some(a), None])),
        ([_, Some((op, x, b))], [y, _]) if x == y => Some((op, x, [None, Some(b)])),
        _ => None,
    }
}

fn as_bconst(function: &Function, value: Value) -> Option<bool> {
    match function.def(value)?.imm {
        Imm::Bool(truth) => Some(truth),
        _ => None,
    }
}

pub(super) fn append(
    function: &mut Function,
    block: Block,
    op: Op,
    args: &[Value],
    imm: Imm,
) -> Value {
    let inst = function.new_inst(op, args.to_vec(), imm, Span::default());
    function.blocks[block].insts.push(inst);
    function.insts[inst].result
}

/// The instructions of both arms; shared dice are rolled once.
fn together(
    function: &mut Function,
    arms: [Vec<Inst>; 2],
    replaced: &mut SecondaryMap<Value, Option<Value>>,
) -> Vec<Inst> {
    let [first, mut second] = arms;
    let mut all = Vec::new();
    for inst in first {
        match function.insts[inst].imm {
            Imm::Dice { count, sides } => {
                let parts = shared(function, &mut second, count, sides, replaced);
                if parts.is_empty() {
                    all.push(inst);
                    continue;
                }
                all.extend(&parts);
                let values = parts.iter().map(|&part| function.insts[part].result);
                let values: Vec<Value> = values.collect();
                let sum = values.into_iter().reduce(|sum, part| {
                    let args = vec![sum, part];
                    let inst = function.new_inst(Op::IaddWrap, args, Imm::None, Span::default());
                    all.push(inst);
                    function.insts[inst].result
                });
                replaced[function.insts[inst].result] = sum;
            }
            _ => all.push(inst),
        }
    }
    all.extend(second);
    all
}

/// Takes dice with these sides from the other arm: as many as wanted, or all that it has. Returns
/// them and the number that is still wanted; `None` if it has none.
fn shared(
    function: &mut Function,
    other: &mut Vec<Inst>,
    count: u32,
    sides: u32,
    replaced: &mut SecondaryMap<Value, Option<Value>>,
) -> Vec<Inst> {
    let mut parts = Vec::new();
    let mut wanted = count;
    while wanted > 0 {
        let dice = |inst: Inst| match function.insts[inst].imm {
            Imm::Dice { count, sides: of } if of == sides => Some(count),
            _ => None,
        };
        let mut found = other.iter().enumerate();
        let found = found.find_map(|(index, &inst)| Some((index, inst, dice(inst)?)));
        let Some((index, inst, has)) = found else {
            break;
        };
        if has <= wanted {
            other.remove(index);
            parts.push(inst);
            wanted -= has;
            continue;
        }
        // It has more than wanted: its pool becomes the sum of the shared dice and the rest.
        let [taken, rest] = [wanted, has - wanted].map(|count| pool(function, count, sides));
        let args = [taken, rest].map(|inst| function.insts[inst].result);
        let sum = function.new_inst(Op::IaddWrap, args.to_vec(), Imm::None, Span::default());
        replaced[function.insts[inst].result] = Some(function.insts[sum].result);
        other.splice(index..=index, [rest, sum]);
        parts.push(taken);
        wanted = 0;
    }
    if !parts.is_empty() && wanted > 0 {
        parts.push(pool(function, wanted, sides));
    }
    parts
}

fn pool(function: &mut Function, count: u32, sides: u32) -> Inst {
    let dice = Imm::Dice { count, sides };
    function.new_inst(Op::Pool, Vec::new(), dice, Span::default())
}
