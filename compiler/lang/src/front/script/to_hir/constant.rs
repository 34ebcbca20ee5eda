//! Constants and defaults: values that are known at compile time.

use super::{Lowering, TypeNamed, items};
use crate::front::script::ast::{self, ItemKind};
use crate::hir::{self, ConstantId, Data, ExprKind, Float, Type, WITHOUT_QUOTES};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::degree::Ladder;
use dicec_runtime::float;
use dicec_runtime::span::Span;

/// The maximum number of values in a constant: its elements and fields at any depth.
const MAX_VALUES: usize = 10_000;

/// How deep the lists and records of a constant may nest.
const MAX_DEPTH: usize = 32;

/// A value with its type.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) data: Data,
    pub(super) ty: Type,
}

impl Value {
    pub(super) fn int(value: i64) -> Self {
        Self {
            data: Data::Int(value),
            ty: Type::Int,
        }
    }

    /// The value converted to a wanted type: a whole number can become a float.
    pub(super) fn fitted(self, wanted: &Type) -> Self {
        match (&self.data, wanted) {
            (Data::Int(value), Type::Float) => {
                Float::new(float::from_int(*value)).map_or(self, Self::float)
            }
            _ => self,
        }
    }

    pub(super) fn float(value: Float) -> Self {
        Self {
            data: Data::Float(value),
            ty: Type::Float,
        }
    }

    pub(super) fn bool(value: bool) -> Self {
        Self {
            data: Data::Bool(value),
            ty: Type::Bool,
        }
    }

    pub(super) fn text(text: String) -> Self {
        Self {
            data: Data::Text(text),
            ty: Type::Text,
        }
    }
}

/// A constant that a script defines.
pub(super) struct Constant {
    /// Its value; none if it was wrong, which was reported.
    pub(super) value: Option<Value>,
    /// Its index in the script, if it is a record or a list.
    id: Option<ConstantId>,
    pub(super) span: Span,
}

/// The names of all degrees.
pub(super) fn degrees<'t>() -> impl Iterator<Item = &'t str> {
    let ladders = Ladder::IN_SCRIPTS.into_iter();
    ladders.flat_map(|ladder| ladder.words().map(|word| -> &'t str { word }))
}

/// The value of a degree's name.
pub(super) fn degree(name: &str) -> Option<Value> {
    let mut ladders = Ladder::IN_SCRIPTS.into_iter();
    ladders.find_map(|ladder| {
        Some(Value {
            data: Data::Named(ladder.rung_of(name)?),
            ty: Type::Degree(ladder),
        })
    })
}

impl Lowering<'_> {
    /// Computes all constants and defaults, in written order: each may use those before it.
    pub(super) fn define_constants(&mut self, script: &ast::Script) {
        let mut types = self.types_in_order(script).into_iter().peekable();
        for item in &script.items {
            match &item.kind {
                ItemKind::Const(constant) => self.define_constant(constant),
                ItemKind::Type(definition) => {
                    if let Some((_, id)) =
                        types.next_if(|(next, _)| std::ptr::eq(*next, definition))
                    {
                        self.define_defaults(definition, id);
                    }
                }
                _ => {}
            }
        }
    }

    fn define_constant(&mut self, constant: &ast::Const) {
        let name = &constant.name;
        self.types_of_dice(&constant.value);
        let value = match self.evaluate(&constant.value) {
            Ok(value) => self.bounded(value, constant.value.span),
            Err(wrong) => {
                self.found.extend(wrong);
                None
            }
        };
        let span = name.span;
        if let Some(first) = self.constants.get(&name.kind) {
            let first = first.span;
            self.defined_twice("constant", name, first);
        } else if degree(&name.kind).is_some() {
            let message = format!("`{}` is a degree of success in every script", name.kind);
            self.report(
                Diagnostic::error(Code::DefinedTwice, span, message)
                    .help("give the constant another name"),
            );
        } else {
            let id = value.as_ref().and_then(|value| self.keep(name, value));
            let constant = Constant { value, id, span };
            self.constants.insert(name.kind.clone(), constant);
        }
    }

    /// Gives a record or a list an index in the script.
    fn keep(&mut self, name: &ast::Name, value: &Value) -> Option<ConstantId> {
        if !matches!(value.data, Data::List(_) | Data::Record(_)) {
            return None;
        }
        // A text below 4 GiB defines fewer.
        let id = ConstantId(self.out.module.constants.len() as u32);
        self.out.module.constants.push(hir::Constant {
            name: name.kind.clone(),
            value: value.data.clone(),
            ty: value.ty.clone(),
            span: name.span,
        });
        Some(id)
    }

    /// The value, if it is not too large.
    fn bounded(&mut self, value: Value, span: Span) -> Option<Value> {
        let (count, depth) = size(&value.data);
        if count <= MAX_VALUES && depth <= MAX_DEPTH {
            return Some(value);
        }
        let message = format!(
            "this constant is too large: at most {MAX_VALUES} values, {MAX_DEPTH} lists or records deep"
        );
        self.report(
            Diagnostic::error(Code::TooLargeType, span, message)
                .help("make a function that builds it"),
        );
        None
    }

    /// The defaults of a type's fields.
    fn define_defaults(&mut self, definition: &ast::TypeDef, id: hir::TypeId) {
        for field in &definition.fields.kind {
            let Some(written) = &field.kind.default else {
                continue;
            };
            let fields = &self.out.module.types[id.index()].fields;
            let place = fields
                .iter()
                .position(|known| known.span == field.kind.name.span);
            let Some(place) = place else { continue };
            let wanted = self.out.module.types[id.index()].fields[place].ty.clone();
            let default = self.default(written, &wanted, ("field", field.kind.name.span));
            self.out.module.types[id.index()].fields[place].default = default;
        }
    }

    /// The default of a field or parameter.
    pub(super) fn default(
        &mut self,
        written: &ast::Expr,
        wanted: &Type,
        (what, place): (&str, Span),
    ) -> Option<Data> {
        self.types_of_dice(written);
        let value = match self.evaluate_as(written, wanted) {
            Ok(value) => self.bounded(value, written.span)?.fitted(wanted),
            Err(wrong) => {
                self.found.extend(wrong);
                return None;
            }
        };
        if fits(&value.ty, wanted) {
            return Some(value.data);
        }
        let help = match self.out.module.dice_types(wanted) {
            Some(_) if value.ty == Type::Text => WITHOUT_QUOTES,
            _ => "give it a value of its own type",
        };
        let found = self.out.module.words(&value.ty);
        let wanted = self.out.module.words(wanted);
        let message = format!("this is {found}, and the {what} is {wanted}");
        self.report(
            Diagnostic::error(Code::WrongType, written.span, message)
                .label(place, format!("the {what}"))
                .help(help),
        );
        None
    }

    /// The types in written order with their indices; if one is defined twice, the first.
    fn types_in_order<'s>(&self, script: &'s ast::Script) -> Vec<(&'s ast::TypeDef, hir::TypeId)> {
        let definitions = items(script, |item| match item {
            ItemKind::Type(definition) => Some(definition),
            _ => None,
        });
        let placed = definitions.filter_map(|definition| {
            let Some(&TypeNamed::Record(id)) = self.types.get(&definition.name.kind) else {
                return None;
            };
            let first = self.out.module.record(id).span == definition.name.span;
            first.then_some((definition, id))
        });
        placed.collect()
    }
}

