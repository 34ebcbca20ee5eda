//! Scalar replacement: fields of known arguments become values. A field that is only read and
//! written at known addresses needs no memory.

use super::words::{Access, MAX_PARAMS, rewrite};
use crate::ir::{Field, Function, Imm, Inst, ListData, Module, Op, Value};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// The maximum number of words that are replaced.
const MAX_WORDS: usize = 32;

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
    let accesses = accesses(module, &words);
    let first = words.iter().map(|&(_, at)| arguments[at as usize]);
    let first: Vec<i64> = first.collect();
    rewrite(module.trial_mut(), &first, &accesses);
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

/// What the trial does with the words.
fn accesses(module: &Module, words: &[(Field, i64)]) -> FxHashMap<Inst, Access> {
    let numbers: FxHashMap<(Field, i64), usize> = words.iter().copied().zip(0..).collect();
    let trial = module.trial();
    let access = |inst: Inst| {
        let data = &trial.insts[inst];
        let Imm::Field(field) = data.imm else {
            return None;
        };
        let at = known_address(module, trial, field, data.args[0])?;
        let number = *numbers.get(&(field, at))?;
        match data.op {
            Op::Load => Some((inst, Access::Load(number))),
            Op::Store => Some((inst, Access::Store(number))),
            _ => None,
        }
    };
    trial.live_insts().filter_map(access).collect()
}
