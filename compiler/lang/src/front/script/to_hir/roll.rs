//! Rolls: an expression with dice in it becomes a [`Roll`]. Its largest parts without dice become
//! the holes of the roll.
//!
//! `roll(...)` and `d(n, s)` inside a roll are parts of it. Dice inside something other than
//! arithmetic (`?:`, `&&`, calls) end up in a hole; the checker refuses holes that roll.

use super::body::{Body, expr};
use super::builtin::Builtin;
use super::evaluate::arith;
use super::make::Make;
use crate::front::notation::{Ast as DiceAst, Rerolled, label_to_hir, part_to_hir, rolls_again};
use crate::front::script::ast::{self, BinaryOp, ExprKind as Ast, UnaryOp};
use crate::hir::{ArithOp, Block, Data, Die, Expr, ExprKind, Hole, LocalId, Pool, Roll, StmtKind};
use crate::syntax::{misplaced_versus, nothing_rolled};
use dicec_runtime::against::Against;
use dicec_runtime::span::Span;
use std::sync::Arc;

/// A roll under construction.
pub(super) struct Rule<'b, 'l, 't> {
    pub(super) body: &'b mut Body<'l, 't>,
    holes: Vec<Hole>,
    /// Whether dice are in it.
    pub(super) rolls: bool,
    /// Whether something in it was wrong, which was reported.
    pub(super) wrong: bool,
}

impl<'l, 't> Body<'l, 't> {
    /// The roll of an expression in `roll(...)`, or of plain dice.
    pub(super) fn roll(&mut self, dice: &ast::Expr, span: Span) -> Expr {
        if let Some(roll) = self.label_die(dice) {
            return rolled(roll, span);
        }
        let mut rule = self.rule();
        let value = match &unwrapped(dice).kind {
            Ast::Binary(BinaryOp::Versus(against), roll, number) => {
                rule.versus(*against, [roll, number], dice.span)
            }
            _ => rule.part(dice),
        };
        let says_more = rule.wrong || rule.holes.iter().any(|hole| rolls_itself(&hole.value));
        if !rule.rolls && !says_more {
            rule.nothing_rolled(dice);
        }
        rule.finish(value, span)
    }

    /// `a vs b` or `a under b`, which is one roll.
    pub(super) fn versus(&mut self, ast: &ast::Expr) -> Expr {
        let mut rule = self.rule();
        let value = match &ast.kind {
            Ast::Binary(BinaryOp::Versus(against), roll, number) => {
                rule.versus(*against, [roll, number], ast.span)
            }
            _ => rule.part(ast),
        };
        rule.finish(value, ast.span)
    }

    /// `d(n, s)` outside a roll.
    pub(super) fn dice_call(&mut self, arguments: &[ast::Expr], span: Span) -> Expr {
        let mut rule = self.rule();
        let value = rule.dice(arguments, span);
        rule.finish(value, span)
    }

    /// The holes and the body of the roll of an expression, if nothing is wrong with it.
    pub(super) fn rolled_parts(&mut self, dice: &ast::Expr) -> Option<(Vec<Hole>, Expr)> {
        let mut rule = self.rule();
        let body = rule.part(dice);
        if !rule.rolls && !rule.wrong {
            rule.nothing_rolled(dice);
            return None;
        }
        let Rule { holes, wrong, .. } = rule;
        (!wrong).then_some((holes, body))
    }

    /// A group that is rolled until its total stays.
    pub(super) fn rolled_again(&mut self, group: Rerolled<'_>, span: Span) -> Expr {
        let make = Make(span);
        let once = ast::Expr::new(Ast::Dice(Box::new(group.roll)), span);
        let [total] = self.fresh(span);
        let mut statements = Block::new();
        let mut rerolls: Vec<(bool, Expr)> = Vec::new();
        let mut run = Vec::new();
        for (only_once, condition) in group.rerolls {
            let [limit] = self.fresh(span);
            let dialect = self.lowering.dialect;
            let names = &mut self.lowering.out;
            let mut resource = |name: &_, span| names.resource(name, span);
            let threshold = &condition.threshold;
            let threshold = part_to_hir(threshold, dialect, &mut resource, &[], &|span| span);
            statements.push(make.set(limit, threshold));
            let meets = make.compare(condition.op, make.local(total), make.local(limit));
            // As for dice, those next to each other are one, unless one is written again.
            let repeats = only_once && run.contains(&condition);
            match rerolls.last_mut() {
                Some((once, before)) if *once == only_once && !repeats => {
                    *before = make.or(before.clone(), meets);
                }
                _ => {
                    run.clear();
                    rerolls.push((only_once, meets));
                }
            }
            run.push(condition);
        }
        let first = self.roll(&once, span);
        statements.push(make.set(total, first));
        for (only_once, meets) in rerolls {
            let again = vec![make.set(total, self.roll(&once, span))];
            statements.push(match only_once {
                true => make.when(meets, again),
                false => make.stmt(StmtKind::While(meets, again)),
            });
        }
        make.block(statements, make.local(total))
    }

