//! Canonicalises comparisons with constants, for lanes, so that `x > c` and `x <= c` share one
//! instruction; the sides of the select or branch are swapped instead.
//!
//! ```text
//! select (ile v1, 0), a, b            select (igt v1, 0), b, a
//! ```

use crate::ir::{Block, Function, Imm, Inst, Op, Terminator, Value};

/// Swaps the sides of selects and branches whose condition is `x <= c`.
pub(super) fn positive(function: &mut Function) {
    let blocks: Vec<Block> = function.blocks.keys().collect();
    for block in blocks {
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut written: Vec<Inst> = Vec::with_capacity(insts.len());
        for inst in insts {
            let data = &function.insts[inst];
            if data.op == Op::Select
                && let Some(above) = above(function, data.args[0], &mut written)
            {
                let args = &mut function.insts[inst].args;
                args[0] = above;
                args.swap(1, 2);
            }
            written.push(inst);
        }
        if let Some(Terminator::Branch { condition, .. }) = &function.blocks[block].terminator
            && let Some(above) = above(function, *condition, &mut written)
            && let Some(Terminator::Branch {
                condition,
                then,
                otherwise,
            }) = &mut function.blocks[block].terminator
        {
            *condition = above;
            std::mem::swap(then, otherwise);
        }
        function.blocks[block].insts = written;
    }
}

/// The negation of a condition of the form `x <= c`.
fn above(function: &mut Function, condition: Value, written: &mut Vec<Inst>) -> Option<Value> {
    let data = function.def(condition)?;
    let &[value, bound] = data.args.as_slice() else {
        return None;
    };
    let number = function.as_iconst(bound)?;
    let span = data.span;
    let above = match data.op {
        Op::Ile => number,
        Op::Ilt => number.checked_sub(1)?,
        _ => return None,
    };
    let bound = function.new_inst(Op::Iconst, Vec::new(), Imm::Int(above), span);
    let args = vec![value, function.insts[bound].result];
    let opposite = function.new_inst(Op::Igt, args, Imm::None, span);
    written.extend([bound, opposite]);
    Some(function.insts[opposite].result)
}
