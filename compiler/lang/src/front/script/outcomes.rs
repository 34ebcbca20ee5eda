//! Named outcomes: the texts that a compound rule returns instead of numbers, `... ? "hit" :
//! "miss"`, become the constants of an enum, in written order. The parser keeps them as texts.

use super::ast::{
    Arm, EnumDef, Expr, ExprKind, Item, ItemKind, Match, Name, Node, Script, StmtKind, UnaryOp,
};

/// The enum of a rule's named outcomes. Nothing that is written can have this name.
const OUTCOMES: &str = "named outcome";

/// Replaces the texts that the rule may give by constants of an enum, which is added to the tree.
pub(super) fn name_outcomes(rule: &mut Script) {
    let mut outcomes = Outcomes { names: Vec::new() };
    for item in &mut rule.items {
        let ItemKind::Roll(roll) = &mut item.kind else {
            continue;
        };
        for statement in &mut roll.body.kind {
            if let StmtKind::Return(Some(value)) = &mut statement.kind {
                outcomes.name(value);
            }
        }
    }
    let Some(first) = outcomes.names.first().map(|name| name.span) else {
        return;
    };
    let definition = EnumDef {
        name: Name::new(OUTCOMES.to_owned(), first),
        is_flags: false,
        constants: Node::new(outcomes.names, first),
        success: None,
    };
    rule.items
        .push(Item::new(ItemKind::Enum(definition), first));
}

/// The names that were found.
struct Outcomes {
    names: Vec<Name>,
}

impl Outcomes {
    fn name(&mut self, value: &mut Expr) {
        match &mut value.kind {
            ExprKind::Text(text) => {
                let name = Name::new(std::mem::take(text), value.span);
                let owner = Expr::new(ExprKind::Name(OUTCOMES.to_owned()), value.span);
                value.kind = ExprKind::Field(Box::new(owner), name.clone());
                if !self.names.contains(&name) {
                    self.names.push(name);
                }
            }
            ExprKind::Paren(inner) | ExprKind::Unary(UnaryOp::Clamp, inner) => self.name(inner),
            ExprKind::Choose(parts) => {
                let [_, yes, no] = &mut **parts;
                self.name(yes);
                self.name(no);
            }
            ExprKind::Match(parts) => {
                let Match { arms, .. } = &mut **parts;
                for arm in &mut arms.kind {
                    let Arm { value, .. } = &mut arm.kind;
                    self.name(value);
                }
            }
            _ => {}
        }
    }
}
