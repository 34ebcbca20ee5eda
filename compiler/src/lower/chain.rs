//! Chains of draws of one die, as loops: a reroll until the face stays, an explosion until the face ends it.
//!
//! ```text
//!     jump block1(v0, v1)
//! block1(v2: i64, v3: i64):       ; face, rerolls left
//!     v4 = ilt v2, v5
//!     branch v4, block2, block3
//! block2:
//!     v6 = rerolls_left v3
//!     v7 = pool 1 6
//!     jump block1(v7, v6)
//! block3:                         ; goes on with v2
//! ```
//!
//! Words, faces and traps are those of [`dicec_runtime::pool`]'s explosions and rerolls.

use super::expr::{Lowering, compare};
use crate::hir::Condition;
use crate::ir::{Block, Imm, Op, Type, Value};
use dicec_runtime::compare::CompareOp;
use dicec_runtime::pool::Explosion;
use dicec_runtime::span::Span;

/// What a chain goes on for.
#[derive(Clone, Copy)]
pub(super) struct While {
    op: Op,
    threshold: Value,
}

/// An explosion of small pools.
#[derive(Clone, Copy)]
pub(super) struct Explode {
    pub(super) how: Explosion,
    pub(super) on: While,
    /// A plain die's.
    pub(super) sides: u32,
}

/// What explosions have brought so far, beside the dice themselves.
#[derive(Clone, Copy)]
pub(super) struct Extras {
    /// The values of extra dice.
    sum: Value,
    /// How many more dice the pool may hold.
    room: Value,
}

impl Lowering<'_> {
    /// A condition, its threshold evaluated here.
    pub(super) fn chain_while(&mut self, condition: &Condition) -> While {
        While {
            op: compare(condition.op),
            threshold: self.aside(&condition.threshold),
        }
    }

    /// A face that is the highest.
    pub(super) fn chain_at(&mut self, highest: u32, span: Span) -> While {
        self.builder.set_span(span);
        While {
            op: compare(CompareOp::Equal),
            threshold: self.builder.iconst(highest.into()),
        }
    }

    /// A plain die.
    pub(super) fn die(&mut self, sides: u32, span: Span) -> Value {
        self.inst(span, Op::Pool, &[], Imm::Dice { count: 1, sides })
    }

    /// The face that stays.
    pub(super) fn reroll(
        &mut self,
        face: Value,
        on: While,
        once: bool,
        sides: u32,
        span: Span,
    ) -> Value {
        self.builder.set_span(span);
        let most = self.builder.iconst(self.limits.rerolls.into());
        let head = self.builder.block(&[Type::I64, Type::I64]);
        let (again, done) = (self.builder.block(&[]), self.builder.block(&[Type::I64]));
        self.builder.jump(head, &[face, most]);
        self.builder.switch_to(head);
        let (face, left) = (self.builder.param(head, 0), self.builder.param(head, 1));
        self.branch_while(on, face, (again, &[]), (done, &[face]), span);
        self.builder.switch_to(again);
        let left = self.inst(span, Op::RerollsLeft, &[left], Imm::None);
        let face = self.die(sides, span);
        if once {
            self.builder.jump(done, &[face]);
        } else {
            self.builder.jump(head, &[face, left]);
        }
        self.builder.switch_to(done);
        self.builder.param(done, 0)
    }

    /// Before the first explosion of a pool of `dice` dice.
    pub(super) fn no_extras(&mut self, dice: usize, span: Span) -> Extras {
        self.builder.set_span(span);
        // Small pools are within every limit.
        let room = i64::from(self.limits.dice) - dice as i64;
        Extras {
            sum: self.builder.iconst(0),
            room: self.builder.iconst(room.max(0)),
        }
    }

    /// The value of a die after its explosions, and what all extra dice come to.
    pub(super) fn explode(
        &mut self,
        face: Value,
        value: Value,
        explode: Explode,
        extras: Extras,
        span: Span,
    ) -> (Value, Extras) {
        self.builder.set_span(span);
        let most = self.builder.iconst(self.limits.explosions.into());
        let head = self.builder.block(&[Type::I64; 4]);
        let (again, done) = (self.builder.block(&[]), self.builder.block(&[]));
        let compounds = explode.how == Explosion::Compound;
        let first = if compounds { value } else { extras.sum };
        self.builder.jump(head, &[face, first, most, extras.room]);
        self.builder.switch_to(head);
        let [face, sum, left, room] = [0, 1, 2, 3].map(|index| self.builder.param(head, index));
        self.branch_while(explode.on, face, (again, &[]), (done, &[]), span);

        self.builder.switch_to(again);
        let left = self.inst(span, Op::ExplosionsLeft, &[left], Imm::None);
        let extra = self.die(explode.sides, span);
        let room = match explode.how {
            Explosion::Compound => room,
            Explosion::Extra | Explosion::Penetrate => {
                self.inst(span, Op::DiceLeft, &[room], Imm::None)
            }
        };
        // Chains of at most 10^6 faces of at most 10^9 sum to far less than 2^63.
        let mut next = self.inst(span, Op::IaddWrap, &[sum, extra], Imm::None);
        if explode.how == Explosion::Penetrate {
            let one = self.builder.iconst(1);
            next = self.inst(span, Op::IsubWrap, &[next, one], Imm::None);
        }
        self.builder.jump(head, &[extra, next, left, room]);

        self.builder.switch_to(done);
        let [sum, room] = [1, 3].map(|index| self.builder.param(head, index));
        if compounds {
            let sum = self.bounded(sum, explode.sides, span);
            (sum, extras)
        } else {
            (value, Extras { sum, room })
        }
    }

    /// What the extra dice of a pool of `dice` dice come to.
    pub(super) fn extra_sum(
        &mut self,
        extras: Extras,
        dice: usize,
        sides: u32,
        span: Span,
    ) -> Value {
        let most = i64::from(self.limits.explosions).saturating_mul(dice as i64);
        let most = most.min(self.limits.dice.into());
        self.within(extras.sum, 0, most * i64::from(sides), span)
    }

    /// A compounded value: a clamped face and at most as many more as the limit says.
    fn bounded(&mut self, value: Value, sides: u32, span: Span) -> Value {
        let bound = i64::from(dicec_runtime::limits::MAX_SIDES);
        let most = i64::from(self.limits.explosions) * i64::from(sides);
        self.within(value, -bound, bound + most, span)
    }

    /// The same value, with bounds that range analysis does not find in loops.
    fn within(&mut self, value: Value, low: i64, high: i64, span: Span) -> Value {
        self.builder.set_span(span);
        let (low, high) = (self.builder.iconst(low), self.builder.iconst(high));
        let value = self.inst(span, Op::Imax, &[value, low], Imm::None);
        self.inst(span, Op::Imin, &[value, high], Imm::None)
    }

    fn branch_while(
        &mut self,
        on: While,
        face: Value,
        then: (Block, &[Value]),
        otherwise: (Block, &[Value]),
        span: Span,
    ) {
        let goes_on = self.inst(span, on.op, &[face, on.threshold], Imm::None);
        self.builder.branch(goes_on, then, otherwise);
    }
}
