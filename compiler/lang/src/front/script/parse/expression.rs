//! Operators, by how tightly they bind.

use super::Parser;
use crate::front::notation::{Ast, Dialect};
use crate::front::script::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::front::script::signs::Sign;
use crate::front::script::token::TokenKind;
use dicec_runtime::against::Against;
use dicec_runtime::compare::CompareOp;

/// How tightly operators bind; see the parser's table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Power {
    Or,
    And,
    Equality,
    Order,
    Versus,
    Sum,
    Product,
    /// Tighter than all.
    Operand,
}

impl Power {
    fn of(op: BinaryOp) -> Self {
        match op {
            BinaryOp::Or => Power::Or,
            BinaryOp::And => Power::And,
            BinaryOp::Compare(CompareOp::Equal | CompareOp::NotEqual) => Power::Equality,
            BinaryOp::Compare(_) => Power::Order,
            BinaryOp::Versus(_) => Power::Versus,
            BinaryOp::Add | BinaryOp::Sub => Power::Sum,
            BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Quotient
            | BinaryOp::Rem
            | BinaryOp::StrictRem => Power::Product,
        }
    }

    /// What binds more tightly: the right side of an operator, so that operators associate to the
    /// left.
    fn above(self) -> Self {
        match self {
            Power::Or => Power::And,
            Power::And => Power::Equality,
            Power::Equality => Power::Order,
            Power::Order => Power::Versus,
            Power::Versus => Power::Sum,
            Power::Sum => Power::Product,
            Power::Product | Power::Operand => Power::Operand,
        }
    }

    /// Whether two of them in a row mean nothing.
    fn stands_alone(self) -> bool {
        matches!(self, Power::Equality | Power::Order | Power::Versus)
    }
}

impl Parser<'_> {
    /// An expression where nothing is assigned; an assignment in it is reported and read as a
    /// comparison.
    pub(super) fn expression(&mut self) -> Expr {
        let mut expr = self.expression_before_assignment();
        while self.cursor.is(Sign::Assign) {
            if expr.kind != ExprKind::Error {
                self.assignment_as_value();
            }
            self.cursor.bump();
            let right = self.expression_before_assignment();
            let span = expr.span.to(right.span);
            let op = BinaryOp::Compare(CompareOp::Equal);
            let kind = ExprKind::Binary(op, Box::new(expr), Box::new(right));
            expr = self.node(kind, span);
        }
        expr
    }

    /// An expression, be it the target of an assignment.
    pub(super) fn expression_before_assignment(&mut self) -> Expr {
        let condition = self.binary(Power::Or);
        let Some(question) = self.cursor.take(Sign::Question) else {
            return condition;
        };
        let sides = self.nested(question, |parser| {
            let yes = parser.expression();
            let help = "write `condition ? a : b`";
            let colon = parser.require(Sign::Colon, ':', help);
            let no = if colon == parser.cursor.last() {
                parser.expression()
            } else {
                Expr::new(ExprKind::Error, colon)
            };
            (yes, no)
        });
        let Some((yes, no)) = sides else {
            return condition;
        };
        let span = condition.span.to(no.span);
        self.node(ExprKind::Choose(Box::new([condition, yes, no])), span)
    }

    /// An operand and all operators after it that bind at least as tightly as `least`.
    fn binary(&mut self, least: Power) -> Expr {
        let under = Against::UNDER.word();
        let is_bare = least <= Power::Versus && self.cursor.is_word_before_operand(under);
        let mut left = if is_bare { self.d100() } else { self.unary() };
        let mut last: Option<Power> = None;
        while let Some(op) = self.operator() {
            let power = Power::of(op);
            if power < least {
                break;
            }
            if last == Some(power) && power.stands_alone() {
                self.chained(op);
            }
            last = Some(power);
            self.cursor.bump();
            let right = self.binary(power.above());
            let span = left.span.to(right.span);
            let [left_side, right_side] = match op {
                BinaryOp::Compare(_) => self.sides([left, right]),
                _ => [left, right].map(Box::new),
            };
            left = self.node(ExprKind::Binary(op, left_side, right_side), span);
        }
        left
    }

    /// The d100 that a bare `under` rolls.
    fn d100(&self) -> Expr {
        let dice = Ast::d100(self.cursor.here());
        let span = dice.span;
        Expr::new(ExprKind::Dice(Box::new(dice)), span)
    }

    /// The next operator.
    fn operator(&self) -> Option<BinaryOp> {
        if let Some(word) = self.cursor.word() {
            return BinaryOp::of_word(word);
        }
        let Some(TokenKind::Sign(sign)) = self.cursor.kind() else {
            return None;
        };
        Some(match sign {
            Sign::Or => BinaryOp::Or,
            Sign::And => BinaryOp::And,
            Sign::Compare(op) => BinaryOp::Compare(*op),
            Sign::Assign if self.rule.is_some() => BinaryOp::Compare(CompareOp::Equal),
            Sign::Plus => BinaryOp::Add,
            Sign::Minus => BinaryOp::Sub,
            // `x –;` is a decrement, which is not an operator between operands.
            Sign::Dash if self.cursor.second_is(Sign::Semicolon) => return None,
            Sign::Dash => BinaryOp::Sub,
            Sign::Star => BinaryOp::Mul,
            Sign::Slash if self.rule == Some(Dialect::Notation) => BinaryOp::Quotient,
            Sign::Slash => BinaryOp::Div,
            Sign::Percent if self.rule == Some(Dialect::Notation) => BinaryOp::StrictRem,
            Sign::Percent => BinaryOp::Rem,
            _ => return None,
        })
    }

    fn unary(&mut self) -> Expr {
        let sign = self.cursor.here();
        let op = match self.cursor.kind() {
            Some(TokenKind::Sign(Sign::Minus | Sign::Dash)) => UnaryOp::Negate,
            Some(TokenKind::Sign(Sign::Not)) => UnaryOp::Not,
            _ if self.begins_not() => return self.word_not(),
            _ => return self.postfix(),
        };
        self.cursor.bump();
        match self.nested(sign, Self::unary) {
            Some(value) => {
                let span = sign.to(value.span);
                self.node(ExprKind::Unary(op, Box::new(value)), span)
            }
            None => Expr::new(ExprKind::Error, sign),
        }
    }

    /// Whether the next token is the operator `not`, rather than a name. `not(e)` is a call, of a
    /// function that every script has unless it defines its own.
    fn begins_not(&self) -> bool {
        let not = self.cursor.word();
        let is_not = not.is_some_and(|word| word.eq_ignore_ascii_case("not"));
        let before_parenthesis = || !self.own_not && self.cursor.parenthesis_after_space();
        is_not && (self.cursor.is_word_before_operand("not") || before_parenthesis())
    }

    /// `not e`, which negates comparisons: it is read as `!e`, or `!(e)` if `e` has an operator.
    fn word_not(&mut self) -> Expr {
        let word = self.cursor.here();
        self.cursor.bump();
        let Some(mut value) = self.nested(word, |parser| parser.binary(Power::Equality)) else {
            return Expr::new(ExprKind::Error, word);
        };
        let span = word.to(value.span);
        if matches!(value.kind, ExprKind::Binary(..)) {
            let inner = value.span;
            value = self.node(ExprKind::Paren(Box::new(value)), inner);
        }
        self.node(ExprKind::Unary(UnaryOp::Not, Box::new(value)), span)
    }
}
