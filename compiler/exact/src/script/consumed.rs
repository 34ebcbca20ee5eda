//! Loops that consume their list: where nothing reads a list after a loop over it, the loop gets a
//! copy, from which it removes each element that it reads. So two states that differ only in what
//! was read before are equal.
//!
//! The copy is the same as the list only if the loop changes no list that might be this one.

use super::unordered::{Pure, lists_made};
use dicec_lang::hir::{
    Expr, ExprKind, Function, LocalId, Place, Stmt, StmtKind, each_expr, each_stmt,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The variables of a function that hold lists for one loop.
#[derive(Debug, Default)]
pub(super) struct Consumed {
    /// The variables that are read once for each assignment.
    once: FxHashSet<LocalId>,
    /// The hidden variables that only hold new lists.
    made: FxHashSet<LocalId>,
}

/// The reads and assignments of a variable, with the numbers of loops around them.
#[derive(Default)]
struct Uses {
    reads: Vec<usize>,
    assigned: Vec<usize>,
}

impl Consumed {
    pub(super) fn of(function: &Function) -> Self {
        let mut walk = Walk::default();
        let params = (0..function.params as u32).map(LocalId);
        params.for_each(|param| walk.uses(param).assigned.push(0));
        walk.block(&function.body, 0);
        let once = walk
            .all
            .into_iter()
            .filter(|(_, uses)| match uses.reads[..] {
                [read] => uses.assigned.iter().all(|assigned| *assigned == read),
                _ => false,
            });
        let is_hidden = |local: &LocalId| function.locals[local.index()].name.is_empty();
        let mut made = lists_made(function);
        made.retain(is_hidden);
        Self {
            once: once.map(|(local, _)| local).collect(),
            made,
        }
    }

    /// Whether a loop over a list may consume it.
    pub(super) fn has(&self, list: &Expr, body: &[Stmt], pure: &Pure) -> bool {
        let held = match list.kind {
            ExprKind::Local(local) if !self.once.contains(&local) => return false,
            ExprKind::Local(local) => Some(local),
            _ => None,
        };
        let mut keeps = true;
        each_stmt(body, &mut |stmt| {
            keeps &= !matches!(
                stmt.kind,
                StmtKind::Assign(Place::Element(..), _) | StmtKind::Update(Place::Element(..), ..)
            );
        });
        each_expr(body, &mut |expr| {
            keeps &= match &expr.kind {
                ExprKind::Append(to, _) => match to.kind {
                    ExprKind::Local(to) => self.made.contains(&to) && Some(to) != held,
                    _ => false,
                },
                ExprKind::Call(callee, _) => pure.has(*callee),
                ExprKind::Pop(_) => false,
                _ => true,
            };
        });
        keeps
    }
}

#[derive(Default)]
struct Walk {
    all: FxHashMap<LocalId, Uses>,
}

impl Walk {
    fn uses(&mut self, local: LocalId) -> &mut Uses {
        self.all.entry(local).or_default()
    }

    fn block(&mut self, block: &[Stmt], loops: usize) {
        for stmt in block {
            let (outside, inside) = match &stmt.kind {
                StmtKind::Assign(Place::Local(local), _)
                | StmtKind::Update(Place::Local(local), ..) => {
                    self.uses(*local).assigned.push(loops);
                    (loops, loops)
                }
                StmtKind::For(local, ..) | StmtKind::Count(local, ..) => {
                    self.uses(*local).assigned.push(loops + 1);
                    (loops, loops + 1)
                }
                StmtKind::While(..) => (loops + 1, loops + 1),
                _ => (loops, loops),
            };
            stmt.each_expr(&mut |expr| self.expr(expr, outside));
            stmt.blocks().for_each(|block| self.block(block, inside));
        }
    }

    fn expr(&mut self, expr: &Expr, loops: usize) {
        match &expr.kind {
            ExprKind::Local(local) => self.uses(*local).reads.push(loops),
            ExprKind::Block(block) => {
                self.block(&block.statements, loops);
                block.value.iter().for_each(|value| self.expr(value, loops));
            }
            _ => expr.each_part(&mut |part| self.expr(part, loops)),
        }
    }
}
