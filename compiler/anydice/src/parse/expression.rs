//! Expressions, by their levels (section 3).

use super::Parser;
use crate::ast::{Binary, Expr, ExprKind, Part, Prefix};
use crate::token::{Sign, TokenKind};
use dicec_lang::syntax::{Code, Diagnostic, SourceLimits};
use dicec_runtime::compare::CompareOp;
use dicec_runtime::span::Span;

/// The levels of operators between values, loosest first; all are left-associative.
const LEVELS: [&[(Sign, Binary)]; 5] = [
    &[(Sign::And, Binary::And), (Sign::Or, Binary::Or)],
    &[
        (Sign::Equal, Binary::Compare(CompareOp::Equal)),
        (Sign::NotEqual, Binary::Compare(CompareOp::NotEqual)),
        (Sign::Less, Binary::Compare(CompareOp::Less)),
        (Sign::LessEqual, Binary::Compare(CompareOp::LessEqual)),
        (Sign::Greater, Binary::Compare(CompareOp::Greater)),
        (Sign::GreaterEqual, Binary::Compare(CompareOp::GreaterEqual)),
    ],
    &[(Sign::Plus, Binary::Add), (Sign::Minus, Binary::Subtract)],
    &[
        (Sign::Star, Binary::Multiply),
        (Sign::Slash, Binary::Divide),
    ],
    &[(Sign::Caret, Binary::Power)],
];

/// The height of the tree that a chain of operators may have.
const MAX_CHAIN: u32 = SourceLimits::HEIGHT;

