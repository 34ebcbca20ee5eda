//! The typed tree as indented text, for compiler engineers: a node a line, with the bytes that it
//! was written at.

use super::{
    Condition, Counting, Die, Expr, ExprKind, Group, Marks, Members, Module, Pool, Select, Stage,
    TermPart,
};
use dicec_runtime::span::Span;
use std::fmt::{Display, Write};

impl Module {
    /// A rule's tree as text, after its resources.
    pub fn tree(&self) -> String {
        let mut lines = TreeText::default();
        for (slot, used) in self.resources.iter().enumerate() {
            let what = format!("resource {slot} = [{}]", used.name);
            lines.push(0, what, used.span);
        }
        if let Some(roll) = self.rule() {
            node_lines(self, &roll.body, 0, &mut lines);
        }
        lines.text
    }
}

fn node_lines(module: &Module, node: &Expr, depth: usize, lines: &mut TreeText) {
    let ty = module.type_name(&node.ty);
    let mut branch = |what: String, parts: &[&Expr]| {
        lines.push(depth, format!("{what}: {ty}"), node.span);
        for part in parts {
            node_lines(module, part, depth + 1, lines);
        }
    };
    match &node.kind {
        ExprKind::Int(value) => branch(format!("int {value}"), &[]),
        ExprKind::Resource(slot) => branch(format!("resource {}", slot.0), &[]),
        ExprKind::Negate(value) => branch("negate".into(), &[value]),
        ExprKind::Arith(op, left, right) => branch(format!("arith {op}"), &[left, right]),
        ExprKind::Compare(op, left, right) => branch(format!("compare {op}"), &[left, right]),
        ExprKind::NotNegative(value) => branch("not negative".into(), &[value]),
        ExprKind::AtLeast(low, value) => branch(format!("at least {low}"), &[value]),
        ExprKind::Versus(against, roll, class) => branch(against.word().into(), &[roll, class]),
        ExprKind::Float(value) => branch(format!("float {}", value.get()), &[]),
        ExprKind::ToFloat(value) => branch("to float".into(), &[value]),
        ExprKind::Math(function, args) => {
            branch(function.to_string(), &args.iter().collect::<Vec<_>>());
        }
        ExprKind::Pool(pool) => {
            lines.push(depth, format!("pool: {ty}"), node.span);
            pool_lines(module, pool, node.span, depth + 1, lines);
        }
        ExprKind::Group(group) => {
            lines.push(depth, format!("group: {ty}"), node.span);
            group_lines(module, group, depth + 1, lines);
        }
        // The rest is of scripts.
        other => branch(format!("{other:?}"), &[]),
    }
}

fn pool_lines(module: &Module, pool: &Pool, span: Span, depth: usize, lines: &mut TreeText) {
    node_lines(module, &pool.count, depth, lines);
    match &pool.die {
        Die::Sides(sides) => node_lines(module, sides, depth, lines),
        Die::Faces(faces) => {
            lines.push(depth, format!("{} faces", faces.len()), span);
        }
    }
    select_lines(module, &pool.selects, depth, lines);
    for stage in &pool.stages {
        match stage {
            Stage::Explode(how, condition) => {
                lines.push(depth, format!("explode {how}"), span);
                let condition = condition.iter().collect::<Vec<_>>();
                condition_lines(module, "if", &condition, depth + 1, lines);
            }
            Stage::Reroll { once, conditions } => {
                let what = if *once { "reroll once" } else { "reroll" };
                condition_lines(
                    module,
                    what,
                    &conditions.iter().collect::<Vec<_>>(),
                    depth,
                    lines,
                );
            }
            Stage::Bound(how, bound) => {
                lines.push(depth, how, bound.span);
                node_lines(module, bound, depth + 1, lines);
            }
            Stage::Select(selects) => select_lines(module, selects, depth, lines),
        }
    }
    mark_lines(module, &pool.marks, depth, lines);
    counting_lines(module, pool.counting.as_ref(), depth, lines);
}

fn group_lines(module: &Module, group: &Group, depth: usize, lines: &mut TreeText) {
    select_lines(module, &group.selects, depth, lines);
    match &group.members {
        Members::Totals(members) => {
            for member in members {
                node_lines(module, member, depth, lines);
            }
        }
        Members::Dice(terms) => {
            for term in terms {
                let what = match term.part {
                    TermPart::Joined => "dice",
                    TermPart::Added => "plus",
                    TermPart::Subtracted => "less",
                };
                lines.push(depth, what, term.expr.span);
                node_lines(module, &term.expr, depth + 1, lines);
            }
        }
    }
    mark_lines(module, &group.marks, depth, lines);
    counting_lines(module, group.counting.as_ref(), depth, lines);
}

fn mark_lines(module: &Module, marks: &Marks, depth: usize, lines: &mut TreeText) {
    let conditions: Vec<&Condition> = marks.conditions().collect();
    condition_lines(module, "mark", &conditions, depth, lines);
}

fn select_lines(module: &Module, selects: &[Select], depth: usize, lines: &mut TreeText) {
    for select in selects {
        lines.push(
            depth,
            format!("select {}", select.selector),
            select.count.span,
        );
        node_lines(module, &select.count, depth + 1, lines);
    }
}

fn counting_lines(
    module: &Module,
    counting: Option<&Counting>,
    depth: usize,
    lines: &mut TreeText,
) {
    let Some(counting) = counting else { return };
    let kinds = [
        ("double", &counting.double),
        ("success", &counting.success),
        ("failure", &counting.failure),
    ];
    for (what, conditions) in kinds {
        let conditions: Vec<&Condition> = conditions.iter().collect();
        condition_lines(module, what, &conditions, depth, lines);
    }
}

fn condition_lines(
    module: &Module,
    what: &str,
    conditions: &[&Condition],
    depth: usize,
    lines: &mut TreeText,
) {
    for condition in conditions {
        let span = condition.threshold.span;
        lines.push(depth, format!("{what} {}", condition.op), span);
        node_lines(module, &condition.threshold, depth + 1, lines);
    }
}

/// The lines of a tree.
#[derive(Default)]
pub(crate) struct TreeText {
    pub(crate) text: String,
}

impl TreeText {
    /// Adds a node.
    pub(crate) fn push(&mut self, depth: usize, what: impl Display, span: Span) {
        // Writing to a String cannot fail.
        let _ = writeln!(
            self.text,
            "{:indent$}{what}  @{span}",
            "",
            indent = depth * 2
        );
    }
}
