//! The arguments of a roll as defaults of its parameters, so that a text is a whole question.

use super::edit::{Edit, after};
use dicec_lang::front::script::{ItemKind, Roll, Script, Type, TypeName};
use serde_json::Value;

/// Gives the parameters of a roll without a default what the sheet says, or something small.
pub(super) fn defaults(script: &Script, roll: &Roll, sheet: &Value) -> Vec<Edit> {
    let open = roll.params.iter().filter(|param| param.default.is_none());
    let edits = open.map(|param| {
        let value = literal(script, &param.ty, sheet.get(&param.name.kind));
        after(param.ty.span, format!(" = {value}"))
    });
    edits.collect()
}

/// A value of a type in the language.
fn literal(script: &Script, ty: &Type, value: Option<&Value>) -> String {
    let (name, lists) = &ty.kind;
    of_lists(script, name, *lists, value)
}

fn of_lists(script: &Script, name: &TypeName, lists: u32, value: Option<&Value>) -> String {
    if lists == 0 {
        return of_name(script, name, value);
    }
    let parts = match value {
        Some(Value::Array(parts)) => parts.iter().map(Some).collect(),
        _ => vec![None, None],
    };
    let parts = parts.into_iter();
    let parts: Vec<String> = parts
        .map(|part| of_lists(script, name, lists - 1, part))
        .collect();
    match &parts[..] {
        [one] => format!("[{one},]"),
        _ => format!("[{}]", parts.join(", ")),
    }
}

fn of_name(script: &Script, name: &TypeName, value: Option<&Value>) -> String {
    let shown = value.map(Value::to_string);
    match name {
        TypeName::Int => shown.unwrap_or_else(|| "2".to_owned()),
        TypeName::Float => match value.and_then(Value::as_f64) {
            Some(number) => format!("{number:?}"),
            None => "1.5".to_owned(),
        },
        TypeName::Bool => shown.unwrap_or_else(|| "true".to_owned()),
        TypeName::Text => shown.unwrap_or_else(|| "\"orc\"".to_owned()),
        TypeName::Named(name) => named(script, name, value),
    }
}

/// A value of a type that the script defines; of another, one without any fields.
fn named(script: &Script, name: &str, value: Option<&Value>) -> String {
    for item in &script.items {
        match &item.kind {
            ItemKind::Type(ty) if ty.name.kind == name => {
                let fields = ty.fields.kind.iter().filter_map(|field| {
                    let field = &field.kind;
                    let own = value.and_then(|value| value.get(&field.name.kind));
                    // A default that the sheet does not overrule.
                    let is_open = own.is_some() || field.default.is_none();
                    is_open.then(|| {
                        format!("{}: {}", field.name.kind, literal(script, &field.ty, own))
                    })
                });
                let fields: Vec<String> = fields.collect();
                return match fields.is_empty() {
                    true => format!("{name}{{}}"),
                    false => format!("{name}{{ {} }}", fields.join(", ")),
                };
            }
            ItemKind::Enum(constants) if constants.name.kind == name => {
                let first = constants.constants.kind.first();
                let first = first.map_or("", |name| name.kind.as_str());
                let constant = value.and_then(Value::as_str).unwrap_or(first);
                return match constants.is_flags {
                    true => format!("[{first},]"),
                    false => format!("{name}.{constant}"),
                };
            }
            _ => {}
        }
    }
    match name {
        "degree" => "success".to_owned(),
        "dice" => "1d3 + 1".to_owned(),
        _ => format!("{name}{{}}"),
    }
}
