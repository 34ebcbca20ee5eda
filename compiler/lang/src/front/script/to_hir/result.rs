//! The results of rolls that have several parts: `return { hits: h, crits: c };`, `return (best,
//! second);`. They are records of a type that only the roll has; the checker finds out what its
//! fields hold.

use super::body::{Body, expr};
use crate::front::script::ast::{self, ExprKind as Ast, Name};
use crate::hir::{Data, Expr, ExprKind, Field, RecordType, Type, TypeId};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;

/// The type of such a result, as messages call it.
const RESULT: &str = "result";

type Part = (Option<Name>, ast::Expr);

impl Body<'_, '_> {
    /// A value that is returned.
    pub(super) fn returned(&mut self, value: &ast::Expr) -> Expr {
        let Ast::Parts(parts) = &value.kind else {
            return self.expr(value);
        };
        let span = value.span;
        let names = names(parts);
        let values: Vec<Expr> = parts.iter().map(|(_, value)| self.expr(value)).collect();
        let module = &self.lowering.out.module;
        if !module
            .rolls
            .iter()
            .any(|roll| roll.function == self.function)
        {
            return self.parts_of_nothing(span);
        }
        if let Some((name, first)) = twice(&names) {
            self.lowering.defined_twice("part", name, first.span);
            return self.unresolved(span);
        }
        match self.result_type(&names, span) {
            Some(id) => expr(ExprKind::Record(id, (0..).zip(values).collect()), span),
            None => self.unresolved(span),
        }
    }

    /// Parts that are not the result of a roll.
    pub(super) fn parts_of_nothing(&mut self, span: Span) -> Expr {
        let message = "only a roll returns several parts like this";
        let found = Diagnostic::error(Code::WrongType, span, message);
        self.report(found.help(
            "define a type, `deftype strike { hits: int, crits: int }`, and return a record of it: \
             `return strike{ hits: h, crits: c };`",
        ));
        self.unresolved(span)
    }

    /// The type of the roll's result, with parts of these names.
    fn result_type(&mut self, names: &[Name], span: Span) -> Option<TypeId> {
        let module = &mut self.lowering.out.module;
        if let Some(&id) = self.lowering.results.get(&self.function) {
            let known = &module.record(id).fields;
            let known: Vec<&str> = known.iter().map(|field| field.name.as_str()).collect();
            if known.iter().eq(names.iter().map(|name| &name.kind)) {
                return Some(id);
            }
            let message = format!("the parts of another `return` are {}", known.join(", "));
            let found = Diagnostic::error(Code::WrongType, span, message);
            self.report(found.help("return the same parts, in the same order"));
            return None;
        }
        // A text below 4 GiB has fewer types than that.
        let id = TypeId(module.types.len() as u32);
        let field = |name: &Name| Field {
            name: name.kind.clone(),
            ty: Type::Unknown,
            default: None::<Data>,
            span: name.span,
        };
        module.types.push(RecordType {
            name: RESULT.to_owned(),
            fields: names.iter().map(field).collect(),
            span: Span::default(),
        });
        self.lowering.results.insert(self.function, id);
        Some(id)
    }
}

/// The names of parts: their own, or those of the variables that they are, or else their numbers.
fn names(parts: &[Part]) -> Vec<Name> {
    let own = parts.iter().map(|(name, value)| match (name, &value.kind) {
        (Some(name), _) => Some(name.clone()),
        (None, Ast::Name(variable)) => Some(Name::new(variable.clone(), value.span)),
        (None, _) => None,
    });
    let numbered = || {
        let numbers = (1..).zip(parts);
        let numbers =
            numbers.map(|(number, (_, value))| Name::new(format!("{number}"), value.span));
        numbers.collect::<Vec<Name>>()
    };
    let is_tuple = parts.iter().any(|(name, _)| name.is_none());
    match own.collect::<Option<Vec<Name>>>() {
        Some(names) if !is_tuple || twice(&names).is_none() => names,
        _ => numbered(),
    }
}

/// A name that an earlier part has, too, with that.
fn twice(names: &[Name]) -> Option<(&Name, &Name)> {
    let mut later = names.iter().enumerate();
    later.find_map(|(index, name)| {
        let mut before = names[..index].iter();
        let first = before.find(|first| first.kind == name.kind)?;
        Some((name, first))
    })
}
