//! Removes memory from a script, for lanes: short lists and a few records become values, and a read
//! at one of several addresses becomes selects.
//!
//! Each iteration makes more addresses known: a list's elements are the addresses of its records,
//! and once the elements are values, the fields of the records can become values.
//!
//! The remaining choices are computed in every lane, so they are minimised: conditions instead of
//! branches, and comparisons with the key that an address depends on.

use super::contract::Pass;
use super::rewrites::Rewrites;
use crate::ir::cfg::repeats;
use crate::ir::{Block, Function, Imm, Module, Op, Placed};
use cranelift_entity::SecondaryMap;
use std::sync::Arc;

/// The maximum number of iterations: for nested objects, and for paths that only values show to be
/// the only ones.
const MAX_ROUNDS: usize = 8;

/// The maximum number of words of objects that a trial makes.
const MAX_WORDS: usize = 256;

/// Minimises the memory accesses of a script with known arguments.
pub(super) fn without_memory(script: &mut Module, rewrites: &mut Rewrites<'_>) {
    if needs_memory(script.trial()) {
        replace_memory(script, rewrites);
    }
    let passes = [
        Pass::KEYED,
        Pass::CSE,
        Pass::GUARDED,
        Pass::FOLD,
        Pass::CSE,
        Pass::RANGE,
        Pass::FOLD,
        Pass::PARAMS,
        Pass::SIMPLIFY,
        // Lanes compute both sides of a branch.
        Pass::IF_CONVERT_IN_LANES,
        Pass::SIMPLIFY,
        Pass::FOLD,
        Pass::CSE,
        Pass::IF_CONVERT_IN_LANES,
        Pass::SIMPLIFY,
        Pass::FOLD,
        Pass::CSE,
        Pass::RANGE,
        Pass::FOLD,
        Pass::PARAMS,
        Pass::KEYED,
        Pass::CHOICES,
        Pass::FOLD,
        Pass::CSE,
        Pass::DCE,
        Pass::SIMPLIFY,
    ];
    rewrites.run_all(&passes, script);
}

/// Makes words of memory values, in iterations.
fn replace_memory(script: &mut Module, rewrites: &mut Rewrites<'_>) {
    let passes = [
        Pass::CONSTANT_LISTS_IN_LANES,
        Pass::AGGREGATES_IN_LANES,
        Pass::PLACE_OBJECTS,
        Pass::WORDS,
        Pass::FOLD,
        Pass::PARAMS,
        Pass::CSE,
        Pass::RANGE,
        Pass::FOLD,
        Pass::DCE,
    ];
    for _ in 0..MAX_ROUNDS {
        let before = script.clone();
        rewrites.run_all(&passes, script);
        if !needs_memory(script.trial()) || *script == before {
            break;
        }
    }
    // There is nothing left to place.
    rewrites.run(Pass::PLACE_OBJECTS, script);
}

fn needs_memory(function: &Function) -> bool {
    use Op::{Alloc, Load, NewList, Peek, Store};
    let mut insts = function.live_insts();
    insts.any(|inst| {
        let op = function.insts[inst].op;
        matches!(op, Alloc | Load | NewList | Peek | Store)
    })
}

/// Gives objects that a trial makes at most once fixed addresses, after those of the arguments. If
/// no instruction uses memory any more, it drops all of them.
pub(super) fn place_objects(script: &mut Module) {
    let Some(known) = script.tables.known.as_deref() else {
        return;
    };
    if !needs_memory(script.trial()) {
        script.tables.placed = Arc::default();
        return;
    }
    let mut placed = script.tables.placed.to_vec();
    let words = |object: &Placed| object.words(0).len();
    let mut end = known.len() + placed.iter().map(words).sum::<usize>();
    let function = script.trial_mut();
    let blocks: Vec<Block> = function.blocks.keys().collect();
    let mut addresses: SecondaryMap<_, Option<_>> = SecondaryMap::new();
    for block in blocks {
        if repeats(function, block, None) {
            continue;
        }
        for inst in function.blocks[block].insts.clone() {
            let data = &function.insts[inst];
            let object = match (data.op, data.imm) {
                (Op::Alloc, Imm::Int(size)) => u32::try_from(size).map(Placed::Record),
                (Op::NewList, Imm::Int(count)) => u32::try_from(count).map(Placed::List),
                _ => continue,
            };
            let Some(object) = object.ok().filter(|object| words(object) <= MAX_WORDS) else {
                continue;
            };
            // Far below 2^63.
            let address = Imm::Int(end as i64);
            end += words(&object);
            placed.push(object);
            let constant = function.begin_with(function.entry(), Op::Iconst, address);
            addresses[function.insts[inst].result] = Some(constant);
            function.blocks[block].insts.retain(|&other| other != inst);
        }
    }
    function.replace_uses(|value| addresses[value].unwrap_or(value));
    script.tables.placed = placed.into();
}
