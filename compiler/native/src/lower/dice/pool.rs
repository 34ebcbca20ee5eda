//! Pools and groups: steps on a pool of the function, in the order of [`dicec_runtime::pool`].
//!
//! ```text
//!     v2 = dice_count 10000 v0
//!     v3 = pool_draw pool0 v2, v1
//!     v4 = pool_explode pool0 ! 1000 10000
//!     v5 = pool_select pool0 kh v6
//!     v7 = pool_sum pool0
//! ```

use crate::ir::{self, Imm, Op, Value};
use crate::lower::body::Body;
use crate::lower::inside::Naturals;
use dicec_lang::hir::{
    Condition, Counting, Die, Expr, ExprKind, Group, Marks, Members, Pool, Select, Stage, Term,
    TermPart,
};
use dicec_runtime::bug;
use dicec_runtime::pool::{Selector, Step};
use dicec_runtime::span::Span;

impl<'s> Body<'_, 's> {
    /// A pool with modifiers.
    pub(in crate::lower) fn changed_pool(&mut self, pool: &'s Pool, span: Span) -> Value {
        if let Some(total) = self.small_pool(pool, span) {
            return total;
        }
        let dice = self.dice_of(pool, span);
        self.mark(&pool.marks);
        let total = self.outcome(dice, pool.counting.as_ref(), span);
        let natural = |natural: Naturals| match &pool.die {
            Die::Sides(sides) => {
                !matches!(sides.kind, ExprKind::Int(s) if s != i64::from(natural.sides))
            }
            Die::Faces(_) => false,
        };
        if self.inside.naturals.is_some_and(natural) {
            self.note_pool(dice, span);
        }
        total
    }

    /// A number that only determines how dice are rolled or judged: its own dice are not part of
    /// the total.
    pub(super) fn aside(&mut self, expr: &'s Expr) -> Value {
        let naturals = self.inside.naturals.take();
        let value = self.expr(expr);
        self.inside.naturals = naturals;
        value
    }

    /// The pool that holds the dice, drawn, changed and selected.
    fn dice_of(&mut self, pool: &'s Pool, span: Span) -> ir::Pool {
        let count = self.aside(&pool.count);
        let (faces, sides) = match &pool.die {
            Die::Sides(sides) => (Vec::new(), self.aside(sides)),
            Die::Faces(faces) => {
                self.builder.set_span(span);
                let one = self.builder.iconst(1);
                (faces.iter().map(|face| face.value()).collect(), one)
            }
        };
        let limit = Imm::Limit(self.shared.rolls.dice);
        let count = self.inst(pool.count.span, Op::DiceCount, &[count], limit);
        let sides = match &pool.die {
            Die::Sides(written) => self.inst(written.span, Op::DieSides, &[sides], Imm::None),
            Die::Faces(_) => sides,
        };
        let selects = self.select_counts(pool.all_selects());
        let mut selects = &selects[..];
        let dice = self.builder.pool(faces);
        self.step(span, dice, Step::Draw, &[count, sides]);
        for stage in &pool.stages {
            if let Stage::Select(run) = stage {
                let (now, later) = selects.split_at(run.len());
                self.selects(dice, now, span);
                selects = later;
            }
            self.stage(dice, stage, span);
        }
        self.selects(dice, selects, span);
        dice
    }

    fn select_counts(
        &mut self,
        selects: impl Iterator<Item = &'s Select>,
    ) -> Vec<(Selector, Value)> {
        selects
            .map(|select| (select.selector, self.aside(&select.count)))
            .collect()
    }

    /// Marks are not shown, but their thresholds may roll dice and trap.
    pub(super) fn mark(&mut self, marks: &'s Marks) {
        for condition in marks.conditions() {
            self.aside(&condition.threshold);
        }
    }

    fn selects(&mut self, dice: ir::Pool, selects: &[(Selector, Value)], span: Span) {
        for &(selector, count) in selects {
            self.step(span, dice, Step::Select(selector), &[count]);
        }
    }

    fn stage(&mut self, dice: ir::Pool, stage: &'s Stage, span: Span) {
        match stage {
            Stage::Explode(how, condition) => {
                if let Some(condition) = condition {
                    self.when(dice, condition, span);
                }
                let step = Step::Explode {
                    how: *how,
                    most: self.shared.rolls.explosions,
                    max_dice: self.shared.rolls.dice,
                };
                self.step(span, dice, step, &[]);
            }
            Stage::Reroll { once, conditions } => {
                for condition in conditions {
                    self.when(dice, condition, span);
                }
                let step = Step::Reroll {
                    once: *once,
                    most: self.shared.rolls.rerolls,
                };
                self.step(span, dice, step, &[]);
            }
            Stage::Bound(how, bound) => {
                let bound = self.aside(bound);
                self.step(span, dice, Step::Bound(*how), &[bound]);
            }
            Stage::Select(_) => {
                self.step(span, dice, Step::SetAside, &[]);
            }
        }
    }

    fn when(&mut self, dice: ir::Pool, condition: &'s Condition, span: Span) {
        let threshold = self.aside(&condition.threshold);
        self.step(span, dice, Step::When(condition.op), &[threshold]);
    }

    fn outcome(&mut self, dice: ir::Pool, counting: Option<&'s Counting>, span: Span) -> Value {
        let Some(counting) = counting else {
            return self.step(span, dice, Step::Sum, &[]);
        };
        let doubled = self.count_of(dice, &counting.double, span);
        let single = self.count_of(dice, &counting.success, span);
        let failures = self.count_of(dice, &counting.failure, span);
        let numbers = [doubled, single, failures];
        self.successes(numbers, span)
    }

    /// The number of dice that are not counted yet and meet any of the conditions; none without
    /// conditions.
    fn count_of(
        &mut self,
        dice: ir::Pool,
        conditions: &'s [Condition],
        span: Span,
    ) -> Option<Value> {
        for condition in conditions {
            self.when(dice, condition, span);
        }
        (!conditions.is_empty()).then(|| self.step(span, dice, Step::Count, &[]))
    }

    /// The result of a count: twice the first number, plus the second, less the third. Each is at
    /// most the dice of a pool.
    pub(super) fn successes(
        &mut self,
        [doubled, single, failures]: [Option<Value>; 3],
        span: Span,
    ) -> Value {
        let mut terms = [doubled, doubled, single].into_iter().flatten();
        let first = terms.next();
        let mut sum = first.unwrap_or_else(|| self.builder.iconst(0));
        for term in terms {
            sum = self.inst(span, Op::IaddWrap, &[sum, term], Imm::None);
        }
        match failures {
            Some(failures) => self.inst(span, Op::IsubWrap, &[sum, failures], Imm::None),
            None => sum,
        }
    }

    pub(in crate::lower) fn group(&mut self, group: &'s Group, span: Span) -> Value {
        match &group.members {
            Members::Totals(members) => {
                let selects = self.select_counts(group.selects.iter());
                let parts: Vec<Part> = members
                    .iter()
                    .map(|member| self.member(member, span))
                    .collect();
                if let Some(total) = self.small_group(group, &parts, span) {
                    return total;
                }
                let table = self.builder.pool(Vec::new());
                self.step(span, table, Step::Clear, &[]);
                for part in &parts {
                    self.step(span, table, Step::Push, &[part.total]);
                }
                self.selects(table, &selects, span);
                let total = self.outcome(table, group.counting.as_ref(), span);
                for (part, index) in parts.into_iter().zip(0..) {
                    self.settle(table, part, index, span);
                }
                total
            }
            Members::Dice(terms) => {
                let (table, rest) = self.joined_dice(group, terms, span);
                let total = self.outcome(table, group.counting.as_ref(), span);
                self.note_pool(table, span);
                self.inst(span, Op::Iadd, &[total, rest], Imm::None)
            }
        }
    }

    /// Rolls a member of a group of totals.
    fn member(&mut self, member: &'s Expr, span: Span) -> Part {
        let outer = (self.inside.naturals.take(), self.inside.grade.take());
        if let Some(outer) = outer.0 {
            self.inside.naturals = Some(self.no_naturals(outer.sides, span));
        }
        let part = Part {
            total: self.expr(member),
            naturals: self.inside.naturals.take(),
            grade: self.inside.grade.take(),
        };
        (self.inside.naturals, self.inside.grade) = outer;
        part
    }

    /// The naturals of a member, if it is kept.
    fn settle(&mut self, table: ir::Pool, part: Part, index: u32, span: Span) {
        if part.is_total() {
            return;
        }
        let kept = self.step(span, table, Step::Keeps(index), &[]);
        if let Some(grade) = part.grade {
            // Without a degree it is 0.
            self.inside.grade = Some(self.inst(span, Op::ImulWrap, &[grade, kept], Imm::None));
        }
        if let Some(naturals) = part.naturals {
            let count = self.inst(span, Op::ImulWrap, &[naturals.count, kept], Imm::None);
            let face = self.inst(span, Op::ImulWrap, &[naturals.face, kept], Imm::None);
            self.note_naturals(count, face);
        }
    }

    /// The pool with the dice of a group, selected, and the sum of its other terms.
    fn joined_dice(
        &mut self,
        group: &'s Group,
        terms: &'s [Term],
        span: Span,
    ) -> (ir::Pool, Value) {
        let selects = self.select_counts(group.selects.iter());
        let table = self.builder.pool(Vec::new());
        self.step(span, table, Step::Clear, &[]);
        let mut rest = self.builder.iconst(0);
        for Term { part, expr } in terms {
            let op = match part {
                TermPart::Joined => {
                    let dice = self.dice_in(expr, span);
                    self.step(span, table, Step::Join(dice.as_u32()), &[]);
                    continue;
                }
                TermPart::Added => Op::Iadd,
                TermPart::Subtracted => Op::Isub,
            };
            let value = self.expr(expr);
            rest = self.inst(span, op, &[rest, value], Imm::None);
        }
        self.selects(table, &selects, span);
        self.mark(&group.marks);
        (table, rest)
    }

    /// The dice of a joined term, which trap at the `span` of the group. What the term counts is
    /// not used, but thresholds may roll dice.
    fn dice_in(&mut self, expr: &'s Expr, span: Span) -> ir::Pool {
        let (dice, counting) = match &expr.kind {
            ExprKind::Pool(pool) => {
                let dice = self.dice_of(pool, span);
                self.mark(&pool.marks);
                (dice, &pool.counting)
            }
            ExprKind::Group(group) => {
                let terms = match &group.members {
                    Members::Dice(terms) => &terms[..],
                    Members::Totals(_) => bug!("totals have no dice to join").raise(),
                };
                (self.joined_dice(group, terms, span).0, &group.counting)
            }
            _ => bug!("this has no dice to join").raise(),
        };
        for condition in counting.iter().flat_map(Counting::conditions) {
            self.aside(&condition.threshold);
        }
        dice
    }

    /// Notes the dice of a pool that may shift a degree.
    fn note_pool(&mut self, dice: ir::Pool, span: Span) {
        if let Some(Naturals { sides, .. }) = self.inside.naturals {
            let count = self.step(span, dice, Step::Naturals(sides), &[]);
            let face = self.step(span, dice, Step::NaturalFace(sides), &[]);
            self.note_naturals(count, face);
        }
    }

    fn step(&mut self, span: Span, pool: ir::Pool, step: Step, args: &[Value]) -> Value {
        self.builder.set_span(span);
        self.builder.step(pool, step, args)
    }
}

/// The value of a member of a group.
pub(super) struct Part {
    pub(super) total: Value,
    naturals: Option<Naturals>,
    grade: Option<Value>,
}

impl Part {
    /// Whether only its total matters.
    pub(super) fn is_total(&self) -> bool {
        self.naturals.is_none() && self.grade.is_none()
    }
}
