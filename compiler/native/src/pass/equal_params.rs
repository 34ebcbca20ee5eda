//! Finds parameters of one block that are always equal, such as a loop counter and the length of
//! the list that the loop appends to: they start equal, and each iteration changes both alike.

use crate::ir::cfg::ControlFlow;
use crate::ir::{Function, Op, Terminator, Value};

/// The maximum number of parameters of a block that are compared with each other.
const MAX_PARAMS: usize = 32;

/// The maximum depth of the comparison of two arguments.
const MAX_DEPTH: usize = 3;

/// The parameters that always equal an earlier one of their block, each with that one.
pub(super) fn equal_params(function: &Function) -> Vec<(Value, Value)> {
    let graph = ControlFlow::new(function);
    let mut found: Vec<(Value, Value)> = Vec::new();
    for &block in graph.reverse_postorder() {
        let params = &function.blocks[block].params;
        if params.len() > MAX_PARAMS || graph.predecessors(block).is_empty() {
            continue;
        }
        for (index, &param) in params.iter().enumerate() {
            let is_equal = |first: usize| {
                let pair = [params[first], param];
                let mut before = graph.predecessors(block).iter();
                before.all(|&from| {
                    let end = function.blocks[from].terminator.iter();
                    let mut edges = end.flat_map(Terminator::targets);
                    edges.all(|edge| {
                        edge.block != block
                            || are_equal(
                                function,
                                pair,
                                [edge.args[first], edge.args[index]],
                                MAX_DEPTH,
                            )
                    })
                })
            };
            let first = (0..index).find(|&first| {
                let ty = |value| function.value_type(value);
                let is_kept = !found.iter().any(|&(gone, _)| gone == params[first]);
                is_kept && ty(params[first]) == ty(param) && is_equal(first)
            });
            found.extend(first.map(|first| (param, params[first])));
        }
    }
    found
}

/// Whether two values are equal if two others are.
fn are_equal(function: &Function, equal: [Value; 2], [a, b]: [Value; 2], depth: usize) -> bool {
    if a == b || equal == [a, b] || equal == [b, a] {
        return true;
    }
    let (Some(depth), Some(one), Some(other)) =
        (depth.checked_sub(1), function.def(a), function.def(b))
    else {
        return false;
    };
    let is_function = !one.op.info().effect && one.op != Op::Peek;
    let mut operands = one.args.iter().zip(&other.args);
    is_function
        && (one.op, one.imm) == (other.op, other.imm)
        && one.args.len() == other.args.len()
        && operands.all(|(&a, &b)| are_equal(function, equal, [a, b], depth))
}
