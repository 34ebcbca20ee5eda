//! The formatter: a script in its normal layout. Tokens, comments and single blank lines are kept;
//! only spaces and line breaks change.
//!
//! Comments stay where they were: on lines of their own, or after a statement, a field or an
//! opening brace. One inside a statement goes before it, one before an `else` after its brace.

mod choice;
mod expression;
mod statement;

use super::ast::{Import, Item, ItemKind, Node, Param, Script, StmtKind, Type, TypeDef, TypeName};
use super::parse::{Parsed, parse, parse_rule};
use crate::front::frame::Frame;
use crate::front::notation::Dialect;
use crate::syntax::{Diagnostics, SourceLimits};
use dicec_runtime::bug;
use dicec_runtime::span::Span;
use expression::expression;
pub use expression::quoted;

/// Formats a script. The result parses to the same tree, holds the same comments and is its own
/// format.
///
/// # Errors
/// Everything that is wrong with the text.
pub fn format(text: &str, limits: SourceLimits) -> Result<String, Diagnostics> {
    let Parsed {
        script,
        comments,
        diagnostics,
    } = parse(text, limits);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let mut formatter = Formatter {
        text,
        comments: &comments,
        out: String::with_capacity(text.len()),
        depth: 0,
        first: true,
    };
    formatter.script(&script);
    Ok(formatter.out)
}

/// Formats a compound rule: on one line, with single spaces.
///
/// # Errors
/// Everything that is wrong with the text.
pub fn format_rule(
    text: &str,
    dialect: Dialect,
    limits: SourceLimits,
) -> Result<String, Diagnostics> {
    let rule = Frame::of(text).rule;
    let Parsed {
        script,
        diagnostics,
        ..
    } = parse_rule(text, rule, dialect, limits);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let mut out = String::with_capacity(text.len());
    let rolls = script.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Roll(roll) => Some(&roll.body.kind),
        _ => None,
    });
    for statement in rolls.flatten() {
        match &statement.kind {
            StmtKind::Assign(name, _, value) => {
                out.push_str("let ");
                expression(&mut out, name);
                out.push_str(" = ");
                expression(&mut out, value);
                out.push_str("; ");
            }
            StmtKind::Return(Some(value)) => expression(&mut out, value),
            _ => bug!("a rule holds only names and a value").raise(),
        }
    }
    Ok(out)
}

struct Formatter<'t> {
    text: &'t str,
    /// The comments that are not written yet.
    comments: &'t [Span],
    out: String,
    /// The number of open braces.
    depth: usize,
    /// Whether nothing is written yet in the innermost braces.
    first: bool,
}

/// Lines and comments.
impl Formatter<'_> {
    /// Begins a line, after a blank one if `blank` and if something precedes it.
    fn begin_line(&mut self, blank: bool) {
        if blank && !self.first {
            self.out.push('\n');
        }
        self.first = false;
        for _ in 0..self.depth {
            self.out.push_str("    ");
        }
    }

    /// Whether a blank line precedes this offset in the text.
    fn is_blank_before(&self, place: u32) -> bool {
        let before = &self.text[..place as usize];
        let spaces = &before[before.trim_end().len()..];
        spaces.bytes().filter(|byte| *byte == b'\n').count() > 1
    }

    /// Takes the next comment if it begins before `place`.
    fn comment_before(&mut self, place: u32) -> Option<Span> {
        let (first, rest) = self.comments.split_first()?;
        (first.start < place).then(|| {
            self.comments = rest;
            *first
        })
    }

    /// Writes the comments before `place` on lines of their own.
    fn comments_before(&mut self, place: u32) {
        while let Some(comment) = self.comment_before(place) {
            let blank = self.is_blank_before(comment.start);
            self.own_line(comment, blank);
        }
    }

    fn own_line(&mut self, comment: Span, blank: bool) {
        self.begin_line(blank);
        self.out.push_str(&self.text[comment.range()]);
        self.out.push('\n');
    }

    /// Begins the line of something at `start`, whose comments up to `end` go before it.
    fn begin(&mut self, start: u32, end: u32) {
        self.comments_before(start);
        let mut blank = self.is_blank_before(start);
        while let Some(comment) = self.comment_before(end) {
            self.own_line(comment, blank);
            blank = false;
        }
        self.begin_line(blank);
    }

    /// Ends the line of something that ended at `end`, with the comments that follow it.
    fn end_line(&mut self, mut end: u32) {
        while let Some(comment) = self.comments.first() {
            let between = &self.text[end as usize..comment.start.max(end) as usize];
            if comment.start < end || !between.trim().is_empty() || between.contains('\n') {
                break;
            }
            self.comments = &self.comments[1..];
            self.out.push(' ');
            self.out.push_str(&self.text[comment.range()]);
            end = comment.end;
        }
        self.out.push('\n');
    }

    /// Writes what `inside` writes between the braces at `braces`.
    fn braces(&mut self, braces: Span, is_empty: bool, inside: impl FnOnce(&mut Self)) {
        let close = braces.end - 1;
        let comments = self.comments.first();
        if is_empty && comments.is_none_or(|comment| comment.start >= close) {
            self.out.push_str("{}");
            return;
        }
        self.out.push('{');
        self.end_line(braces.start + 1);
        let first = std::mem::replace(&mut self.first, true);
        self.depth += 1;
        inside(self);
        self.comments_before(close);
        self.depth -= 1;
        self.first = first;
        self.begin_line(false);
        self.out.push('}');
    }
}

