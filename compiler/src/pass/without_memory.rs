//! A script without memory, for lanes: short lists and a few records become values, and what is
//! read at one of several addresses is selected among them.
//!
//! Each round makes more addresses known: a list's elements are the addresses of its records, and
//! once the list is values, the records' fields can be.
//!
//! What is left are choices, which lanes compute whichever a trial takes. They become as few as
//! they can be: conditions instead of branches, and comparisons with what an address depends on.

use super::known_memory::KnownMemory;
use super::manager::Pass;
use super::rewrites::Rewrites;
use crate::ir::cfg::repeats;
use crate::ir::{Block, Function, Imm, Module, Op};
use cranelift_entity::SecondaryMap;
use dicec_runtime::script::HEADER;

/// The maximum number of rounds: for objects in objects, and paths that only values show to be the
/// only ones.
const MAX_ROUNDS: usize = 8;

/// The maximum number of words of objects that a trial makes.
const MAX_WORDS: i64 = 256;

/// Makes a script of known arguments one with as few accesses to memory as possible.
pub(super) fn without_memory(script: &mut Module, rewrites: &mut Rewrites<'_>) {
    if needs_memory(script.trial()) {
        rewrites.known.forget_memory();
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
        Pass::SHORT_CIRCUIT,
        Pass::SIMPLIFY,
        Pass::FOLD,
        Pass::CSE,
        Pass::IF_CONVERT_IN_LANES,
        Pass::POSITIVE,
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

/// Makes words of memory values, in rounds.
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
}

fn needs_memory(function: &Function) -> bool {
    use Op::{Alloc, Load, NewList, Peek, Store};
    let mut insts = function.live_insts();
    insts.any(|inst| {
        let op = function.insts[inst].op;
        matches!(op, Alloc | Load | NewList | Peek | Store)
    })
}

/// Gives objects that are made at most once per trial addresses of their own, after those of the
/// arguments.
pub(super) fn place_objects(function: &mut Function, memory: &mut KnownMemory) {
    let blocks: Vec<Block> = function.blocks.keys().collect();
    let mut placed: SecondaryMap<_, Option<_>> = SecondaryMap::new();
    for block in blocks {
        if repeats(function, block, None) {
            continue;
        }
        for inst in function.blocks[block].insts.clone() {
            let data = &function.insts[inst];
            let (size, list) = match (data.op, data.imm) {
                (Op::Alloc, Imm::Int(size)) => (size, None),
                (Op::NewList, Imm::Int(count)) => (HEADER + count, Some(count)),
                _ => continue,
            };
            if size > MAX_WORDS {
                continue;
            }
            let address = match list {
                Some(elements) => memory.place_list(elements),
                None => memory.place_record(size),
            };
            let constant = function.begin_with(function.entry(), Op::Iconst, Imm::Int(address));
            placed[function.insts[inst].result] = Some(constant);
            function.blocks[block].insts.retain(|&other| other != inst);
        }
    }
    function.replace_uses(|value| placed[value].unwrap_or(value));
    // Each word of a record or an element is written before it is read.
    for inst in function.live_insts() {
        let data = &function.insts[inst];
        if let (Op::Store, Imm::Field(field)) = (data.op, data.imm) {
            memory.note(function, field, data.args[0]);
        }
    }
}
