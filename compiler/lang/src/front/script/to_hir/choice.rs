//! Enums and flags: their definitions and constants.
//!
//! A constant that only one enum has is resolved here. One that several enums have, or that is also
//! a degree of success, is resolved by [`crate::check`], from the expected type.

use super::body::{Body, expr};
use super::constant::{Value, degree};
use super::{Lowering, TypeNamed, items};
use crate::front::script::ast::{self, ItemKind, Name};
use crate::hir::{Data, EnumId, EnumType, Expr, ExprKind, MAX_FLAGS, Type};
use crate::syntax::{Code, Diagnostic, ambiguous_constant, unknown_constant};
use dicec_runtime::limits::MAX_TEXT;
use dicec_runtime::span::Span;
use std::sync::Arc;

impl Lowering<'_> {
    pub(super) fn define_enums(&mut self, script: &ast::Script) {
        let definitions = items(script, |item| match item {
            ItemKind::Enum(definition) => Some(definition),
            _ => None,
        });
        for definition in definitions {
            // A text below 4 GiB defines fewer enums than that.
            let id = EnumId(self.out.module.enums.len() as u32);
            let is_flags = definition.is_flags;
            if !self.define_type(&definition.name, TypeNamed::Enum(id)) {
                continue;
            }
            let mut constants: Vec<&Name> = Vec::new();
            for name in &definition.constants.kind {
                match constants.iter().find(|first| first.kind == name.kind) {
                    Some(first) => self.defined_twice("constant", name, first.span),
                    None => constants.push(name),
                }
            }
            if constants.is_empty() {
                self.no_constants(definition);
            }
            if is_flags {
                self.bound_flags(definition, &mut constants);
            }
            for name in &constants {
                self.choices.entry(name.kind.clone()).or_default().push(id);
            }
            let constants = constants.into_iter().map(|name| name.kind.clone());
            let mut choice = EnumType {
                name: definition.name.kind.clone(),
                is_flags,
                constants: constants.collect::<Arc<[String]>>(),
                success: None,
                span: definition.name.span,
            };
            choice.success = self.success_of(definition, &choice);
            self.out.module.enums.push(choice);
        }
    }

    /// The lowest constant of an enum that counts as a success, if the definition has one.
    fn success_of(&mut self, definition: &ast::EnumDef, choice: &EnumType) -> Option<i64> {
        let name = definition.success.as_ref()?;
        if choice.is_flags {
            let message = format!("`{}` are flags, which have no order", choice.name);
            let found = Diagnostic::error(Code::WrongType, name.span, message);
            self.report(found.help("leave `succeeds from` out, or define an enum"));
            return None;
        }
        let number = choice.number(&name.kind);
        if number.is_none() {
            let Name { kind, span } = name;
            self.report(unknown_constant(
                kind,
                *span,
                &choice.name,
                &choice.constants,
            ));
        }
        number
    }

    /// Refuses more flags than a set has bits for, and names that are too long for a text.
    fn bound_flags(&mut self, definition: &ast::EnumDef, constants: &mut Vec<&Name>) {
        let name = &definition.name;
        if let Some(beyond) = constants.get(MAX_FLAGS) {
            let message = format!("`{}` has more than {MAX_FLAGS} constants", name.kind);
            let found = Diagnostic::error(Code::TooLargeType, beyond.span, message);
            self.report(
                found.help("make two kinds of flags, or a list of the constants of an enum"),
            );
            constants.truncate(MAX_FLAGS);
        }
        let bytes: usize = constants.iter().map(|name| name.kind.len() + 2).sum();
        if bytes > MAX_TEXT {
            let message = format!(
                "the names of all constants of `{}` are longer than {MAX_TEXT} bytes",
                name.kind
            );
            let found = Diagnostic::error(Code::TooLargeType, name.span, message);
            self.report(found.help("shorten them"));
        }
    }

    fn no_constants(&mut self, definition: &ast::EnumDef) {
        let name = &definition.name;
        let word = if definition.is_flags { "flags" } else { "enum" };
        let message = format!("`{}` has no constants", name.kind);
        let found = Diagnostic::error(Code::Expected, name.span, message);
        self.report(found.help(format!(
            "name some: `{word} {} {{ single, full }}`",
            name.kind
        )));
    }

    /// The enums that have a constant of this name.
    pub(super) fn enums_with(&self, constant: &str) -> &[EnumId] {
        self.choices.get(constant).map_or(&[], Vec::as_slice)
    }

    /// The constant that a name means if `wanted` does not decide it: that of the only enum that
    /// has one, or a degree.
    pub(super) fn only_constant(&self, name: &str) -> Option<Value> {
        match (self.enums_with(name), degree(name)) {
            ([id], None) => self.constant_of(*id, name),
            ([], degree) => degree,
            _ => None,
        }
    }

    /// The constant of this name of a type that has named values.
    pub(super) fn constant_like(&self, name: &str, wanted: &Type) -> Option<Value> {
        match wanted {
            Type::Enum(id) | Type::Flags(id) => self.constant_of(*id, name),
            Type::Degree(_) => degree(name),
            _ => None,
        }
    }

    fn constant_of(&self, id: EnumId, name: &str) -> Option<Value> {
        let choice = self.out.module.choice(id);
        Some(Value {
            data: Data::Named(choice.number(name)?),
            ty: choice.ty(id),
        })
    }

    /// `mode.full`: the constant of an enum that is named, if it is one.
    pub(super) fn constant_in(
        &self,
        whole: &ast::Expr,
        name: &Name,
    ) -> Option<Result<Value, Diagnostic>> {
        let ast::ExprKind::Name(owner) = &whole.kind else {
            return None;
        };
        if owner == "degree" {
            return degree(&name.kind).map(Ok);
        }
        let Some(TypeNamed::Enum(id)) = self.types.get(owner) else {
            return None;
        };
        let found = self.constant_of(*id, &name.kind);
        Some(found.ok_or_else(|| {
            let choice = self.out.module.choice(*id);
            unknown_constant(&name.kind, name.span, &choice.name, &choice.constants)
        }))
    }

    /// A constant that several enums have, where nothing decides which one is meant.
    pub(super) fn ambiguous(&self, name: &str, span: Span) -> Diagnostic {
        let module = &self.out.module;
        let enums = self.enums_with(name).iter();
        let owners = enums.map(|id| module.choice(*id).name.as_str());
        let owners: Vec<&str> = owners.chain(degree(name).map(|_| "degree")).collect();
        ambiguous_constant(name, span, &owners)
    }
}

impl Body<'_, '_> {
    /// A name that is not of a variable or a constant of the script.
    pub(super) fn choice(&mut self, name: &str, span: Span) -> Option<Expr> {
        if let Some(value) = self.lowering.only_constant(name) {
            let kind = value.written()?;
            return Some(Expr {
                kind,
                ty: value.ty,
                span,
            });
        }
        if self.lowering.enums_with(name).is_empty() {
            return None;
        }
        let index = self.lowering.out.field_name(name);
        Some(expr(ExprKind::Named(index.into()), span))
    }

    /// `mode.full`, if `mode` is an enum and not a variable.
    pub(super) fn choice_in(&mut self, whole: &ast::Expr, name: &Name, span: Span) -> Option<Expr> {
        if let ast::ExprKind::Name(owner) = &whole.kind
            && (self.find(owner).is_some() || self.lowering.constants.contains_key(owner))
        {
            return None;
        }
        match self.lowering.constant_in(whole, name)? {
            Ok(value) => {
                let kind = value.written()?;
                Some(Expr {
                    kind,
                    ty: value.ty,
                    span,
                })
            }
            Err(unknown) => {
                self.report(unknown);
                Some(self.unresolved(span))
            }
        }
    }
}
