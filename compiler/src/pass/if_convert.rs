//! If-conversion: a branch whose arms are small, do nothing but compute and roll dice, and meet
//! again becomes selects.
//!
//! Only fused sampling asks for it, because the dice of both arms are rolled then, whichever is
//! taken. A die whose face is not used changes no distribution: the words behind it are as random
//! as it was. Two dice of which one trial uses one at most may even be the same die, so where both
//! arms roll dice of equal sides, they share them: `2d8` in one and `1d8` in the other are a `1d8`
//! that both use and another that the first adds.
//!
//! Arms do not trap, and read no memory: what they would read may not be there where they are not
//! taken.
//!
//! **What it costs**: a branch that is foreseen costs nothing, one that is not some twenty
//! operations. Chances are not known here, so arms of up to [`MAX_COST`] operations are taken to be
//! worth it, a die being [`DIE_COST`] where it shares its word with others. Measured as user time
//! of three million trials, the least of some runs, start included: the duel of `ratios` took 130
//! ns a trial without, 108 with arms of up to 10, 98 with 20, 92 with 60, and 84 once what arms add
//! to one number was selected instead of the sums; the full attack, whose branches mostly put out
//! lines and stay, 51 to 56 whatever the bound.

use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Imm, Inst, Op, Target, Terminator, Type, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::span::Span;

/// Most operations of both arms together.
const MAX_COST: u32 = 60;

/// What a die costs.
const DIE_COST: u32 = 4;

/// Most branches of a function that are converted.
const MAX_CONVERTED: usize = 1000;

pub(super) fn if_convert(function: &mut Function) {
    for _ in 0..MAX_CONVERTED {
        let graph = ControlFlow::new(function);
        // From the inside out: an arm that holds a branch is no arm yet.
        let blocks = graph.reverse_postorder().iter().rev();
        let found = blocks
            .copied()
            .find_map(|block| Some((block, Choice::new(function, &graph, block)?)));
        let Some((block, choice)) = found else {
            break;
        };
        choice.convert(function, block);
    }
}

/// One way from a branch to where both meet.
#[derive(Clone)]
struct Arm {
    /// The block on it, with what is passed to that.
    through: Option<Target>,
    /// Where it ends.
    to: Target,
}

impl Arm {
    /// The ways that begin with an edge and end where others may come too.
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

    /// What it costs to go this way in any case; `None` if that would change anything.
    fn cost(&self, function: &Function) -> Option<u32> {
        let insts = self.insts(function).iter();
        let costs = insts.map(|&inst| {
            let data = &function.insts[inst];
            let info = data.op.info();
            match (data.op, data.imm) {
                (Op::Pool, Imm::Dice { count, .. }) => count.checked_mul(DIE_COST),
                (Op::Iconst | Op::Bconst, _) => Some(0),
                (Op::Peek, _) => None,
                _ if info.traps || info.effect || info.result == Type::F64 => None,
                _ => Some(1),
            }
        });
        costs.sum()
    }
}

/// A branch that becomes selects.
struct Choice {
    condition: Value,
    /// Where it is true, and where it is false.
    arms: [Arm; 2],
}

impl Choice {
    fn new(function: &Function, graph: &ControlFlow, block: Block) -> Option<Self> {
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
        let cost = arms[0]
            .cost(function)?
            .checked_add(arms[1].cost(function)?)?;
        let choice = Self {
            condition: *condition,
            arms: arms.map(Arm::clone),
        };
        (cost <= MAX_COST && choice.has_selects(function)).then_some(choice)
    }

    /// Whether what the arms pass differs in nothing but what selects are made for.
    fn has_selects(&self, function: &Function) -> bool {
        let [a, b] = &self.arms;
        let mut passed = a.to.args.iter().zip(&b.to.args);
        passed.all(|(a, b)| a == b || function.value_type(*a) != Type::F64)
    }

    fn convert(self, function: &mut Function, block: Block) {
        let mut replaced: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
        let arms = self.arms.each_ref().map(|arm| {
            let Some(through) = &arm.through else {
                return Vec::new();
            };
            let data = &mut function.blocks[through.block];
            for (&param, &arg) in data.params.iter().zip(&through.args) {
                replaced[param] = Some(arg);
            }
            std::mem::take(&mut data.insts)
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

/// The first if the condition holds, otherwise the second.
fn select(function: &mut Function, block: Block, condition: Value, of: [Value; 2]) -> Value {
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
    let mut add = |op: Op, args: &[Value], imm: Imm| append(function, block, op, args, imm);
    let [a, b] = of.map(|value| add(Op::Btoi, &[value], Imm::None));
    let number = add(Op::Select, &[condition, a, b], Imm::None);
    let zero = add(Op::Iconst, &[], Imm::Int(0));
    add(Op::Ine, &[number, zero], Imm::None)
}

fn zero(function: &mut Function, block: Block) -> Value {
    append(function, block, Op::Iconst, &[], Imm::Int(0))
}

/// The operation by which both come from one number, that number, and what each adds or takes away,
/// nothing where it is the number itself: only this needs a select then, and a number that goes
/// round a loop waits for no other.
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

fn append(function: &mut Function, block: Block, op: Op, args: &[Value], imm: Imm) -> Value {
    let inst = function.new_inst(op, args.to_vec(), imm, Span::default());
    function.blocks[block].insts.push(inst);
    function.insts[inst].result
}

/// What both arms do, with the dice that they can share.
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

/// Takes dice of these sides from the other arm, as many as are wanted or it has; gives those and
/// what is still wanted, or nothing if it has none.
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
        let found = found.find_map(|(place, &inst)| Some((place, inst, dice(inst)?)));
        let Some((place, inst, has)) = found else {
            break;
        };
        if has <= wanted {
            other.remove(place);
            parts.push(inst);
            wanted -= has;
            continue;
        }
        // It has more: both are made of what is wanted and of the rest, which stays there.
        let [taken, rest] = [wanted, has - wanted].map(|count| pool(function, count, sides));
        let args = [taken, rest].map(|inst| function.insts[inst].result);
        let sum = function.new_inst(Op::IaddWrap, args.to_vec(), Imm::None, Span::default());
        replaced[function.insts[inst].result] = Some(function.insts[sum].result);
        other.splice(place..=place, [rest, sum]);
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
