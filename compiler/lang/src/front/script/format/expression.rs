//! Expressions on one line. Parentheses are part of the tree, so none are added.

use crate::front::notation::{Dialect, print};
use crate::front::script::ast::{Comprehension, Expr, ExprKind, Match, Name, Pattern};
use crate::front::script::ast::{PatternKind, UnaryOp};
use crate::hir::Float;

/// Writes an expression. Its height is at most [`crate::syntax::SourceLimits::HEIGHT`], which
/// bounds the recursion.
pub(super) fn expression(out: &mut String, expr: &Expr) {
    match &expr.kind {
        ExprKind::Int(value) => out.push_str(&value.to_string()),
        ExprKind::Float(value) => float(out, *value),
        ExprKind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        ExprKind::Text(text) => out.push_str(&quoted(text)),
        ExprKind::Name(name) => out.push_str(name),
        ExprKind::Resource(name) => out.push_str(&format!("[{name}]")),
        ExprKind::Dice(dice) => out.push_str(&print(dice, Dialect::Rulebook)),
        ExprKind::DiceCall(parts, dice) => {
            out.push_str("d(");
            separated(out, &parts[..], expression);
            out.push(')');
            let dice = print(dice, Dialect::Rulebook);
            out.push_str(dice.trim_start_matches(['?', 'd']));
        }
        ExprKind::Paren(value) => {
            out.push('(');
            expression(out, value);
            out.push(')');
        }
        ExprKind::Unary(op, value) => unary(out, *op, value),
        ExprKind::Binary(op, left, right) => {
            expression(out, left);
            out.push_str(&format!(" {op} "));
            expression(out, right);
        }
        ExprKind::Choose(parts) => {
            let [condition, yes, no] = &**parts;
            expression(out, condition);
            out.push_str(" ? ");
            expression(out, yes);
            out.push_str(" : ");
            expression(out, no);
        }
        ExprKind::Call(name, arguments) => {
            out.push_str(&name.kind);
            out.push('(');
            separated(out, &arguments.values, expression);
            if !arguments.values.is_empty() && !arguments.named.is_empty() {
                out.push_str(", ");
            }
            separated(out, &arguments.named, named);
            out.push(')');
        }
        ExprKind::List(items) => {
            out.push('[');
            separated(out, items, expression);
            // Without its comma it would be a resource.
            out.push_str(if items.len() == 1 { ",]" } else { "]" });
        }
        ExprKind::Match(parts) => match_value(out, parts),
        ExprKind::Field(record, name) => {
            expression(out, record);
            out.push('.');
            out.push_str(&name.kind);
        }
        ExprKind::Index(list, index) => {
            expression(out, list);
            out.push('[');
            expression(out, index);
            out.push(']');
        }
        ExprKind::Slice(parts) => {
            let [list, first, last] = &**parts;
            expression(out, list);
            out.push('[');
            expression(out, first);
            out.push_str("..");
            expression(out, last);
            out.push(']');
        }
        ExprKind::Range(parts) => {
            let [first, last] = &**parts;
            expression(out, first);
            out.push_str("..");
            expression(out, last);
        }
        ExprKind::Copies(parts) => {
            let [value, count] = &**parts;
            out.push('[');
            expression(out, value);
            out.push_str("; ");
            expression(out, count);
            out.push(']');
        }
        ExprKind::Gather(name, parts) => {
            out.push_str(&name.kind);
            out.push('(');
            comprehension(out, parts);
            out.push(')');
        }
        ExprKind::ListOf(parts) => {
            out.push('[');
            comprehension(out, parts);
            out.push(']');
        }
        ExprKind::Record(name, fields) => {
            out.push_str(&name.kind);
            let (open, close) = if fields.is_empty() {
                ("{", "}")
            } else {
                ("{ ", " }")
            };
            out.push_str(open);
            separated(out, fields, named);
            out.push_str(close);
        }
        ExprKind::Parts(parts) => {
            let has_names = parts.iter().any(|(name, _)| name.is_some());
            let (open, close) = if has_names { ("{ ", " }") } else { ("(", ")") };
            out.push_str(open);
            separated(out, parts, |out, (name, value)| {
                if let Some(name) = name {
                    out.push_str(&name.kind);
                    out.push_str(": ");
                }
                expression(out, value);
            });
            out.push_str(close);
        }
        // A tree with errors is not formatted.
        ExprKind::Error => out.push('?'),
    }
}

