//! Rewrites of a module before its odds are computed. They keep the distribution of each roll, and
//! not its dice: lists are rolled later ([`late`]), face by face ([`faces`], [`ranks`],
//! [`cursor`]), or in the order of their faces ([`dropped`]).
//!
//! ```text
//! module --dropped--> --inline--> --late--> --walk (pool, faces, ranks, cursor)--> module
//! ```
//!
//! A rewritten roll that traps, or exceeds the budget, is solved as it was written; so is one that
//! may have hidden that the fuel runs out (see [`Rewritten::fuel`]).

mod cursor;
mod deck;
mod dropped;
mod edit;
mod faces;
mod inline;
mod key;
mod late;
mod pool;
mod quiet;
mod ranks;
mod walk;
mod walked;

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
    /// The shortcuts that rewrote something.
    by: Shortcuts,
}

impl Rewritten {
    /// The shortcuts that rewrite.
    pub(super) const ALL: Shortcuts = Shortcuts::LATE
        .union(Shortcuts::FACES)
        .union(Shortcuts::DROPPED);

    /// Rewrites a module; `None` if it has nothing to rewrite.
    pub(super) fn of(script: &Module, allowed: Shortcuts) -> Option<Self> {
        if !allowed.intersects(Self::ALL) || !has_lists(script) {
            return None;
        }
        let mut new = Self {
            module: script.clone(),
            fuel: 2,
            by: Shortcuts::empty(),
        };
        if allowed.contains(Shortcuts::DROPPED)
            && let Some(fuel) = dropped::in_order(&mut new.module)
        {
            new.fuel += fuel;
            new.by |= Shortcuts::DROPPED;
        }
        let script = &new.module.clone();
        for index in 0..script.functions.len() {
            new.function(script, FunctionId(index as u32), allowed);
        }
        (!new.by.is_empty()).then_some(new)
    }

    fn function(&mut self, script: &Module, id: FunctionId, allowed: Shortcuts) {
        let function = &mut self.module.functions[id.index()];
        let written = function.clone();
        let pure = pure_functions(script);
        let inlined = inline::inline(script, id, function, &pure);
        let mut changed = false;
        if allowed.contains(Shortcuts::LATE) {
            let mut late = Late::of(&function.body, &mut function.locals, function.params, &pure);
            late.block(&mut function.body);
            if late.moved > 0 {
                self.by |= Shortcuts::LATE;
                changed = true;
            }
        }
        if allowed.contains(Shortcuts::FACES) {
            let mut walk = Walk::of(function, &pure);
            let mut body = std::mem::take(&mut function.body);
            walk.block(&mut body, &mut function.locals, None);
            function.body = body;
            self.fuel = self.fuel.saturating_add(walk.fuel);
            if walk.fuel > 0 {
                self.by |= Shortcuts::FACES;
                changed = true;
            }
        }
        match changed {
            true => self.fuel = self.fuel.saturating_add(inlined),
            false => *function = written,
        }
    }

    /// Counts the uses of the shortcuts.
    pub(super) fn fire(&self) {
        self.by.iter().for_each(fire);
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
