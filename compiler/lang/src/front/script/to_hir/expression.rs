//! Expressions.

use super::TypeNamed;
use super::body::{Body, expr};
use super::evaluate::arith;
use crate::front::notation::rerolled;
use crate::front::script::ast::{self, BinaryOp, ExprKind as Ast, Name, UnaryOp};
use crate::hir::{Expr, ExprKind};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;

impl Body<'_, '_> {
    /// An expression, without its type.
    pub(super) fn expr(&mut self, ast: &ast::Expr) -> Expr {
        let span = ast.span;
        let kind = match &ast.kind {
            Ast::Int(value) => ExprKind::Int(*value),
            Ast::Float(value) => ExprKind::Float(*value),
            Ast::Bool(value) => ExprKind::Bool(*value),
            Ast::Text(text) => {
                self.note_braces(text, span);
                ExprKind::Text(text.clone())
            }
            Ast::Name(name) => return self.name(name, span),
            Ast::Resource(name) => ExprKind::Resource(self.lowering.out.resource(name, span)),
            Ast::Dice(dice) if let Some(group) = rerolled(dice) => {
                return self.rolled_again(group, span);
            }
            Ast::Dice(_) | Ast::DiceCall(..) => return self.roll(ast, span),
            Ast::Paren(inner) => return self.expr(inner),
            Ast::Unary(UnaryOp::Negate, value) => ExprKind::Negate(self.boxed(value)),
            Ast::Unary(UnaryOp::Not, value) => ExprKind::Not(self.boxed(value)),
            Ast::Unary(UnaryOp::Clamp, value) if !self.lowering.clamps => return self.expr(value),
            Ast::Unary(UnaryOp::Clamp, value) => ExprKind::AtLeast(0, self.boxed(value)),
            Ast::Binary(BinaryOp::Versus(_), ..) => return self.versus(ast),
            Ast::Binary(op, left, right) => {
                let (left, right) = (self.boxed(left), self.boxed(right));
                binary(*op, left, right)
            }
            Ast::Choose(parts) => {
                let parts = parts.each_ref().map(|part| self.expr(part));
                ExprKind::Choose(Box::new(parts))
            }
            Ast::List(items) => ExprKind::List(self.all(items)),
            Ast::Call(name, arguments) => return self.call(name, arguments, span),
            Ast::Match(parts) => return self.match_value(parts, span),
            Ast::Field(record, name) => {
                if let Some(constant) = self.choice_in(record, name, span) {
                    return constant;
                }
                let record = self.boxed(record);
                ExprKind::Field(record, self.lowering.out.field_name(&name.kind))
            }
            Ast::Slice(parts) => return self.slice(parts, span),
            Ast::Range(parts) => return self.range_as_value(parts, span),
            Ast::Copies(parts) => return self.copies(parts, span),
            Ast::Gather(name, parts) => return self.gathered(name, parts, span),
            Ast::ListOf(parts) => return self.list_of(parts, span),
            Ast::Index(list, index) => ExprKind::Element(self.boxed(list), self.boxed(index)),
            Ast::Parts(_) => return self.parts_of_nothing(span),
            Ast::Record(name, fields) => return self.record(name, fields, span),
            // Reported by the parser.
            Ast::Error => return self.unresolved(span),
        };
        expr(kind, span)
    }

    pub(super) fn boxed(&mut self, ast: &ast::Expr) -> Box<Expr> {
        Box::new(self.expr(ast))
    }

    /// A variable, a constant, a degree or a constant of an enum.
    fn name(&mut self, name: &str, span: Span) -> Expr {
        if let Some(local) = self.find(name) {
            return expr(ExprKind::Local(local), span);
        }
        if let Some(constant) = self.lowering.constants.get(name) {
            return match constant.mention() {
                Some((kind, ty)) => Expr { kind, ty, span },
                None => self.unresolved(span),
            };
        }
        match self.choice(name, span) {
            Some(constant) => constant,
            None => self.unknown_name(name, span),
        }
    }

    /// `name{ field: value }`
    fn record(&mut self, name: &Name, fields: &[(Name, ast::Expr)], span: Span) -> Expr {
        let Some(&TypeNamed::Record(id)) = self.lowering.types.get(&name.kind) else {
            let unknown = self.lowering.not_a_record(name);
            self.report(unknown);
            for (_, value) in fields {
                self.expr(value);
            }
            return self.unresolved(span);
        };
        let mut written: Vec<(u32, Expr)> = Vec::new();
        let mut places: Vec<(u32, Span)> = Vec::new();
        for (field, value) in fields {
            let value = self.expr(value);
            let known = &self.lowering.out.module.record(id).fields;
            let place = known.iter().position(|known| known.name == field.kind);
            let Some(place) = place.map(|place| place as u32) else {
                let unknown = self.lowering.unknown_field(field, id);
                self.report(unknown);
                continue;
            };
            if let Some(&(_, first)) = places.iter().find(|(known, _)| *known == place) {
                self.field_twice(field, first);
                continue;
            }
            places.push((place, field.span));
            written.push((place, value));
        }
        expr(ExprKind::Record(id, written), span)
    }

    fn field_twice(&mut self, field: &Name, first: Span) {
        let message = format!("the field `{}` has two values", field.kind);
        let found = Diagnostic::error(Code::DefinedTwice, field.span, message)
            .label(first, "the first one")
            .help("remove one of them");
        self.report(found);
    }
}

/// `left op right`, as if both were numbers or truth values; the checker finds out what they are.
fn binary(op: BinaryOp, left: Box<Expr>, right: Box<Expr>) -> ExprKind {
    if let Some(op) = arith(op) {
        return ExprKind::Arith(op, left, right);
    }
    match op {
        BinaryOp::Compare(op) => ExprKind::Compare(op, left, right),
        BinaryOp::And => ExprKind::And(left, right),
        _ => ExprKind::Or(left, right),
    }
}
