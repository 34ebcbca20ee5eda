//! The count of dice: an expression in parentheses, or a call, directly before their `d`, as a tree
//! of the notation.
//!
//! A script's parser reads it before it meets the dice, so it is converted to the tree that the
//! notation's parser would have made. Names have no meaning in dice.

use super::Parser;
use crate::front::notation::{
    Ast, AstKind, BinaryOp as DiceOp, Function, rolls_again, wrong_arguments,
};
use crate::front::script::ast::{BinaryOp, Expr, ExprKind, Name, UnaryOp};
use dicec_runtime::span::Span;

impl Parser<'_> {
    /// The count that an expression is; `None` if it cannot be one, which is reported.
    pub(super) fn count(&mut self, expr: &Expr) -> Option<Ast> {
        let kind = match &expr.kind {
            ExprKind::Int(value) => AstKind::Number(*value),
            ExprKind::Resource(name) => AstKind::Resource(name.clone()),
            ExprKind::Dice(dice) if rolls_again(dice) => {
                self.not_in_dice(expr.span);
                return None;
            }
            ExprKind::Dice(dice) => return Some((**dice).clone()),
            ExprKind::Paren(inner) => {
                let mut inner = self.count(inner)?;
                inner.span = expr.span;
                return Some(inner);
            }
            ExprKind::Unary(UnaryOp::Negate, value) => {
                AstKind::Negate(Box::new(self.count(value)?))
            }
            ExprKind::Binary(op, left, right) => {
                return self.operation(*op, left, right, expr.span);
            }
            ExprKind::Call(name, arguments) if let Some(values) = arguments.unnamed() => {
                return self.counting_call(name, values, expr.span);
            }
            // Reported already.
            ExprKind::Error => return None,
            _ => {
                self.not_in_dice(expr.span);
                return None;
            }
        };
        Some(Ast::new(kind, expr.span))
    }

    fn operation(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Option<Ast> {
        let sides = (self.count(left), self.count(right));
        let (left, right) = (Box::new(sides.0?), Box::new(sides.1?));
        let kind = match op {
            BinaryOp::Add => AstKind::Binary(DiceOp::Add, left, right),
            BinaryOp::Sub => AstKind::Binary(DiceOp::Sub, left, right),
            BinaryOp::Mul => AstKind::Binary(DiceOp::Mul, left, right),
            BinaryOp::Div | BinaryOp::Quotient => AstKind::Binary(DiceOp::Div, left, right),
            BinaryOp::Rem | BinaryOp::StrictRem => AstKind::Binary(DiceOp::Rem, left, right),
            BinaryOp::Compare(op) => AstKind::Compare(op, left, right),
            BinaryOp::Versus(against) => AstKind::Versus(against, left, right),
            BinaryOp::Or | BinaryOp::And => {
                self.not_in_dice(span);
                return None;
            }
        };
        Some(Ast::new(kind, span))
    }

    fn counting_call(&mut self, name: &Name, arguments: &[Expr], span: Span) -> Option<Ast> {
        let function = Function::named(&name.kind).filter(|function| !function.is_notation_only());
        let Some(function) = function else {
            self.not_in_dice(name.span);
            return None;
        };
        let given = arguments.len();
        if function
            .arity()
            .map_or(given == 0, |wanted| given != wanted)
        {
            let found = wrong_arguments(function, given, span);
            self.cursor.report(found);
            return None;
        }
        let arguments: Vec<Option<Ast>> = arguments.iter().map(|part| self.count(part)).collect();
        let arguments = arguments.into_iter().collect::<Option<_>>()?;
        Some(Ast::new(AstKind::Call(function, arguments), span))
    }
}
