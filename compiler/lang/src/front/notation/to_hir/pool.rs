//! Dice and groups: sorts modifiers into changes, selections and counts.

use super::DiceBuilder;
use crate::front::notation::ast::Ast;
use crate::front::notation::ast::pool::{self, Dice, Die, Group, Modifier, ModifierKind};
use crate::front::notation::dialect::Dialect;
use crate::front::notation::sums::{self, terms};
use crate::hir::{
    self, ArithOp, Condition, Counting, Expr, ExprKind, Face, Marks, Members, Pool, Select, Stage,
    TermPart,
};
use dicec_runtime::bug;
use dicec_runtime::pool::Selector;
use dicec_runtime::rng::FATE_FACES;
use dicec_runtime::span::Span;

/// The sorted modifiers.
#[derive(Default)]
struct Changes {
    stages: Vec<Stage>,
    selects: Vec<Select>,
    double: Vec<Condition>,
    success: Vec<Condition>,
    failure: Vec<Condition>,
    marks: Marks,
    /// The conditions of the last reroll, as they are written.
    rerolls: Vec<pool::Condition>,
}

impl Changes {
    /// How the dice are counted, if they are.
    fn counting(&mut self) -> Option<Counting> {
        let counts = !self.success.is_empty();
        counts.then(|| Counting {
            double: std::mem::take(&mut self.double),
            success: std::mem::take(&mut self.success),
            failure: std::mem::take(&mut self.failure),
        })
    }

    /// Later modifiers do not consider the dice that were dropped so far.
    fn settle(&mut self) {
        if !self.selects.is_empty() {
            let selects = std::mem::take(&mut self.selects);
            self.stages.push(Stage::Select(selects));
        }
    }

    /// Consecutive rerolls are one: a die is rerolled if any of their conditions holds. A condition
    /// of `ro` that is written again rerolls once more.
    fn reroll(&mut self, again: bool, condition: Condition, written: &pool::Condition) {
        let repeats = again && self.rerolls.contains(written);
        match self.stages.last_mut() {
            Some(Stage::Reroll { once, conditions }) if *once == again && !repeats => {
                conditions.push(condition);
            }
            _ => {
                self.rerolls.clear();
                self.stages.push(Stage::Reroll {
                    once: again,
                    conditions: vec![condition],
                });
            }
        }
        self.rerolls.push(written.clone());
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
        let mut changes = self.changes(&dice.modifiers, &count);
        Pool {
            count,
            die,
            counting: changes.counting(),
            stages: changes.stages,
            selects: changes.selects,
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
        // The parser refuses the middle of dice from several pools.
        let number = self.node(ExprKind::Int(group.members.len() as i64), span);
        let mut changes = self.changes(&group.modifiers, &number);
        if !changes.stages.is_empty() {
            bug!("a group is rolled again outside of a compound rule").raise();
        }
        let group = hir::Group {
            members,
            counting: changes.counting(),
            selects: changes.selects,
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

    /// The changes of a pool or a group with this number of dice or members.
    fn changes(&mut self, modifiers: &[Modifier], number: &Expr) -> Changes {
        let mut changes = Changes::default();
        for modifier in modifiers {
            self.change(modifier, number, &mut changes);
        }
        changes
    }

    fn change(&mut self, modifier: &Modifier, number: &Expr, changes: &mut Changes) {
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
            ModifierKind::Middle(count) => {
                let kept = self.select_count(count.as_ref(), modifier.span);
                changes.selects.extend(self.middle(number, &kept));
            }
            ModifierKind::Explode(explosion, condition) => {
                let condition = condition
                    .as_ref()
                    .map(|condition| self.condition(condition));
                changes.stages.push(Stage::Explode(*explosion, condition));
            }
            ModifierKind::Reroll { once, condition } => {
                let compared = self.condition(condition);
                changes.reroll(*once, compared, condition);
            }
            ModifierKind::Bound(how, bound) => {
                let bound = self.expr(bound);
                changes.stages.push(Stage::Bound(*how, bound));
            }
            ModifierKind::Success(conditions) => changes.success = self.conditions(conditions),
            ModifierKind::Double(conditions) => changes.double = self.conditions(conditions),
            ModifierKind::Failure(conditions) => changes.failure = self.conditions(conditions),
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

    /// The middle of `number` dice: those that are neither too high nor too low. If as many cannot
    /// be dropped at both ends, one more is dropped at the lower one.
    fn middle(&mut self, number: &Expr, kept: &Expr) -> [Select; 2] {
        let [high, low] = [0, 1].map(|more| {
            let span = kept.span;
            if let (ExprKind::Int(number), ExprKind::Int(kept)) = (&number.kind, &kept.kind) {
                let sum = number.saturating_add(*kept).saturating_add(more);
                return Expr::new(ExprKind::Int(sum.div_euclid(2)), span);
            }
            let add = |left: Expr, right: Expr| {
                Expr::new(
                    ExprKind::Arith(ArithOp::Add, Box::new(left), Box::new(right)),
                    span,
                )
            };
            let int = |value| Box::new(Expr::new(ExprKind::Int(value), span));
            let sum = add(add(number.clone(), kept.clone()), *int(more));
            Expr::new(ExprKind::Arith(ArithOp::Div, Box::new(sum), int(2)), span)
        });
        [
            Select {
                selector: Selector::KeepHigh,
                count: high,
            },
            Select {
                selector: Selector::KeepLow,
                count: low,
            },
        ]
    }

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

    fn conditions(&mut self, conditions: &[pool::Condition]) -> Vec<Condition> {
        let conditions = conditions.iter();
        conditions
            .map(|condition| self.condition(condition))
            .collect()
    }

    fn condition(&mut self, condition: &pool::Condition) -> Condition {
        Condition {
            op: condition.op,
            threshold: self.expr(&condition.threshold),
        }
    }
}
