//! Rolls: the holes, then the dice. Pools are in [`pool`], small ones in [`inline`], `vs` in
//! [`versus`].
//!
//! A pool whose count and sides are written as numbers is one `pool`; otherwise it is `dice` of a
//! count and sides that were checked before:
//!
//! ```text
//!     v2 = dice_count 10000 v0
//!     v3 = die_sides v1
//!     v4 = dice v2, v3
//! ```

mod chain;
mod inline;
mod pool;
mod versus;

use super::body::Body;
use crate::ir::{Imm, Op, Value};
use dicec_lang::hir::{Answers, CHANCE_SIDES, Expr, ExprKind, Policy, Roll, UserOption};
use dicec_runtime::span::Span;

impl<'s> Body<'_, 's> {
    /// The holes, then the dice.
    pub(super) fn roll(&mut self, roll: &'s Roll, span: Span) -> Value {
        let cost = roll.cost;
        if cost > 0 && !self.shared.is_rule {
            self.fuel(cost, span);
        }
        for hole in &roll.holes {
            let value = self.expr(&hole.value);
            self.set(hole.local, value);
        }
        let outer = std::mem::take(&mut self.inside);
        let value = self.expr(&roll.body);
        let inside = std::mem::replace(&mut self.inside, outer);
        // A degree is a by-product of the expression that reaches it; the total goes unused.
        match inside.grade {
            Some(grade) => grade,
            // The result of a rule is the label's index.
            None if roll.labels.is_empty() || self.shared.is_rule => value,
            None => self.named(value, &roll.labels, span),
        }
    }

    /// The sum of dice without modifiers.
    pub(super) fn plain(&mut self, count: &'s Expr, sides: &'s Expr, span: Span) -> Value {
        let (count_span, sides_span) = (count.span, sides.span);
        if let Some((count, sides)) = written_dice(count, sides) {
            let sum = self.inst(span, Op::Pool, &[], Imm::Dice { count, sides });
            self.note_written_dice(count, sides, sum);
            return sum;
        }
        let count = self.aside(count);
        let sides = self.aside(sides);
        let limit = Imm::Limit(self.shared.rolls.dice);
        let count = self.inst(count_span, Op::DiceCount, &[count], limit);
        let sides = self.inst(sides_span, Op::DieSides, &[sides], Imm::None);
        let sum = self.inst(span, Op::Dice, &[count, sides], Imm::None);
        self.note_computed_dice(count, sides, sum);
        sum
    }

    /// The player who is asked makes no difference, and neither does the text, but the expressions
    /// may trap.
    pub(super) fn option(&mut self, option: &'s UserOption, span: Span) -> Value {
        if let Some(who) = &option.who {
            self.expr(who);
        }
        if let Some(text) = &option.text {
            self.unjoined(text);
        }
        let policy = self.shared.policies.get(option.option.index());
        let policy = policy.copied().unwrap_or_default();
        if let Some(answers) = &option.answers {
            return self.answer(policy, answers, span);
        }
        match policy {
            Policy::Answer(_) | Policy::Random => {
                self.inst(span, Op::Bconst, &[], Imm::Bool(false))
            }
            Policy::Never => self.inst(span, Op::Bconst, &[], Imm::Bool(false)),
            Policy::Always => self.inst(span, Op::Bconst, &[], Imm::Bool(true)),
            Policy::Chance(times) => {
                let die = Imm::Dice {
                    count: 1,
                    sides: CHANCE_SIDES,
                };
                let face = self.inst(span, Op::Pool, &[], die);
                let times = self.builder.iconst(times.into());
                self.inst(span, Op::Ile, &[face, times], Imm::None)
            }
        }
    }

    /// The number of an answer. The others make no difference.
    fn answer(&mut self, policy: Policy, answers: &'s Answers, span: Span) -> Value {
        let [first, last] = answers.bounds.each_ref().map(|bound| self.int(bound));
        match policy {
            Policy::Random => self.int(&answers.random),
            Policy::Answer(number) => {
                self.builder.set_span(span);
                let number = self.builder.iconst(number);
                let least = self.inst(span, Op::Imin, &[number, last], Imm::None);
                self.inst(span, Op::Imax, &[least, first], Imm::None)
            }
            Policy::Never | Policy::Always | Policy::Chance(_) => first,
        }
    }
}

/// The count and sides of a pool that are written as numbers within their limits, which
/// [`crate::check`] checked.
fn written_dice(count: &Expr, sides: &Expr) -> Option<(u32, u32)> {
    match (&count.kind, &sides.kind) {
        (ExprKind::Int(count), ExprKind::Int(sides)) => {
            Some((u32::try_from(*count).ok()?, u32::try_from(*sides).ok()?))
        }
        _ => None,
    }
}
