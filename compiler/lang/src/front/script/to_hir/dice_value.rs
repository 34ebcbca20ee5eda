//! Dice values: literals, and `roll(x)`, `critical(x)`, `maximum(x)` and `average(x)`, which are
//! loops over the terms of a value.

use super::body::{Body, expr};
use super::builtin::Builtin;
use super::constant::Value;
use super::evaluate::Wrong;
use super::make::{Make, Var};
use super::roll::{has_dice, unwrapped};
use super::{Lowering, TypeNamed};
use crate::front::notation::{part_to_hir, rolls_again};
use crate::front::script::ast::{self, BinaryOp, ExprKind as Ast, UnaryOp};
use crate::hir::{
    Aggregate, Block, CompareOp, DICE, DICE_FIELDS, DICE_HELP, Data, DiceTypes, DiceValue, Die,
    Expr, ExprKind, Float, Hole, Pool, Roll, Select, Slot, StmtKind, TERM_FIELDS, Type, TypeId,
};
use crate::syntax::not_dice_value;
use dicec_runtime::pool::Selector;
use dicec_runtime::span::Span;
use std::sync::Arc;

impl Lowering<'_> {
    /// The types of dice that are values.
    pub(super) fn dice_types(&mut self) -> DiceTypes {
        if let Some(types) = self.out.module.dice {
            return types;
        }
        let term = self.out.module.types.len() as u32;
        let types = DiceTypes {
            term: TypeId(term),
            dice: TypeId(term + 1),
        };
        self.out.module.types.extend(types.definitions());
        self.out.module.dice = Some(types);
        let named = TypeNamed::Record(types.dice);
        self.types.entry(DICE.to_owned()).or_insert(named);
        types
    }

    /// Defines the types if dice are written in a constant.
    pub(super) fn types_of_dice(&mut self, constant: &ast::Expr) {
        if has_dice(constant) {
            self.dice_types();
        }
    }

    /// The value of dice that are written as a constant, or of a number where dice are wanted. None
    /// if it is neither.
    pub(super) fn constant_dice(
        &self,
        written: &ast::Expr,
        wanted: &Type,
    ) -> Option<Result<Value, Wrong>> {
        let types = self.out.module.dice?;
        let is_wanted = *wanted == Type::Record(types.dice);
        let is_sum = match &written.kind {
            Ast::Int(_) => is_wanted,
            Ast::Dice(_)
            | Ast::Unary(UnaryOp::Negate, _)
            | Ast::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => has_dice(written),
            _ => false,
        };
        if !is_sum || !(is_wanted || *wanted == Type::Unknown) {
            return None;
        }
        let mut value = DiceValue::default();
        let added = self.add_dice(written, 1, &mut value);
        Some(added.map(|()| Value {
            data: value.data(),
            ty: Type::Record(types.dice),
        }))
    }

    fn add_dice(&self, written: &ast::Expr, sign: i64, value: &mut DiceValue) -> Result<(), Wrong> {
        let other = |span| Some(not_dice_value(span, DICE_HELP));
        match &written.kind {
            Ast::Paren(inner) => self.add_dice(inner, sign, value),
            Ast::Unary(UnaryOp::Negate, inner) => self.add_dice(inner, -sign, value),
            Ast::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                self.add_dice(left, sign, value)?;
                let of_right = if *op == BinaryOp::Add { sign } else { -sign };
                self.add_dice(right, of_right, value)
            }
            Ast::Dice(dice) if rolls_again(dice) => Err(other(written.span)),
            Ast::Dice(dice) => {
                // A resource is not known, and refused whatever its number.
                let body = part_to_hir(dice, self.dialect, &mut |_, _| Slot(0), &[], &|span| span);
                value.add(&body, sign).map_err(other)
            }
            _ => match self.evaluate(written)?.data {
                Data::Int(number) => {
                    let number = expr(ExprKind::Int(number), written.span);
                    value.add(&number, sign).map_err(other)
                }
                _ => Err(other(written.span)),
            },
        }
    }
}

/// Functions of values.
impl Body<'_, '_> {
    /// Whether the operand of a roll is not written as dice or a text, so that it must be a dice
    /// value.
    pub(super) fn is_dice_value(&self, ast: &ast::Expr) -> bool {
        match &unwrapped(ast).kind {
            // Dice in it are of something else.
            Ast::Field(..) | Ast::Index(..) => return true,
            Ast::Call(name, _) => match self.lowering.builtin_named(name) {
                Some(Builtin::Critical) | None => return true,
                Some(_) => {}
            },
            Ast::Resource(_) | Ast::Error | Ast::Binary(BinaryOp::Versus(_), ..) => return false,
            _ => {}
        }
        let is_known = || matches!(self.constant(ast), Some(data) if data.parts().is_empty());
        !has_dice(ast) && !self.is_text(ast) && !is_known()
    }

