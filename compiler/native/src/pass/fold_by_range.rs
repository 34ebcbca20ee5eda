//! Folding by range: replaces values that the intervals of range analysis determine.
//!
//! Checked arithmetic that cannot overflow becomes wrapping arithmetic, and division by a positive
//! number becomes `idiv_pos` or `irem_pos`. Checks of limits that always hold are dropped.
//! Comparisons, clamps and branches with only one possible outcome become constants, operands and
//! jumps. A value that can only be one number becomes a constant.

use super::below::Place;
use crate::analysis::{Edge, Interval, Ranges, compared, shaping_operands};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Imm, InstData, Op, Target, Terminator, Type, Value};
use cranelift_entity::SecondaryMap;
use dicec_runtime::limits::MAX_SIDES;

/// The replacement of an instruction.
enum Change {
    /// Another operation on the same operands.
    Op(Op),
    /// A constant.
    Const(Op, Imm),
    /// One of its operands.
    Operand(usize),
}

/// Folds by the ranges of the function.
pub(super) fn fold_by_range(function: &mut Function, ranges: &Ranges) {
    let mut replaced: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    // In reverse postorder, so that an operand's replacement is known when a use of it is visited.
    let graph = ControlFlow::new(function);
    for &block in graph.reverse_postorder() {
        if !ranges.reaches(block) {
            continue;
        }
        let way = only_way(function, ranges, block);
        name_params(function, ranges, block, &mut replaced);
        name_operands(function, ranges, block);
        let mut insts = std::mem::take(&mut function.blocks[block].insts);
        insts.retain(|&inst| {
            let data = &mut function.insts[inst];
            for arg in &mut data.args {
                *arg = replaced[*arg].unwrap_or(*arg);
            }
            let change = change(function, &graph, ranges, block, &function.insts[inst]);
            let data = &mut function.insts[inst];
            match change {
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
        if let Some(target) = way {
            function.blocks[block].terminator = Some(Terminator::Jump(target));
        }
    }
    function.replace_uses(|value| replaced[value].unwrap_or(value));
}

/// The target that a branch always takes, if the other edge is impossible.
fn only_way(function: &Function, ranges: &Ranges, block: Block) -> Option<Target> {
    let mut edges = Edge::all(function, block);
    let (then, otherwise) = (edges.next()?, edges.next()?);
    let taken = |edge: Edge<'_>| ranges.facts(function, edge).is_some();
    match (taken(then), taken(otherwise)) {
        (true, false) => Some(then.target.clone()),
        (false, true) => Some(otherwise.target.clone()),
        _ => None,
    }
}

/// Replaces parameters with only one possible number by constants. They stay in the parameter lists
/// until dead code elimination removes them.
fn name_params(
    function: &mut Function,
    ranges: &Ranges,
    block: Block,
    replaced: &mut SecondaryMap<Value, Option<Value>>,
) {
    if block == function.entry() {
        return;
    }
    for param in function.blocks[block].params.clone() {
        let ty = function.value_type(param);
        let (op, imm) = match (ty, ranges.of(param).single()) {
            (Type::I64, Some(number)) => (Op::Iconst, Imm::Int(number)),
            (Type::Bool, Some(truth)) => (Op::Bconst, Imm::Bool(truth != 0)),
            _ => continue,
        };
        replaced[param] = Some(function.begin_with(block, op, imm));
    }
}

/// Replaces operands with only one possible number in this block, for instructions that gain much
/// from a constant: the length of a list after the loop that made it, for a die with as many sides.
fn name_operands(function: &mut Function, ranges: &Ranges, block: Block) {
    for inst in function.blocks[block].insts.clone() {
        let operands = shaping_operands(&function.insts[inst]).to_vec();
        for operand in operands {
            if function.as_iconst(operand).is_none()
                && let Some(number) = ranges.at(block, operand).single()
            {
                let named = function.begin_with(block, Op::Iconst, Imm::Int(number));
                let args = function.insts[inst].args.iter_mut();
                args.filter(|arg| **arg == operand)
                    .for_each(|arg| *arg = named);
            }
        }
    }
}

fn change(
    function: &Function,
    graph: &ControlFlow,
    ranges: &Ranges,
    block: Block,
    data: &InstData,
) -> Option<Change> {
    let arg = |index: usize| ranges.at(block, data.args[index]);
    let when = |holds: bool, op: Op| holds.then_some(Change::Op(op));
    let info = data.op.info();
    if info.result == Type::I64
        && data.op != Op::Iconst
        && !info.effect
        && !info.traps
        && let Some(number) = ranges.of(data.result).single()
    {
        return Some(Change::Const(Op::Iconst, Imm::Int(number)));
    }
    match data.op {
        Op::Iadd => when(arg(0).add(arg(1)).is_some(), Op::IaddWrap),
        Op::Isub => when(arg(0).sub(arg(1)).is_some(), Op::IsubWrap),
        Op::Imul => when(arg(0).mul(arg(1)).is_some(), Op::ImulWrap),
        Op::Ineg => when(arg(0).low > i64::MIN, Op::InegWrap),
        Op::Idiv => when(arg(1).low >= 1, Op::IdivPos),
        Op::Irem => when(arg(1).low >= 1, Op::IremPos),
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
            let &[index, length] = data.args.as_slice() else {
                return None;
            };
            let place = Place {
                function,
                graph,
                ranges,
                block,
            };
            (fits || place.is_below(index, length)).then_some(Change::Operand(0))
        }
        Op::NotNegative => (arg(0).low >= 0).then_some(Change::Operand(0)),
        Op::DieSides => {
            let fits = arg(0).low >= 1 && arg(0).high <= MAX_SIDES.into();
            fits.then_some(Change::Operand(0))
        }
        Op::Ieq | Op::Ine | Op::Ilt | Op::Ile | Op::Igt | Op::Ige => {
            let truth = compared(data.op, arg(0), arg(1))?;
            Some(Change::Const(Op::Bconst, Imm::Bool(truth)))
        }
        _ => None,
    }
}

/// The operand that `min(a, b)` always equals; `max(a, b)` passes its operands' ranges swapped.
fn decided_extreme(a: Interval, b: Interval) -> Option<Change> {
    if a.high <= b.low {
        Some(Change::Operand(0))
    } else if b.high <= a.low {
        Some(Change::Operand(1))
    } else {
        None
    }
}
