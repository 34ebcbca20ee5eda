//! Rolls a value of the type `dice` as one head of a segment, whatever its terms are. In the script
//! it is a loop over the terms, whose states would differ by the sum so far.

use super::values::Values;
use crate::{Exact, ExactError, Inputs, Shortcuts, roll};
use dicec_lang::hir::{ArithOp, Expr, ExprKind, Pool, Roll, Select, Type};
use dicec_runtime::bug;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::pmf::{Budget, Weight};
use dicec_runtime::pool::Selector;
use dicec_runtime::span::Span;
use std::sync::Arc;

/// The maximum number of rolls of dice of which some are kept.
const MAX_TIMES: i64 = 256;

/// The number of words that describe a term.
const OF_TERM: usize = 4;

/// The fields of a dice value.
pub(super) struct DiceLayout {
    /// The fields of the value: terms, number, and number of rolls.
    pub(super) value: [usize; 3],
    /// The fields of a term: dice, sides, dice kept, sign.
    pub(super) term: [usize; OF_TERM],
    pub(super) span: Span,
}

impl DiceLayout {
    /// The description of a value: its number, the number of rolls, and for each term the number of
    /// dice, the sides, the dice kept and the sign. Also the fuel of the roll: dice of which some
    /// are kept are rolled in a loop.
    pub(super) fn numbers(
        &self,
        values: &Values,
        word: i64,
        limits: RollLimits,
    ) -> (Vec<i64>, u64) {
        let value = values.words(word);
        let [terms, bonus, times] = self.value.map(|place| value[place]);
        let mut numbers = vec![bonus, times];
        let mut fuel = 0_u64;
        let mut trapped = false;
        for &term in values.words(terms) {
            let term = values.words(term);
            let [dice, sides, keep, sign] = self.term.map(|place| term[place]);
            if keep != 0 && !trapped {
                fuel = fuel.saturating_add(times.unsigned_abs());
            }
            trapped |= dice.saturating_mul(times) > i64::from(limits.dice);
            numbers.extend([dice, sides, keep, sign]);
        }
        (numbers, fuel)
    }

    /// The odds of a value with this description ([`numbers`](Self::numbers)).
    ///
    /// # Errors
    /// See [`ExactError`].
    pub(super) fn odds<W: Weight>(
        &self,
        numbers: &[i64],
        limits: RollLimits,
        budget: &mut Budget,
    ) -> Result<Exact<W>, ExactError> {
        let &[bonus, times, ref terms @ ..] = numbers else {
            bug!("{numbers:?} does not describe a value").raise();
        };
        let mut sum = self.int(bonus);
        for &[dice, sides, keep, sign] in terms.as_chunks::<OF_TERM>().0 {
            let repeated = if keep == 0 { 1 } else { times };
            if repeated > MAX_TIMES {
                budget.spend(u64::MAX, 1)?;
            }
            let dice = match keep {
                0 => self.arith(ArithOp::Mul, self.int(dice), self.int(times)),
                _ => self.int(dice),
            };
            let pool = Pool {
                selects: self.select(keep).into_iter().collect(),
                ..Pool::plain(dice, self.int(sides))
            };
            for _ in 0..repeated {
                let pool = self.expr(ExprKind::Pool(Box::new(pool.clone())));
                let signed = self.arith(ArithOp::Mul, self.int(sign), pool);
                sum = self.arith(ArithOp::Add, sum, signed);
            }
        }
        let dice = Roll {
            holes: Vec::new(),
            body: sum,
            labels: Arc::default(),
            cost: 0,
        };
        let inputs = Inputs {
            resources: &[],
            roll: &dice,
            holes: &[],
            shortcuts: Shortcuts::all(),
        };
        roll(inputs, limits, budget)
    }

    fn select(&self, keep: i64) -> Option<Select> {
        let selector = match keep {
            0 => return None,
            1.. => Selector::KeepHigh,
            _ => Selector::KeepLow,
        };
        Some(Select {
            selector,
            count: self.int(keep.saturating_abs()),
        })
    }

    fn int(&self, number: i64) -> Expr {
        self.expr(ExprKind::Int(number))
    }

    fn arith(&self, op: ArithOp, left: Expr, right: Expr) -> Expr {
        self.expr(ExprKind::Arith(op, Box::new(left), Box::new(right)))
    }

    fn expr(&self, kind: ExprKind) -> Expr {
        Expr {
            kind,
            ty: Type::Int,
            span: self.span,
        }
    }
}