/// `name: value`
fn named(out: &mut String, (name, value): &(Name, Expr)) {
    out.push_str(&name.kind);
    out.push_str(": ");
    expression(out, value);
}

fn comprehension(out: &mut String, parts: &Comprehension) {
    expression(out, &parts.value);
    if let Some(key) = &parts.key {
        out.push_str(" by ");
        expression(out, &key.value);
        out.push_str(if key.descending { " descending" } else { "" });
    }
    out.push_str(&format!(" for {} : ", parts.name.kind));
    expression(out, &parts.list);
    if let Some(last) = &parts.last {
        out.push_str("..");
        expression(out, last);
    }
    if let Some(filter) = &parts.filter {
        out.push_str(" if ");
        expression(out, filter);
    }
}

/// Writes a float with its point, without which it would be a whole number.
fn float(out: &mut String, value: Float) {
    let digits = value.get().to_string();
    out.push_str(&digits);
    if !digits.contains('.') {
        out.push_str(".0");
    }
}

fn unary(out: &mut String, op: UnaryOp, value: &Expr) {
    match op {
        UnaryOp::Negate => out.push('-'),
        UnaryOp::Not => out.push('!'),
        UnaryOp::Clamp => {}
    }
    // `--` would be another sign.
    if op == UnaryOp::Negate && matches!(value.kind, ExprKind::Unary(UnaryOp::Negate, _)) {
        out.push(' ');
    }
    expression(out, value);
}

fn separated<T>(out: &mut String, parts: &[T], mut write: impl FnMut(&mut String, &T)) {
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write(out, part);
    }
}

/// A text in quotes: the same characters when it is read again.
pub fn quoted(text: &str) -> String {
    let mut code = String::with_capacity(text.len() + 2);
    code.push('"');
    for c in text.chars() {
        match c {
            '"' => code.push_str("\\\""),
            '\\' => code.push_str("\\\\"),
            '\n' => code.push_str("\\n"),
            '\t' => code.push_str("\\t"),
            _ => code.push(c),
        }
    }
    code.push('"');
    code
}

/// A `match` that is a value.
fn match_value(out: &mut String, parts: &Match<Expr>) {
    match_head(out, parts);
    out.push('{');
    for (place, arm) in parts.arms.kind.iter().enumerate() {
        out.push_str(if place == 0 { " " } else { ", " });
        patterns(out, &arm.kind.patterns, false);
        expression(out, &arm.kind.value);
    }
    out.push_str(" }");
}

/// `match (subject) `
pub(super) fn match_head<T>(out: &mut String, parts: &Match<T>) {
    out.push_str("match (");
    expression(out, &parts.subject);
    out.push_str(") ");
}

/// What an arm or row is for, and its colon.
pub(super) fn patterns(out: &mut String, patterns: &[Pattern], in_table: bool) {
    for (place, pattern) in patterns.iter().enumerate() {
        out.push_str(if place == 0 { "" } else { ", " });
        let (first, last) = match &pattern.kind {
            PatternKind::Value(value) => {
                expression(out, value);
                continue;
            }
            PatternKind::Range(first, last) => (first.as_ref(), last.as_ref()),
        };
        let as_in_books = in_table && [first, last].into_iter().flatten().all(is_plain);
        first.iter().for_each(|first| expression(out, first));
        out.push_str(match (first, last) {
            (Some(_), Some(_)) if as_in_books => "-",
            (Some(_), None) if as_in_books => "+",
            _ => "..",
        });
        last.iter().for_each(|last| expression(out, last));
    }
    out.push_str(if patterns.is_empty() { "else: " } else { ": " });
}

/// Whether a bound has no sign.
fn is_plain(bound: &Expr) -> bool {
    matches!(bound.kind, ExprKind::Int(_))
}
