//! Dice and options.

use super::body::Body;
use crate::hir::Kind;
use crate::hir::script::{CHANCE_SIDES, Policy, Roll, UserOption};
use crate::ir::{Imm, Op, Value};
use crate::lower::rule;
use dicec_runtime::span::Span;

impl<'s> Body<'_, 's> {
    /// The holes, then the dice.
    pub(super) fn roll(&mut self, roll: &'s Roll, span: Span) -> Value {
        let holes: Vec<Value> = roll.holes.iter().map(|hole| self.int(hole)).collect();
        let rolls = self.shared.rolls;
        let value = rule(&mut self.builder, &roll.rule, rolls, Some(&holes));
        match roll.rule.kind {
            Kind::Label => self.named(value, &roll.rule.labels, span),
            Kind::Number | Kind::Real | Kind::Check | Kind::Degree(_) => value,
        }
    }

    /// Who is asked makes no difference, but it may trap.
    pub(super) fn option(&mut self, option: &'s UserOption, span: Span) -> Value {
        if let Some(who) = &option.who {
            self.expr(who);
        }
        let policy = self.shared.policies.get(option.option.index());
        match policy.copied().unwrap_or_default() {
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
}
