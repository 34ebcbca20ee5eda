//! Describes a script for applications: JSON Schema (2020-12) of its types and of each roll's
//! arguments, and the possible output of each roll.

use dicec_lang::hir::{
    Block, Data, DiceValue, EnumType, ExprKind, Field, Function, FunctionId, Module, Offers, Part,
    PartNote, Parts, RollDef, StatName, StmtKind, Type, each_expr, each_stmt, flags_in,
};
use indexmap::{IndexMap, IndexSet};
use serde::Serialize;
use std::fmt;

/// The description of a script. As JSON, all members are in written order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Description {
    #[serde(rename = "$schema")]
    dialect: &'static str,
    /// The schema of each type.
    #[serde(rename = "$defs")]
    pub types: IndexMap<String, Schema>,
    /// The rolls.
    pub rolls: Vec<RollDescription>,
    /// The names of the resources that it reads.
    pub resources: Vec<String>,
}

/// The description of a roll.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RollDescription {
    /// Its name in the script.
    pub name: String,
    /// Its label for players.
    pub label: String,
    /// The schema of its arguments.
    pub arguments: Schema,
    /// The type of its result; none if it returns nothing.
    pub result: Option<String>,
    /// The texts of its options, each once, in written order.
    pub options: IndexSet<String>,
    /// The possible answers to those options that are not answered by yes or no.
    pub answers: IndexMap<String, AnswersDescription>,
    /// The names of its statistics, with a hole for each part that is not literal; likewise for the
    /// texts of options.
    pub stats: IndexSet<String>,
    /// The lines that it may output, with a hole for each part that is not literal.
    pub outputs: IndexSet<String>,
}

/// The possible answers to an option, as far as they are known before a roll.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AnswersDescription {
    /// The answers, as players read them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_of: Option<Vec<String>>,
    /// The minimum and the maximum number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<[i64; 2]>,
}

/// A JSON Schema for the values of a type; absent members are omitted.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Schema {
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Box<Schema>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<IndexMap<String, Schema>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    required: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_properties: Option<bool>,
    #[serde(rename = "$ref", skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#enum: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique_items: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<Known>,
}

/// A constant, written as arguments are.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Known {
    Int(i64),
    Float(f64),
    Bool(bool),
    Text(String),
    List(Vec<Known>),
    Record(IndexMap<String, Known>),
    /// A value of another type; a checked default never is.
    Misfit,
}

/// Its JSON.
impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let json = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        f.write_str(&json)
    }
}

/// The description of a script.
pub(super) fn describe(script: &Module) -> Description {
    let records = script.types.iter();
    let records = records.filter(|ty| !ty.is_opaque() && !ty.is_built_in());
    let records = records.map(|ty| (ty.name.clone(), record_schema(script, &ty.fields)));
    let enums = script.enums.iter();
    let enums = enums.map(|ty| (ty.name.clone(), enum_schema(ty)));
    let rolls = script.rolls.iter();
    let resources = script.resources.iter();
    Description {
        dialect: "https://json-schema.org/draft/2020-12/schema",
        types: records.chain(enums).collect(),
        rolls: rolls.map(|roll| self::roll(script, roll)).collect(),
        resources: resources.map(|used| used.name.to_string()).collect(),
    }
}

fn roll(script: &Module, roll: &RollDef) -> RollDescription {
    let function = script.function(roll.function);
    let mut found = Found::of(script, roll.function);
    let parts = roll.parts.iter().flat_map(|parts| &parts.all);
    for part in parts {
        if let PartNote::Text(before) = &part.note {
            found.stats.shift_remove(&format!("{before}{{}}"));
        }
    }
    let owned = |texts: IndexSet<&str>| texts.into_iter().map(str::to_owned).collect();
    RollDescription {
        name: roll.name.clone(),
        label: roll.label.clone(),
        arguments: arguments_schema(script, function),
        result: match (&roll.parts, &function.result) {
            (Some(parts), _) => Some(described(script, parts)),
            (None, Type::Unit | Type::Unknown) => None,
            (None, ty) => Some(script.type_name(ty)),
        },
        options: owned(found.options),
        answers: found.answers,
        stats: found.stats,
        outputs: found.outputs,
    }
}

/// A result with several parts, as its type would be written.
fn described(script: &Module, parts: &Parts) -> String {
    let part = |part: &Part| match part.name.as_str() {
        "" => script.type_name(&part.ty),
        name => format!("{name}: {}", script.type_name(&part.ty)),
    };
    let all: Vec<String> = parts.all.iter().map(part).collect();
    match parts.is_text() {
        true => all.join(", "),
        false => format!("{{ {} }}", all.join(", ")),
    }
}

fn arguments_schema(script: &Module, function: &Function) -> Schema {
    let params = function.locals.iter().zip(&function.defaults);
    members(
        script,
        params.map(|(local, default)| (&local.name, &local.ty, default)),
    )
}

fn record_schema(script: &Module, fields: &[Field]) -> Schema {
    let fields = fields.iter();
    members(
        script,
        fields.map(|field| (&field.name, &field.ty, &field.default)),
    )
}

