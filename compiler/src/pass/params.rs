//! Block parameters that always take the same value: they become that value.

use crate::ir::cfg::ControlFlow;
use crate::ir::{Block, Function, Terminator, Value};
use cranelift_entity::SecondaryMap;

/// What a parameter takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Taken {
    #[default]
    Nothing,
    One(Value),
    Several,
}

pub(super) fn params(function: &mut Function) {
    while let Some(replaced) = replaced(function) {
        remove(function, &replaced);
        // A parameter may have become one that was replaced itself.
        let resolve = |mut value: Value| {
            while let Some(next) = replaced[value] {
                value = next;
            }
            value
        };
        function.replace_uses(resolve);
    }
}

/// The values that parameters always are; `None` where there is no such parameter.
fn replaced(function: &Function) -> Option<SecondaryMap<Value, Option<Value>>> {
    let graph = ControlFlow::new(function);
    let mut taken: SecondaryMap<Value, Taken> = SecondaryMap::new();
    for &block in graph.reverse_postorder() {
        let terminator = function.blocks[block].terminator.as_ref();
        for target in terminator.into_iter().flat_map(Terminator::targets) {
            let params = &function.blocks[target.block].params;
            for (&param, &arg) in params.iter().zip(&target.args) {
                taken[param] = match taken[param] {
                    known if arg == param => known,
                    Taken::Nothing => Taken::One(arg),
                    Taken::One(known) if known == arg => Taken::One(known),
                    _ => Taken::Several,
                };
            }
        }
    }
    let mut replaced = SecondaryMap::new();
    let mut found = false;
    let blocks = graph
        .reverse_postorder()
        .iter()
        .filter(|&&block| block != function.entry());
    for param in blocks.flat_map(|&block| &function.blocks[block].params) {
        if let Taken::One(value) = taken[*param] {
            replaced[*param] = Some(value);
            found = true;
        }
    }
    found.then_some(replaced)
}

/// Removes the parameters that are replaced, and what is passed for them.
fn remove(function: &mut Function, replaced: &SecondaryMap<Value, Option<Value>>) {
    let mut kept: SecondaryMap<Block, Vec<bool>> = SecondaryMap::new();
    for (block, data) in &mut function.blocks {
        kept[block] = data
            .params
            .iter()
            .map(|&param| replaced[param].is_none())
            .collect();
        data.params.retain(|&param| replaced[param].is_none());
    }
    for data in function.blocks.values_mut() {
        for target in data.terminator.iter_mut().flat_map(Terminator::targets_mut) {
            let mut stays = kept[target.block].iter();
            target
                .args
                .retain(|_| stays.next().copied().unwrap_or(true));
        }
    }
}
