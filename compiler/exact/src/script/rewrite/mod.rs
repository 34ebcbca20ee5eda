//! Rewrites of a module before its odds are computed. They keep the distribution of each roll, and
//! not its dice: lists are rolled later ([`late`]), or face by face ([`faces`]).
//!
//! ```text
//! module --inline--> --late--> --walk (pool, faces)--> module, whose states are fewer
//! ```
//!
//! A rewritten roll that traps, or exceeds the budget, is solved as it was written; so is one that
//! may have hidden that the fuel runs out (see [`Rewritten::fuel`]).

mod edit;
mod faces;
mod inline;
mod late;
mod pool;
mod quiet;
mod walk;

use super::unordered::pure_functions;
use crate::shortcuts::{Shortcuts, fire};
use dicec_lang::hir::{ExprKind, FunctionId, Module, Type, each_expr};
use late::Late;
use walk::Walk;

/// A module with the same odds.
#[derive(Debug)]
pub(super) struct Rewritten {
    pub(super) module: Module,
    /// A trial of the original module burns less than this times the fuel of one of the rewritten
    /// one, with one unit added.
    pub(super) fuel: u64,
    late: bool,
    faces: bool,
}

impl Rewritten {
    /// The shortcuts that rewrite.
    pub(super) const ALL: Shortcuts = Shortcuts::LATE.union(Shortcuts::FACES);

    /// Rewrites a module; `None` if it has nothing to rewrite.
    pub(super) fn of(script: &Module, allowed: Shortcuts) -> Option<Self> {
        if !allowed.intersects(Self::ALL) || !has_lists(script) {
            return None;
        }
        let mut new = Self {
            module: script.clone(),
            fuel: 2,
            late: false,
            faces: false,
        };
        for index in 0..script.functions.len() {
            new.function(script, FunctionId(index as u32), allowed);
        }
        (new.late || new.faces).then_some(new)
    }

    fn function(&mut self, script: &Module, id: FunctionId, allowed: Shortcuts) {
        let function = &mut self.module.functions[id.index()];
        let written = function.clone();
        let inlined = inline::inline(script, id, function);
        let pure = pure_functions(script);
        let mut changed = false;
        if allowed.contains(Shortcuts::LATE) {
            let mut late = Late::of(&function.body, &mut function.locals, function.params, &pure);
            late.block(&mut function.body);
            self.late |= late.moved > 0;
            changed |= late.moved > 0;
        }
        if allowed.contains(Shortcuts::FACES) {
            let mut walk = Walk::of(function, &pure);
            let mut body = std::mem::take(&mut function.body);
            walk.block(&mut body, &mut function.locals, None);
            function.body = body;
            self.faces |= walk.fuel > 0;
            self.fuel = self.fuel.saturating_add(walk.fuel);
            changed |= walk.fuel > 0;
        }
        match changed {
            true => self.fuel = self.fuel.saturating_add(inlined),
            false => *function = written,
        }
    }

    /// Counts the uses of the shortcuts.
    pub(super) fn fire(&self) {
        if self.late {
            fire(Shortcuts::LATE);
        }
        if self.faces {
            fire(Shortcuts::FACES);
        }
    }
}

/// Whether a script rolls lists at all.
fn has_lists(script: &Module) -> bool {
    let (mut lists, mut rolls) = (false, false);
    for function in &script.functions {
        each_expr(&function.body, &mut |expr| {
            lists |= matches!(expr.ty, Type::List(_));
            rolls |= matches!(expr.kind, ExprKind::Roll(_));
        });
    }
    lists && rolls
}
