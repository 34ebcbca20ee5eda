//! Checks one function: a trial run (a *probe*) finds types that are needed before they are known,
//! then the check itself.
//!
//! Types flow in reading order: a variable has the type of its first value. Two types may be needed
//! before they are known: the elements of an empty `list()`, which the first `append` to it
//! determines; and the result of a function that calls itself, which one of its other `return`s
//! determines. A silent check of a copy, a *probe*, finds both.

use super::calls::Group;
use super::flow;
use super::scope::Scope;
use super::types::{is_open, unify};
use super::{Checker, Signature};
use crate::hir::{Block, Expr, ExprKind, FunctionId, Module, Type, each_expr};
use crate::syntax::{Code, Diagnostic};
use dicec_runtime::span::Span;

/// The maximum number of probes of a group of functions for their result types.
const MAX_PROBES: usize = 8;

impl Checker {
    /// Checks functions that call each other.
    pub(super) fn group(&mut self, script: &mut Module, group: &Group) {
        let before = self.found.len();
        if flow::is_endless(script, group) {
            self.endless_recursion(group);
        } else if group.recursive {
            self.tell_results(script, group);
        }
        for &id in &group.members {
            let unresolved = self.function(script, id);
            // The result of a function with a faulty body is not reported.
            if let (Some(span), true) = (unresolved, group.recursive && self.found.len() == before)
            {
                self.unresolved_result(id, span);
            }
        }
    }

    /// The result of a function that calls itself has to follow from a `return` without such a
    /// call.
    fn unresolved_result(&mut self, id: FunctionId, call: Span) {
        let Signature { name, span, .. } = &self.signatures[id.index()];
        let message = format!("cannot tell what `{name}` returns: its result depends on itself");
        let found = Diagnostic::error(Code::UnresolvedType, *span, message)
            .label(call, "this depends on it")
            .help(format!(
                "write the type: `deffun {name}(...) : int {{ ... }}`"
            ));
        self.found.push(found);
    }

    fn endless_recursion(&mut self, group: &Group) {
        let Some(first) = group.members.first() else {
            return;
        };
        let Signature { name, span, .. } = &self.signatures[first.index()];
        let message = match group.members.len() {
            1 => format!("`{name}` calls itself on every path through it, and so never ends"),
            _ => format!("`{name}` and what it calls always call each other, and so never end"),
        };
        let found = Diagnostic::error(Code::EndlessRecursion, *span, message);
        self.found
            .push(found.help("return on some path without the call: `if (n <= 0) { return 0; }`"));
    }

    /// Finds the results of functions that call each other.
    fn tell_results(&mut self, script: &Module, group: &Group) {
        for _ in 0..MAX_PROBES {
            let mut changed = false;
            for &id in &group.members {
                if is_open(&self.signatures[id.index()].result) {
                    let function = script.function(id);
                    let mut body = function.body.clone();
                    let scope = self.scope(script, function, function.locals.clone(), true);
                    let result = scope.run(&mut body).result;
                    let known = &mut self.signatures[id.index()].result;
                    changed |= *known != result;
                    *known = result;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn function(&mut self, script: &mut Module, id: FunctionId) -> Option<Span> {
        let function = &mut script.functions[id.index()];
        let mut body = std::mem::take(&mut function.body);
        let mut locals = std::mem::take(&mut function.locals);
        let function = script.function(id);
        if holds_empty_list(script, &body) {
            let probe = self.scope(script, function, locals.clone(), true);
            let told = probe.run(&mut body.clone()).locals;
            for (local, told) in locals.iter_mut().zip(told) {
                if matches!(told.ty, Type::List(_)) {
                    local.ty = told.ty;
                }
            }
        }
        let mut scope = self.scope(script, function, locals, false).run(&mut body);
        if scope.found.is_empty() {
            scope.unresolved_lists(&body);
            scope.unresolved_constants(&body);
        }
        let Scope {
            result,
            locals,
            unresolved,
            parts,
            found,
            ..
        } = scope;
        Self::tell_parts(script, &result, &parts);
        self.signatures[id.index()].result = result.clone();
        self.found.append(found);
        let function = &mut script.functions[id.index()];
        function.result = result;
        function.locals = locals;
        function.body = body;
        unresolved.filter(|_| is_open(&function.result))
    }
}

impl Scope<'_> {
    fn run(mut self, body: &mut Block) -> Self {
        self.block(body);
        if self.valued.is_none() && !self.declared {
            self.result = Type::Unit;
        }
        self
    }

    /// A `return` with a value of this type: the first one determines the result type.
    pub(super) fn returns(&mut self, ty: &Type) -> bool {
        match unify(&self.result, ty) {
            Some(result) => {
                self.result = result;
                true
            }
            None => false,
        }
    }

    /// Reports an empty list whose element type is never determined.
    fn unresolved_lists(&mut self, body: &Block) {
        let mut unresolved = None;
        each_expr(body, &mut |expr| {
            if holds_nothing(self.script, expr) && is_open(&expr.ty) {
                unresolved.get_or_insert(expr.span);
            }
        });
        let Some(span) = unresolved else { return };
        let message = "cannot tell what this list holds";
        let found = Diagnostic::error(Code::UnresolvedType, span, message);
        self.report(found.help("append a value to it, or write its values: `list(1, 2)`"));
    }
}

fn holds_empty_list(script: &Module, body: &Block) -> bool {
    let mut holds = false;
    each_expr(body, &mut |expr| holds |= holds_nothing(script, expr));
    holds
}

/// Whether it is an empty list, or a constant that contains one, so that something else has to
/// determine the element type.
fn holds_nothing(script: &Module, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::List(items) => items.is_empty(),
        ExprKind::Constant(id) => is_open(&script.constant(*id).ty),
        _ => false,
    }
}