/// Definitions.
impl Formatter<'_> {
    fn script(&mut self, script: &Script) {
        for item in &script.items {
            self.begin(item.span.start, head_end(item));
            self.item(item);
            self.end_line(item.span.end);
        }
        self.comments_before(u32::MAX);
    }

    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Import(import) => self.import(import),
            ItemKind::Const(constant) => {
                self.out.push_str("const ");
                self.out.push_str(&constant.name.kind);
                self.out.push_str(" = ");
                expression(&mut self.out, &constant.value);
                self.out.push(';');
            }
            ItemKind::Type(definition) => self.type_def(definition),
            ItemKind::Enum(definition) => self.enum_def(definition),
            ItemKind::Table(table) => self.table(table),
            ItemKind::Function(function) => {
                self.out.push_str("deffun ");
                self.out.push_str(&function.name.kind);
                self.params(&function.params);
                if let Some(result) = &function.result {
                    self.out.push_str(" : ");
                    self.ty(result);
                }
                self.out.push(' ');
                self.block(&function.body);
            }
            ItemKind::Roll(roll) => {
                self.out.push_str("defroll ");
                self.out.push_str(&quoted(&roll.label.kind));
                self.out.push(' ');
                self.out.push_str(&roll.name.kind);
                self.params(&roll.params);
                self.out.push(' ');
                self.block(&roll.body);
            }
        }
    }

    fn import(&mut self, import: &Import) {
        self.out.push_str("import ");
        match import {
            Import::File(file) => self.out.push_str(&quoted(&file.kind)),
            Import::Std(name) => {
                self.out.push_str("std.");
                self.out.push_str(&name.kind);
            }
        }
        self.out.push(';');
    }

    fn type_def(&mut self, definition: &TypeDef) {
        self.out.push_str("deftype ");
        self.out.push_str(&definition.name.kind);
        self.out.push(' ');
        let Node { kind, span } = &definition.fields;
        self.braces(*span, kind.is_empty(), |formatter| {
            for field in kind {
                formatter.begin(field.span.start, field.span.end);
                formatter.out.push_str(&field.kind.name.kind);
                formatter.out.push_str(": ");
                formatter.ty(&field.kind.ty);
                if let Some(default) = &field.kind.default {
                    formatter.out.push_str(" = ");
                    expression(&mut formatter.out, default);
                }
                formatter.out.push(',');
                formatter.end_line(field.span.end);
            }
        });
    }

    fn params(&mut self, params: &[Param]) {
        self.out.push('(');
        for (index, param) in params.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.out.push_str(&param.name.kind);
            self.out.push_str(": ");
            self.ty(&param.ty);
            if let Some(default) = &param.default {
                self.out.push_str(" = ");
                expression(&mut self.out, default);
            }
        }
        self.out.push(')');
    }

    pub(super) fn ty(&mut self, ty: &Type) {
        let (name, lists) = &ty.kind;
        self.out.push_str(match name {
            TypeName::Int => "int",
            TypeName::Float => "float",
            TypeName::Bool => "bool",
            TypeName::Text => "string",
            TypeName::Named(name) => name,
        });
        for _ in 0..*lists {
            self.out.push_str(" list");
        }
    }
}

/// Where the first line of a definition ends.
fn head_end(item: &Item) -> u32 {
    match &item.kind {
        ItemKind::Import(_) | ItemKind::Const(_) => item.span.end,
        ItemKind::Type(definition) => definition.fields.span.start,
        ItemKind::Enum(definition) => definition.constants.span.start,
        ItemKind::Table(table) => table.rows.span.start,
        ItemKind::Function(function) => function.body.span.start,
        ItemKind::Roll(roll) => roll.body.span.start,
    }
}
