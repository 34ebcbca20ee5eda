//! Common subexpression elimination: a computation that is dominated by an equal one is replaced by
//! its value.
//!
//! Dice are never merged. An operation that may trap can be merged: if the first one did not trap,
//! an equal one does not either.

use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Const, Function, Imm, InstData, Op, Value};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// The key under which equal computations are equal.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    op: Op,
    args: Vec<Value>,
    imm: [u64; 2],
}

pub(super) fn cse(function: &mut Function) {
    let graph = ControlFlow::new(function);
    let mut known: FxHashMap<Key, Vec<(Block, Value)>> = FxHashMap::default();
    let mut replaced: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    for &block in graph.reverse_postorder() {
        let mut insts = std::mem::take(&mut function.blocks[block].insts);
        insts.retain(|&inst| {
            let data = &mut function.insts[inst];
            for arg in &mut data.args {
                *arg = replaced[*arg].unwrap_or(*arg);
            }
            if data.op.info().effect {
                return true;
            }
            let same = known.entry(key(data)).or_default();
            let earlier = same.iter().find(|(home, _)| graph.dominates(*home, block));
            match earlier {
                Some(&(_, value)) => {
                    replaced[data.result] = Some(value);
                    false
                }
                None => {
                    same.push((block, data.result));
                    true
                }
            }
        });
        function.blocks[block].insts = insts;
    }
    function.replace_uses(|value| replaced[value].unwrap_or(value));
}

fn key(data: &InstData) -> Key {
    let mut args = data.args.clone();
    if commutes(data.op) {
        args.sort_unstable();
    }
    let cell = |constant: Const| constant.to_cell().cast_unsigned();
    let imm = match data.imm {
        Imm::None => [0, 0],
        Imm::Int(value) => [cell(Const::I64(value)), 0],
        Imm::Float(value) => [cell(Const::F64(value)), 0],
        Imm::Bool(value) => [cell(Const::Bool(value)), 0],
        Imm::Slot(number) | Imm::Limit(number) => [number.into(), 0],
        Imm::Dice { count, sides } => [count.into(), sides.into()],
        Imm::Field(field) => [field.as_u32().into(), 0],
        // The following ones have effects, so none of them gets here.
        Imm::Step(pool, _) => [pool.as_u32().into(), 0],
        Imm::Draw(draw) => [draw.as_u32().into(), 0],
        Imm::List(kind) => [kind.as_u32().into(), 0],
        Imm::Site(number) | Imm::Stat(number) => [number.into(), 0],
        Imm::Call(function, deeper) => [function.as_u32().into(), deeper.into()],
    };
    Key {
        op: data.op,
        args,
        imm,
    }
}

/// Whether the operation is commutative. Float sums and products are not in this list, because the
/// bits of a NaN depend on the order.
fn commutes(op: Op) -> bool {
    matches!(
        op,
        Op::Iadd
            | Op::Imul
            | Op::IaddWrap
            | Op::ImulWrap
            | Op::Imin
            | Op::Imax
            | Op::Ior
            | Op::Ieq
            | Op::Ine
    )
}
