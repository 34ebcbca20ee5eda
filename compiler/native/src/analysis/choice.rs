//! Selects, alone or added to a number, as if-conversion leaves them: their conditions narrow their
//! results ([`super::assume`]).

use crate::ir::{Function, InstData, Op, Type, Value};

/// The maximum depth of nested selects in a sum that are analysed.
pub(super) const MAX_DEPTH: usize = 2;

/// The operand of a sum or a difference that is a select, by index, and the other operand.
pub(super) fn added_choice(function: &Function, sum: &InstData) -> Option<(usize, Value)> {
    let (Op::Iadd | Op::IaddWrap | Op::Isub | Op::IsubWrap, &[a, b]) =
        (sum.op, sum.args.as_slice())
    else {
        return None;
    };
    let is_choice = |value| choice(function, value).is_some();
    match (is_choice(a), is_choice(b)) {
        (_, true) => Some((1, a)),
        (true, false) => Some((0, b)),
        (false, false) => None,
    }
}

/// The condition and the sides of a select, unless they are floats.
pub(super) fn choice(function: &Function, value: Value) -> Option<[Value; 3]> {
    let data = function.def(value)?;
    let is_choice = data.op == Op::Select && function.value_type(value) != Type::F64;
    match *data.args.as_slice() {
        [condition, yes, no] if is_choice => Some([condition, yes, no]),
        _ => None,
    }
}