impl Parser<'_> {
    pub(super) fn expr(&mut self, kind: ExprKind, span: Span) -> Expr {
        let id = self.expressions;
        self.expressions += 1;
        Expr { kind, span, id }
    }

    /// An expression; `role` says for which part of the program one is wanted.
    pub(super) fn expression(&mut self, role: &str) -> Result<Expr, Diagnostic> {
        if !self.begins_value() {
            return Err(self.no_value(role));
        }
        self.nested(|parser| parser.level(0))
    }

    /// Whether the next token can begin a value.
    pub(super) fn begins_value(&self) -> bool {
        match self.peek() {
            Some(TokenKind::Number(_) | TokenKind::Variable(_) | TokenKind::Word("d")) => true,
            Some(TokenKind::Sign(sign)) => matches!(
                sign,
                Sign::OpenParen
                    | Sign::OpenBrace
                    | Sign::OpenBracket
                    | Sign::Plus
                    | Sign::Minus
                    | Sign::Not
                    | Sign::Length
            ),
            _ => false,
        }
    }

    fn level(&mut self, level: usize) -> Result<Expr, Diagnostic> {
        let Some(operators) = LEVELS.get(level) else {
            return self.at();
        };
        let mut left = self.level(level + 1)?;
        let mut chain = 0;
        while let Some(operator) = self.operator(operators) {
            self.count(&mut chain)?;
            let right = self.operand(|parser| parser.level(level + 1))?;
            let span = left.span.to(right.span);
            let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
            left = self.expr(kind, span);
        }
        Ok(left)
    }

    fn operator(&mut self, operators: &[(Sign, Binary)]) -> Option<Binary> {
        let found = operators.iter().find(|(sign, _)| self.take(*sign));
        found.map(|(_, operator)| *operator)
    }

    /// `P@X`.
    fn at(&mut self) -> Result<Expr, Diagnostic> {
        let mut left = self.dice()?;
        let mut chain = 0;
        while self.take(Sign::At) {
            self.count(&mut chain)?;
            let right = self.operand(Self::dice)?;
            let span = left.span.to(right.span);
            left = self.expr(ExprKind::At(Box::new(left), Box::new(right)), span);
        }
        Ok(left)
    }

    /// `NdF`.
    fn dice(&mut self) -> Result<Expr, Diagnostic> {
        let mut left = self.prefix()?;
        let mut chain = 0;
        while self.take_word("d") {
            self.count(&mut chain)?;
            let right = self.operand(Self::prefix)?;
            let span = left.span.to(right.span);
            let kind = ExprKind::Dice(Some(Box::new(left)), Box::new(right));
            left = self.expr(kind, span);
        }
        Ok(left)
    }

    fn count(&self, chain: &mut u32) -> Result<(), Diagnostic> {
        *chain += 1;
        if *chain < MAX_CHAIN {
            return Ok(());
        }
        let message = format!("this is a chain of more than {MAX_CHAIN} operators");
        Err(Diagnostic::error(
            Code::ChainTooLong,
            self.before(),
            message,
        ))
    }

    /// What follows an operator.
    fn operand(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Expr, Diagnostic>,
    ) -> Result<Expr, Diagnostic> {
        match self.begins_value() {
            true => read(self),
            false => Err(self.no_value("after the operator")),
        }
    }

    fn prefix(&mut self) -> Result<Expr, Diagnostic> {
        let start = self.here();
        let operator = match self.peek() {
            Some(TokenKind::Word("d")) => None,
            Some(TokenKind::Sign(Sign::Plus)) => Some(Prefix::Plus),
            Some(TokenKind::Sign(Sign::Minus)) => Some(Prefix::Minus),
            Some(TokenKind::Sign(Sign::Not)) => Some(Prefix::Not),
            Some(TokenKind::Sign(Sign::Length)) => Some(Prefix::Length),
            _ => return self.atom(),
        };
        self.bump();
        let inner = self.nested(|parser| parser.operand(Self::prefix))?;
        let span = start.to(inner.span);
        let inner = Box::new(inner);
        let kind = match operator {
            None => ExprKind::Dice(None, inner),
            Some(operator) => ExprKind::Prefix(operator, inner),
        };
        Ok(self.expr(kind, span))
    }

    fn atom(&mut self) -> Result<Expr, Diagnostic> {
        let start = self.here();
        let Some(token) = self.bump() else {
            return Err(self.no_value("here"));
        };
        match token.kind {
            TokenKind::Number(value) => Ok(self.expr(ExprKind::Number(value), token.span)),
            TokenKind::Variable(name) => {
                let variable = self.names.variable(name);
                Ok(self.expr(ExprKind::Variable(variable), token.span))
            }
            TokenKind::Sign(Sign::OpenParen) => {
                let inner = self.expression("in the parentheses")?;
                let end = self.close(Sign::CloseParen, ")", start, "parenthesis")?;
                Ok(Expr {
                    span: start.to(end),
                    ..inner
                })
            }
            TokenKind::Sign(Sign::OpenBrace) => self.sequence(start),
            TokenKind::Sign(Sign::OpenBracket) => self.call(start),
            _ => {
                self.place -= 1;
                Err(self.no_value("here"))
            }
        }
    }

    /// `{1, 2..4, 5:3}`, after the brace.
    fn sequence(&mut self, start: Span) -> Result<Expr, Diagnostic> {
        let mut parts = Vec::new();
        if !self.take(Sign::CloseBrace) {
            loop {
                parts.push(self.part()?);
                if !self.take(Sign::Comma) {
                    break;
                }
            }
            self.close(Sign::CloseBrace, "}", start, "sequence")?;
        }
        let span = start.to(self.before());
        Ok(self.expr(ExprKind::Sequence(parts), span))
    }

    fn part(&mut self) -> Result<Part, Diagnostic> {
        let from = self.expression("in the sequence")?;
        let mut to = None;
        if self.take(Sign::Dot) {
            if !self.take(Sign::Dot) {
                let message = "a range has two dots";
                let found = Diagnostic::error(Code::AnyDiceValue, self.before(), message);
                return Err(found.help("write {1..6}; there are no decimals"));
            }
            to = Some(self.expression("at the end of the range")?);
        }
        let times = match self.take(Sign::Colon) {
            true => Some(self.expression("after the colon")?),
            false => None,
        };
        Ok(Part { from, to, times })
    }

    /// `[highest 3 of 4d6]`, after the bracket: every word but `d` belongs to the name, and
    /// anything else begins an argument, which goes on as far as an expression can.
    fn call(&mut self, start: Span) -> Result<Expr, Diagnostic> {
        let mut signature: Vec<&str> = Vec::new();
        let mut arguments = Vec::new();
        loop {
            if self.take(Sign::CloseBracket) {
                break;
            }
            match self.peek() {
                Some(TokenKind::Word(word)) if word != "d" => {
                    signature.push(word);
                    self.bump();
                }
                _ if self.begins_value() => {
                    signature.push("?");
                    arguments.push(self.expression("as an argument")?);
                }
                _ => {
                    self.close(Sign::CloseBracket, "]", start, "call")?;
                    break;
                }
            }
        }
        let signature = self.names.signature(&signature.join(" "));
        let span = start.to(self.before());
        Ok(self.expr(ExprKind::Call(signature, arguments), span))
    }

    /// The error where a value is wanted.
    fn no_value(&self, role: &str) -> Diagnostic {
        let message = format!("a value is missing {role}");
        let found = Diagnostic::error(Code::AnyDiceValue, self.here(), message);
        match self.peek() {
            Some(TokenKind::Word(word)) if word.starts_with('d') && word.len() > 1 => found
                .help("small letters next to each other are one word: write `2d d6` or `2d(d6)`"),
            Some(TokenKind::Sign(Sign::Equal)) => found.help("AnyDice compares with one sign: ="),
            Some(TokenKind::Word(_)) => {
                found.help("variables have capitals, and functions stand in brackets")
            }
            Some(TokenKind::Text(_)) => found.help("a text is not a value: it names an output"),
            _ => found.help("write a number, dice, a sequence in braces or a call in brackets"),
        }
    }
}