    fn rule<'b>(&'b mut self) -> Rule<'b, 'l, 't> {
        Rule {
            body: self,
            holes: Vec::new(),
            rolls: false,
            wrong: false,
        }
    }

    /// The roll that is nothing but a die with labels.
    fn label_die(&mut self, dice: &ast::Expr) -> Option<Roll> {
        match &unwrapped(dice).kind {
            Ast::Dice(dice) => label_to_hir(dice, &|span| span),
            Ast::Text(_) | Ast::Name(_) => self.label_template(dice),
            _ => None,
        }
    }
}

fn rolled(roll: Roll, span: Span) -> Expr {
    expr(ExprKind::Roll(Box::new(roll)), span)
}

/// An expression without its parentheses and the `roll(...)` around it.
pub(super) fn unwrapped(mut ast: &ast::Expr) -> &ast::Expr {
    loop {
        ast = match &ast.kind {
            Ast::Paren(inner) => inner,
            Ast::Call(name, arguments) => match (Builtin::named(&name.kind), arguments.unnamed()) {
                (Some(Builtin::Roll), Some([inner])) => inner,
                _ => return ast,
            },
            _ => return ast,
        };
    }
}

impl Rule<'_, '_, '_> {
    /// The roll, once its body is known. A wrong one is not looked at any further.
    fn finish(self, body: Expr, span: Span) -> Expr {
        if self.wrong {
            return self.body.unresolved(span);
        }
        let roll = Roll {
            holes: self.holes,
            body,
            labels: Arc::default(),
            cost: 0,
        };
        rolled(roll, span)
    }

    fn versus(&mut self, against: Against, sides: [&ast::Expr; 2], span: Span) -> Expr {
        let [roll, number] = sides.map(|side| self.boxed(side));
        expr(ExprKind::Versus(against, roll, number), span)
    }

    fn boxed(&mut self, ast: &ast::Expr) -> Box<Expr> {
        Box::new(self.part(ast))
    }

    /// A part of the rule.
    fn part(&mut self, ast: &ast::Expr) -> Expr {
        let span = ast.span;
        if self.body.is_text(ast) {
            return self.template(ast);
        }
        if !has_dice(ast) {
            return self.plain(ast);
        }
        let kind = match &ast.kind {
            Ast::Dice(dice) if rolls_again(dice) => return self.hole(ast),
            Ast::Dice(dice) => return self.written(dice),
            Ast::DiceCall(parts, dice) => return self.called(parts, dice, span),
            Ast::Paren(inner) => return self.part(inner),
            Ast::Unary(UnaryOp::Negate, value) => ExprKind::Negate(self.boxed(value)),
            Ast::Binary(BinaryOp::Versus(against), ..) => {
                self.misplaced_versus(*against, span);
                ExprKind::Int(0)
            }
            Ast::Binary(op, left, right) => match arith(*op) {
                Some(op) => ExprKind::Arith(op, self.boxed(left), self.boxed(right)),
                None => return self.hole(ast),
            },
            Ast::Call(name, arguments) => match (Builtin::named(&name.kind), arguments.unnamed()) {
                (Some(builtin), Some(values)) if builtin.arity().contains(&values.len()) => {
                    return self.call(builtin, values, ast);
                }
                _ => return self.hole(ast),
            },
            _ => return self.hole(ast),
        };
        expr(kind, span)
    }

    /// A call with dice in it.
    fn call(&mut self, builtin: Builtin, arguments: &[ast::Expr], ast: &ast::Expr) -> Expr {
        let kind = match (builtin, arguments, builtin.math()) {
            // The checker refuses a roll of its own in another one.
            (Builtin::Roll, [inner], _) if self.body.is_dice_value(inner) => return self.hole(ast),
            (Builtin::Roll, [inner], _) => return self.part(inner),
            (Builtin::Dice, ..) => return self.dice(arguments, ast.span),
            (Builtin::Pow, [base, exponent], _) => {
                ExprKind::Arith(ArithOp::Pow, self.boxed(base), self.boxed(exponent))
            }
            (_, _, Some(function)) => {
                let arguments = arguments.iter().map(|argument| self.part(argument));
                ExprKind::Math(function, arguments.collect())
            }
            _ => return self.hole(ast),
        };
        expr(kind, ast.span)
    }

    /// `d(count, sides)`
    fn dice(&mut self, arguments: &[ast::Expr], span: Span) -> Expr {
        let [count, sides] = arguments else {
            self.wrong = true;
            return expr(ExprKind::Int(0), span);
        };
        self.rolls = true;
        let pool = Pool::plain(self.part(count), self.part(sides));
        expr(ExprKind::Pool(Box::new(pool)), span)
    }

    /// Dice as the notation writes them.
    pub(super) fn written(&mut self, dice: &DiceAst) -> Expr {
        self.with_holes(dice, &[])
    }

    fn with_holes(&mut self, dice: &DiceAst, holes: &[LocalId]) -> Expr {
        self.rolls = true;
        let dialect = self.body.lowering.dialect;
        let names = &mut self.body.lowering.out;
        let mut resource = |name: &_, span| names.resource(name, span);
        part_to_hir(dice, dialect, &mut resource, holes, &|span| span)
    }

    /// `d(count, sides)` with modifiers. The count and the sides replace the holes.
    fn called(&mut self, parts: &[ast::Expr; 2], dice: &DiceAst, span: Span) -> Expr {
        let [count, sides] = parts.each_ref().map(|part| self.part(part));
        let holes = [LocalId(0); 2];
        let mut rolled = self.with_holes(dice, &holes);
        rolled.span = span;
        if let ExprKind::Pool(pool) = &mut rolled.kind {
            pool.count = count;
            pool.die = Die::Sides(sides);
        }
        rolled
    }

    /// A part without dice: a number if it is a constant, a resource, or a hole.
    fn plain(&mut self, ast: &ast::Expr) -> Expr {
        match self.body.constant(ast) {
            Some(Data::Int(value)) => return expr(ExprKind::Int(value), ast.span),
            Some(Data::Float(value)) => return expr(ExprKind::Float(value), ast.span),
            _ => {}
        }
        if let Ast::Resource(name) = &unwrapped(ast).kind {
            let slot = self.body.lowering.out.resource(name, ast.span);
            return expr(ExprKind::Resource(slot), ast.span);
        }
        self.hole(ast)
    }

    /// A hole: it is computed before the dice are rolled.
    pub(super) fn hole(&mut self, ast: &ast::Expr) -> Expr {
        let local = self.hole_of(ast);
        expr(ExprKind::Local(local), ast.span)
    }

    pub(super) fn hole_of(&mut self, ast: &ast::Expr) -> LocalId {
        let value = self.body.expr(ast);
        let local = self.body.hole(ast.span);
        self.holes.push(Hole { local, value });
        local
    }

    fn misplaced_versus(&mut self, against: Against, span: Span) {
        self.wrong = true;
        let help = match against {
            Against::Class(_) => {
                "a `vs` is a roll of its own, what is rolled on its left: `roll(d20) + bonus vs ac`"
            }
            Against::Target(_) => {
                "an `under` is a roll of its own, what is rolled on its left: `roll(d100) under ws`"
            }
        };
        let place = "cannot be a part of a roll";
        let found = misplaced_versus(span, against, place, help);
        self.body.report(found);
    }

    fn nothing_rolled(&mut self, dice: &ast::Expr) {
        self.wrong = true;
        self.body.report(nothing_rolled(dice.span));
    }
}