fn enum_schema(ty: &EnumType) -> Schema {
    let constant = Schema {
        r#enum: Some(ty.constants.to_vec()),
        ..Schema::default()
    };
    if !ty.is_flags {
        return constant;
    }
    Schema {
        items: Some(Box::new(constant)),
        unique_items: Some(true),
        ..Schema::of_type("array")
    }
}

/// An object with a member for each name; members with a default are optional.
fn members<'m>(
    script: &Module,
    all: impl Iterator<Item = (&'m String, &'m Type, &'m Option<Data>)>,
) -> Schema {
    let (mut properties, mut required) = (IndexMap::new(), Vec::new());
    for (name, ty, default) in all {
        let of = Schema {
            default: default.as_ref().map(|default| known(script, ty, default)),
            ..schema(script, ty)
        };
        properties.insert(name.clone(), of);
        if default.is_none() {
            required.push(name.clone());
        }
    }
    Schema {
        properties: Some(properties),
        required: Some(required),
        additional_properties: Some(false),
        ..Schema::of_type("object")
    }
}

impl Schema {
    fn of_type(name: &'static str) -> Self {
        Self {
            r#type: Some(name),
            ..Self::default()
        }
    }
}

fn schema(script: &Module, ty: &Type) -> Schema {
    match ty {
        Type::Int | Type::Test => Schema::of_type("integer"),
        Type::Float => Schema::of_type("number"),
        Type::Bool => Schema::of_type("boolean"),
        Type::Text => Schema::of_type("string"),
        Type::List(of) => Schema {
            items: Some(Box::new(schema(script, of))),
            ..Schema::of_type("array")
        },
        Type::Record(_) if script.dice_types(ty).is_some() => Schema::of_type("string"),
        Type::Record(_) | Type::Enum(_) | Type::Flags(_) => Schema {
            reference: Some(format!("#/$defs/{}", script.type_name(ty))),
            ..Schema::default()
        },
        Type::Degree(ladder) => Schema {
            r#enum: Some(ladder.words().map(str::to_owned).collect()),
            ..Schema::default()
        },
        // Parameters and fields never have these types.
        Type::Unknown | Type::Unit => Schema::default(),
    }
}

/// A value of a type in the form of arguments.
pub(super) fn known(script: &Module, ty: &Type, value: &Data) -> Known {
    match (ty, value) {
        (_, Data::Int(value)) => Known::Int(*value),
        (Type::Degree(ladder), Data::Named(rung)) => {
            let rung = usize::try_from(*rung).ok();
            let rung = rung.and_then(|rung| ladder.rungs().get(rung));
            let word = rung.and_then(|rung| rung.word);
            word.map_or(Known::Misfit, |word| Known::Text(word.to_owned()))
        }
        (Type::Enum(id), Data::Named(number)) => {
            let name = script.choice(*id).written(*number);
            name.map_or(Known::Misfit, |name| Known::Text(name.into_owned()))
        }
        (Type::Flags(id), Data::Named(set)) => {
            let names = flags_in(&script.choice(*id).constants, *set);
            Known::List(names.map(|name| Known::Text(name.to_owned())).collect())
        }
        (_, Data::Float(value)) => Known::Float(value.get()),
        (_, Data::Bool(value)) => Known::Bool(*value),
        (_, Data::Text(text)) => Known::Text(text.clone()),
        (Type::List(of), Data::List(parts)) => {
            Known::List(parts.iter().map(|part| known(script, of, part)).collect())
        }
        (Type::Record(_), value) if script.dice_types(ty).is_some() => {
            let dice = DiceValue::read(value);
            dice.map_or(Known::Misfit, |dice| Known::Text(dice.to_string()))
        }
        (Type::Record(id), Data::Record(parts)) => {
            let fields = script.record(*id).fields.iter().zip(parts);
            let members =
                fields.map(|(field, part)| (field.name.clone(), known(script, &field.ty, part)));
            Known::Record(members.collect())
        }
        (_, Data::List(_) | Data::Record(_) | Data::Named(_)) => Known::Misfit,
    }
}

/// The possible output of a roll, each part once, in written order.
#[derive(Default)]
struct Found<'s> {
    options: IndexSet<&'s str>,
    answers: IndexMap<String, AnswersDescription>,
    stats: IndexSet<String>,
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
                self.outputs.insert(line.template());
            }
            StmtKind::Stat(StatName::Known(stat), _) => {
                self.stats.extend(script.stats.get(stat.index()).cloned());
            }
            StmtKind::Stat(StatName::Text(name), _) => {
                self.stats.insert(name.template());
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
                let answers = script.offers.get(option.option.index());
                if let (Some(text), Some(answers)) = (text, answers.and_then(answers_of)) {
                    self.answers.insert(text.clone(), answers);
                }
            }
            _ => {}
        });
    }
}

fn answers_of(offers: &Offers) -> Option<AnswersDescription> {
    let (one_of, numbers) = match offers {
        Offers::YesNo => return None,
        Offers::Numbers(bounds) => (None, *bounds),
        Offers::OneOf(labels) => (labels.clone(), None),
    };
    Some(AnswersDescription { one_of, numbers })
}
