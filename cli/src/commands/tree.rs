//! Syntax trees and typed trees as indented text, for `dicec emit`: a node a line, with the bytes
//! that it was written at.

use dicec_compiler::front::notation::{self as written, Ast, AstKind, Modifier, ModifierKind};
use dicec_compiler::hir::{
    Condition, Counting, Die, Expr, ExprKind, Group, Members, Module, Pool, Select, Stage,
};
use dicec_runtime::span::Span;
use std::fmt::{Display, Write};

/// The syntax tree.
pub(super) fn ast(tree: &Ast) -> String {
    let mut lines = Lines::default();
    ast_node(tree, 0, &mut lines);
    lines.text
}

/// The typed tree, after its resources.
pub(super) fn hir(program: &Module) -> String {
    let mut lines = Lines::default();
    for (slot, used) in program.resources.iter().enumerate() {
        let what = format!("resource {slot} = [{}]", used.name);
        lines.push(0, what, used.span);
    }
    if let Some(roll) = program.rule() {
        hir_node(program, &roll.body, 0, &mut lines);
    }
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
        AstKind::Float(value) => branch(format!("float {}", value.get()), &[]),
        AstKind::Resource(name) => branch(format!("resource [{name}]"), &[]),
        AstKind::Negate(value) => branch("negate".into(), &[value]),
        AstKind::Binary(op, left, right) => branch(format!("binary {op}"), &[left, right]),
        AstKind::Compare(op, left, right) => branch(format!("compare {op}"), &[left, right]),
        AstKind::Versus(roll, class) => branch("vs".into(), &[roll, class]),
        AstKind::Call(function, arguments) => {
            branch(
                format!("call {function}"),
                &arguments.iter().collect::<Vec<_>>(),
            );
        }
        AstKind::Dice(dice) => {
            let mut parts: Vec<&Ast> = dice.count.iter().collect();
            let die = match &dice.die {
                written::Die::Sides(sides) => {
                    parts.push(sides);
                    "dice".to_owned()
                }
                written::Die::Percent => "dice of %".to_owned(),
                written::Die::Fate => "dice of F".to_owned(),
                written::Die::Faces(faces) => format!("dice of {} faces", faces.len()),
            };
            branch(die, &parts);
            ast_modifiers(&dice.modifiers, depth + 1, lines);
        }
        AstKind::Group(group) => {
            branch("group".into(), &group.members.iter().collect::<Vec<_>>());
            ast_modifiers(&group.modifiers, depth + 1, lines);
        }
        AstKind::Hole(index) => branch(format!("hole {index}"), &[]),
        AstKind::Error => branch("error".into(), &[]),
    }
}

fn ast_modifiers(modifiers: &[Modifier], depth: usize, lines: &mut Lines) {
    for modifier in modifiers {
        let op =
            |word: &dyn Display, condition: &written::Condition| format!("{word} {}", condition.op);
        let what = match &modifier.kind {
            ModifierKind::Select(selector, _) => selector.to_string(),
            ModifierKind::Explode(explosion, None) => explosion.to_string(),
            ModifierKind::Explode(explosion, Some(condition)) => op(explosion, condition),
            ModifierKind::Reroll {
                once: true,
                condition,
            } => op(&"ro", condition),
            ModifierKind::Reroll { condition, .. } => op(&"r", condition),
            ModifierKind::AtLeast(_) => "min".to_owned(),
            ModifierKind::AtMost(_) => "max".to_owned(),
            ModifierKind::Success(condition) => op(&"count", condition),
            ModifierKind::Failure(condition) => op(&"fail", condition),
            ModifierKind::Critical(op, number) => format!("cs {op} {number}"),
            ModifierKind::Fumble(op, number) => format!("cf {op} {number}"),
            ModifierKind::Sort(order) => order.to_string(),
        };
        lines.push(depth, what, modifier.span);
        if let Some(operand) = modifier.operand() {
            ast_node(operand, depth + 1, lines);
        }
    }
}

