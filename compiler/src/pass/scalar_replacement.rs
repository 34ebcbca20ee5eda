//! Words of known arguments that become values: a field whose records are all known where it is
//! read and written needs no memory.
//!
//! Every block takes such words as parameters and passes them on; [`super::params`] removes those
//! that do not change.

use crate::ir::{Field, Function, Imm, InstData, ListData, Module, Op, Terminator, Type, Value};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// Most words that are promoted, and most parameters that this may bring before they are cleaned
/// up.
const MAX_WORDS: usize = 32;
const MAX_PARAMS: usize = 20_000;

/// Promotes what can be, in a module of known arguments.
pub(super) fn scalar_replacement(module: &mut Module) {
    let Some(image) = module.tables.known.clone() else {
        return;
    };
    let image = &*image;
    let words = promoted(module, image);
    if words.is_empty() || words.len() * module.trial().blocks.len() > MAX_PARAMS {
        return;
    }
    rewrite(module, &words, image);
    let mut written: SecondaryMap<Field, bool> = SecondaryMap::new();
    for function in module.functions.values() {
        for inst in function.live_insts() {
            note_writes(
                module,
                function.insts[inst].imm,
                function.insts[inst].op,
                &mut written,
            );
        }
    }
    for (field, data) in &mut module.tables.fields {
        data.written &= written[field];
    }
}

fn note_writes(module: &Module, imm: Imm, op: Op, written: &mut SecondaryMap<Field, bool>) {
    match imm {
        Imm::Field(field) if op != Op::Peek => written[field] = true,
        Imm::List(kind) => fields_of(&module.tables.lists[kind])
            .into_iter()
            .for_each(|field| written[field] = true),
        _ => {}
    }
}

fn fields_of(list: &ListData) -> [Field; 4] {
    [list.length, list.capacity, list.start, list.element]
}

/// The places that can be promoted, in order.
fn promoted(module: &Module, image: &[i64]) -> Vec<(Field, i64)> {
    // Whether something else than a known word of the field is worked on.
    let mut blocked: SecondaryMap<Field, bool> = SecondaryMap::new();
    let mut words: Vec<(Field, i64)> = Vec::new();
    for (func, function) in &module.functions {
        for inst in function.live_insts() {
            let data = &function.insts[inst];
            match (data.op, data.imm) {
                (Op::Load | Op::Store, Imm::Field(field)) => {
                    let place = place(module, function, field, data.args[0]);
                    let known = place.filter(|&place| {
                        usize::try_from(place).is_ok_and(|place| place < image.len())
                    });
                    match known {
                        Some(place) if func.as_u32() == 0 => words.push((field, place)),
                        _ => blocked[field] = true,
                    }
                }
                (_, Imm::List(kind)) => fields_of(&module.tables.lists[kind])
                    .into_iter()
                    .for_each(|field| blocked[field] = true),
                _ => {}
            }
        }
    }
    words.retain(|&(field, _)| !blocked[field]);
    words.sort_unstable();
    words.dedup();
    if words.len() > MAX_WORDS {
        words.clear();
    }
    words
}

fn place(module: &Module, function: &Function, field: Field, address: Value) -> Option<i64> {
    let offset = i64::from(module.tables.fields[field].offset);
    function.as_iconst(address)?.checked_add(offset)
}

/// Puts values in the place of the words.
fn rewrite(module: &mut Module, words: &[(Field, i64)], image: &[i64]) {
    let numbers: FxHashMap<(Field, i64), usize> = words.iter().copied().zip(0..).collect();
    let offsets: SecondaryMap<Field, i64> = {
        let mut offsets = SecondaryMap::new();
        for (field, data) in &module.tables.fields {
            offsets[field] = data.offset.into();
        }
        offsets
    };
    let Some(function) = module.functions.values_mut().next() else {
        return;
    };
    let number = |function: &Function, data: &InstData| {
        let Imm::Field(field) = data.imm else {
            return None;
        };
        let place = function.as_iconst(data.args[0])? + offsets[field];
        numbers.get(&(field, place)).copied()
    };
    let mut replaced: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    let first = words.iter().map(|&(_, place)| image[place as usize]);
    let first: Vec<Value> = first
        .map(|word| function.begin_with(function.entry(), Op::Iconst, Imm::Int(word)))
        .collect();
    for block in function.blocks.keys() {
        let mut now = first.clone();
        if block != function.entry() {
            now = words
                .iter()
                .map(|_| function.block_param(block, Type::I64))
                .collect();
        }
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let kept = insts.into_iter().filter(|&inst| {
            let data = &function.insts[inst];
            match (data.op, number(function, data)) {
                (Op::Load, Some(number)) => replaced[data.result] = Some(now[number]),
                (Op::Store, Some(number)) => {
                    now[number] = data.args[1];
                    replaced[data.result] = Some(now[number]);
                }
                _ => return true,
            }
            false
        });
        let kept = kept.collect();
        let data = &mut function.blocks[block];
        data.insts = kept;
        for target in data.terminator.iter_mut().flat_map(Terminator::targets_mut) {
            target.args.extend(&now);
        }
    }
    function.replace_uses(|mut value| {
        while let Some(next) = replaced[value] {
            value = next;
        }
        value
    });
}
