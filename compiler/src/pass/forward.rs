//! Forwarding: a load of a word whose value is known takes that value: the one that was stored
//! there, or that was loaded before, with nothing in between that may have changed it.
//!
//! Words of different fields are different words. A store changes any word of its field.
//! What a block knows at its end also holds in a block that only it leads to.

use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Field, Function, Imm, InstData, ListData, Op, Tables, Value};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// The words whose values are known, by field and address.
type Known = FxHashMap<(Field, Value), Value>;

/// The maximum number of words that are remembered.
const MAX_WORDS: usize = 256;

/// Replaces loads of known words.
pub(super) fn forward(function: &mut Function, tables: &Tables) {
    let graph = ControlFlow::new(function);
    let mut replaced: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    let mut ends: SecondaryMap<Block, Known> = SecondaryMap::new();
    for &block in graph.reverse_postorder() {
        let mut known = match graph.predecessors(block) {
            &[only] if block != function.entry() => ends[only].clone(),
            _ => Known::default(),
        };
        let mut insts = std::mem::take(&mut function.blocks[block].insts);
        insts.retain(|&inst| {
            let data = &mut function.insts[inst];
            for arg in &mut data.args {
                *arg = replaced[*arg].unwrap_or(*arg);
            }
            let value = known_word(&mut known, data, tables);
            replaced[data.result] = value;
            value.is_none()
        });
        function.blocks[block].insts = insts;
        ends[block] = known;
    }
    function.replace_uses(|value| replaced[value].unwrap_or(value));
}

/// The value of the word that an instruction loads; notes what it does to words.
fn known_word(known: &mut Known, data: &InstData, tables: &Tables) -> Option<Value> {
    match (data.op, data.imm, data.args.as_slice()) {
        (Op::Load, Imm::Field(field), &[address]) => {
            if let Some(&value) = known.get(&(field, address)) {
                return Some(value);
            }
            remember(known, field, address, data.result);
        }
        (Op::Store, Imm::Field(field), &[address, value]) => {
            forget(known, |other| other == field);
            remember(known, field, address, value);
        }
        (Op::Append, Imm::List(kind), _) => {
            let ListData {
                length,
                capacity,
                start,
                element,
                ..
            } = tables.lists[kind];
            forget(known, |field| {
                [length, capacity, start, element].contains(&field)
            });
        }
        (Op::Call, ..) => known.clear(),
        _ => {}
    }
    None
}

fn remember(known: &mut Known, field: Field, address: Value, value: Value) {
    if known.len() < MAX_WORDS {
        known.insert((field, address), value);
    }
}

fn forget(known: &mut Known, which: impl Fn(Field) -> bool) {
    known.retain(|(field, _), _| !which(*field));
}
