//! Moving the places of a tree: that of a text which was put together stands for places in the script that did so.

use super::{Condition, Counting, Die, Expr, ExprKind, Group, Members, Pool, Select, Stage};
use dicec_runtime::span::Span;

impl Expr {
    /// Replaces the place of this expression and of all below it by what `map` makes of it.
    pub(crate) fn map_spans(&mut self, map: &dyn Fn(Span) -> Span) {
        self.span = map(self.span);
        match &mut self.kind {
            ExprKind::Int(_) | ExprKind::Real(_) | ExprKind::Resource(_) => {}
            ExprKind::Negate(value) | ExprKind::ToReal(value) | ExprKind::AtLeast(_, value) => {
                value.map_spans(map);
            }
            ExprKind::Arith(_, left, right)
            | ExprKind::Compare(_, left, right)
            | ExprKind::Versus(left, right) => {
                left.map_spans(map);
                right.map_spans(map);
            }
            ExprKind::Call(_, arguments) => {
                for argument in arguments {
                    argument.map_spans(map);
                }
            }
            ExprKind::Pool(pool) => pool.map_spans(map),
            ExprKind::Group(group) => group.map_spans(map),
        }
    }
}

impl Pool {
    fn map_spans(&mut self, map: &dyn Fn(Span) -> Span) {
        self.count.map_spans(map);
        if let Die::Sides(sides) = &mut self.die {
            sides.map_spans(map);
        }
        for stage in &mut self.stages {
            match stage {
                Stage::Explode(_, None) => {}
                Stage::Explode(_, Some(condition)) => condition.threshold.map_spans(map),
                Stage::Reroll { conditions, .. } => {
                    for condition in conditions {
                        condition.threshold.map_spans(map);
                    }
                }
                Stage::AtLeast(bound) | Stage::AtMost(bound) => bound.map_spans(map),
            }
        }
        selection(&mut self.selects, self.counting.as_mut(), map);
    }
}

impl Group {
    fn map_spans(&mut self, map: &dyn Fn(Span) -> Span) {
        match &mut self.members {
            Members::Totals(totals) => {
                for total in totals {
                    total.map_spans(map);
                }
            }
            Members::Dice(terms) => {
                for term in terms {
                    term.expr.map_spans(map);
                }
            }
        }
        selection(&mut self.selects, self.counting.as_mut(), map);
    }
}

fn selection(selects: &mut [Select], counting: Option<&mut Counting>, map: &dyn Fn(Span) -> Span) {
    for select in selects {
        select.count.map_spans(map);
    }
    if let Some(Counting { success, failure }) = counting {
        let conditions = std::iter::once(success).chain(failure);
        for Condition { threshold, .. } in conditions {
            threshold.map_spans(map);
        }
    }
}