    /// `roll(x)`: each term is a roll of its own.
    pub(super) fn roll_value(&mut self, ast: &ast::Expr, span: Span) -> Expr {
        let make = Make(span);
        let [sum, term] = self.fresh(span);
        let mut statements = Block::new();
        let value = self.dice_in(ast, &mut statements);
        let keep = |body: &mut Self| body.term_part(term, 2, make);
        let vars = [value, term, sum];
        let all = self.rolled_term(vars, None, make);
        let high = self.rolled_term(vars, Some(Selector::KeepHigh), make);
        let low = self.rolled_term(vars, Some(Selector::KeepLow), make);
        let from_top = make.compare(CompareOp::Greater, keep(self), make.int(0));
        let of_all = make.compare(CompareOp::Equal, keep(self), make.int(0));
        let some = make.stmt(StmtKind::If(from_top, high, low));
        let body = make.stmt(StmtKind::If(of_all, all, vec![some]));
        statements.push(make.set(sum, self.dice_part(value, 1, make)));
        statements.push(make.each(term, self.dice_part(value, 0, make), vec![body]));
        let rolled = Aggregate::Rolled(value.id);
        make.aggregate(rolled, Vec::new(), statements, make.local(sum))
    }

    /// Adds the roll of a term of a value to a sum. Dice of which all are kept are rolled together.
    fn rolled_term(
        &mut self,
        [value, term, sum]: [Var; 3],
        selector: Option<Selector>,
        make: Make,
    ) -> Block {
        let [index] = self.fresh(make.0);
        let holes: [Var; 3] = self.fresh(make.0);
        let [count, sides, kept] = holes.map(|hole| make.local(hole));
        let times = self.dice_part(value, 2, make);
        let mut values = vec![self.term_part(term, 0, make), self.term_part(term, 1, make)];
        let mut selects = Vec::new();
        if let Some(selector) = selector {
            let keep = self.term_part(term, 2, make);
            values.push(match selector {
                Selector::KeepLow => expr(ExprKind::Negate(Box::new(keep)), make.0),
                _ => keep,
            });
            selects.push(Select {
                selector,
                count: kept,
            });
        } else {
            values[0] = make.times(values[0].clone(), times.clone());
        }
        let pool = Pool {
            die: Die::Sides(sides),
            selects,
            ..Pool::plain(count, make.int(1))
        };
        let holes = holes.into_iter().zip(values);
        let roll = Roll {
            holes: holes
                .map(|(hole, value)| Hole {
                    local: hole.id,
                    value,
                })
                .collect(),
            body: expr(ExprKind::Pool(Box::new(pool)), make.0),
            labels: Arc::default(),
            cost: 0,
        };
        let rolled = expr(ExprKind::Roll(Box::new(roll)), make.0);
        let signed = make.times(self.term_part(term, 3, make), rolled);
        let added = vec![make.add(sum, signed)];
        match selector {
            Some(_) => vec![make.count(index, [make.int(1), times], added)],
            None => added,
        }
    }

    /// `critical(x)`: all dice twice, and the number once.
    pub(super) fn critical(&mut self, ast: &ast::Expr, span: Span) -> Expr {
        let make = Make(span);
        let types = self.lowering.dice_types();
        let mut statements = Block::new();
        let value = self.dice_in(ast, &mut statements);
        let [terms, bonus, times] = [0, 1, 2].map(|field| self.dice_part(value, field, make));
        let twice = make.times(times, make.int(2));
        let fields = vec![(0, terms), (1, bonus), (2, twice)];
        let critical = expr(ExprKind::Record(types.dice, fields), span);
        make.block(statements, critical)
    }

    /// `maximum(x)`
    pub(super) fn maximum(&mut self, ast: &ast::Expr, span: Span) -> Expr {
        self.sum_of_terms(ast, Make(span).int(0), 4, Make(span))
    }

    /// `average(x)`
    pub(super) fn average(&mut self, ast: &ast::Expr, span: Span) -> Expr {
        let zero = expr(ExprKind::Float(Float::ZERO), span);
        self.sum_of_terms(ast, zero, 5, Make(span))
    }

    /// The number of a value and a field of each term, added to a zero.
    fn sum_of_terms(&mut self, ast: &ast::Expr, zero: Expr, field: usize, make: Make) -> Expr {
        let [sum, term] = self.fresh(make.0);
        let mut statements = Block::new();
        let value = self.dice_in(ast, &mut statements);
        let [terms, bonus, times] = [0, 1, 2].map(|field| self.dice_part(value, field, make));
        let each = make.add(sum, make.times(self.term_part(term, field, make), times));
        statements.extend([
            make.set(sum, zero),
            make.add(sum, bonus),
            make.each(term, terms, vec![each]),
        ]);
        make.block(statements, make.local(sum))
    }

    /// A variable that holds a value, which is set at the end of `statements`.
    fn dice_in(&mut self, ast: &ast::Expr, statements: &mut Block) -> Var {
        let types = self.lowering.dice_types();
        let value = self.expr(ast);
        let span = value.span;
        let [var] = self.fresh(span);
        self.set_type(var.id, Type::Record(types.dice));
        statements.push(Make(span).set(var, value));
        var
    }

    fn dice_part(&mut self, value: Var, field: usize, make: Make) -> Expr {
        let field = self.lowering.out.field_name(DICE_FIELDS[field]);
        expr(ExprKind::Field(Box::new(make.local(value)), field), make.0)
    }

    fn term_part(&mut self, term: Var, field: usize, make: Make) -> Expr {
        let field = self.lowering.out.field_name(TERM_FIELDS[field]);
        expr(ExprKind::Field(Box::new(make.local(term)), field), make.0)
    }
}
