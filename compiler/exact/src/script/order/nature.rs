//! Effect analysis: what evaluating an expression may do besides yielding a value.

use super::Search;
use dicec_lang::hir::{
    ArithOp, Expr, ExprKind, FunctionId, Math, Place, Stmt, StmtKind, each_own_stmt,
};
use std::ops::BitOrAssign;

/// The possible effects of an expression or function.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Nature {
    /// It rolls, asks, changes or notes something, or may not terminate.
    pub(super) acts: bool,
    /// It loops over a list.
    pub(super) loops: bool,
    /// It may trap.
    pub(super) traps: bool,
    /// The maximum number of calls, if it loops over no list.
    pub(super) calls: u64,
}

impl Nature {
    const ACTS: Self = Self {
        acts: true,
        loops: true,
        traps: true,
        calls: 0,
    };

    const LOOPS: Self = Self {
        acts: false,
        loops: true,
        traps: false,
        calls: 0,
    };

    const TRAPS: Self = Self {
        acts: false,
        loops: false,
        traps: true,
        calls: 0,
    };

    /// Whether it can be evaluated or skipped without anything observing it, but for its fuel.
    pub(super) fn is_safe(self) -> bool {
        !self.acts && !self.traps
    }
}

/// The union of the effects.
impl BitOrAssign for Nature {
    fn bitor_assign(&mut self, other: Self) {
        self.acts |= other.acts;
        self.loops |= other.loops;
        self.traps |= other.traps;
        self.calls = self.calls.saturating_add(other.calls);
    }
}

impl Search<'_> {
    /// The possible effects of an expression.
    pub(super) fn nature(&mut self, expr: &Expr) -> Nature {
        let mut nature = match &expr.kind {
            ExprKind::Roll(_) | ExprKind::Option(_) | ExprKind::Append(..) | ExprKind::Pop(_) => {
                Nature::ACTS
            }
            ExprKind::Call(callee, _) => {
                let inner = self.nature_of(*callee);
                let calls = inner.calls.saturating_add(1);
                Nature { calls, ..inner }
            }
            ExprKind::Block(block) => statements(&block.statements),
            ExprKind::Arith(op, ..) if !matches!(op, ArithOp::With | ArithOp::Without) => {
                Nature::TRAPS
            }
            ExprKind::Math(Math::Max | Math::Min, _) => Nature::default(),
            ExprKind::Negate(_)
            | ExprKind::Element(..)
            | ExprKind::List(_)
            | ExprKind::Join(_)
            | ExprKind::Math(..) => Nature::TRAPS,
            _ => Nature::default(),
        };
        expr.each_part(&mut |part| nature |= self.nature(part));
        nature
    }

    /// The possible effects of a function.
    fn nature_of(&mut self, id: FunctionId) -> Nature {
        // A recursive function may not terminate.
        if let Some(known) = self.natures.get(&id) {
            return *known;
        }
        self.natures.insert(id, Nature::ACTS);
        let body = &self.script.function(id).body;
        let mut nature = statements(body);
        each_own_stmt(body, &mut |stmt| {
            stmt.each_expr(&mut |expr| nature |= self.nature(expr));
        });
        self.natures.insert(id, nature);
        nature
    }
}

/// The effects of statements, without those of the expressions in them.
fn statements(block: &[Stmt]) -> Nature {
    let mut nature = Nature::default();
    each_own_stmt(block, &mut |stmt| {
        nature |= match &stmt.kind {
            StmtKind::Assign(Place::Local(_), _)
            | StmtKind::Eval(_)
            | StmtKind::If(..)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_) => Nature::default(),
            // A counter does not overflow within the fuel of a trial.
            StmtKind::Update(Place::Local(_), ArithOp::Add, value)
                if matches!(value.kind, ExprKind::Int(-1..=1)) =>
            {
                Nature::default()
            }
            StmtKind::Update(Place::Local(_), ..) | StmtKind::Require(_) => Nature::TRAPS,
            StmtKind::For(..) => Nature::LOOPS,
            _ => Nature::ACTS,
        };
    });
    nature
}
