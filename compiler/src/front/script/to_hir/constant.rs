//! Constants and defaults: values that are known when a script is compiled.

use super::{Lowering, items};
use crate::front::script::ast::{self, ItemKind};
use crate::hir::{DEGREES, Data, Expr, ExprKind, Type};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::degree::Ladder;
use dicec_runtime::span::Span;

/// The most values in a constant: its elements and fields, however deep.
const MOST_VALUES: usize = 10_000;

/// How deep the lists and records of a constant may nest.
const MOST_DEPTH: usize = 32;

/// The most values that mentions of constants may put into a script, all in all.
const MOST_INLINED: usize = 100_000;

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
    pub(super) span: Span,
}

/// The value of a degree's name.
pub(super) fn degree(name: &str) -> Option<Value> {
    let rung = DEGREES.iter().position(|degree| *degree == name)?;
    Some(Value {
        data: Data::Degree(rung as i64),
        ty: Type::Degree(Ladder::Pathfinder),
    })
}

impl Lowering<'_> {
    /// Computes all constants and defaults, in written order: each may use what stands before it.
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
            let constant = Constant { value, span };
            self.constants.insert(name.kind.clone(), constant);
        }
    }

    /// The value, if it is not too large.
    fn bounded(&mut self, value: Value, span: Span) -> Option<Value> {
        let (count, depth) = size(&value.data);
        if count <= MOST_VALUES && depth <= MOST_DEPTH {
            return Some(value);
        }
        let message = format!(
            "this constant is too large: at most {MOST_VALUES} values, {MOST_DEPTH} lists or records deep"
        );
        self.report(
            Diagnostic::error(Code::TooLargeType, span, message)
                .help("make a function that builds it"),
        );
        None
    }

    /// The defaults of a type's fields.
    fn define_defaults(&mut self, definition: &ast::TypeDef, id: crate::hir::TypeId) {
        for field in &definition.fields.kind {
            let Some(written) = &field.kind.default else {
                continue;
            };
            let fields = &self.out.module.types[id.index()].fields;
            let place = fields
                .iter()
                .position(|known| known.span == field.kind.name.span);
            let Some(place) = place else { continue };
            let value = match self.evaluate(written) {
                Ok(value) => self.bounded(value, written.span),
                Err(wrong) => {
                    self.found.extend(wrong);
                    None
                }
            };
            let Some(value) = value else { continue };
            let wanted = self.out.module.types[id.index()].fields[place].ty.clone();
            if fits(&value.ty, &wanted) {
                self.out.module.types[id.index()].fields[place].default = Some(value.data);
            } else {
                let (found, wanted) = (
                    self.out.module.words(&value.ty),
                    self.out.module.words(&wanted),
                );
                let message = format!("this is {found}, and the field is {wanted}");
                self.report(
                    Diagnostic::error(Code::WrongType, written.span, message)
                        .label(field.kind.name.span, "the field")
                        .help("give it a value of its own type"),
                );
            }
        }
    }

    /// A mention of a constant: its value, with new lists and records at each mention.
    pub(super) fn mention(&mut self, value: &Value, span: Span) -> Option<Expr> {
        if self.inlined > MOST_INLINED {
            return None;
        }
        self.inlined = self.inlined.saturating_add(size(&value.data).0);
        if self.inlined > MOST_INLINED {
            let message = "the constants of this script are too large for being mentioned so often";
            self.report(
                Diagnostic::error(Code::TooLargeType, span, message)
                    .help("put the constant into a variable once, and use that"),
            );
            return None;
        }
        Some(self.written(&value.data, &value.ty, span))
    }

    fn written(&self, data: &Data, ty: &Type, span: Span) -> Expr {
        let kind = match (data, ty) {
            (Data::Int(value), _) => ExprKind::Int(*value),
            (Data::Float(value), _) => ExprKind::Float(*value),
            (Data::Bool(value), _) => ExprKind::Bool(*value),
            (Data::Degree(rung), _) => ExprKind::Degree(*rung),
            (Data::Text(text), _) => ExprKind::Text(text.clone()),
            (Data::List(items), Type::List(element)) => {
                let items = items.iter().map(|item| self.written(item, element, span));
                ExprKind::List(items.collect())
            }
            (Data::Record(values), Type::Record(id)) => {
                let fields = self.out.module.record(*id).fields.iter();
                let values = fields.zip(values).zip(0..);
                let values = values
                    .map(|((field, value), place)| (place, self.written(value, &field.ty, span)));
                ExprKind::Record(*id, values.collect())
            }
            // A value has its type.
            (Data::List(_) | Data::Record(_), _) => ExprKind::List(Vec::new()),
        };
        Expr {
            kind,
            ty: Type::Unknown,
            span,
        }
    }

    /// The types in written order with their places; of those that are defined twice the first.
    fn types_in_order<'s>(
        &self,
        script: &'s ast::Script,
    ) -> Vec<(&'s ast::TypeDef, crate::hir::TypeId)> {
        let definitions = items(script, |item| match item {
            ItemKind::Type(definition) => Some(definition),
            _ => None,
        });
        let placed = definitions.filter_map(|definition| {
            let id = *self.types.get(&definition.name.kind)?;
            let first = self.out.module.record(id).span == definition.name.span;
            first.then_some((definition, id))
        });
        placed.collect()
    }
}

/// Whether a value of a type can stand where `wanted` is. What is unknown was reported, or is an empty list's element.
pub(super) fn fits(found: &Type, wanted: &Type) -> bool {
    match (found, wanted) {
        (Type::Unknown, _) | (_, Type::Unknown) => true,
        (Type::List(found), Type::List(wanted)) => fits(found, wanted),
        _ => found == wanted,
    }
}

/// How many values there are, and how deep they nest.
pub(super) fn size(data: &Data) -> (usize, usize) {
    match data {
        Data::List(parts) | Data::Record(parts) => {
            let sizes = parts.iter().map(size);
            let (count, depth) = sizes.fold((0, 0), |(count, depth), part| {
                (part.0 + count, part.1.max(depth))
            });
            (count + 1, depth + 1)
        }
        Data::Int(_) | Data::Float(_) | Data::Bool(_) | Data::Degree(_) | Data::Text(_) => (1, 0),
    }
}
