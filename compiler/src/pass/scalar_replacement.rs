//! Scalar replacement: fields of known arguments become values. A field that is only read and
//! written at known addresses needs no memory.
//!
//! Every block takes these words as parameters and passes them on; [`super::params`] removes those
//! that do not change.

use crate::ir::{Field, Function, Imm, InstData, ListData, Module, Op, Terminator, Type, Value};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// The maximum number of words that are replaced, and of parameters that this may add before
/// [`super::params`] runs.
const MAX_WORDS: usize = 32;
const MAX_PARAMS: usize = 20_000;

/// Replaces all fields that can be replaced, in a module of known arguments.
pub(super) fn scalar_replacement(module: &mut Module) {
    let Some(arguments) = module.tables.known.clone() else {
        return;
    };
    let arguments = &*arguments;
    let words = replaceable(module, arguments);
    if words.is_empty() || words.len() * module.trial().blocks.len() > MAX_PARAMS {
        return;
    }
    rewrite(module, &words, arguments);
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

/// The words that can be replaced, in order of address.
fn replaceable(module: &Module, arguments: &[i64]) -> Vec<(Field, i64)> {
    // Whether an instruction reads or writes the field at an unknown address.
    let mut blocked: SecondaryMap<Field, bool> = SecondaryMap::new();
    let mut words: Vec<(Field, i64)> = Vec::new();
    for (func, function) in &module.functions {
        for inst in function.live_insts() {
            let data = &function.insts[inst];
            match (data.op, data.imm) {
                (Op::Load | Op::Store, Imm::Field(field)) => {
                    let at = known_address(module, function, field, data.args[0]);
                    let known =
                        at.filter(|&at| usize::try_from(at).is_ok_and(|at| at < arguments.len()));
                    match known {
                        Some(at) if func.as_u32() == 0 => words.push((field, at)),
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

fn known_address(
    module: &Module,
    function: &Function,
    field: Field,
    address: Value,
) -> Option<i64> {
    let offset = i64::from(module.tables.fields[field].offset);
    function.as_iconst(address)?.checked_add(offset)
}

/// Replaces the words by values.
fn rewrite(module: &mut Module, words: &[(Field, i64)], arguments: &[i64]) {
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
        let at = function.as_iconst(data.args[0])? + offsets[field];
        numbers.get(&(field, at)).copied()
    };
    let mut replaced: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    let first = words.iter().map(|&(_, at)| arguments[at as usize]);
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
