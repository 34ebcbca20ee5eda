//! If a value is selected by a small integer key, compares the key instead of the value, for lanes.
//!
//! ```text
//! v2 = select (ieq v1, 2), 44, (select (ieq v1, 1), 32, 20)     v1 is 0, 1 or 2
//! ieq v2, 32                                                    ieq v1, 1
//! ige v2, 32                                                    ige v1, 1
//! ```
//!
//! A search finds the index of a record, and its address is only compared, to find out which fields
//! are meant. So the address need not be computed.

use super::keys::{is_comparison, key, value};
use crate::analysis::FewValues;
use crate::ir::{Block, Const, Function, Imm, Inst, Op, Value};
use rustc_hash::FxHashMap;

/// Replaces comparisons of selected numbers with constants by comparisons of the key.
pub(super) fn keyed(function: &mut Function) {
    let few = FewValues::of(function);
    let blocks: Vec<Block> = function.blocks.keys().collect();
    for block in blocks {
        for inst in function.blocks[block].insts.clone() {
            if let Some((key, op, number)) = comparison(function, &few, inst) {
                let constant = function.begin_with(function.entry(), Op::Iconst, Imm::Int(number));
                let data = &mut function.insts[inst];
                (data.op, data.args) = (op, vec![key, constant]);
            }
        }
    }
}

/// The comparison of a key that is equivalent to this comparison of a selected number.
fn comparison(function: &Function, few: &FewValues, inst: Inst) -> Option<(Value, Op, i64)> {
    let data = &function.insts[inst];
    if !is_comparison(data.op) {
        return None;
    }
    let is_select = |&arg: &Value| function.def(arg).is_some_and(|def| def.op == Op::Select);
    if !data.args.iter().any(is_select) {
        return None;
    }
    let key = key(function, few, data.result)?;
    let (mut holding, mut others) = (Vec::new(), Vec::new());
    for &number in few.numbers(key)? {
        let mut known = FxHashMap::from_iter([(key, Const::I64(number))]);
        match value(function, &mut known, data.result)? {
            Const::Bool(true) => holding.push(number),
            _ => others.push(number),
        }
    }
    let (op, number) = match (holding.as_slice(), others.as_slice()) {
        // Folding handles these.
        ([], _) | (_, []) => return None,
        (&[one], _) => (Op::Ieq, one),
        (_, &[one]) => (Op::Ine, one),
        (&[from, ..], &[.., last]) if last < from => (Op::Ige, from),
        (&[.., last], &[from, ..]) if last < from => (Op::Ile, last),
        _ => return None,
    };
    Some((key, op, number))
}
