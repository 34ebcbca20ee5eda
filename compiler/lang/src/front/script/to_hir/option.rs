//! Options: `userOption(who, "text")`, and those that are answered by one of a list or by a number.
//!
//! The elements of a list are its answers, so `userOption("Which target?", foes)` is `foes[n]`,
//! where `n` is the value of [`ExprKind::Option`]; for a range, that value is the number itself.

use super::body::{Body, expr};
use super::make::{Make, Var};
use crate::front::script::ast::{self, ExprKind as Ast};
use crate::hir::{Answers, Block, CompareOp, Data, Expr, ExprKind, Offers, Type, UserOption};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;

impl Body<'_, '_> {
    pub(super) fn user_option(&mut self, arguments: &[ast::Expr], span: Span) -> Expr {
        let (who, text, answers) = match arguments {
            [text] => (None, text, None),
            [who, text, answers] => (Some(who), text, Some(answers)),
            [text, answers] if self.are_answers(text, answers) => (None, text, Some(answers)),
            [who, text] => (Some(who), text, None),
            _ => return self.unresolved(span),
        };
        match answers {
            None => {
                let asked = self.asked(who, text, Offers::YesNo, None);
                expr(ExprKind::Option(Box::new(asked)), span)
            }
            Some(answers) => match &answers.kind {
                Ast::Range(range) => self.number(who, text, range, span),
                _ => self.one_of(who, text, answers, span),
            },
        }
    }

    /// Whether two arguments are a text and its answers, and not a player and a text.
    fn are_answers(&self, first: &ast::Expr, second: &ast::Expr) -> bool {
        let is_text = |ast: &ast::Expr| {
            let local = match &ast.kind {
                Ast::Name(name) => self.find(name),
                _ => None,
            };
            self.is_text(ast) || local.is_some_and(|local| *self.type_of(local) == Type::Text)
        };
        match second.kind {
            Ast::Range(_) | Ast::List(_) | Ast::ListOf(_) | Ast::Copies(_) | Ast::Slice(_) => true,
            _ => self.is_text(first) && !is_text(second),
        }
    }

    fn asked(
        &mut self,
        who: Option<&ast::Expr>,
        text: &ast::Expr,
        offers: Offers,
        answers: Option<Answers>,
    ) -> UserOption {
        let written = who.map_or("", |who| self.lowering.slice(who.span));
        let written = written.to_owned();
        let who = who.map(|who| self.expr(who));
        let (option, text) = match self.constant(text) {
            Some(Data::Text(text)) if answers.is_none() => (self.lowering.out.option(&text), None),
            Some(Data::Text(words)) => {
                let words = expr(ExprKind::Text(words), text.span);
                (self.lowering.out.unnamed_option(offers), Some(words))
            }
            _ => {
                let text = self.expr(text);
                (self.lowering.out.unnamed_option(offers), Some(text))
            }
        };
        UserOption {
            option,
            who,
            text,
            written,
            answers,
        }
    }

    /// One of the elements of a list.
    fn one_of(
        &mut self,
        who: Option<&ast::Expr>,
        text: &ast::Expr,
        list: &ast::Expr,
        span: Span,
    ) -> Expr {
        let make = Make(span);
        let mut statements = Block::new();
        let all = self.expr(list);
        let all = self.kept(all, &mut statements);
        let some = make.compare(CompareOp::Greater, make.len(all), make.int(0));
        statements.push(make.require(some));
        let random = self.random(make.len(all), make);
        let answers = Answers {
            bounds: [make.int(0), make.plus(make.len(all), make.int(-1))],
            list: Some(make.local(all)),
            random,
        };
        let known = self.lowering.evaluate(list).ok();
        let labels = known.and_then(|list| {
            let module = &self.lowering.out.module;
            module.labels_of(&list.data, &list.ty)
        });
        let asked = self.asked(who, text, Offers::OneOf(labels), Some(answers));
        let index = expr(ExprKind::Option(Box::new(asked)), span);
        make.block(statements, make.element(all, index))
    }

    /// A number of a range.
    fn number(
        &mut self,
        who: Option<&ast::Expr>,
        text: &ast::Expr,
        range: &[ast::Expr; 2],
        span: Span,
    ) -> Expr {
        let make = Make(span);
        let mut statements = Block::new();
        let bounds = range.each_ref().map(|bound| {
            let value = self.expr(bound);
            let [var] = self.fresh(bound.span);
            // What is added has to be a whole number, and is blamed if it is not.
            statements.extend([make.set(var, make.int(0)), make.add(var, value)]);
            var
        });
        let [first, last] = bounds;
        let ordered = make.compare(CompareOp::LessEqual, make.local(first), make.local(last));
        statements.push(make.require(ordered));
        let random = self.random_between(first, last, make);
        let answers = Answers {
            bounds: bounds.map(|bound| make.local(bound)),
            list: None,
            random,
        };
        let known = range.each_ref().map(|bound| match self.constant(bound) {
            Some(Data::Int(bound)) => Some(bound),
            _ => None,
        });
        let known = match known {
            [Some(first), Some(last)] => Some([first, last]),
            _ => None,
        };
        let asked = self.asked(who, text, Offers::Numbers(known), Some(answers));
        let number = expr(ExprKind::Option(Box::new(asked)), span);
        make.block(statements, number)
    }

    fn random_between(&mut self, first: Var, last: Var, make: Make) -> Expr {
        let less = expr(ExprKind::Negate(Box::new(make.local(first))), make.0);
        let count = make.plus(make.plus(make.local(last), less), make.int(1));
        let random = self.random(count, make);
        make.plus(make.local(first), random)
    }

    /// `first..last` if it is not an answer.
    pub(super) fn range_as_value(&mut self, parts: &[ast::Expr; 2], span: Span) -> Expr {
        for part in parts {
            self.expr(part);
        }
        let message = "a range is not a value";
        let found = Diagnostic::error(Code::NoValue, span, message);
        self.report(found.help("a list of its numbers is `[i for i : 1..4]`"));
        self.unresolved(span)
    }
}
