//! Limits the number of dice in a roll, over all its pools. Each pool has a limit of its own, so a
//! roll with a few of them is always within its limit; one with many large pools is refused before
//! any die is rolled. So no engine has to count, and the dice that a roll keeps fit in memory.

use super::constant::constant;
use super::scope::Scope;
use crate::hir::{Expr, ExprKind, Pool, Stage};
use crate::syntax::{Advice, Code, Diagnostic, Limit};
use dicec_runtime::limits::{MAX_TOTAL_CEILING, RollLimits};
use dicec_runtime::pool::Explosion;
use dicec_runtime::span::Span;

impl Scope<'_> {
    /// Refuses a roll whose pools may have too many dice together. Pools that are too large alone
    /// were reported.
    pub(super) fn total_dice(&mut self, body: &Expr, span: Span) {
        let limits = self.limits;
        let mut most: u64 = 0;
        body.each(&mut |part| {
            if let ExprKind::Pool(pool) = &part.kind {
                most = most.saturating_add(max_dice(pool, limits));
            }
        });
        if most <= limits.total.into() {
            return;
        }
        let message = format!(
            "this roll may come to {most} dice; the limit is {}",
            limits.total
        );
        let found = Diagnostic::error(Code::TooManyDiceInAll, span, message).help("roll fewer");
        self.report(if most <= MAX_TOTAL_CEILING.into() {
            found.advise(Advice::RaiseLimitTo(Limit::TotalDice, most))
        } else {
            found
        });
    }
}

/// The maximum number of dice that a pool can have.
fn max_dice(pool: &Pool, limits: RollLimits) -> u64 {
    let most = u64::from(limits.dice);
    let Some(count) = constant(&pool.count) else {
        return most;
    };
    let count = u64::try_from(count).unwrap_or(0);
    let explodes = pool.stages.iter().any(|stage| match stage {
        Stage::Explode(how, _) => *how != Explosion::Compound,
        Stage::Reroll { .. } | Stage::Bound(..) | Stage::Select(_) => false,
    });
    let each = match explodes {
        true => u64::from(limits.explosions) + 1,
        false => 1,
    };
    count.saturating_mul(each).min(most)
}
