//! The verifier of checked modules: the invariants of HIR primitives.

use super::parts::{is_best, is_rolled, mentions};
use super::{Aggregate, Expr, ExprKind, Function, LocalId, Module, ValueBlock, each_expr};

/// Checks that each [`Aggregate`] has its required shape, and that no other code uses its
/// variables.
///
/// # Errors
/// The violated invariant, with the aggregate.
pub fn verify(module: &Module) -> Result<(), String> {
    for function in &module.functions {
        let mut wrong = None;
        each_expr(&function.body, &mut |expr: &Expr| {
            if let ExprKind::Block(block) = &expr.kind
                && let Some(aggregate) = block.aggregate
                && let Err(what) = aggregated(function, block, aggregate)
            {
                wrong.get_or_insert(format!("in `{}`, {aggregate:?} {what}", function.name));
            }
        });
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
    }
    Ok(())
}

fn aggregated(
    function: &Function,
    block: &ValueBlock,
    aggregate: Aggregate,
) -> Result<(), &'static str> {
    let fits = match aggregate {
        Aggregate::Rolled(value) => is_rolled(block, value),
        Aggregate::Pick { .. } => true,
        Aggregate::Drawn { .. } => block.drawing().is_some(),
        Aggregate::Sum { .. }
        | Aggregate::Count(_)
        | Aggregate::Decided { .. }
        | Aggregate::Extreme(_)
        | Aggregate::ExtremeOf { .. } => block.reduction().is_some(),
        Aggregate::Collected(_) => block.collects(),
        Aggregate::Sorted(_) => block.sorting().is_some(),
        Aggregate::Selected { .. } => block.dropping().is_some(),
        Aggregate::Best { search, index } => is_best(block, search, index),
    };
    if !fits {
        return Err("has another shape");
    }
    let mut private = true;
    aggregate.each_own(&mut |own| private &= is_private(function, block, own));
    match private {
        true => Ok(()),
        false => Err("shares its variables"),
    }
}

/// Whether a variable has no name, and nothing but the block mentions it.
fn is_private(function: &Function, block: &ValueBlock, own: LocalId) -> bool {
    let local = function.locals.get(own.index());
    let mut inside = mentions(&block.statements, own);
    if let Some(value) = &block.value {
        value.each(&mut |part| inside += usize::from(part.kind == ExprKind::Local(own)));
    }
    local.is_some_and(|local| local.name.is_empty()) && mentions(&function.body, own) == inside
}
