//! Propagates the constraints of branches to selects: after a branch on the side of a creature, a
//! select only needs to choose among the creatures of that side.
//!
//! ```text
//! v2 = ieq v1, 20           ; v1 is 20, 32 or 44: the address of a record
//! v3 = ieq v1, 32
//! branch (v2 ? 1 : v3 ? 1 : 0) != 0, block1, block2
//! block2:                   ; v1 is 44, so v2 and v3 are false here
//! ```
//!
//! Range analysis does not see this, because the remaining numbers need not be consecutive. The
//! same holds for nested selects: in `v2 ? a : v3 ? b : c`, `c` is never selected if v1 can only be
//! 20 or 32.

use super::keys::{key, value};
use crate::analysis::{Edge, FewValues};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Const, Function, Imm, InstData, Op, Terminator, Value};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// The possible numbers of values in a block.
type Left = FxHashMap<Value, Vec<i64>>;

/// Folds comparisons with constants whose results are known where they are used.
pub(super) fn guarded(function: &mut Function) {
    let few = FewValues::of(function);
    let graph = ControlFlow::new(function);
    let truths = [false, true].map(|truth| {
        let entry = function.entry();
        function.begin_with(entry, Op::Bconst, Imm::Bool(truth))
    });
    let mut left: SecondaryMap<Block, Left> = SecondaryMap::new();
    for &block in graph.reverse_postorder() {
        let above = graph.immediate_dominator(block);
        let mut here = above.map_or_else(Left::default, |above| left[above].clone());
        if let &[from] = graph.predecessors(block)
            && let Some(edge) = Edge::between(function, from, block).next()
            && let Some((condition, holds)) = edge.condition
            && let Some((key, numbers)) = narrowed(function, &few, &here, condition, holds)
        {
            here.insert(key, numbers);
        }
        if !here.is_empty() {
            decide(function, block, &here, truths);
        }
        decide_choices(function, block, (&few, &here), truths);
        left[block] = here;
    }
}

/// Folds the conditions of nested selects that the outer selects determine.
fn decide_choices(
    function: &mut Function,
    block: Block,
    (few, left): (&FewValues, &Left),
    truths: [Value; 2],
) {
    let uses = uses(function);
    // The possible keys of a select where its result matters; it has only one use, in another
    // select.
    let mut within: FxHashMap<Value, (Value, Vec<i64>)> = FxHashMap::default();
    for inst in function.blocks[block].insts.clone().into_iter().rev() {
        let data = &function.insts[inst];
        let (Op::Select, &[condition, yes, no]) = (data.op, data.args.as_slice()) else {
            continue;
        };
        let Some((key, number)) = function.def(condition).and_then(|def| test(function, def))
        else {
            continue;
        };
        let around = within.get(&data.result).filter(|(other, _)| *other == key);
        let numbers = around
            .map(|(_, numbers)| numbers)
            .or_else(|| left.get(&key));
        let Some(numbers) = numbers.map(Vec::as_slice).or_else(|| few.numbers(key)) else {
            continue;
        };
        let (equal, others): (Vec<i64>, Vec<i64>) =
            numbers.iter().partition(|&&other| other == number);
        match (equal.is_empty(), others.is_empty()) {
            (true, _) => function.insts[inst].args[0] = truths[0],
            (false, true) => function.insts[inst].args[0] = truths[1],
            (false, false) => {
                for (value, numbers) in [(yes, equal), (no, others)] {
                    if uses[value] == 1 {
                        within.insert(value, (key, numbers));
                    }
                }
            }
        }
    }
}

/// The number of uses of each value.
fn uses(function: &Function) -> SecondaryMap<Value, u32> {
    let mut uses = SecondaryMap::new();
    for block in function.blocks.values() {
        for &inst in &block.insts {
            for &arg in &function.insts[inst].args {
                uses[arg] += 1;
            }
        }
        if let Some(end) = &block.terminator {
            end.clone().for_each_use(|value| uses[*value] += 1);
        }
    }
    uses
}

/// The value with few numbers that a condition depends on, and the numbers for which it holds or
/// does not hold; `None` if it depends on other values.
fn narrowed(
    function: &Function,
    few: &FewValues,
    left: &Left,
    condition: Value,
    holds: bool,
) -> Option<(Value, Vec<i64>)> {
    let key = key(function, few, condition)?;
    let numbers = match left.get(&key) {
        Some(left) => left,
        None => few.numbers(key)?,
    };
    let mut fits = Vec::new();
    for &number in numbers {
        let mut known = FxHashMap::from_iter([(key, Const::I64(number))]);
        if value(function, &mut known, condition)?.to_cell() == i64::from(holds) {
            fits.push(number);
        }
    }
    (!fits.is_empty() && fits.len() < numbers.len()).then_some((key, fits))
}

/// For an equality comparison of a value with a constant, both.
fn test(function: &Function, data: &InstData) -> Option<(Value, i64)> {
    let (Op::Ieq, &[a, b]) = (data.op, data.args.as_slice()) else {
        return None;
    };
    match (function.as_iconst(a), function.as_iconst(b)) {
        (None, Some(number)) => Some((a, number)),
        (Some(number), None) => Some((b, number)),
        _ => None,
    }
}

/// Replaces operands in a block that are comparisons with known results.
fn decide(function: &mut Function, block: Block, left: &Left, truths: [Value; 2]) {
    let decided = |function: &Function, value: Value| {
        let (key, constant) = test(function, function.def(value)?)?;
        let numbers = left.get(&key)?;
        let equal = numbers.iter().filter(|&&number| number == constant).count();
        match equal {
            0 => Some(truths[0]),
            1 if numbers.len() == 1 => Some(truths[1]),
            _ => None,
        }
    };
    for inst in function.blocks[block].insts.clone() {
        for place in 0..function.insts[inst].args.len() {
            let arg = function.insts[inst].args[place];
            if let Some(truth) = decided(function, arg) {
                function.insts[inst].args[place] = truth;
            }
        }
    }
    let mut end: Option<Terminator> = function.blocks[block].terminator.take();
    if let Some(end) = &mut end {
        end.for_each_use(|value| *value = decided(function, *value).unwrap_or(*value));
    }
    function.blocks[block].terminator = end;
}
