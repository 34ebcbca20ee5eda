//! Block parameters that always take the same value: they become that value.

use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Terminator, Value, ValueDef};
use cranelift_entity::SecondaryMap;
use dicec_runtime::bug;

/// The value that a parameter always has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Known {
    /// Unknown so far: no argument was seen.
    #[default]
    Nothing,
    /// Another value; or itself, if its arguments differ.
    Always(Value),
}

pub(super) fn params(function: &mut Function) {
    let known = known(function);
    let mut replaced: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    let mut found = false;
    for data in function.blocks.values() {
        for &param in &data.params {
            if let Known::Always(value) = known[param]
                && value != param
            {
                replaced[param] = Some(value);
                found = true;
            }
        }
    }
    if found {
        remove(function, |param| replaced[param].is_some());
        function.replace_uses(|value| replaced[value].unwrap_or(value));
    }
}

/// The values of all parameters. Arguments are assumed to be equal until they are shown to differ,
/// so that loops whose parameters only pass each other around are found, too.
fn known(function: &Function) -> SecondaryMap<Value, Known> {
    let graph = ControlFlow::new(function);
    let mut known: SecondaryMap<Value, Known> = SecondaryMap::new();
    for &param in &function.blocks[function.entry()].params {
        known[param] = Known::Always(param);
    }
    // Whether a value is a parameter of a reachable block; every other value is itself.
    let resolve = |known: &SecondaryMap<Value, Known>, value: Value| match function.values[value].1
    {
        ValueDef::Param(block) if graph.is_reachable(block) => known[value],
        _ => Known::Always(value),
    };
    let mut changed = true;
    while changed {
        changed = false;
        for &block in graph.reverse_postorder() {
            let terminator = function.blocks[block].terminator.as_ref();
            for target in terminator.into_iter().flat_map(Terminator::targets) {
                let params = &function.blocks[target.block].params;
                for (&param, &arg) in params.iter().zip(&target.args) {
                    let next = match (known[param], resolve(&known, arg)) {
                        (before, Known::Nothing) => before,
                        (Known::Nothing, value) => value,
                        (before, value) if before == value => before,
                        _ => Known::Always(param),
                    };
                    changed |= std::mem::replace(&mut known[param], next) != next;
                }
            }
        }
    }
    known
}

/// Removes parameters and their arguments.
pub(super) fn remove(function: &mut Function, goes: impl Fn(Value) -> bool) {
    let mut kept: SecondaryMap<Block, Vec<bool>> = SecondaryMap::new();
    for (block, data) in &mut function.blocks {
        kept[block] = data.params.iter().map(|&param| !goes(param)).collect();
        data.params.retain(|&param| !goes(param));
    }
    for data in function.blocks.values_mut() {
        for target in data.terminator.iter_mut().flat_map(Terminator::targets_mut) {
            let mut stays = kept[target.block].iter();
            target.args.retain(|_| {
                *stays
                    .next()
                    .unwrap_or_else(|| bug!("an edge has too many arguments").raise())
            });
        }
    }
}
