//! Pools and groups: evaluates their numbers in order and works on a
//! [`runtime::pool::Pool`](dicec_runtime::pool::Pool).

use super::host::Host;
use super::trace::{Observer, SubRoll};
use super::walk::{Walk, at};
use crate::hir::{
    Condition, Counting, Die, Expr, ExprKind, Group, Marks, Members, Pool, Stage, Term,
};
use dicec_runtime::compare::CompareOp;
use dicec_runtime::degree::{NATURAL_SIDES, Naturals};
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
        let total = self.outcome(&mut dice, pool.counting.as_ref(), span)?;
        self.note_naturals(&dice);
        mark(&mut dice, &pool.marks);
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
            && sides == NATURAL_SIDES
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
        let mut selects: Vec<(Selector, i64)> = Vec::with_capacity(pool.selects.len());
        for select in &pool.selects {
            selects.push((select.selector, self.aside(&select.count)?));
        }
        let mut dice = pool::Pool::new(&faces);
        if H::Observer::WATCHES {
            dice = dice.with_history(self.host.observer().history());
        }
        dice.draw(self.host.dice(), count, sides)
            .map_err(at(span))?;
        for stage in &pool.stages {
            self.stage(&mut dice, stage, span)?;
        }
        for (selector, count) in selects {
            dice.select(selector, count);
        }
        Ok(dice)
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
            Stage::AtLeast(bound) => {
                dice.at_least(self.aside(bound)?);
                Ok(())
            }
            Stage::AtMost(bound) => {
                dice.at_most(self.aside(bound)?);
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
        self.when(dice, &counting.success)?;
        let successes = dice.count(Flags::SUCCESS);
        let failures = match &counting.failure {
            Some(failure) => {
                self.when(dice, failure)?;
                dice.count(Flags::FAILURE)
            }
            None => 0,
        };
        self.host.observer().counted(successes, failures);
        // Both are at most the dice of a pool.
        Ok(successes - failures)
    }

    fn note_naturals(&mut self, dice: &pool::Pool) {
        if let Some(naturals) = &mut self.naturals {
            naturals.add(dice.naturals(), dice.natural_face());
        }
    }

    pub(super) fn group(&mut self, group: &Group, span: Span) -> Result<i64, Trap> {
        let mut selects: Vec<(Selector, i64)> = Vec::with_capacity(group.selects.len());
        for select in &group.selects {
            selects.push((select.selector, self.aside(&select.count)?));
        }
        match &group.members {
            Members::Totals(members) => {
                self.totals(members, &selects, group.counting.as_ref(), span)
            }
            Members::Dice(terms) => self.joined(terms, &selects, group.counting.as_ref(), span),
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
        let outer = (self.naturals.take(), self.degree.take());
        let watched = outer.0.is_some();
        let mut table = pool::Pool::new(&[]);
        let mut parts = Vec::with_capacity(members.len());
        for member in members {
            self.naturals = watched.then(Naturals::default);
            let first = self.host.observer().mark();
            table.push(self.int(member)?);
            let end = self.host.observer().mark();
            parts.push((self.naturals.take(), self.degree.take(), first, end));
        }
        (self.naturals, self.degree) = outer;
        for &(selector, count) in selects {
            table.select(selector, count);
        }
        let total = self.outcome(&mut table, counting, span)?;
        let settled = table.dice().iter().zip(members).zip(parts);
        for ((die, member), (naturals, degree, first, end)) in settled {
            if die.is_kept() {
                self.degree = degree.or(self.degree);
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

    /// A group whose pools are joined into one.
    fn joined(
        &mut self,
        terms: &[Term],
        selects: &[(Selector, i64)],
        counting: Option<&Counting>,
        span: Span,
    ) -> Result<i64, Trap> {
        let mut table = pool::Pool::new(&[]);
        let mut rest = 0;
        for term in terms {
            if let (ExprKind::Pool(pool), false) = (&term.expr.kind, term.negative) {
                let mut dice = self.dice_of(pool, term.expr.span)?;
                mark(&mut dice, &pool.marks);
                self.host
                    .observer()
                    .pool(&mut dice, self.role, term.expr.span);
                table.join(&dice);
            } else {
                let value = self.int(&term.expr)?;
                let sum = match term.negative {
                    true => ops::isub(rest, value),
                    false => ops::iadd(rest, value),
                };
                rest = sum.map_err(at(span))?;
            }
        }
        for &(selector, count) in selects {
            table.select(selector, count);
        }
        let total = self.outcome(&mut table, counting, span)?;
        self.note_naturals(&table);
        self.host.observer().joined(&table);
        ops::iadd(total, rest).map_err(at(span))
    }
}

/// Marks the outstanding faces of dice that have more than one.
fn mark(dice: &mut pool::Pool, marks: &Marks) {
    let (low, high) = dice.ends();
    let meets = |conditions: &[(CompareOp, i64)], end: i64, face: i64| match conditions {
        [] => face == end && low < high,
        _ => conditions
            .iter()
            .any(|(op, threshold)| op.holds(face.cmp(threshold))),
    };
    for die in dice.dice_mut() {
        if meets(&marks.critical, high, die.face) {
            die.flags |= Flags::CRITICAL;
        }
        if meets(&marks.fumble, low, die.face) {
            die.flags |= Flags::FUMBLE;
        }
    }
}
