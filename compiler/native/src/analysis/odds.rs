//! Branch probabilities of conditions that compare one die with constants: an estimate, for passes
//! that weigh code size against speed. Used by `pass/rare_loops.rs`.

use super::edge::Edge;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Function, Imm, InstData, Op, Value, ValueDef};

/// The maximum length of a chain of block parameters that is followed to a die.
const MAX_PARAMS: usize = 4;

/// The probability that a condition holds, if it consists of comparisons of single dice with
/// constants. Two comparisons of the same die count as independent.
pub(crate) fn odds(function: &Function, graph: &ControlFlow, condition: Value) -> Option<f64> {
    let data = function.def(condition)?;
    let of = |index: usize| odds(function, graph, data.args[index]);
    match data.op {
        Op::Not => Some(1.0 - of(0)?),
        Op::Both => Some(of(0)? * of(1)?),
        Op::Either => Some(1.0 - (1.0 - of(0)?) * (1.0 - of(1)?)),
        _ => compared(function, graph, data),
    }
}

/// The probability that a comparison of a die with a constant holds.
fn compared(function: &Function, graph: &ControlFlow, data: &InstData) -> Option<f64> {
    let &[a, b] = data.args.as_slice() else {
        return None;
    };
    let number = function.as_iconst(b)?;
    let sides = i64::from(die(function, graph, a, MAX_PARAMS)?);
    // The number of faces below the number, and that equal it.
    let below = number.saturating_sub(1).clamp(0, sides);
    let equal = i64::from((1..=sides).contains(&number));
    let faces = match data.op {
        Op::Ieq => equal,
        Op::Ine => sides - equal,
        Op::Ilt => below,
        Op::Ile => below + equal,
        Op::Igt => sides - below - equal,
        Op::Ige => sides - below,
        _ => return None,
    };
    Some(faces as f64 / sides as f64)
}

/// The sides of the die that a value is, on every path.
fn die(function: &Function, graph: &ControlFlow, value: Value, left: usize) -> Option<u32> {
    let block = match function.values[value].1 {
        ValueDef::Result(inst) => {
            let data = &function.insts[inst];
            return match (data.op, data.imm) {
                (Op::Pool | Op::Packed, Imm::Dice { count: 1, sides }) => Some(sides),
                _ => None,
            };
        }
        ValueDef::Param(block) => block,
    };
    let left = left.checked_sub(1)?;
    let params = &function.blocks[block].params;
    let index = params.iter().position(|&param| param == value)?;
    let mut found = None;
    let ends = graph.predecessors(block).iter();
    let edges = ends.flat_map(|&from| Edge::between(function, from, block));
    for arg in edges.map(|edge| edge.target.args[index]) {
        if arg == value {
            continue;
        }
        let sides = die(function, graph, arg, left)?;
        if *found.get_or_insert(sides) != sides {
            return None;
        }
    }
    found
}
