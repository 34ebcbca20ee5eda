//! Comparisons after dice: those of single dice, with a threshold, and those of totals, which do
//! not belong to the dice.

use super::Parser;
use crate::front::notation::ast::pool::{Condition, ModifierKind};
use crate::front::notation::ast::{Ast, AstKind, BinaryOp, CompareOp};
use crate::front::notation::dialect::Dialect;
use crate::front::notation::token::TokenKind;
use dicec_runtime::span::Span;

impl Parser<'_> {
    /// Whether the comparison here is one of two totals: it has spaces around it, or a calculation
    /// on its left, and more than a number on its right, which rolls dice. A count could not be
    /// followed by that.
    pub(super) fn compares_totals(&mut self) -> bool {
        let sides = [self.cursor.peek(), self.cursor.peek_second_token()];
        let is_glued = sides.iter().flatten().any(|token| token.glued);
        if is_glued && !self.in_calculation {
            return false;
        }
        let (mut depth, mut rolls, mut is_more) = (0_usize, false, false);
        for index in 1.. {
            let Some(token) = self.cursor.peek_at(index) else {
                break;
            };
            match token.kind {
                TokenKind::Open | TokenKind::OpenBrace => depth += 1,
                TokenKind::Close | TokenKind::CloseBrace if depth > 0 => depth -= 1,
                TokenKind::Dice | TokenKind::FateDice => {
                    rolls = true;
                    is_more |= depth == 0;
                }
                _ if depth > 0 => {}
                TokenKind::Binary(_) => is_more = true,
                // `10d10 >= 8 f1`
                TokenKind::Modifier(_) if !rolls => return false,
                TokenKind::Close
                | TokenKind::CloseBrace
                | TokenKind::Comma
                | TokenKind::Compare(_)
                | TokenKind::Versus(_) => break,
                _ => {}
            }
        }
        rolls && is_more
    }

    /// A condition that has to begin with a comparison, and where it ends; `word` is what it
    /// belongs to.
    pub(super) fn condition(&mut self, word: Span) -> (Condition, Span) {
        if self.compares() {
            return self.short_condition();
        }
        let threshold = if self.starts_value() {
            self.value()
        } else {
            Ast::new(AstKind::Error, word)
        };
        let end = threshold.span;
        self.missing_comparison(word, &threshold);
        let op = CompareOp::Equal;
        (Condition { op, threshold }, end)
    }

    /// A condition that may leave out `=`, and where it ends.
    pub(super) fn short_condition(&mut self) -> (Condition, Span) {
        let mut op = CompareOp::Equal;
        if let Some(TokenKind::Compare(written)) = self.cursor.peek_kind() {
            op = written;
            self.cursor.bump();
        }
        let threshold = self.threshold();
        let end = threshold.span;
        (Condition { op, threshold }, end)
    }

    /// Whether a comparison begins here.
    pub(super) fn compares(&mut self) -> bool {
        matches!(self.cursor.peek_kind(), Some(TokenKind::Compare(_)))
    }

    /// What is counted, and where it ends: a comparison that may leave out `=`, or several numbers.
    pub(super) fn counted(
        &mut self,
        kind: impl FnOnce(Vec<Condition>) -> ModifierKind,
    ) -> (Option<ModifierKind>, Span) {
        let (conditions, end) = self.conditions();
        (Some(kind(conditions)), end)
    }

    fn conditions(&mut self) -> (Vec<Condition>, Span) {
        let op = match self.cursor.peek_kind() {
            Some(TokenKind::Compare(op)) => op,
            _ => CompareOp::Equal,
        };
        if self.compares() {
            self.cursor.bump();
        }
        if op == CompareOp::Equal && self.cursor.peek_kind() == Some(TokenKind::OpenBrace) {
            return self.numbers_in_braces();
        }
        let threshold = self.threshold();
        let mut end = threshold.span;
        let mut conditions = vec![Condition { op, threshold }];
        while op == CompareOp::Equal
            && !self.in_list
            && self.cursor.reads_text()
            && self.cursor.peek_kind() == Some(TokenKind::Comma)
            && matches!(self.cursor.peek_second(), Some(TokenKind::Number(_)))
        {
            self.cursor.bump();
            let threshold = self.value();
            end = threshold.span;
            conditions.push(Condition { op, threshold });
        }
        (conditions, end)
    }

    /// `{5,6}`
    fn numbers_in_braces(&mut self) -> (Vec<Condition>, Span) {
        let opener = self.cursor.here();
        self.cursor.bump();
        let mut conditions = Vec::new();
        loop {
            let (op, threshold) = (CompareOp::Equal, self.threshold());
            conditions.push(Condition { op, threshold });
            if self.cursor.take(TokenKind::Comma).is_none() {
                break;
            }
        }
        let closer = self.cursor.take(TokenKind::CloseBrace);
        if closer.is_none() {
            self.unclosed(opener);
        }
        (conditions, closer.map_or(opener, |closer| closer.span))
    }

    /// The right side of a comparison with a die. The notation dialect accepts a sign: a fate die
    /// may show -1.
    fn threshold(&mut self) -> Ast {
        let sign = self.cursor.here();
        let signed = self.cursor.peek_kind() == Some(TokenKind::Binary(BinaryOp::Sub));
        if self.dialect == Dialect::Rulebook || !signed {
            return self.value();
        }
        self.cursor.bump();
        let value = self.value();
        let span = sign.to(value.span);
        self.node(AstKind::Negate(Box::new(value)), span)
    }
}
