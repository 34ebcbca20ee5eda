//! Operators, by how tightly they bind, and their operands.

use super::Parser;
use crate::front::notation::ast::{Ast, AstKind, BinaryOp};
use crate::front::notation::dialect::Dialect;
use crate::front::notation::token::{Token, TokenKind};
use dicec_runtime::against::Against;
use dicec_runtime::span::Span;

/// How tightly operators bind; see the parser's table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Power {
    Versus,
    Compare,
    Sum,
    Product,
    Negate,
    Raise,
}

impl Power {
    fn of(op: BinaryOp) -> Self {
        match op {
            BinaryOp::Add | BinaryOp::Sub => Power::Sum,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => Power::Product,
            BinaryOp::Pow => Power::Raise,
        }
    }
}

/// An operand, with the properties that later operators need.
pub(super) struct Operand {
    pub(super) ast: Ast,
    /// It ends in dice or a group outside parentheses.
    pub(super) open_pool: bool,
    /// It is a count of successes of the notation dialect, outside parentheses.
    pub(super) open_count: bool,
    /// The number of parentheses around it.
    pub(super) parens: u32,
}

impl Operand {
    pub(super) fn closed(ast: Ast) -> Self {
        Self {
            ast,
            open_pool: false,
            open_count: false,
            parens: 0,
        }
    }

    pub(super) fn error(span: Span) -> Self {
        Self::closed(Ast::new(AstKind::Error, span))
    }
}

