//! Functions whose calls have the same odds in any order, and no effects: they compute, roll, and
//! change only lists of their own.

use super::iteration::{Pure, are_fixed_with, is_inner};
use dicec_lang::hir::{
    ExprKind, Function, FunctionId, LocalId, Module, Place, StmtKind, each_expr, each_own_stmt,
    each_stmt,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The pure functions of a script.
pub(in crate::script) fn pure_functions(script: &Module) -> Pure {
    let mut search = Search {
        script,
        known: FxHashMap::default(),
    };
    let all = (0..script.functions.len() as u32).map(FunctionId);
    Pure(all.filter(|id| search.is_pure(*id)).collect())
}

struct Search<'s> {
    script: &'s Module,
    known: FxHashMap<FunctionId, bool>,
}

impl Search<'_> {
    fn is_pure(&mut self, id: FunctionId) -> bool {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        // One that calls itself may not end.
        self.known.insert(id, false);
        let function = self.script.function(id);
        let mut callees = FxHashSet::default();
        each_expr(&function.body, &mut |expr| {
            if let ExprKind::Call(callee, _) = expr.kind {
                callees.insert(callee);
            }
        });
        // Not the first that fails: `all` would leave some out of the set.
        let called = callees.into_iter().filter(|callee| self.is_pure(*callee));
        let called = Pure(called.collect());
        let is_pure = is_pure_with(function, &called);
        self.known.insert(id, is_pure);
        is_pure
    }
}

/// The variables of a function, but its parameters, that only ever hold new lists.
pub(in crate::script) fn lists_made(function: &Function) -> FxHashSet<LocalId> {
    let mut made = FxHashSet::default();
    let mut others: FxHashSet<LocalId> = (0..function.params as u32).map(LocalId).collect();
    each_stmt(&function.body, &mut |stmt| match &stmt.kind {
        StmtKind::Assign(Place::Local(local), value) => {
            let is_new = matches!(value.kind, ExprKind::List(_));
            let sort = if is_new { &mut made } else { &mut others };
            sort.insert(*local);
        }
        StmtKind::For(local, ..) | StmtKind::Count(local, ..) => {
            others.insert(*local);
        }
        _ => {}
    });
    made.retain(|local| !others.contains(local));
    made
}

fn is_pure_with(function: &Function, called: &Pure) -> bool {
    let mut fits = true;
    each_stmt(&function.body, &mut |stmt| {
        fits &= is_inner(stmt) || matches!(stmt.kind, StmtKind::Return(_));
    });
    let mut exprs = Vec::new();
    each_own_stmt(&function.body, &mut |stmt| {
        stmt.each_expr(&mut |expr| exprs.push(expr));
    });
    fits && are_fixed_with(&exprs, lists_made(function), called)
}
