//! What an application needs to know of a script: JSON Schema (2020-12) of its types and of each
//! roll's arguments, and what can come of a roll.

use crate::hir::{
    Block, Data, Expr, ExprKind, Field, Function, FunctionId, Module, RollDef, StmtKind, Type,
    each_expr, each_stmt,
};
use dicec_runtime::text::HOLE;
use indexmap::IndexSet;
use serde_json::{Map, Value, json};

/// The description of a whole script.
pub(super) fn describe(script: &Module) -> Value {
    let types: Map<String, Value> = script
        .types
        .iter()
        .map(|ty| (ty.name.clone(), record_schema(script, &ty.fields)))
        .collect();
    let rolls: Vec<Value> = script
        .rolls
        .iter()
        .map(|roll| self::roll(script, roll))
        .collect();
    let resources: Vec<String> = script
        .resources
        .iter()
        .map(|used| used.name.to_string())
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": types,
        "rolls": rolls,
        "resources": resources,
    })
}

fn roll(script: &Module, roll: &RollDef) -> Value {
    let function = script.function(roll.function);
    let found = Found::of(script, roll.function);
    json!({
        "name": roll.name,
        "label": roll.label,
        "arguments": arguments_schema(script, function),
        "result": match function.result {
            Type::Unit | Type::Unknown => Value::Null,
            ref ty => script.type_name(ty).into(),
        },
        "options": found.options,
        "stats": found.stats,
        "outputs": found.outputs,
    })
}

fn arguments_schema(script: &Module, function: &Function) -> Value {
    let params = &function.locals[..function.params];
    let properties: Map<String, Value> = params
        .iter()
        .map(|local| (local.name.clone(), schema(script, &local.ty)))
        .collect();
    let required: Vec<&str> = params.iter().map(|local| local.name.as_str()).collect();
    object(properties, &required)
}

fn record_schema(script: &Module, fields: &[Field]) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in fields {
        let mut of = schema(script, &field.ty);
        match (&field.default, &mut of) {
            (Some(default), Value::Object(members)) => {
                members.insert("default".to_owned(), data(script, &field.ty, default));
            }
            _ => required.push(field.name.as_str()),
        }
        properties.insert(field.name.clone(), of);
    }
    object(properties, &required)
}

fn object(properties: Map<String, Value>, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn schema(script: &Module, ty: &Type) -> Value {
    match ty {
        Type::Int => json!({"type": "integer"}),
        Type::Float => json!({"type": "number"}),
        Type::Bool => json!({"type": "boolean"}),
        Type::Text => json!({"type": "string"}),
        Type::List(of) => json!({"type": "array", "items": schema(script, of)}),
        Type::Record(id) => json!({"$ref": format!("#/$defs/{}", script.record(*id).name)}),
        // Parameters and fields have none of these types.
        Type::Degree(ladder) => json!({"enum": ladder.words().collect::<Vec<_>>()}),
        Type::Unknown | Type::Unit => json!({}),
    }
}

/// A known value as arguments write it.
pub(super) fn data(script: &Module, ty: &Type, value: &Data) -> Value {
    match (ty, value) {
        (_, Data::Int(value)) => (*value).into(),
        (Type::Degree(ladder), Data::Degree(rung)) => {
            let rung = usize::try_from(*rung).ok();
            let rung = rung.and_then(|rung| ladder.rungs().get(rung));
            rung.and_then(|rung| rung.word).into()
        }
        (_, Data::Float(value)) => value.get().into(),
        (_, Data::Bool(value)) => (*value).into(),
        (_, Data::Text(text)) => text.as_str().into(),
        (Type::List(of), Data::List(parts)) => {
            parts.iter().map(|part| data(script, of, part)).collect()
        }
        (Type::Record(id), Data::Record(parts)) => {
            let fields = script.record(*id).fields.iter().zip(parts);
            let members =
                fields.map(|(field, part)| (field.name.clone(), data(script, &field.ty, part)));
            Value::Object(members.collect())
        }
        // A checked default is of its field's type.
        (_, Data::List(_) | Data::Record(_) | Data::Degree(_)) => Value::Null,
    }
}

/// What can come of a roll, each once, in written order.
#[derive(Default)]
struct Found<'s> {
    options: IndexSet<&'s str>,
    stats: IndexSet<&'s str>,
    outputs: IndexSet<String>,
    functions: IndexSet<FunctionId>,
}

impl<'s> Found<'s> {
    fn of(script: &'s Module, function: FunctionId) -> Self {
        let mut found = Self::default();
        found.functions.insert(function);
        let mut next = 0;
        while let Some(&function) = found.functions.get_index(next) {
            found.block(script, &script.function(function).body);
            next += 1;
        }
        found
    }

    fn block(&mut self, script: &'s Module, block: &'s Block) {
        each_stmt(block, &mut |stmt| match &stmt.kind {
            StmtKind::Output(line) => {
                self.outputs.insert(template(line));
            }
            StmtKind::Stat(stat, _) => {
                let name = script.stats.get(stat.index());
                self.stats.extend(name.map(String::as_str));
            }
            _ => {}
        });
        each_expr(block, &mut |expr| match &expr.kind {
            ExprKind::Call(function, _) => {
                self.functions.insert(*function);
            }
            ExprKind::Option(option) => {
                let text = script.options.get(option.option.index());
                self.options.extend(text.map(String::as_str));
            }
            _ => {}
        });
    }
}

/// A line with a hole for everything that is not written in it.
fn template(line: &Expr) -> String {
    match &line.kind {
        ExprKind::Text(text) => text.clone(),
        ExprKind::Join(parts) => parts.iter().map(template).collect(),
        _ => HOLE.to_owned(),
    }
}
