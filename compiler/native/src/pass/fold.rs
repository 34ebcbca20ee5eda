//! Constant folding and algebraic simplification.
//!
//! Folding uses [`evaluate`], which defines the meaning. An operation that would trap on its
//! constants is left to trap at run time. A simplification may remove an operation only if that
//! operation cannot trap.

use super::look_up::First;
use crate::ir::cfg::ControlFlow;
use crate::ir::{Const, Field, Function, Imm, InstData, Op, Tables, Terminator, Value, evaluate};
use cranelift_entity::SecondaryMap;
use dicec_runtime::limits::{MAX_DICE_CEILING, MAX_SIDES};

pub(super) fn fold(function: &mut Function, tables: &Tables) {
    let graph = ControlFlow::new(function);
    let mut replaced: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    for &block in graph.reverse_postorder() {
        let mut insts = std::mem::take(&mut function.blocks[block].insts);
        insts.retain(|&inst| {
            for arg in &mut function.insts[inst].args {
                *arg = replaced[*arg].unwrap_or(*arg);
            }
            if let Some((op, imm)) = folded(function, tables, &function.insts[inst]) {
                let data = &mut function.insts[inst];
                (data.op, data.imm) = (op, imm);
                data.args.clear();
                return true;
            }
            let same = equal_operand(function, &function.insts[inst]);
            replaced[function.insts[inst].result] = same;
            same.is_none()
        });
        function.blocks[block].insts = insts;
    }
    function.replace_uses(|value| replaced[value].unwrap_or(value));
    fold_branches(function);
}

/// The constant or open word that an instruction equals, as an operation without operands.
fn folded(function: &Function, tables: &Tables, data: &InstData) -> Option<(Op, Imm)> {
    if matches!(data.imm, Imm::Dice { count: 0, .. }) {
        return Some((Op::Iconst, Imm::Int(0)));
    }
    if data.args.is_empty() {
        return None;
    }
    if let Some(zero_or_one) = absorbed(function, data) {
        return Some((Op::Iconst, Imm::Int(zero_or_one)));
    }
    if let (Op::Peek, Imm::Field(field)) = (data.op, data.imm) {
        return Some(known_word(function, tables, field, data.args[0])?.inst());
    }
    if data.op == Op::Roll {
        let sides = function.as_iconst(data.args[0])?;
        // Sides below 1 count as 1; a `die_sides` before the roll traps if they can occur.
        let sides = u32::try_from(sides.max(1))
            .ok()
            .filter(|&s| s <= MAX_SIDES)?;
        return Some((Op::Pool, Imm::Dice { count: 1, sides }));
    }
    if data.op == Op::Dice {
        return constant_dice(function, data);
    }
    let args: Option<Vec<Const>> = data
        .args
        .iter()
        .map(|&arg| constant(function, arg))
        .collect();
    match evaluate(data.op, &args?, data.imm)?.ok()? {
        Const::I64(value) => Some((Op::Iconst, Imm::Int(value))),
        Const::F64(value) => Some((Op::Fconst, Imm::Float(value))),
        Const::Bool(value) => Some((Op::Bconst, Imm::Bool(value))),
    }
}

/// The word of a constant field, at a known address of the only argument block.
fn known_word(function: &Function, tables: &Tables, field: Field, address: Value) -> Option<First> {
    let arguments = tables.known.as_ref()?;
    let offset = i64::from(tables.fields[field].offset);
    let at = function.as_iconst(address)?.checked_add(offset)?;
    First::of(tables, arguments, usize::try_from(at).ok()?)
}

/// The immediate form of dice whose count and sides are known.
fn constant_dice(function: &Function, data: &InstData) -> Option<(Op, Imm)> {
    let [count, sides] = [0, 1].map(|index| function.as_iconst(data.args[index]));
    let count = u32::try_from(count?.max(0)).ok();
    let sides = u32::try_from(sides?.max(1)).ok();
    let count = count.filter(|&count| count <= MAX_DICE_CEILING)?;
    match (count, sides.filter(|&sides| sides <= MAX_SIDES)?) {
        (0, _) => Some((Op::Iconst, Imm::Int(0))),
        (count, sides) => Some((Op::Pool, Imm::Dice { count, sides })),
    }
}

