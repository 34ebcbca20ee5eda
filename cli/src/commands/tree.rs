//! Syntax trees and typed trees as indented text, for `dicec emit`: a node a line, with the bytes that it was written at.

use dicec_compiler::front::notation::{Ast, AstKind};
use dicec_compiler::hir::{Expr, ExprKind, Program, Type};
use dicec_runtime::span::Span;
use std::fmt::{Display, Write};

/// The syntax tree.
pub(super) fn ast(tree: &Ast) -> String {
    let mut lines = Lines::default();
    ast_node(tree, 0, &mut lines);
    lines.text
}

/// The typed tree, after its resources.
pub(super) fn hir(program: &Program) -> String {
    let mut lines = Lines::default();
    for (slot, used) in program.resources.iter().enumerate() {
        let what = format!("resource {slot} = [{}]", used.name);
        lines.push(0, what, used.span);
    }
    hir_node(&program.body, 0, &mut lines);
    lines.text
}

fn ast_node(node: &Ast, depth: usize, lines: &mut Lines) {
    let mut branch = |what: String, parts: &[&Ast]| {
        lines.push(depth, what, node.span);
        for part in parts {
            ast_node(part, depth + 1, lines);
        }
    };
    match &node.kind {
        AstKind::Number(value) => branch(format!("number {value}"), &[]),
        AstKind::Resource(name) => branch(format!("resource [{name}]"), &[]),
        AstKind::Negate(value) => branch("negate".into(), &[value]),
        AstKind::Binary(op, left, right) => branch(format!("binary {op}"), &[left, right]),
        AstKind::Compare(op, left, right) => branch(format!("compare {op}"), &[left, right]),
        AstKind::Versus(roll, class) => branch("vs".into(), &[roll, class]),
        AstKind::Dice(None, sides) => branch("dice".into(), &[sides]),
        AstKind::Dice(Some(count), sides) => branch("dice".into(), &[count, sides]),
        AstKind::Error => branch("error".into(), &[]),
    }
}

fn hir_node(node: &Expr, depth: usize, lines: &mut Lines) {
    let ty = match node.ty {
        Type::Unknown => "?",
        Type::Int => "int",
        Type::Bool => "bool",
    };
    let mut branch = |what: String, parts: &[&Expr]| {
        lines.push(depth, format!("{what}: {ty}"), node.span);
        for part in parts {
            hir_node(part, depth + 1, lines);
        }
    };
    match &node.kind {
        ExprKind::Int(value) => branch(format!("int {value}"), &[]),
        ExprKind::Resource(slot) => branch(format!("resource {}", slot.0), &[]),
        ExprKind::Negate(value) => branch("negate".into(), &[value]),
        ExprKind::Arith(op, left, right) => branch(format!("arith {op}"), &[left, right]),
        ExprKind::Compare(op, left, right) => branch(format!("compare {op}"), &[left, right]),
        ExprKind::AtLeast(low, value) => branch(format!("at least {low}"), &[value]),
        ExprKind::Versus(roll, class) => branch("vs".into(), &[roll, class]),
        ExprKind::Pool(pool) => branch("pool".into(), &[&pool.count, &pool.sides]),
    }
}

#[derive(Default)]
struct Lines {
    text: String,
}

impl Lines {
    fn push(&mut self, depth: usize, what: impl Display, span: Span) {
        // Writing to a String cannot fail.
        let _ = writeln!(
            self.text,
            "{:indent$}{what}  @{span}",
            "",
            indent = depth * 2
        );
    }
}
