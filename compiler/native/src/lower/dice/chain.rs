//! Explosion chains and rerolls of one die, as loops: a reroll until the face stays, an explosion
//! until the face ends it.
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
//! block3:                         ; continues with v2
//! ```
//!
//! An explosion looks at the face before its loop and at the end of each iteration, so that most
//! dice skip the loop:
//!
//! ```text
//!     v1 = ieq v0, v5
//!     branch v1, block1(v6, v7), block2(v7)
//! block1(v2: i64, v3: i64):       ; explosions left, sum
//!     v8 = explosions_left v2
//!     v9 = pool 1 6
//!     v10 = iadd_wrap v3, v9
//!     v11 = ieq v9, v5
//!     branch v11, block1(v8, v10), block2(v10)
//! block2(v4: i64):                ; continues with the sum
//! ```
//!
//! Words, faces and traps are those of [`dicec_runtime::pool`]'s explosions and rerolls.

use crate::ir::{Block, Imm, Op, Type, Value};
use crate::lower::body::Body;
use crate::lower::expr::compare;
use dicec_lang::hir::Condition;
use dicec_runtime::compare::CompareOp;
use dicec_runtime::pool::Explosion;
use dicec_runtime::span::Span;

/// The condition for another draw.
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

/// A pool and the dice that explosions have brought so far.
#[derive(Clone, Copy)]
pub(super) struct WithExtras {
    /// Their sum.
    pub(super) sum: Value,
    /// The number of dice that the pool may still hold; `None` if the limit on each die already
    /// ensures that it fits.
    room: Option<Value>,
}

impl<'s> Body<'_, 's> {
    /// A condition with its evaluated threshold.
    pub(super) fn chain_while(&mut self, condition: &'s Condition) -> While {
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
        let most = self.builder.iconst(self.shared.rolls.rerolls.into());
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

    /// Before the first explosion of a pool of `dice` dice with the sum `sum`.
    pub(super) fn no_extras(&mut self, sum: Value, dice: usize, span: Span) -> WithExtras {
        self.builder.set_span(span);
        // Small pools are within every limit.
        let room = i64::from(self.shared.rolls.dice) - dice as i64;
        let fits = self.max_extras(dice) <= room;
        WithExtras {
            sum,
            room: (!fits).then(|| self.builder.iconst(room.max(0))),
        }
    }

    /// The maximum number of dice that are added to a pool of `dice` dice if each explodes as often
    /// as it may.
    fn max_extras(&self, dice: usize) -> i64 {
        i64::from(self.shared.rolls.explosions).saturating_mul(dice as i64)
    }

    /// The pool with the extra dice of the one that shows `face`.
    pub(super) fn explode(
        &mut self,
        face: Value,
        explode: Explode,
        pool: WithExtras,
        span: Span,
    ) -> WithExtras {
        let (sum, room) = self.chain(face, explode, (pool.sum, pool.room), span);
        WithExtras { sum, room }
    }

    /// The value of a die with the faces that it explodes into.
    pub(super) fn compound(
        &mut self,
        face: Value,
        value: Value,
        explode: Explode,
        span: Span,
    ) -> Value {
        self.chain(face, explode, (value, None), span).0
    }

    /// Adds the faces that follow `face` to a sum, and subtracts them from the room. Most dice skip
    /// the loop: code for explosions comes after the first test of the face.
    fn chain(
        &mut self,
        face: Value,
        explode: Explode,
        (sum, room): (Value, Option<Value>),
        span: Span,
    ) -> (Value, Option<Value>) {
        self.builder.set_span(span);
        let before: Vec<Value> = [sum].into_iter().chain(room).collect();
        let left = self.builder.iconst(self.shared.rolls.explosions.into());
        let kept = vec![Type::I64; before.len()];
        let again = self.builder.block(&[&[Type::I64], &kept[..]].concat());
        let done = self.builder.block(&kept);
        let begins = [&[left], &before[..]].concat();
        self.branch_while(explode.on, face, (again, &begins), (done, &before), span);

        self.builder.switch_to(again);
        let left = self.builder.param(again, 0);
        let left = self.inst(span, Op::ExplosionsLeft, &[left], Imm::None);
        let face = self.die(explode.sides, span);
        let room = room.map(|_| self.builder.param(again, 2));
        let room = room.map(|room| self.inst(span, Op::DiceLeft, &[room], Imm::None));
        let sum = self.builder.param(again, 1);
        // Chains of at most 10^6 faces of at most 10^9 sum to far less than 2^63.
        let mut sum = self.inst(span, Op::IaddWrap, &[sum, face], Imm::None);
        if explode.how == Explosion::Penetrate {
            let one = self.builder.iconst(1);
            sum = self.inst(span, Op::IsubWrap, &[sum, one], Imm::None);
        }
        let after: Vec<Value> = [sum].into_iter().chain(room).collect();
        let goes_on = [&[left], &after[..]].concat();
        self.branch_while(explode.on, face, (again, &goes_on), (done, &after), span);

        self.builder.switch_to(done);
        let room = room.map(|_| self.builder.param(done, 1));
        (self.builder.param(done, 0), room)
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
