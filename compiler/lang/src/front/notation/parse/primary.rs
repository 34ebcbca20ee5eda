//! Operands without operators: numbers, resources, parentheses, function calls, and lists of
//! expressions.

use super::Parser;
use super::expression::{Operand, Power};
use crate::front::notation::ast::{Ast, AstKind, Function};
use crate::front::notation::token::{ModifierWord, TokenKind, resource_name};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;

impl Parser<'_> {
    /// A number, a resource, a call or something in parentheses. `missing` says what to report if
    /// there is none.
    pub(super) fn primary(&mut self, missing: &str) -> Operand {
        if let Some(leaf) = self.leaf() {
            return Operand::closed(leaf);
        }
        match self.cursor.peek() {
            Some(token) if token.kind == TokenKind::Open => self.parenthesis(),
            Some(token) if let TokenKind::Versus(_) = token.kind => self.missing_operand(missing),
            Some(token) if token.kind.is_word() => self.word(),
            _ => self.missing_operand(missing),
        }
    }

    /// An operand that is one token.
    pub(super) fn leaf(&mut self) -> Option<Ast> {
        let token = self.cursor.peek()?;
        let kind = match token.kind {
            TokenKind::Number(value) => AstKind::Number(value),
            TokenKind::Float(value) => {
                self.notation_only(token.span, "knows whole numbers only");
                AstKind::Float(value)
            }
            TokenKind::Resource => AstKind::Resource(resource_name(self.cursor.slice(token.span))),
            TokenKind::Hole(index) => AstKind::Hole(index),
            TokenKind::Broken => AstKind::Error,
            _ => return None,
        };
        self.cursor.bump();
        Some(Ast::new(kind, token.span))
    }

    /// A word where an operand is expected: a call, or a mistake.
    fn word(&mut self) -> Operand {
        let is_call = self.cursor.peek_second() == Some(TokenKind::Open);
        let is_whole = matches!(
            self.cursor.peek_kind(),
            Some(TokenKind::Word | TokenKind::Modifier(ModifierWord::Bound(_)))
        );
        let span = self.cursor.take_run();
        if is_call && is_whole {
            return self.call(span);
        }
        match Function::named(self.cursor.slice(span)) {
            Some(function) => {
                self.missing_arguments(function, span);
                // The missing argument.
                self.leaf();
            }
            None => self.unknown_word(span),
        }
        Operand::error(span)
    }

    /// The call of the function that is named at `name`; an opening parenthesis follows.
    fn call(&mut self, name: Span) -> Operand {
        let function = Function::named(self.cursor.slice(name));
        match function {
            None => self.unknown_function(name),
            Some(function) if function.is_notation_only() => {
                self.notation_only(name, "knows whole numbers only");
            }
            Some(_) => {}
        }
        let opener = self.cursor.here();
        self.cursor.bump();
        let list = self.nested(opener, |parser| parser.list(opener, TokenKind::Close));
        let (Some(function), Some((arguments, end))) = (function, list) else {
            return Operand::error(name);
        };
        let span = name.to(end);
        let fits = match function.arity() {
            Some(wanted) => arguments.len() == wanted,
            None => !arguments.is_empty(),
        };
        if !fits {
            self.wrong_arguments(function, arguments.len(), span);
        }
        Operand::closed(self.node(AstKind::Call(function, arguments), span))
    }

    /// Expressions between commas, up to the closing token; and where they end.
    pub(super) fn list(&mut self, opener: Span, closer: TokenKind) -> (Vec<Ast>, Span) {
        let outer = (self.in_list, self.in_calculation);
        self.in_list = true;
        let items = self.items(opener, closer);
        (self.in_list, self.in_calculation) = outer;
        items
    }

    fn items(&mut self, opener: Span, closer: TokenKind) -> (Vec<Ast>, Span) {
        let mut items = Vec::new();
        if let Some(token) = self.cursor.take(closer) {
            return (items, token.span);
        }
        loop {
            self.in_calculation = false;
            let item = self.expression(Power::Versus).ast;
            let end = item.span;
            items.push(item);
            self.skip_strays(|kind| kind == closer || kind == TokenKind::Comma);
            if self.cursor.take(TokenKind::Comma).is_some() {
                continue;
            }
            return match self.cursor.take(closer) {
                Some(token) => (items, token.span),
                None => {
                    self.unclosed(opener);
                    (items, end)
                }
            };
        }
    }

    /// Something in parentheses.
    pub(super) fn parenthesis(&mut self) -> Operand {
        let opener = self.cursor.here();
        self.cursor.bump();
        let outer = (self.in_list, self.in_calculation);
        (self.in_list, self.in_calculation) = (false, false);
        let inner = self.nested(opener, |parser| {
            let Operand {
                mut ast, parens, ..
            } = parser.expression(Power::Versus);
            parser.skip_strays(|kind| kind == TokenKind::Close);
            match parser.cursor.take(TokenKind::Close) {
                Some(closer) => {
                    ast.span = opener.to(closer.span);
                    ast.parens += 1;
                }
                None => parser.unclosed(opener),
            }
            Operand {
                parens: parens + 1,
                ..Operand::closed(ast)
            }
        });
        (self.in_list, self.in_calculation) = outer;
        inner.unwrap_or_else(|| Operand::error(opener))
    }

    /// Reports something else where the end of a part is expected, and skips to the end.
    fn skip_strays(&mut self, ends: impl Fn(TokenKind) -> bool) {
        let Some(token) = self.cursor.peek() else {
            return;
        };
        // Another closing token ends this part too: its own one is missing.
        if ends(token.kind) || matches!(token.kind, TokenKind::Close | TokenKind::CloseBrace) {
            return;
        }
        self.stray(token);
        self.cursor.skip_to(ends);
    }

    pub(super) fn missing_operand(&mut self, missing: &str) -> Operand {
        let span = self.cursor.here();
        self.cursor.report(
            Diagnostic::error(Code::ExpectedOperand, span, missing)
                .help("every operator needs something on both sides: `2d6 + 3`"),
        );
        Operand::error(span)
    }
}
