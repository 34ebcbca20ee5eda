//! The syntax tree as indented text, for compiler engineers: a node a line, with the bytes that it
//! was written at.

use super::{Ast, AstKind, Condition, Die, Modifier, ModifierKind};
use crate::hir::TreeText;
use std::fmt::Display;

impl Ast {
    /// The tree as text.
    pub fn tree(&self) -> String {
        let mut lines = TreeText::default();
        node_lines(self, 0, &mut lines);
        lines.text
    }
}

fn node_lines(node: &Ast, depth: usize, lines: &mut TreeText) {
    let mut branch = |what: String, parts: &[&Ast]| {
        lines.push(depth, what, node.span);
        for part in parts {
            node_lines(part, depth + 1, lines);
        }
    };
    match &node.kind {
        AstKind::Number(value) => branch(format!("number {value}"), &[]),
        AstKind::Float(value) => branch(format!("float {}", value.get()), &[]),
        AstKind::Resource(name) => branch(format!("resource [{name}]"), &[]),
        AstKind::Negate(value) => branch("negate".into(), &[value]),
        AstKind::Binary(op, left, right) => branch(format!("binary {op}"), &[left, right]),
        AstKind::Compare(op, left, right) => branch(format!("compare {op}"), &[left, right]),
        AstKind::Versus(against, roll, number) => branch(against.word().into(), &[roll, number]),
        AstKind::Call(function, arguments) => {
            branch(
                format!("call {function}"),
                &arguments.iter().collect::<Vec<_>>(),
            );
        }
        AstKind::Dice(dice) => {
            let mut parts: Vec<&Ast> = dice.count.iter().collect();
            let die = match &dice.die {
                Die::Sides(sides) => {
                    parts.push(sides);
                    "dice".to_owned()
                }
                Die::Percent => "dice of %".to_owned(),
                Die::Fate => "dice of F".to_owned(),
                Die::Faces(faces) => format!("dice of {} faces", faces.len()),
            };
            branch(die, &parts);
            modifier_lines(&dice.modifiers, depth + 1, lines);
        }
        AstKind::Group(group) => {
            branch("group".into(), &group.members.iter().collect::<Vec<_>>());
            modifier_lines(&group.modifiers, depth + 1, lines);
        }
        AstKind::Labelled(label, term) => branch(format!("label [{label}]"), &[term]),
        AstKind::Hole(index) => branch(format!("hole {index}"), &[]),
        AstKind::Error => branch("error".into(), &[]),
    }
}

fn modifier_lines(modifiers: &[Modifier], depth: usize, lines: &mut TreeText) {
    for modifier in modifiers {
        let op = |word: &dyn Display, condition: &Condition| format!("{word} {}", condition.op);
        let ops = |word: &str, conditions: &[Condition]| match conditions.first() {
            Some(first) => op(&word, first),
            None => word.to_owned(),
        };
        let what = match &modifier.kind {
            ModifierKind::Select(selector, _) => selector.to_string(),
            ModifierKind::Explode(explosion, None) => explosion.to_string(),
            ModifierKind::Explode(explosion, Some(condition)) => op(explosion, condition),
            ModifierKind::Reroll {
                once: true,
                condition,
            } => op(&"ro", condition),
            ModifierKind::Reroll { condition, .. } => op(&"r", condition),
            ModifierKind::Bound(how, _) => how.to_string(),
            ModifierKind::Middle(_) => "km".to_owned(),
            ModifierKind::Success(conditions) => ops("count", conditions),
            ModifierKind::Double(conditions) => ops("double", conditions),
            ModifierKind::Failure(conditions) => ops("fail", conditions),
            ModifierKind::Critical(None) => "cs".to_owned(),
            ModifierKind::Critical(Some(condition)) => op(&"cs", condition),
            ModifierKind::Fumble(None) => "cf".to_owned(),
            ModifierKind::Fumble(Some(condition)) => op(&"cf", condition),
            ModifierKind::Sort(order) => order.to_string(),
        };
        lines.push(depth, what, modifier.span);
        for operand in modifier.operands() {
            node_lines(operand, depth + 1, lines);
        }
    }
}
