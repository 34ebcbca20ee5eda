//! Pools and groups: evaluates their numbers in order and works on a
//! [`runtime::pool::Pool`](dicec_runtime::pool::Pool).

use super::host::Host;
use super::trace::{Observer, SubRoll};
use super::walk::{Walk, at};
use crate::hir::{
    Condition, Counting, Die, Expr, ExprKind, Group, Mark, Marks, Members, Pool, Select, Stage,
    Term, TermPart,
};
use dicec_runtime::bug;
use dicec_runtime::compare::CompareOp;
use dicec_runtime::degree::Naturals;
use dicec_runtime::ops;
use dicec_runtime::pool::{self, Flags, Selector};
use dicec_runtime::rng::Dice;
use dicec_runtime::span::Span;
use dicec_runtime::trap::Trap;

impl<H: Host> Walk<'_, H> {
    pub(super) fn pool(&mut self, pool: &Pool, span: Span) -> Result<i64, Trap> {
        if let (Some(sides), false) = (pool.plain_sides(), H::Observer::WATCHES) {
            return self.plain(&pool.count, sides, span);
        }
        let mut dice = self.dice_of(pool, span)?;
        self.highlight(&mut dice, &pool.marks)?;
        let total = self.outcome(&mut dice, pool.counting.as_ref(), span)?;
        self.note_naturals(&dice);
        self.host.observer().pool(&mut dice, self.role, span);
        Ok(total)
    }

    /// The sum of plain dice, which do not have to be kept.
    #[inline]
    fn plain(&mut self, count: &Expr, sides: &Expr, span: Span) -> Result<i64, Trap> {
        let (count, sides) = self.count_and_sides(count, Some(sides))?;
        let dice = self.host.dice();
        let mut sum = 0;
        for _ in 0..count {
            sum += dice.roll(sides.unsigned_abs()).map_err(at(span))?;
        }
        // At most 10^16; see `dicec_runtime::limits::MAX_SIDES`.
        let sum = sum.cast_signed();
        if let Some(naturals) = &mut self.naturals
            && sides == i64::from(naturals.sides())
        {
            naturals.add(count, sum);
        }
        Ok(sum)
    }

    /// The checked numbers of dice and of sides. Dice without sides have faces of their own.
    #[inline]
    fn count_and_sides(&mut self, count: &Expr, sides: Option<&Expr>) -> Result<(i64, i64), Trap> {
        let number = self.aside(count)?;
        let of = sides.map(|sides| self.aside(sides)).transpose()?;
        let number = ops::dice_count(number, self.rolls.dice).map_err(at(count.span))?;
        let of = match (sides, of) {
            (Some(sides), Some(of)) => ops::die_sides(of).map_err(at(sides.span))?,
            _ => 1,
        };
        Ok((number, of))
    }

    /// A number that only determines how dice are rolled or judged: its own dice are not part of
    /// the total.
    #[inline]
    fn aside(&mut self, expr: &Expr) -> Result<i64, Trap> {
        if let ExprKind::Int(value) = expr.kind {
            return Ok(value);
        }
        let naturals = self.naturals.take();
        let role = self.role;
        self.role |= Flags::META;
        let value = self.int(expr)?;
        self.role = role;
        self.naturals = naturals;
        Ok(value)
    }

    /// The dice of a pool, drawn, changed and selected.
    fn dice_of(&mut self, pool: &Pool, span: Span) -> Result<pool::Pool, Trap> {
        let (faces, sides) = match &pool.die {
            Die::Sides(sides) => (Vec::new(), Some(sides)),
            Die::Faces(faces) => (faces.iter().map(|face| face.value()).collect(), None),
        };
        let (count, sides) = self.count_and_sides(&pool.count, sides)?;
        let mut selects = self.select_counts(pool.all_selects())?.into_iter();
        let mut dice = pool::Pool::new(&faces);
        if H::Observer::WATCHES {
            dice = dice.with_history(self.host.observer().history());
        }
        dice.draw(self.host.dice(), count, sides)
            .map_err(at(span))?;
        for stage in &pool.stages {
            if let Stage::Select(run) = stage {
                for (selector, count) in selects.by_ref().take(run.len()) {
                    dice.select(selector, count);
                }
            }
            self.stage(&mut dice, stage, span)?;
        }
        for (selector, count) in selects {
            dice.select(selector, count);
        }
        Ok(dice)
    }

    fn select_counts<'e>(
        &mut self,
        selects: impl Iterator<Item = &'e Select>,
    ) -> Result<Vec<(Selector, i64)>, Trap> {
        let counts = selects.map(|select| Ok((select.selector, self.aside(&select.count)?)));
        counts.collect()
    }

    fn stage(&mut self, dice: &mut pool::Pool, stage: &Stage, span: Span) -> Result<(), Trap> {
        let limits = self.rolls;
        let changed = match stage {
            Stage::Explode(how, condition) => {
                if let Some(condition) = condition {
                    self.when(dice, condition)?;
                }
                dice.explode(self.host.dice(), *how, limits.explosions, limits.dice)
            }
            Stage::Reroll { once, conditions } => {
                for condition in conditions {
                    self.when(dice, condition)?;
                }
                dice.reroll(self.host.dice(), *once, limits.rerolls)
            }
            Stage::Bound(how, bound) => {
                dice.bound(*how, self.aside(bound)?);
                Ok(())
            }
            Stage::Select(_) => {
                dice.set_aside();
                Ok(())
            }
        };
        changed.map_err(at(span))
    }

    fn when(&mut self, dice: &mut pool::Pool, condition: &Condition) -> Result<(), Trap> {
        dice.when(condition.op, self.aside(&condition.threshold)?);
        Ok(())
    }

    /// The result of a pool: its sum, or the number of dice that it counts.
    fn outcome(
        &mut self,
        dice: &mut pool::Pool,
        counting: Option<&Counting>,
        span: Span,
    ) -> Result<i64, Trap> {
        let Some(counting) = counting else {
            return dice.sum().map_err(at(span));
        };
        // Both are at most twice the dice of a pool.
        let doubled = self.counted(dice, &counting.double, Flags::SUCCESS)?;
        let single = self.counted(dice, &counting.success, Flags::SUCCESS)?;
        let failures = self.counted(dice, &counting.failure, Flags::FAILURE)?;
        let successes = 2 * doubled + single;
        self.host.observer().counted(successes, failures);
        Ok(successes - failures)
    }

    /// The number of dice that are not counted yet and meet any of the conditions.
    fn counted(
        &mut self,
        dice: &mut pool::Pool,
        conditions: &[Condition],
        mark: Flags,
    ) -> Result<i64, Trap> {
        for condition in conditions {
            self.when(dice, condition)?;
        }
        Ok(dice.count(mark))
    }

    fn note_naturals(&mut self, dice: &pool::Pool) {
        if let Some(naturals) = &mut self.naturals {
            let sides = naturals.sides();
            naturals.add(dice.naturals(sides), dice.natural_face(sides));
        }
    }

    pub(super) fn group(&mut self, group: &Group, span: Span) -> Result<i64, Trap> {
        match &group.members {
            Members::Totals(members) => {
                let selects = self.select_counts(group.selects.iter())?;
                self.totals(members, &selects, group.counting.as_ref(), span)
            }
            Members::Dice(terms) => {
                let (mut table, rest) = self.joined(group, terms, span)?;
                let total = self.outcome(&mut table, group.counting.as_ref(), span)?;
                self.note_naturals(&table);
                self.host.observer().joined(&table);
                ops::iadd(total, rest).map_err(at(span))
            }
        }
    }

    /// A group of sub-rolls.
    fn totals(
        &mut self,
        members: &[Expr],
        selects: &[(Selector, i64)],
        counting: Option<&Counting>,
        span: Span,
    ) -> Result<i64, Trap> {
        let outer = (self.naturals.take(), self.grade.take());
        let none = outer.0.map(|naturals| Naturals::new(naturals.sides()));
        let mut table = pool::Pool::new(&[]);
        let mut parts = Vec::with_capacity(members.len());
        for member in members {
            self.naturals = none;
            let first = self.host.observer().mark();
            table.push(self.int(member)?);
            let end = self.host.observer().mark();
            parts.push((self.naturals.take(), self.grade.take(), first, end));
        }
        (self.naturals, self.grade) = outer;
        for &(selector, count) in selects {
            table.select(selector, count);
        }
        let total = self.outcome(&mut table, counting, span)?;
        let settled = table.dice().iter().zip(members).zip(parts);
        for ((die, member), (naturals, grade, first, end)) in settled {
            if die.is_kept() {
                self.grade = grade.or(self.grade);
                if let (Some(all), Some(part)) = (&mut self.naturals, naturals) {
                    all.join(part);
                }
            }
            let member = SubRoll {
                span: member.span,
                total: die.value,
                flags: die.flags,
            };
            self.host.observer().member(member, first, end);
        }
        Ok(total)
    }

    /// The dice of a group, selected, and the sum of its other terms.
    fn joined(
        &mut self,
        group: &Group,
        terms: &[Term],
        span: Span,
    ) -> Result<(pool::Pool, i64), Trap> {
        let selects = self.select_counts(group.selects.iter())?;
        let mut table = pool::Pool::new(&[]);
        let mut rest = 0;
        for Term { part, expr } in terms {
            let sum = match part {
                TermPart::Joined => {
                    let dice = self.dice_in(expr, span)?;
                    table.join(&dice);
                    continue;
                }
                TermPart::Added => ops::iadd(rest, self.int(expr)?),
                TermPart::Subtracted => ops::isub(rest, self.int(expr)?),
            };
            rest = sum.map_err(at(span))?;
        }
        for &(selector, count) in &selects {
            table.select(selector, count);
        }
        self.highlight_again(&mut table, &group.marks)?;
        Ok((table, rest))
    }

    /// The dice of a joined term, which trap at the `span` of the group. What the term counts is
    /// not used, but thresholds may roll dice.
    fn dice_in(&mut self, expr: &Expr, span: Span) -> Result<pool::Pool, Trap> {
        let (dice, counting) = match &expr.kind {
            ExprKind::Pool(pool) => {
                let mut dice = self.dice_of(pool, span)?;
                self.highlight(&mut dice, &pool.marks)?;
                self.host.observer().pool(&mut dice, self.role, expr.span);
                (dice, &pool.counting)
            }
            ExprKind::Group(group) => {
                let terms = match &group.members {
                    Members::Dice(terms) => &terms[..],
                    Members::Totals(_) => bug!("totals have no dice to join").raise(),
                };
                let (table, _) = self.joined(group, terms, span)?;
                self.host.observer().joined(&table);
                (table, &group.counting)
            }
            _ => bug!("this has no dice to join").raise(),
        };
        for condition in counting.iter().flat_map(Counting::conditions) {
            self.aside(&condition.threshold)?;
        }
        Ok(dice)
    }

    /// Marks the outstanding faces of dice that have more than one.
    fn highlight(&mut self, dice: &mut pool::Pool, marks: &Marks) -> Result<(), Trap> {
        if !H::Observer::WATCHES && !marks.are_computed() {
            return Ok(());
        }
        let [critical, fumble] = self.resolved(marks)?;
        let (low, high) = dice.ends();
        let end = |die: &pool::Die, end: i64| die.face == end && low < high;
        for die in dice.dice_mut() {
            if outstanding(&critical, end(die, high), die) {
                die.flags |= Flags::CRITICAL;
            }
            if outstanding(&fumble, end(die, low), die) {
                die.flags |= Flags::FUMBLE;
            }
        }
        Ok(())
    }

    /// Marks joined dice again, if a group says how.
    fn highlight_again(&mut self, dice: &mut pool::Pool, marks: &Marks) -> Result<(), Trap> {
        let resolved = self.resolved(marks)?;
        for (flag, marks) in [Flags::CRITICAL, Flags::FUMBLE].into_iter().zip(&resolved) {
            for die in dice.dice_mut() {
                let marked = outstanding(marks, die.flags.contains(flag), die);
                die.flags.set(flag, marked);
            }
        }
        Ok(())
    }

    /// The marks with their thresholds: the good ones, then the bad ones.
    fn resolved(&mut self, marks: &Marks) -> Result<[Vec<Resolved>; 2], Trap> {
        let mut resolve = |marks: &[Mark]| {
            let marks = marks.iter().map(|mark| {
                let Some(condition) = mark else {
                    return Ok(None);
                };
                Ok(Some((condition.op, self.aside(&condition.threshold)?)))
            });
            marks.collect::<Result<Vec<Resolved>, Trap>>()
        };
        Ok([resolve(&marks.critical)?, resolve(&marks.fumble)?])
    }
}

/// A mark whose threshold is known.
type Resolved = Option<(CompareOp, i64)>;

/// Whether a die is outstanding; `at_end` if it shows the face at the end of the die.
fn outstanding(marks: &[Resolved], at_end: bool, die: &pool::Die) -> bool {
    let meets = |mark: &Resolved| match mark {
        None => at_end,
        Some((op, threshold)) => op.holds(die.value.cmp(threshold)),
    };
    match marks {
        [] => at_end,
        marks => marks.iter().any(meets),
    }
}
