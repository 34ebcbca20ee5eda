//! Pools and groups: numbers of dice have to be whole, and impossible constant dice are refused
//! before any is rolled.

use super::constant::constant;
use super::scope::Scope;
use crate::hir::{
    Condition, Counting, Die, Expr, Group, Marks, Members, Pool, Select, Stage, Type,
};
use crate::syntax::{Advice, Code, Diagnostic, Limit};
use dicec_runtime::compare::CompareOp;
use dicec_runtime::limits::{MAX_DICE_CEILING, MAX_SIDES};
use dicec_runtime::pool::Explosion;
use dicec_runtime::span::Span;

impl Scope<'_> {
    pub(super) fn pool(&mut self, pool: &mut Pool, span: Span) {
        self.without_versus(|scope| {
            scope.whole(&mut pool.count);
            if let Die::Sides(sides) = &mut pool.die {
                scope.whole(sides);
            }
            scope.selects(&mut pool.selects);
            for stage in &mut pool.stages {
                scope.stage(stage);
            }
            scope.marks(&mut pool.marks);
            scope.counting(pool.counting.as_mut());
        });
        if let Die::Sides(sides) = &pool.die
            && let Some(number) = constant(sides)
        {
            self.constant_sides(number, sides);
        }
        if let Some(count) = constant(&pool.count) {
            self.constant_count(count, &pool.count);
        }
        self.endless(pool, span);
    }

    pub(super) fn group(&mut self, group: &mut Group) {
        self.without_versus(|scope| scope.selects(&mut group.selects));
        let selected = !group.selects.is_empty();
        self.within_group(selected, |scope| match &mut group.members {
            Members::Totals(members) => {
                members.iter_mut().for_each(|member| scope.whole(member));
            }
            Members::Dice(terms) => {
                terms
                    .iter_mut()
                    .for_each(|term| scope.whole(&mut term.expr));
            }
        });
        self.without_versus(|scope| {
            scope.marks(&mut group.marks);
            scope.counting(group.counting.as_mut());
        });
    }

    fn selects(&mut self, selects: &mut [Select]) {
        for select in selects {
            self.whole(&mut select.count);
        }
    }

    fn stage(&mut self, stage: &mut Stage) {
        match stage {
            Stage::Explode(_, condition) => {
                if let Some(condition) = condition {
                    self.whole(&mut condition.threshold);
                }
            }
            Stage::Reroll { conditions, .. } => {
                for condition in conditions {
                    self.whole(&mut condition.threshold);
                }
            }
            Stage::Bound(_, bound) => self.whole(bound),
            Stage::Select(selects) => self.selects(selects),
        }
    }

    fn marks(&mut self, marks: &mut Marks) {
        for condition in marks.conditions_mut() {
            self.whole(&mut condition.threshold);
        }
    }

    fn counting(&mut self, counting: Option<&mut Counting>) {
        let Some(counting) = counting else { return };
        for condition in counting.conditions_mut() {
            self.whole(&mut condition.threshold);
        }
    }

    /// Seed 002, 3.2.2: a roll of `1d0` is invalid.
    fn constant_sides(&mut self, sides: i64, expr: &Expr) {
        if sides < 1 {
            self.report(
                Diagnostic::error(
                    Code::NoSides,
                    expr.span,
                    format!("a die cannot have {sides} sides"),
                )
                .help("a die has at least 1 side; to roll nothing, write 0 dice: `0d6`"),
            );
        } else if sides > i64::from(MAX_SIDES) {
            self.report(
                Diagnostic::error(
                    Code::TooManySides,
                    expr.span,
                    format!("a die cannot have {sides} sides"),
                )
                .help(format!("a die has at most {MAX_SIDES} sides")),
            );
        }
    }

    pub(super) fn not_negative(&mut self, count: &mut Expr) -> Type {
        self.whole(count);
        if constant(count).is_some_and(|count| count < 0) {
            let message = "a number of dice cannot be below 0";
            let found = Diagnostic::error(Code::NegativeCount, count.span, message);
            self.report(found.help("to roll, keep or drop none, write 0"));
        }
        Type::Int
    }

    fn constant_count(&mut self, count: i64, expr: &Expr) {
        if count <= i64::from(self.limits.dice) {
            return;
        }
        let found = Diagnostic::error(
            Code::TooManyDice,
            expr.span,
            format!(
                "{count} dice in one pool; the limit is {}",
                self.limits.dice
            ),
        )
        .help("roll fewer");
        self.report(if count <= i64::from(MAX_DICE_CEILING) {
            // It is above 0.
            found.advise(Advice::RaiseLimitTo(Limit::Dice, count.unsigned_abs()))
        } else {
            found
        });
    }

    /// Dice of which every face explodes, or every face is rerolled.
    fn endless(&mut self, pool: &Pool, span: Span) {
        for stage in &pool.stages {
            let (what, help) = match stage {
                Stage::Explode(how, condition)
                    if always_explodes(&pool.die, condition.as_ref()) =>
                {
                    let what = match how {
                        Explosion::Extra | Explosion::Penetrate => "every face brings another die",
                        Explosion::Compound => "every face brings another",
                    };
                    (what, "let some faces end it: `1d6!`, `1d6!>=5`")
                }
                Stage::Reroll {
                    once: false,
                    conditions,
                } if always_meets(&pool.die, conditions) => (
                    "every face is rolled again",
                    "let some faces stay, or reroll once: `ro`",
                ),
                _ => continue,
            };
            let message = format!("these dice never stop: {what}");
            let diagnostic = Diagnostic::error(Code::EndlessDice, span, message);
            self.report(diagnostic.help(help));
        }
    }
}

fn always_explodes(die: &Die, condition: Option<&Condition>) -> bool {
    match (condition, die) {
        (Some(condition), _) => always_meets(die, std::slice::from_ref(condition)),
        (None, Die::Sides(sides)) => constant(sides) == Some(1),
        (None, Die::Faces(faces)) => {
            let mut values = faces.iter().map(|face| face.value());
            let first = values.next();
            values.all(|value| Some(value) == first)
        }
    }
}

/// Whether each face of a die meets one of the conditions, if all of it is constant.
fn always_meets(die: &Die, conditions: &[Condition]) -> bool {
    let thresholds: Option<Vec<(CompareOp, i64)>> = conditions
        .iter()
        .map(|condition| Some((condition.op, constant(&condition.threshold)?)))
        .collect();
    let Some(thresholds) = thresholds else {
        return false;
    };
    let meets = |face: i64| {
        let mut thresholds = thresholds.iter();
        thresholds.any(|(op, threshold)| op.holds(face.cmp(threshold)))
    };
    match die {
        Die::Faces(faces) => faces.iter().all(|face| meets(face.value())),
        Die::Sides(sides) => {
            let Some(sides) = constant(sides) else {
                return false;
            };
            // All faces between two thresholds are equivalent, so testing a few of them is enough.
            let near = thresholds
                .iter()
                .flat_map(|&(_, t)| [t.saturating_sub(1), t, t.saturating_add(1)]);
            let mut telling = near
                .chain([1, sides])
                .filter(|face| (1..=sides).contains(face));
            telling.all(meets)
        }
    }
}