fn hir_node(module: &Module, node: &Expr, depth: usize, lines: &mut Lines) {
    let ty = module.type_name(&node.ty);
    let mut branch = |what: String, parts: &[&Expr]| {
        lines.push(depth, format!("{what}: {ty}"), node.span);
        for part in parts {
            hir_node(module, part, depth + 1, lines);
        }
    };
    match &node.kind {
        ExprKind::Int(value) => branch(format!("int {value}"), &[]),
        ExprKind::Resource(slot) => branch(format!("resource {}", slot.0), &[]),
        ExprKind::Negate(value) => branch("negate".into(), &[value]),
        ExprKind::Arith(op, left, right) => branch(format!("arith {op}"), &[left, right]),
        ExprKind::Compare(op, left, right) => branch(format!("compare {op}"), &[left, right]),
        ExprKind::AtLeast(low, value) => branch(format!("at least {low}"), &[value]),
        ExprKind::Versus(_, roll, class) => branch("vs".into(), &[roll, class]),
        ExprKind::Float(value) => branch(format!("float {}", value.get()), &[]),
        ExprKind::ToFloat(value) => branch("to float".into(), &[value]),
        ExprKind::Math(function, args) => {
            branch(function.to_string(), &args.iter().collect::<Vec<_>>());
        }
        ExprKind::Pool(pool) => {
            lines.push(depth, format!("pool: {ty}"), node.span);
            hir_pool(module, pool, node.span, depth + 1, lines);
        }
        ExprKind::Group(group) => {
            lines.push(depth, format!("group: {ty}"), node.span);
            hir_group(module, group, depth + 1, lines);
        }
        // The rest is of scripts.
        other => branch(format!("{other:?}"), &[]),
    }
}

fn hir_pool(module: &Module, pool: &Pool, span: Span, depth: usize, lines: &mut Lines) {
    hir_node(module, &pool.count, depth, lines);
    match &pool.die {
        Die::Sides(sides) => hir_node(module, sides, depth, lines),
        Die::Faces(faces) => {
            lines.push(depth, format!("{} faces", faces.len()), span);
        }
    }
    hir_selects(module, &pool.selects, depth, lines);
    for stage in &pool.stages {
        match stage {
            Stage::Explode(how, condition) => {
                lines.push(depth, format!("explode {how}"), span);
                let condition = condition.iter().collect::<Vec<_>>();
                hir_conditions(module, "if", &condition, depth + 1, lines);
            }
            Stage::Reroll { once, conditions } => {
                let what = if *once { "reroll once" } else { "reroll" };
                hir_conditions(
                    module,
                    what,
                    &conditions.iter().collect::<Vec<_>>(),
                    depth,
                    lines,
                );
            }
            Stage::AtLeast(bound) | Stage::AtMost(bound) => {
                let least = matches!(stage, Stage::AtLeast(_));
                let what = if least { "at least" } else { "at most" };
                lines.push(depth, what, bound.span);
                hir_node(module, bound, depth + 1, lines);
            }
        }
    }
    hir_counting(module, pool.counting.as_ref(), depth, lines);
}

fn hir_group(module: &Module, group: &Group, depth: usize, lines: &mut Lines) {
    hir_selects(module, &group.selects, depth, lines);
    match &group.members {
        Members::Totals(members) => {
            for member in members {
                hir_node(module, member, depth, lines);
            }
        }
        Members::Dice(terms) => {
            for term in terms {
                let what = if term.negative {
                    "less"
                } else {
                    "dice or term"
                };
                lines.push(depth, what, term.expr.span);
                hir_node(module, &term.expr, depth + 1, lines);
            }
        }
    }
    hir_counting(module, group.counting.as_ref(), depth, lines);
}

fn hir_selects(module: &Module, selects: &[Select], depth: usize, lines: &mut Lines) {
    for select in selects {
        lines.push(
            depth,
            format!("select {}", select.selector),
            select.count.span,
        );
        hir_node(module, &select.count, depth + 1, lines);
    }
}

fn hir_counting(module: &Module, counting: Option<&Counting>, depth: usize, lines: &mut Lines) {
    let Some(counting) = counting else { return };
    hir_conditions(module, "success", &[&counting.success], depth, lines);
    let failure: Vec<&Condition> = counting.failure.iter().collect();
    hir_conditions(module, "failure", &failure, depth, lines);
}

fn hir_conditions(
    module: &Module,
    what: &str,
    conditions: &[&Condition],
    depth: usize,
    lines: &mut Lines,
) {
    for condition in conditions {
        let span = condition.threshold.span;
        lines.push(depth, format!("{what} {}", condition.op), span);
        hir_node(module, &condition.threshold, depth + 1, lines);
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
