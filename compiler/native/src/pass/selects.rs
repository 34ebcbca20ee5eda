//! Merges nested selects, for lanes: nested branches leave them, and one select on the conjunction
//! of both conditions is equivalent.
//!
//! ```text
//! c ? (d ? x : y) : y                 (c && d) ? x : y
//! c && (x || y)  ||  !c && y          y || (c && x)
//! ```
//!
//! Everything that the inner branch selects shares the condition `c && d`.

use crate::ir::{Block, Function, Imm, Inst, Op, Value};

/// Merges nested selects.
pub(super) fn merge(function: &mut Function) {
    let blocks: Vec<Block> = function.blocks.keys().collect();
    for block in blocks {
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut written = Vec::with_capacity(insts.len());
        for inst in insts {
            if let Some((op, args)) = nested(function, inst, &mut written) {
                let data = &mut function.insts[inst];
                (data.op, data.args) = (op, args);
            }
            written.push(inst);
        }
        function.blocks[block].insts = written;
    }
}

/// The replacement of an instruction; a new condition is inserted before it.
fn nested(
    function: &mut Function,
    inst: Inst,
    written: &mut Vec<Inst>,
) -> Option<(Op, Vec<Value>)> {
    let data = &function.insts[inst];
    let span = data.span;
    let (conditions, op, rest) = match (data.op, data.args.as_slice()) {
        (Op::Select, &[outer, chosen, other]) => {
            let &[inner, value, same] = operands(function, chosen, Op::Select)? else {
                return None;
            };
            let is_nested = same == other;
            is_nested.then_some(([outer, inner], Op::Select, vec![value, other]))?
        }
        (Op::Either, &[a, b]) => {
            let (outer, more, other) = either(function, a, b).or_else(|| either(function, b, a))?;
            ([outer, more], Op::Either, vec![other])
        }
        _ => return None,
    };
    let both = function.new_inst(Op::Both, conditions.to_vec(), Imm::None, span);
    written.push(both);
    let mut args = vec![function.insts[both].result];
    args.extend(rest);
    Some((op, args))
}

/// Of `c && (x || y)` and `!c && y`: `c`, `x` and `y`.
fn either(function: &Function, with: Value, without: Value) -> Option<(Value, Value, Value)> {
    let holds = operands(function, with, Op::Both)?;
    let fails = operands(function, without, Op::Both)?;
    for (condition, chosen) in [(holds[0], holds[1]), (holds[1], holds[0])] {
        for (negated, other) in [(fails[0], fails[1]), (fails[1], fails[0])] {
            if operands(function, negated, Op::Not) != Some(&[condition]) {
                continue;
            }
            let &[x, y] = operands(function, chosen, Op::Either)? else {
                continue;
            };
            match other {
                _ if y == other => return Some((condition, x, y)),
                _ if x == other => return Some((condition, y, x)),
                _ => {}
            }
        }
    }
    None
}

/// The operands of a value, if it is the result of this operation.
fn operands(function: &Function, value: Value, op: Op) -> Option<&[Value]> {
    let data = function.def(value)?;
    (data.op == op).then_some(data.args.as_slice())
}
