//! Conditions on results: `crits >= 1 and hits > 2`. A condition is a compound rule that reads
//! values by name and rolls nothing, so its operators are those of rules; `==` compares as in
//! scripts, and nothing is clamped at 0.

use super::ast::{
    EnumDef, Item, ItemKind, Name, Node, Param, Roll, Script, Type as Written, TypeName,
};
use super::imports::{Gathered, gathered};
use super::parse::parse_rule;
use crate::front::notation::Dialect;
use crate::hir::{EnumId, Module, TEST, Type};
use crate::syntax::SourceLimits;
use dicec_runtime::bug;
use dicec_runtime::span::Span;

/// Parses the condition `text` on values with these names and types of a module. The tree is that
/// of a script with one roll, which has a parameter for each value.
pub fn gather_condition(
    text: &str,
    values: &[(String, Type)],
    module: &Module,
    dialect: Dialect,
    limits: SourceLimits,
) -> Gathered {
    let mut load = |_: &str, _: &str| Err("conditions have no files".to_owned());
    let parse = |text: &str, rule: Span, limits| {
        let mut parsed = parse_rule(text, rule, dialect, limits);
        give_values(&mut parsed.script, values, module, rule);
        parsed
    };
    gathered("", text, limits, &mut load, parse)
}

/// Adds the parameters to the roll, and the enums of their types to the script.
fn give_values(script: &mut Script, values: &[(String, Type)], module: &Module, span: Span) {
    let rolls = script.items.iter_mut();
    let roll = rolls.filter_map(|item| match &mut item.kind {
        ItemKind::Roll(roll) => Some(roll),
        _ => None,
    });
    for Roll { params, .. } in roll {
        *params = values
            .iter()
            .map(|(name, ty)| Param {
                name: Name::new(name.clone(), span),
                ty: written(ty, module, span),
                default: None,
            })
            .collect();
    }
    let mut enums: Vec<EnumId> = values
        .iter()
        .filter_map(|(_, ty)| match ty {
            Type::Enum(id) | Type::Flags(id) => Some(*id),
            _ => None,
        })
        .collect();
    enums.sort_unstable();
    enums.dedup();
    let enums = enums.into_iter().map(|id| {
        let kind = ItemKind::Enum(definition(id, module, span));
        Item::new(kind, span)
    });
    script.items.extend(enums);
}

/// A type of results as a script writes it.
fn written(ty: &Type, module: &Module, span: Span) -> Written {
    let name = match ty {
        Type::Float => TypeName::Float,
        Type::Bool => TypeName::Bool,
        Type::Text => TypeName::Text,
        Type::Degree(_) => TypeName::Named("degree".to_owned()),
        Type::Test => TypeName::Named(TEST.to_owned()),
        Type::Enum(id) | Type::Flags(id) => TypeName::Named(module.choice(*id).name.clone()),
        Type::Int => TypeName::Int,
        Type::Unknown | Type::Unit | Type::List(_) | Type::Record(_) => {
            bug!("a result of type {ty:?}").raise()
        }
    };
    Node::new((name, 0), span)
}

/// An enum of the module, as a script defines it.
fn definition(id: EnumId, module: &Module, span: Span) -> EnumDef {
    let choice = module.choice(id);
    let name = |name: &String| Name::new(name.clone(), span);
    let success = choice.success.and_then(|success| {
        let success = usize::try_from(success).ok()?;
        choice.constants.get(success).map(name)
    });
    EnumDef {
        name: name(&choice.name),
        is_flags: choice.is_flags,
        constants: Node::new(choice.constants.iter().map(name).collect(), span),
        success,
    }
}