impl Constant {
    /// A mention of it, and its type if it is known; none if its value was wrong.
    pub(super) fn mention(&self) -> Option<(ExprKind, Type)> {
        match (self.id, &self.value) {
            (Some(id), _) => Some((ExprKind::Constant(id), Type::Unknown)),
            (None, Some(value)) => Some((value.written()?, value.ty.clone())),
            (None, None) => None,
        }
    }
}

impl Value {
    /// The value as an expression, if it is not a record or list.
    pub(super) fn written(&self) -> Option<ExprKind> {
        Some(match (&self.data, &self.ty) {
            (Data::Int(value), _) => ExprKind::Int(*value),
            (Data::Float(value), _) => ExprKind::Float(*value),
            (Data::Bool(value), _) => ExprKind::Bool(*value),
            (Data::Named(rung), Type::Degree(ladder)) => ExprKind::Degree(*ladder, *rung),
            (Data::Named(value), Type::Enum(_) | Type::Flags(_)) => ExprKind::Named(*value),
            (Data::Text(text), _) => ExprKind::Text(text.clone()),
            _ => return None,
        })
    }
}

/// Whether a value of a type can be used as `wanted`. An unknown type was reported, or is that of
/// an empty list's elements.
pub(super) fn fits(found: &Type, wanted: &Type) -> bool {
    match (found, wanted) {
        (Type::Unknown, _) | (_, Type::Unknown) => true,
        (Type::List(found), Type::List(wanted)) => fits(found, wanted),
        _ => found == wanted,
    }
}

/// The number of values in it, and their nesting depth.
pub(super) fn size(data: &Data) -> (usize, usize) {
    match data {
        Data::List(parts) | Data::Record(parts) => {
            let sizes = parts.iter().map(size);
            let (count, depth) = sizes.fold((0, 0), |(count, depth), part| {
                (part.0 + count, part.1.max(depth))
            });
            (count + 1, depth + 1)
        }
        Data::Int(_) | Data::Float(_) | Data::Bool(_) | Data::Named(_) | Data::Text(_) => (1, 0),
    }
}
