//! Constants that several enums or flags have, or that are also degrees: the expected type decides
//! which one is meant.

use super::scope::Scope;
use crate::hir::{Block, EnumId, Expr, ExprKind, Module, Type, each_expr};
use crate::syntax::{Code, Diagnostic, ambiguous_constant, unknown_constant};
use dicec_runtime::degree::Ladder;
use dicec_runtime::span::Span;

impl Scope<'_> {
    /// Gives a constant without a type the one that is wanted.
    pub(super) fn resolve(&mut self, expr: &mut Expr, wanted: &Type) {
        let ExprKind::Named(index) = expr.kind else {
            return;
        };
        // One with a type has the wanted one.
        let Some(name) = self.name_at(index).filter(|_| expr.ty == Type::Unknown) else {
            return;
        };
        let constant = match wanted {
            Type::Enum(id) | Type::Flags(id) => {
                self.script.choice(*id).number(name).map(ExprKind::Named)
            }
            Type::Degree(ladder) => {
                let rung = ladder.rung_of(name);
                rung.map(|rung| ExprKind::Degree(*ladder, rung))
            }
            _ => None,
        };
        match constant {
            Some(kind) => {
                expr.kind = kind;
                expr.ty = wanted.clone();
            }
            None => {
                let found = not_of_type(self.script, name, expr.span, wanted);
                self.report(found);
                // Nothing else is said about it.
                expr.kind = ExprKind::Int(0);
            }
        }
    }

    fn name_at(&self, index: i64) -> Option<&str> {
        let index = usize::try_from(index).ok()?;
        self.script.field_names.get(index).map(String::as_str)
    }

    /// `mode.full` where `mode` is also a variable, which has no fields.
    pub(super) fn constant_of_type(&self, whole: &Expr, field: u32, span: Span) -> Option<Expr> {
        let ExprKind::Local(local) = whole.kind else {
            return None;
        };
        if matches!(whole.ty, Type::Record(_) | Type::Unknown) {
            return None;
        }
        let owner = &self.locals[local.index()].name;
        let id = self
            .script
            .enums
            .iter()
            .position(|known| known.name == *owner)?;
        // A text below 4 GiB defines fewer enums than that.
        let id = EnumId(id as u32);
        let choice = self.script.choice(id);
        let number = choice.number(self.name_at(field.into())?)?;
        Some(Expr {
            kind: ExprKind::Named(number),
            ty: choice.ty(id),
            span,
        })
    }

    /// Reports constants of which nothing determined the type.
    pub(super) fn unresolved_constants(&mut self, body: &Block) {
        let mut unresolved = Vec::new();
        each_expr(body, &mut |expr| {
            if let (ExprKind::Named(index), Type::Unknown) = (&expr.kind, &expr.ty) {
                unresolved.push((*index, expr.span));
            }
        });
        for (index, span) in unresolved {
            let Some(name) = self.name_at(index).map(str::to_owned) else {
                continue;
            };
            let enums = self.script.enums.iter();
            let enums = enums.filter(|known| known.number(&name).is_some());
            let owners = enums.map(|known| known.name.as_str());
            let degree = Ladder::PATHFINDER.rung_of(&name).map(|_| "degree");
            let owners: Vec<&str> = owners.chain(degree).collect();
            let found = ambiguous_constant(&name, span, &owners);
            self.report(found);
        }
    }
}

/// A name where a constant of this type is wanted.
pub(super) fn not_of_type(script: &Module, name: &str, span: Span, wanted: &Type) -> Diagnostic {
    match wanted {
        Type::Enum(id) | Type::Flags(id) => {
            let choice = script.choice(*id);
            unknown_constant(name, span, &choice.name, &choice.constants)
        }
        Type::Degree(ladder) => {
            let words: Vec<&str> = ladder.words().collect();
            unknown_constant(name, span, "degree", &words)
        }
        _ => {
            let wanted = script.words(wanted);
            let message = format!("`{name}` is a constant of an enum, but {wanted} is wanted here");
            let found = Diagnostic::error(Code::WrongType, span, message);
            found.help("use a value of that type, or a variable")
        }
    }
}
