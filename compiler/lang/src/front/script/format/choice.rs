//! Enums, flags, `match` and tables in their layout.

use super::Formatter;
use super::expression::{expression, match_head, patterns};
use crate::front::script::ast::{Block, EnumDef, Match, Name, Table};
use dicec_runtime::span::Span;

/// Definitions longer than this are broken into lines.
const MAX_WIDTH: usize = 100;

impl Formatter<'_> {
    /// An enum or flags: on one line if it has room there and no comments.
    pub(super) fn enum_def(&mut self, definition: &EnumDef) {
        let word = if definition.is_flags { "flags" } else { "enum" };
        let head = format!("{word} {} ", definition.name.kind);
        self.out.push_str(&head);
        let constants = &definition.constants;
        let names: Vec<&str> = constants
            .kind
            .iter()
            .map(|name| name.kind.as_str())
            .collect();
        let line = format!("{{ {} }}", names.join(", "));
        if head.len() + line.len() <= MAX_WIDTH && !self.has_comment(constants.span) {
            self.out.push_str(&line);
        } else {
            self.braces(constants.span, names.is_empty(), |formatter| {
                for Name { kind, span } in &constants.kind {
                    formatter.begin(span.start, span.end);
                    formatter.out.push_str(kind);
                    formatter.out.push(',');
                    formatter.end_line(span.end);
                }
            });
        }
        if let Some(success) = &definition.success {
            self.out.push_str(" succeeds from ");
            self.out.push_str(&success.kind);
        }
    }

    /// Whether a comment follows that begins in `span`.
    fn has_comment(&self, span: Span) -> bool {
        let next = self.comments.first();
        next.is_some_and(|comment| comment.start < span.end)
    }

    /// A `match` of blocks.
    pub(super) fn match_blocks(&mut self, parts: &Match<Block>) {
        match_head(&mut self.out, parts);
        let arms = &parts.arms;
        self.braces(arms.span, arms.kind.is_empty(), |formatter| {
            for arm in &arms.kind {
                formatter.begin(arm.span.start, arm.kind.value.span.start);
                patterns(&mut formatter.out, &arm.kind.patterns, false);
                formatter.block(&arm.kind.value);
                formatter.end_line(arm.span.end);
            }
        });
    }
}

impl Formatter<'_> {
    /// A table: a row a line, its numbers as in books.
    pub(super) fn table(&mut self, table: &Table) {
        self.out.push_str(&format!("table {} ", table.name.kind));
        if let Some(result) = &table.result {
            self.out.push_str(": ");
            self.ty(result);
            self.out.push(' ');
        }
        let rows = &table.rows;
        self.braces(rows.span, rows.kind.is_empty(), |formatter| {
            for row in &rows.kind {
                formatter.begin(row.span.start, row.span.end);
                patterns(&mut formatter.out, &row.kind.patterns, true);
                expression(&mut formatter.out, &row.kind.value);
                formatter.out.push(',');
                formatter.end_line(row.span.end);
            }
        });
    }
}