impl Parser<'_> {
    /// An operand and all operators after it that bind at least as tightly as `least`.
    pub(super) fn expression(&mut self, least: Power) -> Operand {
        let first = match least {
            Power::Versus => self.first_operand(),
            _ => self.operand(),
        };
        self.operators(first, least)
    }

    /// The first operand of a rule or a part of it: a bare `under 45` rolls a d100.
    pub(super) fn first_operand(&mut self) -> Operand {
        match self.cursor.peek() {
            Some(token) if matches!(token.kind, TokenKind::Versus(Against::Target(_))) => {
                Operand::closed(Ast::d100(token.span))
            }
            _ => self.operand(),
        }
    }

    /// The operators after `left` that bind at least as tightly as `least`, with their right sides.
    pub(super) fn operators(&mut self, mut left: Operand, least: Power) -> Operand {
        while let Some(token) = self.cursor.peek() {
            left = match token.kind {
                TokenKind::Dice | TokenKind::FateDice => {
                    let dice = self.dice(Some(left));
                    self.label(dice)
                }
                TokenKind::Modifier(_) | TokenKind::Explode(_) | TokenKind::ExplodeEqual => {
                    let dice = self.late_modifiers(left);
                    self.label(dice)
                }
                TokenKind::Binary(op) if Power::of(op) >= least => self.binary(left, op, token),
                TokenKind::Compare(_) if Power::Compare >= least => self.check(left, token),
                TokenKind::Versus(against) if Power::Versus >= least => {
                    self.versus(left, against, token.span)
                }
                _ => break,
            };
        }
        left
    }

    /// The operator `op` with its right side.
    fn binary(&mut self, left: Operand, op: BinaryOp, token: Token) -> Operand {
        self.cursor.bump();
        self.in_calculation = true;
        // A right side takes only what binds tighter, so that operators associate to the left;
        // powers do not.
        let right = match op {
            BinaryOp::Add | BinaryOp::Sub => self.expression(Power::Product),
            BinaryOp::Mul | BinaryOp::Div => self.expression(Power::Negate),
            BinaryOp::Rem => {
                self.notation_only(token.span, "has no remainder");
                self.expression(Power::Negate)
            }
            BinaryOp::Pow => {
                self.notation_only(token.span, "has no powers");
                self.nested(token.span, |parser| parser.expression(Power::Raise))
                    .unwrap_or_else(|| Operand::error(token.span))
            }
        };
        self.join(left, right, |left, right| AstKind::Binary(op, left, right))
    }

    /// A comparison with its right side.
    fn check(&mut self, left: Operand, token: Token) -> Operand {
        let TokenKind::Compare(op) = token.kind else {
            return left;
        };
        self.cursor.bump();
        self.in_calculation = false;
        let right = self.expression(Power::Sum);
        let middle = right.ast.span;
        let goes_on = matches!(self.cursor.peek_kind(), Some(TokenKind::Compare(_)));
        let whole = self.dialect == Dialect::Notation && self.nesting == 0 && !goes_on;
        if whole && is_written(&left.ast) && is_written(&right.ast) {
            self.constant_check(left.ast.span.to(right.ast.span));
        }
        let check = self.join(left, right, |left, right| AstKind::Compare(op, left, right));
        self.refuse_chain(check.ast.span, token.span, middle);
        check
    }

    /// A `vs` or `under` with its right side.
    fn versus(&mut self, left: Operand, against: Against, word: Span) -> Operand {
        self.cursor.bump();
        let right = self.expression(Power::Sum);
        let versus = self.join(left, right, |left, right| {
            AstKind::Versus(against, left, right)
        });
        self.refuse_second_versus(against, word);
        versus
    }

    /// Joins two operands, or gives up if the tree grows too high.
    fn join(
        &mut self,
        left: Operand,
        right: Operand,
        kind: impl FnOnce(Box<Ast>, Box<Ast>) -> AstKind,
    ) -> Operand {
        let span = left.ast.span.to(right.ast.span);
        let (left_counts, right_counts) = (left.open_count, right.open_count);
        let (left_span, right_span) = (left.ast.span, right.ast.span);
        let kind = kind(Box::new(left.ast), Box::new(right.ast));
        if left_counts {
            let compares = matches!(kind, AstKind::Compare(..));
            self.count_before_operator(left_span, right_span, compares);
        } else if right_counts {
            self.count_behind_operator(left_span, right_span);
        }
        Operand::closed(self.node(kind, span))
    }

    /// A sign, dice, a group or a primary, with its label.
    pub(super) fn operand(&mut self) -> Operand {
        let operand = self.unlabelled();
        self.label(operand)
    }

    fn unlabelled(&mut self) -> Operand {
        match self.cursor.peek() {
            Some(token) if token.kind == TokenKind::Binary(BinaryOp::Sub) => {
                self.cursor.bump();
                self.nested(token.span, |parser| parser.negation(token.span))
                    .unwrap_or_else(|| Operand::error(token.span))
            }
            Some(token) if token.kind == TokenKind::OpenBrace => self.group(token.span),
            Some(token) if matches!(token.kind, TokenKind::Dice | TokenKind::FateDice) => {
                self.dice(None)
            }
            _ => {
                let primary = self.primary("a number, dice or a [resource] is missing here");
                self.tight_dice(primary)
            }
        }
    }

    /// The operand with the label that follows it at once, as in `2d6[fire]`.
    fn label(&mut self, term: Operand) -> Operand {
        let label = self
            .cursor
            .peek()
            .filter(|token| token.glued && self.takes_labels && token.kind == TokenKind::Resource);
        let Some(label) = label else { return term };
        // Between two resources, an operator is more likely to be missing.
        let is_bare = !self.cursor.slice(term.ast.span).starts_with('(');
        if is_bare && matches!(term.ast.kind, AstKind::Resource(_) | AstKind::Error) {
            return term;
        }
        let Some(written) = self.cursor.slice(label.span).strip_prefix('[') else {
            return term;
        };
        let name = written.trim_end_matches(']').trim().into();
        self.cursor.bump();
        let span = term.ast.span.to(label.span);
        let kind = AstKind::Labelled(name, Box::new(term.ast));
        Operand::closed(self.node(kind, span))
    }

    fn negation(&mut self, sign: Span) -> Operand {
        let value = self.expression(Power::Negate);
        if value.open_count {
            self.count_behind_operator(sign, value.ast.span);
        }
        let span = sign.to(value.ast.span);
        Operand::closed(self.node(AstKind::Negate(Box::new(value.ast)), span))
    }

    /// The dice that `count` counts, if a `d` follows at once.
    fn tight_dice(&mut self, count: Operand) -> Operand {
        match self.cursor.peek_kind() {
            Some(TokenKind::Dice | TokenKind::FateDice) => self.dice(Some(count)),
            _ => count,
        }
    }
}

/// Whether it is the same in every roll.
fn is_written(ast: &Ast) -> bool {
    match &ast.kind {
        AstKind::Resource(_)
        | AstKind::Hole(_)
        | AstKind::Dice(_)
        | AstKind::Versus(..)
        | AstKind::Error => false,
        kind => !kind.any_part(|part| !is_written(part)),
    }
}