fn constant(function: &Function, value: Value) -> Option<Const> {
    let data = function.def(value)?;
    match (data.op, data.imm) {
        (Op::Iconst, Imm::Int(value)) => Some(Const::I64(value)),
        (Op::Fconst, Imm::Float(value)) => Some(Const::F64(value)),
        (Op::Bconst, Imm::Bool(value)) => Some(Const::Bool(value)),
        _ => None,
    }
}

/// The constant result of an operation on whole numbers whose variable operand does not matter: `a
/// * 0`, `0 / a`, `a / 0`, `a - a`, the bits of `a` without those of `a`.
fn absorbed(function: &Function, data: &InstData) -> Option<i64> {
    let &[a, b] = data.args.as_slice() else {
        return None;
    };
    let (left, right) = (function.as_iconst(a), function.as_iconst(b));
    match data.op {
        Op::Imul | Op::ImulWrap if left == Some(0) || right == Some(0) => Some(0),
        Op::Idiv if left == Some(0) || right == Some(0) => Some(0),
        Op::Isub | Op::IsubWrap | Op::IandNot if a == b => Some(0),
        Op::IandNot if left == Some(0) => Some(0),
        _ => None,
    }
}

/// The operand that the result always equals: `a + 0`, `a * 1`, `max(a, a)`. None of these can
/// trap.
fn equal_operand(function: &Function, data: &InstData) -> Option<Value> {
    if let (Op::Select, &[condition, a, b]) = (data.op, data.args.as_slice()) {
        return match constant(function, condition) {
            Some(Const::Bool(true)) => Some(a),
            Some(Const::Bool(false)) => Some(b),
            _ => (a == b).then_some(a),
        };
    }
    let &[a, b] = data.args.as_slice() else {
        return None;
    };
    let (left, right) = (function.as_iconst(a), function.as_iconst(b));
    match data.op {
        Op::Iadd | Op::IaddWrap if right == Some(0) => Some(a),
        Op::Iadd | Op::IaddWrap if left == Some(0) => Some(b),
        Op::Isub | Op::IsubWrap if right == Some(0) => Some(a),
        Op::Imul | Op::ImulWrap if right == Some(1) => Some(a),
        Op::Imul | Op::ImulWrap if left == Some(1) => Some(b),
        Op::Idiv | Op::IdivPos if right == Some(1) => Some(a),
        Op::Imin | Op::Imax | Op::Both | Op::Either | Op::Ior if a == b => Some(a),
        Op::Ior | Op::IandNot if right == Some(0) => Some(a),
        Op::Ior if left == Some(0) => Some(b),
        Op::Both | Op::Either => {
            // True is the neutral operand of one, false of the other.
            let neutral = Some(data.op == Op::Both);
            let truths = [a, b].map(|value| match constant(function, value) {
                Some(Const::Bool(truth)) => Some(truth),
                _ => None,
            });
            match truths {
                [known, _] if known == neutral => Some(b),
                [_, known] if known == neutral => Some(a),
                [Some(_), _] => Some(a),
                [_, Some(_)] => Some(b),
                [None, None] => None,
            }
        }
        // A truth value as a number, converted back.
        Op::Ine if right == Some(0) => match function.def(a) {
            Some(data) if data.op == Op::Btoi => Some(data.args[0]),
            _ => None,
        },
        _ => None,
    }
}

/// A branch whose condition is known becomes a jump.
fn fold_branches(function: &mut Function) {
    for block in function.blocks.keys() {
        let Some(Terminator::Branch {
            condition,
            then,
            otherwise,
        }) = &function.blocks[block].terminator
        else {
            continue;
        };
        if let Some(Const::Bool(holds)) = constant(function, *condition) {
            let target = if holds { then } else { otherwise };
            let jump = Terminator::Jump(target.clone());
            function.blocks[block].terminator = Some(jump);
        }
    }
}
