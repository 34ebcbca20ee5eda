//! Makes fewer blocks: blocks that only jump are skipped, and a block is joined to its only
//! predecessor.
//!
//! * A branch with two equal targets becomes a jump.
//! * Edges skip a block that holds only a jump, unless its parameters are used after it.
//! * A block whose only predecessor jumps to it becomes the end of that predecessor.

use crate::ir::{Block, BlockData, Function, Target, Terminator, Value, ValueDef};
use cranelift_entity::SecondaryMap;

pub(super) fn simplify(function: &mut Function) {
    skip(function);
    for data in function.blocks.values_mut() {
        if let Some(Terminator::Branch {
            then, otherwise, ..
        }) = &data.terminator
            && then == otherwise
        {
            data.terminator = Some(Terminator::Jump(then.clone()));
        }
    }
    function.compact();
    join(function);
}

/// Redirects every edge past the blocks that only jump.
fn skip(function: &mut Function) {
    let forwards = forwards(function);
    for block in function.blocks.keys() {
        let Some(mut terminator) = function.blocks[block].terminator.take() else {
            continue;
        };
        for target in terminator.targets_mut() {
            // A cycle of such blocks has no end.
            for _ in 0..function.blocks.len() {
                let Some(next) = &forwards[target.block] else {
                    break;
                };
                *target = through(function, target, next);
            }
        }
        function.blocks[block].terminator = Some(terminator);
    }
}

/// The targets of the blocks that only jump.
fn forwards(function: &Function) -> SecondaryMap<Block, Option<Target>> {
    let mut forwards: SecondaryMap<Block, Option<Target>> = SecondaryMap::new();
    for (block, data) in &function.blocks {
        if let Some(Terminator::Jump(target)) = &data.terminator
            && data.insts.is_empty()
            && block != function.entry()
            && target.block != block
        {
            forwards[block] = Some(target.clone());
        }
    }
    let mut keep = |at: Block, value: Value| {
        if let ValueDef::Param(home) = function.values[value].1
            && home != at
        {
            forwards[home] = None;
        }
    };
    for (block, data) in &function.blocks {
        for &inst in &data.insts {
            let args = function.insts[inst].args.iter();
            args.for_each(|&arg| keep(block, arg));
        }
        if let Some(terminator) = &data.terminator {
            terminator.uses().for_each(|value| keep(block, value));
        }
    }
    forwards
}

/// `next` is where the block of `target` jumps to: the target that skips the block.
fn through(function: &Function, target: &Target, next: &Target) -> Target {
    let params = &function.blocks[target.block].params;
    let passed = |&value: &Value| {
        let index = params.iter().position(|&param| param == value);
        index.map_or(value, |index| target.args[index])
    };
    Target {
        block: next.block,
        args: next.args.iter().map(passed).collect(),
    }
}

/// Joins each block to its predecessor if only one jump leads to it.
fn join(function: &mut Function) {
    let mut edges: SecondaryMap<Block, u32> = SecondaryMap::new();
    for data in function.blocks.values() {
        for target in data.terminator.iter().flat_map(Terminator::targets) {
            edges[target.block] += 1;
        }
    }
    let mut replaced: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    for block in function.blocks.keys() {
        while let Some(Terminator::Jump(target)) = &function.blocks[block].terminator
            && edges[target.block] == 1
            && target.block != block
        {
            let target = target.clone();
            let BlockData {
                params,
                insts,
                terminator,
            } = std::mem::take(&mut function.blocks[target.block]);
            for (param, arg) in params.into_iter().zip(target.args) {
                replaced[param] = Some(arg);
            }
            let data = &mut function.blocks[block];
            data.insts.extend(insts);
            data.terminator = terminator;
            // The block is unreachable now; a terminator keeps it well formed until it is removed.
            function.blocks[target.block].terminator = Some(Terminator::Jump(Target {
                block: target.block,
                args: Vec::new(),
            }));
        }
    }
    // An argument may be a parameter that was removed as well.
    function.replace_uses(|mut value| {
        while let Some(next) = replaced[value] {
            value = next;
        }
        value
    });
}