/// Whether an expression itself, not a function that it calls, rolls or asks.
fn rolls_itself(expr: &Expr) -> bool {
    let mut rolls = false;
    expr.each(&mut |part| {
        let kind = &part.kind;
        rolls |= matches!(kind, ExprKind::Roll(_) | ExprKind::Option(_));
    });
    rolls
}

/// Whether dice are written in an expression.
pub(super) fn has_dice(ast: &ast::Expr) -> bool {
    match &ast.kind {
        Ast::Dice(_) | Ast::DiceCall(..) => true,
        Ast::Int(_)
        | Ast::Float(_)
        | Ast::Bool(_)
        | Ast::Text(_)
        | Ast::Name(_)
        | Ast::Resource(_)
        | Ast::Error => false,
        Ast::Paren(value) | Ast::Unary(_, value) | Ast::Field(value, _) => has_dice(value),
        Ast::Binary(_, left, right) | Ast::Index(left, right) => has_dice(left) || has_dice(right),
        Ast::Choose(parts) | Ast::Slice(parts) => parts.iter().any(has_dice),
        Ast::Range(parts) => parts.iter().any(has_dice),
        Ast::Copies(parts) => parts.iter().any(has_dice),
        Ast::List(items) => items.iter().any(has_dice),
        Ast::Call(name, arguments) => {
            let dice = matches!(
                Builtin::named(&name.kind),
                Some(Builtin::Roll | Builtin::Dice)
            );
            dice || arguments.all().any(has_dice)
        }
        Ast::Match(parts) => parts.parts().any(has_dice),
        Ast::Gather(_, parts) | Ast::ListOf(parts) => parts.parts().any(has_dice),
        Ast::Parts(parts) => parts.iter().any(|(_, value)| has_dice(value)),
        Ast::Record(_, fields) => fields.iter().any(|(_, value)| has_dice(value)),
    }
}
