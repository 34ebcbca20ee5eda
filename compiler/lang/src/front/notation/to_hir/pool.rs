//! Dice and groups: sorts modifiers into changes, selections and counts.

use super::DiceBuilder;
use crate::front::notation::ast::Ast;
use crate::front::notation::ast::pool::{self, Dice, Die, Group, Modifier, ModifierKind};
use crate::front::notation::dialect::Dialect;
use crate::front::notation::sums::{self, terms};
use crate::hir::{
    self, Condition, Counting, Expr, ExprKind, Face, Marks, Members, Pool, Select, Stage, TermPart,
};
use dicec_runtime::rng::FATE_FACES;
use dicec_runtime::span::Span;

/// The sorted modifiers.
#[derive(Default)]
struct Changes {
    stages: Vec<Stage>,
    selects: Vec<Select>,
    success: Option<Condition>,
    failure: Option<Condition>,
    marks: Marks,
}

impl Changes {
    fn counting(success: Option<Condition>, failure: Option<Condition>) -> Option<Counting> {
        success.map(|success| Counting { success, failure })
    }

    /// Later modifiers do not consider the dice that were dropped so far.
    fn settle(&mut self) {
        if !self.selects.is_empty() {
            let selects = std::mem::take(&mut self.selects);
            self.stages.push(Stage::Select(selects));
        }
    }

    /// Consecutive rerolls are one: a die is rerolled while any of their conditions holds.
    fn reroll(&mut self, again: bool, condition: Condition) {
        match self.stages.last_mut() {
            Some(Stage::Reroll { once, conditions }) if *once == again => {
                conditions.push(condition);
            }
            _ => self.stages.push(Stage::Reroll {
                once: again,
                conditions: vec![condition],
            }),
        }
    }
}

impl DiceBuilder<'_> {
    pub(super) fn pool(&mut self, dice: &Dice, span: Span) -> Pool {
        // Seed 002, 3.2.2: an omitted count is 1.
        let letter = Span::new(span.start, span.start);
        let count = match &dice.count {
            Some(count) => self.dice_number(count),
            None => self.node(ExprKind::Int(1), letter),
        };
        let die = match &dice.die {
            Die::Sides(sides) => hir::Die::Sides(self.expr(sides)),
            Die::Percent => hir::Die::Sides(self.node(ExprKind::Int(100), span)),
            Die::Fate => hir::Die::Faces(FATE_FACES.map(Face::Number).into()),
            Die::Faces(faces) => hir::Die::Faces(faces.clone()),
        };
        let changes = self.changes(&dice.modifiers);
        Pool {
            count,
            die,
            stages: changes.stages,
            selects: changes.selects,
            counting: Changes::counting(changes.success, changes.failure),
            marks: changes.marks,
        }
    }

    pub(super) fn group(&mut self, group: &Group, span: Span) -> Expr {
        if let ([member], []) = (&group.members[..], &group.modifiers[..]) {
            return self.expr(member);
        }
        if let [member] = &group.members[..]
            && group.modifiers.iter().all(Modifier::sorts)
        {
            return self.expr(member);
        }
        let members = self.members(group);
        let changes = self.changes(&group.modifiers);
        let group = hir::Group {
            members,
            selects: changes.selects,
            counting: Changes::counting(changes.success, changes.failure),
            marks: changes.marks,
        };
        self.node(ExprKind::Group(Box::new(group)), span)
    }

    /// A group of one selects among its dice if it can.
    fn members(&mut self, group: &Group) -> Members {
        if let [member] = &group.members[..] {
            let counts = group.modifiers.iter().any(Modifier::is_count);
            let mut others = group
                .modifiers
                .iter()
                .filter(|modifier| !modifier.is_count());
            let only_counts = others.all(Modifier::sorts);
            let dialect = self.dialect;
            let joins = |term: &sums::Term<'_>| !term.minus && term.gives_dice(dialect, counts);
            let terms = terms(member, dialect);
            // Keeping does not affect the other terms; a count cannot use them.
            let joined = match only_counts {
                true => terms.iter().all(joins),
                false => terms.iter().any(joins),
            };
            if joined {
                let terms = terms.iter().map(|term| hir::Term {
                    part: match term.minus {
                        _ if joins(term) => TermPart::Joined,
                        true => TermPart::Subtracted,
                        false => TermPart::Added,
                    },
                    expr: self.expr(term.ast),
                });
                return Members::Dice(terms.collect());
            }
        }
        let members = group.members.iter().map(|member| self.expr(member));
        Members::Totals(members.collect())
    }

    fn changes(&mut self, modifiers: &[Modifier]) -> Changes {
        let mut changes = Changes::default();
        for modifier in modifiers {
            self.change(modifier, &mut changes);
        }
        changes
    }

    fn change(&mut self, modifier: &Modifier, changes: &mut Changes) {
        // In the rule book's dialect dice are kept and dropped after all changes.
        if self.dialect == Dialect::Notation && (modifier.changes_dice() || modifier.closes > 0) {
            changes.settle();
        }
        match &modifier.kind {
            ModifierKind::Select(selector, count) => {
                let count = self.select_count(count.as_ref(), modifier.span);
                let selector = *selector;
                changes.selects.push(Select { selector, count });
            }
            ModifierKind::Explode(explosion, condition) => {
                let condition = condition
                    .as_ref()
                    .map(|condition| self.condition(condition));
                changes.stages.push(Stage::Explode(*explosion, condition));
            }
            ModifierKind::Reroll { once, condition } => {
                let condition = self.condition(condition);
                changes.reroll(*once, condition);
            }
            ModifierKind::Bound(how, bound) => {
                let bound = self.expr(bound);
                changes.stages.push(Stage::Bound(*how, bound));
            }
            ModifierKind::Success(condition) => changes.success = Some(self.condition(condition)),
            ModifierKind::Failure(condition) => changes.failure = Some(self.condition(condition)),
            ModifierKind::Critical(condition) => {
                let mark = condition
                    .as_ref()
                    .map(|condition| self.condition(condition));
                changes.marks.critical.push(mark);
            }
            ModifierKind::Fumble(condition) => {
                let mark = condition
                    .as_ref()
                    .map(|condition| self.condition(condition));
                changes.marks.fumble.push(mark);
            }
            // Only for display.
            ModifierKind::Sort(_) => {}
        }
    }

    /// `kh` keeps 1.
    /// How many dice are rolled, kept or dropped. The rule book's dialect takes a number below 0 as
    /// none; virtual tabletops refuse it.
    fn dice_number(&mut self, count: &Ast) -> Expr {
        let number = self.expr(count);
        match (self.dialect, &number.kind) {
            (Dialect::Rulebook, _) | (_, ExprKind::Int(0..)) => number,
            (Dialect::Notation, _) => {
                let span = number.span;
                Expr::new(ExprKind::NotNegative(Box::new(number)), span)
            }
        }
    }

    fn select_count(&mut self, count: Option<&Ast>, span: Span) -> Expr {
        match count {
            Some(count) => self.dice_number(count),
            None => self.node(ExprKind::Int(1), span),
        }
    }

    fn condition(&mut self, condition: &pool::Condition) -> Condition {
        Condition {
            op: condition.op,
            threshold: self.expr(&condition.threshold),
        }
    }
}
