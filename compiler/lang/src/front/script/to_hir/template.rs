//! Rolls that are written as texts: `roll("2d6 + 3")`, and texts with holes, as in `roll(r.numdice
//! + "d" + r.numsides)` (seed 004).
//!
//! The parts are joined to one text, in which each hole is written as in the script. The notation's
//! parser reads it at compile time, with a token for each hole; its locations are mapped back to
//! those in the script.

use super::body::{Body, expr};
use super::roll::Rule;
use crate::front::notation::{self, Ast as DiceAst, AstKind, Dialect, label_to_hir};
use crate::front::script::ast::{self, BinaryOp, ExprKind as Ast};
use crate::hir::{Data, Expr, ExprKind, LocalId, Roll, Type};
use crate::syntax::{Code, Diagnostic, Diagnostics, SourceLimits};
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;

/// A text that is put together, and where its parts come from.
#[derive(Default)]
struct Template<'a> {
    text: String,
    pieces: Vec<Piece>,
    /// The computed parts, with their spans in the text.
    holes: Vec<&'a ast::Expr>,
    spans: Vec<Span>,
}

/// A part of a template.
struct Piece {
    /// Where it ends in the template.
    end: u32,
    /// Where its span in the script begins, if it has the same bytes there.
    exact: Option<u32>,
    /// Where it begins in the template.
    start: u32,
    /// The expression that it comes from.
    span: Span,
}

impl Body<'_, '_> {
    /// The value of an expression, if it is a constant; nothing is reported.
    pub(super) fn constant(&self, ast: &ast::Expr) -> Option<Data> {
        self.lowering.evaluate(ast).ok().map(|value| value.data)
    }

    /// Whether an expression is a literal text, or joined with one.
    pub(super) fn is_text(&self, ast: &ast::Expr) -> bool {
        match &ast.kind {
            Ast::Text(_) => true,
            Ast::Name(name) => {
                let constant = self.lowering.constants.get(name);
                let value = constant.and_then(|constant| constant.value.as_ref());
                value.is_some_and(|value| value.ty == Type::Text)
            }
            Ast::Paren(inner) => self.is_text(inner),
            Ast::Binary(BinaryOp::Add, left, right) => self.is_text(left) || self.is_text(right),
            _ => false,
        }
    }

    /// The roll of a constant text that is one die with labels.
    pub(super) fn label_template(&mut self, ast: &ast::Expr) -> Option<Roll> {
        let template = self.put_together(ast);
        let parsed = template.parse();
        let place = |span| template.place(span);
        label_to_hir(&parsed.ast, &place).filter(|_| parsed.diagnostics.is_empty())
    }

    fn put_together<'a>(&self, ast: &'a ast::Expr) -> Template<'a> {
        let mut template = Template::default();
        self.gather(ast, &mut template);
        template
    }

    fn gather<'a>(&self, ast: &'a ast::Expr, template: &mut Template<'a>) {
        match &ast.kind {
            Ast::Paren(inner) if self.is_text(inner) => self.gather(inner, template),
            Ast::Binary(BinaryOp::Add, left, right) if self.is_text(ast) => {
                self.gather(left, template);
                self.gather(right, template);
            }
            _ => match self.constant(ast) {
                Some(Data::Text(text)) => template.words(&text, ast),
                Some(Data::Int(value)) if value >= 0 => template.words(&value.to_string(), ast),
                _ => template.hole(ast, self.lowering.slice(ast.span)),
            },
        }
    }
}

impl<'a> Template<'a> {
    fn words(&mut self, words: &str, ast: &ast::Expr) {
        let (span, length) = (ast.span, ast.span.end - ast.span.start);
        // A text without escapes has the same bytes between its quotes; typographic quotes are
        // longer.
        let quotes = length.saturating_sub(words.len() as u32);
        let exact = match &ast.kind {
            Ast::Text(_) if matches!(quotes, 2 | 6) => Some(span.start + quotes / 2),
            _ => None,
        };
        self.push(words, exact, span);
    }

