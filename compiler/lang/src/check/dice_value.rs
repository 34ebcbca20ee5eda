//! Dice values: dice written where a value of the type `dice` is expected, or a sum of a value and
//! a number.

use super::block::Typed;
use super::scope::Scope;
use crate::hir::{
    ArithOp, Block, DICE_BONUS, DICE_HELP, DiceTypes, DiceValue, Expr, ExprKind, LocalId, Roll,
    TERM_FIELDS, Type,
};
use crate::syntax::not_dice_value;
use dicec_runtime::span::Span;

/// A sum of dice and numbers.
#[derive(Default)]
struct Sum<'e> {
    known: DiceValue,
    /// The numbers that are computed, and their signs.
    computed: Vec<(i64, &'e Expr)>,
}

impl Scope<'_> {
    /// Makes a value of dice that are written, or of a written number or resource.
    pub(super) fn make_dice(&mut self, expr: &mut Expr, types: DiceTypes) {
        if let ExprKind::Choose(parts) = &mut expr.kind {
            let [_, yes, no] = &mut **parts;
            self.make_dice(yes, types);
            self.make_dice(no, types);
            if yes.ty == no.ty {
                expr.ty = yes.ty.clone();
            }
            return;
        }
        if let ExprKind::Block(block) = &mut expr.kind {
            if let Some(value) = &mut block.value {
                self.make_dice(value, types);
                expr.ty = value.ty.clone();
            }
            return;
        }
        // A resource may be dice for one character and a number for another.
        let is_number = matches!(expr.kind, ExprKind::Int(_) | ExprKind::Resource(_));
        if !is_written(expr) && !is_number {
            return;
        }
        let make = Typed(expr.span);
        let mut sum = Sum::default();
        if let Err(other) = gather(expr, 1, &mut sum) {
            self.report(not_dice_value(other, DICE_HELP));
        }
        let mut bonus = make.int(sum.known.bonus);
        for (sign, number) in sum.computed {
            let op = if sign < 0 { ArithOp::Sub } else { ArithOp::Add };
            bonus = make.arith(op, bonus, number.clone());
        }
        let terms = sum.known.terms.iter().map(|term| {
            let numbers = term.numbers().map(|number| make.int(number));
            let mean = make.of(ExprKind::Float(term.mean()), &Type::Float);
            let fields = (0..).zip(numbers.into_iter().chain([mean]));
            let fields = fields.take(TERM_FIELDS.len()).collect();
            make.of(
                ExprKind::Record(types.term, fields),
                &Type::Record(types.term),
            )
        });
        let list = Type::List(Box::new(Type::Record(types.term)));
        let terms = make.of(ExprKind::List(terms.collect()), &list);
        let value = ExprKind::Record(types.dice, vec![(0, terms), (1, bonus), (2, make.int(1))]);
        *expr = make.of(value, &Type::Record(types.dice));
    }

    /// If one of several values is dice, makes those that are written dice, too.
    pub(super) fn dice_among(&mut self, values: &mut [&mut Expr]) {
        let mut found = values.iter();
        let Some(types) = found.find_map(|value| self.script.dice_types(&value.ty)) else {
            return;
        };
        for value in values {
            self.make_dice(value, types);
        }
    }

    /// The types of dice, if a number is added to dice, or subtracted from them.
    pub(super) fn number_added(&self, op: ArithOp, left: &Expr, right: &Expr) -> Option<DiceTypes> {
        let dice = match op {
            ArithOp::Add if left.ty == Type::Int => right,
            ArithOp::Add | ArithOp::Sub if right.ty == Type::Int => left,
            _ => return None,
        };
        self.script.dice_types(&dice.ty)
    }

    /// Turns a sum of dice and a number into dice: those of the value, with another number.
    pub(super) fn add_number(&mut self, expr: &mut Expr, types: DiceTypes) {
        let make = Typed(expr.span);
        let ExprKind::Arith(op, left, right) = &mut expr.kind else {
            return;
        };
        let op = *op;
        let mut statements = Block::new();
        let (mut dice, mut number) = (None, None);
        for side in [left, right] {
            let side = std::mem::replace(&mut **side, make.int(0));
            let ty = side.ty.clone();
            let local = self.local(&ty, side.span);
            statements.push(make.set(local, side));
            let held = if ty == Type::Int {
                &mut number
            } else {
                &mut dice
            };
            *held = Some(make.local(local, &ty));
        }
        let (Some(dice), Some(number)) = (dice, number) else {
            return;
        };
        let fields = self.script.record(types.dice).fields.iter();
        let parts = (0..).zip(fields.map(|field| field.ty.clone()));
        let part = |(at, ty): (u32, Type)| {
            let part = make.of(ExprKind::Field(Box::new(dice.clone()), at), &ty);
            match at {
                DICE_BONUS => (at, make.arith(op, part, number.clone())),
                _ => (at, part),
            }
        };
        let sum = ExprKind::Record(types.dice, parts.map(part).collect());
        *expr = make.block(statements, make.of(sum, &Type::Record(types.dice)));
    }

    /// Whether a variable holds the operand of `roll(x)` or a similar function.
    pub(super) fn is_to_be_rolled(&self, local: LocalId) -> bool {
        let local = &self.locals[local.index()];
        local.name.is_empty() && self.script.dice_types(&local.ty).is_some()
    }
}

/// Whether dice are written in a sum.
fn is_written(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Roll(roll) => is_alone(roll, expr.span),
        ExprKind::Negate(value) => is_written(value),
        ExprKind::Arith(ArithOp::Add | ArithOp::Sub, left, right) => {
            is_written(left) || is_written(right)
        }
        _ => false,
    }
}

/// Whether a roll is dice without `roll(...)` around them, whose span would be larger.
fn is_alone(roll: &Roll, span: Span) -> bool {
    roll.holes.is_empty() && roll.labels.is_empty() && roll.body.span == span
}

/// Adds what is written to a sum; the error is where something cannot be part of it.
fn gather<'e>(expr: &'e Expr, sign: i64, sum: &mut Sum<'e>) -> Result<(), Span> {
    match &expr.kind {
        ExprKind::Int(_) => sum.known.add(expr, sign),
        ExprKind::Roll(roll) if is_alone(roll, expr.span) => sum.known.add(&roll.body, sign),
        ExprKind::Negate(value) => gather(value, -sign, sum),
        ExprKind::Arith(op @ (ArithOp::Add | ArithOp::Sub), left, right) => {
            gather(left, sign, sum)?;
            let of_right = if *op == ArithOp::Add { sign } else { -sign };
            gather(right, of_right, sum)
        }
        _ => {
            let mut rolls = false;
            expr.each(&mut |part| rolls |= matches!(part.kind, ExprKind::Roll(_)));
            if rolls || expr.ty != Type::Int {
                return Err(expr.span);
            }
            sum.computed.push((sign, expr));
            Ok(())
        }
    }
}
