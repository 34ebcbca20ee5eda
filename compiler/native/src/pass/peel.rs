//! Loop peeling: copies of a loop for its first iterations; each leads to the next, and the last to
//! the loop itself. For [`super::unroll`] and [`super::rare_loops`].

use super::copy::Copies;
use crate::ir::cfg::successors;
use crate::ir::{Block, Function, Terminator};

/// Peels this many iterations of a loop, whose header comes first.
pub(super) fn peel(function: &mut Function, body: &[Block], times: usize) {
    let head = body[0];
    for _ in 0..times {
        let outside: Vec<Block> = function
            .blocks
            .keys()
            .filter(|&from| successors(function, from).any(|to| to == head))
            .filter(|from| !body.contains(from))
            .collect();
        let copies = Copies::new(function, body);
        let copy = copies.block(head);
        let inside = body.iter().map(|&block| copies.block(block));
        redirect(function, inside.collect(), copy, head);
        redirect(function, outside, head, copy);
        copies.repair(function);
    }
}

/// Leads the edges from some blocks to `from` to another block.
fn redirect(function: &mut Function, blocks: Vec<Block>, from: Block, to: Block) {
    for block in blocks {
        let terminator = function.blocks[block].terminator.iter_mut();
        for target in terminator.flat_map(Terminator::targets_mut) {
            if target.block == from {
                target.block = to;
            }
        }
    }
}