    /// A hole, and how the script writes it.
    fn hole(&mut self, ast: &'a ast::Expr, written: &str) {
        let span = self.push(written, Some(ast.span.start), ast.span);
        self.holes.push(ast);
        self.spans.push(span);
    }

    fn push(&mut self, text: &str, exact: Option<u32>, span: Span) -> Span {
        let start = self.text.len() as u32;
        self.text += text;
        self.pieces.push(Piece {
            end: self.text.len() as u32,
            exact,
            start,
            span,
        });
        Span::new(start, self.text.len() as u32)
    }

    fn parse(&self) -> notation::Parsed {
        let limits = SourceLimits {
            bytes: u32::MAX,
            ..SourceLimits::default()
        };
        notation::parse_with_holes(&self.text, &self.spans, limits)
    }

    /// The span in the script of a span in the template.
    fn place(&self, span: Span) -> Span {
        let last = span.end.max(span.start + 1) - 1;
        let piece = |at: u32| {
            let found = self.pieces.iter().find(|piece| at < piece.end);
            found.or(self.pieces.last())
        };
        let (Some(first), Some(last_piece)) = (piece(span.start), piece(last)) else {
            return Span::default();
        };
        let start = match first.exact {
            Some(exact) => exact + (span.start - first.start),
            None => first.span.start,
        };
        let end = match last_piece.exact {
            Some(exact) => exact + (span.end - last_piece.start),
            None => last_piece.span.end,
        };
        Span::new(start, end)
    }
}

impl Rule<'_, '_, '_> {
    /// The part of a rule that a text writes.
    pub(super) fn template(&mut self, ast: &ast::Expr) -> Expr {
        let template = self.body.put_together(ast);
        let parsed = template.parse();
        let nothing = expr(ExprKind::Int(0), ast.span);
        if parsed.diagnostics.has_errors() {
            self.wrong = true;
            self.pass_on(&template, parsed.diagnostics, ast.span);
            return nothing;
        }
        let compares = matches!(parsed.ast.unwrapped().kind, AstKind::Compare(..));
        if compares || !holds_dice(&parsed.ast) {
            self.wrong = true;
            self.no_template(compares, ast.span);
            return nothing;
        }
        self.template_parts(&template, &parsed.ast)
    }

    fn template_parts(&mut self, template: &Template<'_>, ast: &DiceAst) -> Expr {
        self.rolls = true;
        let holes = template.holes.iter().map(|hole| self.hole_of(hole));
        let holes: Vec<LocalId> = holes.collect();
        let names = &mut self.body.lowering.out;
        let mut resource = |name: &ResourceName, span| names.resource(name, span);
        notation::part_to_hir(ast, Dialect::Rulebook, &mut resource, &holes, &|span| {
            template.place(span)
        })
    }

    /// The diagnostics of the notation's parser.
    fn pass_on(&mut self, template: &Template<'_>, found: Diagnostics, span: Span) {
        let has_digits = template.text.chars().any(|c| c.is_ascii_digit());
        if template.holes.is_empty() && !has_digits {
            return self.no_template(false, span);
        }
        let found: Vec<Diagnostic> = found
            .errors()
            .map(|found| {
                let mut found = found.clone();
                found.span = template.place(found.span);
                for label in &mut found.labels {
                    label.span = template.place(label.span);
                }
                found
            })
            .collect();
        for found in found {
            self.body.report(found);
        }
    }

    fn no_template(&mut self, compares: bool, span: Span) {
        let (message, help) = if compares {
            (
                "a roll gives a number, and this text compares",
                "compare what is rolled: `roll(\"d20\") >= 10`",
            )
        } else {
            (
                "this text writes no dice",
                "write them as in `roll(\"2d6 + 3\")` or `roll(count + \"d\" + sides)`",
            )
        };
        let found = Diagnostic::error(Code::NothingRolled, span, message);
        self.body.report(found.help(help));
    }
}

/// Whether dice or a group are in a tree.
fn holds_dice(ast: &DiceAst) -> bool {
    matches!(ast.kind, AstKind::Dice(_) | AstKind::Group(_)) || ast.kind.any_part(holds_dice)
}
