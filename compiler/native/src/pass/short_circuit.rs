//! Merges the conditions of several branches, for lanes, which reach all of them anyway.
//!
//! ```text
//! block0: branch a, block2, block1            block0: c = a || b
//! block1: branch b, block2, block3                    branch c, block2, block3
//! ```
//!
//! `any` and `&&` leave such branches. One condition needs one mask, and it is the same as that of
//! a search for the same thing.

use super::if_convert::{Arms, append, burn_if, select};
use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Imm, Op, Target, Terminator, Type, Value};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;

/// The maximum number of iterations; each merges branches that have no block in common.
const MAX_ROUNDS: usize = 200;

/// The maximum number of arguments in which the paths to a block may differ.
const MAX_DIFFERENT: usize = 4;

/// Merges branches until no more can be merged.
pub(super) fn short_circuit(function: &mut Function) {
    for _ in 0..MAX_ROUNDS {
        let graph = ControlFlow::new(function);
        let mut changed = FxHashSet::default();
        // Forward, so that `a || b || c` groups to the left, as in a search.
        for &block in graph.reverse_postorder() {
            let chain = Chain::of(function, &graph, block);
            let is_new = |chain: &Chain| {
                let blocks = [chain.first, chain.second.block];
                blocks.iter().all(|block| !changed.contains(block))
            };
            if let Some(chain) = chain.filter(is_new) {
                changed.extend([chain.first, chain.second.block]);
                chain.merge(function);
            }
        }
        if changed.is_empty() {
            break;
        }
    }
}

/// A branch, and a second one on one side of it that may lead to the other side.
struct Chain {
    first: Block,
    second: Target,
    /// Whether the second block is the target for a true condition.
    where_holds: bool,
    /// Whether the second block leads to the other side if its condition is true.
    meets_where_holds: bool,
}

impl Chain {
    fn of(function: &Function, graph: &ControlFlow, first: Block) -> Option<Self> {
        let (_, then, otherwise) = branch(function, first)?;
        [(true, then, otherwise), (false, otherwise, then)]
            .into_iter()
            .find_map(|(where_holds, second, other)| {
                let is_only = graph.predecessors(second.block) == [first];
                let (_, yes, no) = branch(function, second.block).filter(|_| is_only)?;
                let insts = &function.blocks[second.block].insts;
                Arms::OfLanes.cost(function, insts)?;
                let met = [(true, yes), (false, no)];
                let (meets_where_holds, _) = met
                    .into_iter()
                    .find(|(_, target)| fits(function, target, other))?;
                Some(Self {
                    first,
                    second: second.clone(),
                    where_holds,
                    meets_where_holds,
                })
            })
    }

    fn merge(self, function: &mut Function) {
        let Self {
            first,
            second,
            where_holds,
            meets_where_holds,
        } = self;
        let (Some((outer, then, otherwise)), Some((inner, yes, no))) =
            (owned(function, first), owned(function, second.block))
        else {
            return;
        };
        let other = if where_holds { otherwise } else { then };
        let (met, rest) = if meets_where_holds {
            (yes, no)
        } else {
            (no, yes)
        };
        let data = &mut function.blocks[second.block];
        let params = std::mem::take(&mut data.params);
        let insts = std::mem::take(&mut data.insts);
        // The second block is unreachable now.
        data.terminator = Some(Terminator::Jump(rest.clone()));
        let insts = burn_if(function, insts, outer, where_holds);
        function.blocks[first].insts.extend(insts);
        let mut replaced: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
        for (&param, &arg) in params.iter().zip(&second.args) {
            replaced[param] = Some(arg);
        }
        let resolve = |value: Value| replaced[value].unwrap_or(value);
        function.replace_uses(resolve);
        let [outer, inner] = [outer, inner].map(resolve);
        let resolved = |target: Target| Target {
            block: target.block,
            args: target.args.into_iter().map(resolve).collect(),
        };
        let [other, met, rest] = [other, met, rest].map(resolved);
        let args = met.args.iter().zip(&other.args).map(|(&met, &other)| {
            let of = match where_holds {
                true => [met, other],
                false => [other, met],
            };
            select(function, first, outer, of)
        });
        let together = Target {
            block: other.block,
            args: args.collect(),
        };
        // Whether a trial continues to the part that only the second block leads to.
        let mut add = |op: Op, args: &[Value]| append(function, first, op, args, Imm::None);
        let reached = match where_holds {
            true => outer,
            false => add(Op::Not, &[outer]),
        };
        let (op, left, then, otherwise) = match (where_holds, meets_where_holds) {
            // To the second side only if both say so.
            (_, false) => (Op::Both, reached, rest, together),
            (true, true) => {
                let outer = add(Op::Not, &[outer]);
                (Op::Either, outer, together, rest)
            }
            (false, true) => (Op::Either, outer, together, rest),
        };
        let condition = add(op, &[left, inner]);
        function.blocks[first].terminator = Some(Terminator::Branch {
            condition,
            then,
            otherwise,
        });
    }
}

/// Whether two edges lead to one block with few different arguments.
fn fits(function: &Function, one: &Target, other: &Target) -> bool {
    let different = one.args.iter().zip(&other.args).filter(|(a, b)| a != b);
    let mut different: Vec<_> = different.map(|(a, _)| *a).collect();
    different.truncate(MAX_DIFFERENT + 1);
    let is_float = |&value: &Value| function.value_type(value) == Type::F64;
    one.block == other.block && different.len() <= MAX_DIFFERENT && !different.iter().any(is_float)
}

/// The condition and the targets of a block that ends with a branch.
fn branch(function: &Function, block: Block) -> Option<(Value, &Target, &Target)> {
    match &function.blocks[block].terminator {
        Some(Terminator::Branch {
            condition,
            then,
            otherwise,
        }) => Some((*condition, then, otherwise)),
        _ => None,
    }
}

fn owned(function: &Function, block: Block) -> Option<(Value, Target, Target)> {
    let (condition, then, otherwise) = branch(function, block)?;
    Some((condition, then.clone(), otherwise.clone()))
}
