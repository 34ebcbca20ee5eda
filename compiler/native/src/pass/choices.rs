//! Rewrites a chain of selects on one key as a table look-up with as few selects as possible, for
//! lanes.
//!
//! ```text
//! v2 = select (ieq v1, 2), 44, (select (ieq v1, 1), 32, 20)     v1 is 0, 1 or 2
//! v2 = 20 + 12 * v1
//! v4 = select (ieq v1, 2), 15, (select (ieq v1, 1), 15, 17)
//! v4 = select (ige v1, 1), 15, 17
//! ```
//!
//! A search finds the index of a record; the record's address and constant fields are such chains.

use super::keys::{key, value};
use super::look_up::{First, LookUp};
use crate::analysis::{FewValues, Ranges};
use crate::ir::{Block, Const, Function, Inst, Op, Type, Value};
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

/// The maximum number of values of a key.
const MAX_NUMBERS: usize = 16;

/// Replaces chains of selects by ones that need fewer selects.
pub(super) fn choices(function: &mut Function, ranges: &Ranges) {
    let few = FewValues::within(function, ranges, MAX_NUMBERS);
    let mut replaced: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    let mut parts = FxHashSet::default();
    let blocks: Vec<Block> = function.blocks.keys().collect();
    for block in blocks {
        let mut found: FxHashMap<Inst, (Value, LookUp)> = FxHashMap::default();
        // Backward, so that a chain is found at its last select.
        for &inst in function.blocks[block].insts.iter().rev() {
            let result = function.insts[inst].result;
            let is_number = function.value_type(result) == Type::I64;
            if function.insts[inst].op != Op::Select || !is_number || parts.contains(&result) {
                continue;
            }
            let Some((key, table)) = table(function, &few, result) else {
                continue;
            };
            let chain = chain(function, result);
            if table.rest.len() + usize::from(table.slope != 0) < chain.len() {
                found.insert(inst, (key, table));
                parts.extend(chain);
            }
        }
        if found.is_empty() {
            continue;
        }
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut written = Vec::with_capacity(insts.len());
        for inst in insts {
            match found.get(&inst) {
                Some((key, table)) => {
                    let (result, span) = (function.insts[inst].result, function.insts[inst].span);
                    replaced[result] = Some(table.write(function, &mut written, *key, span));
                }
                None => written.push(inst),
            }
        }
        function.blocks[block].insts = written;
    }
    function.replace_uses(|value| replaced[value].unwrap_or(value));
}

/// The selects in the chain that ends with this one.
fn chain(function: &Function, last: Value) -> Vec<Value> {
    let mut chain = Vec::new();
    let mut pending = vec![last];
    while let Some(value) = pending.pop() {
        let select = function.def(value).filter(|data| data.op == Op::Select);
        if let Some(data) = select
            && !chain.contains(&value)
        {
            chain.push(value);
            pending.extend(&data.args[1..]);
        }
    }
    chain
}

/// The key of a chain, and its result for each value of the key.
fn table(function: &Function, few: &FewValues, wanted: Value) -> Option<(Value, LookUp)> {
    let key = key(function, few, wanted)?;
    let words = few.numbers(key)?.iter().map(|&number| {
        let mut known = FxHashMap::from_iter([(key, Const::I64(number))]);
        match value(function, &mut known, wanted)? {
            Const::I64(word) => Some((number, First::Number(word))),
            _ => None,
        }
    });
    let words: Vec<(i64, First)> = words.collect::<Option<_>>()?;
    (!words.is_empty()).then(|| (key, LookUp::of(&words)))
}
