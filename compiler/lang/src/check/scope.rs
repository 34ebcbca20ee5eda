//! The state of a check of one function, and of the roll that it is in.

use super::{Checker, Signature};
use crate::hir::{Function, Initial, Local, Module, Type};
use crate::syntax::{Diagnostic, Diagnostics};
use dicec_runtime::against::Against;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::span::Span;

/// The state of a check of one function.
pub(super) struct Scope<'s> {
    pub(super) script: &'s Module,
    pub(super) signatures: &'s [Signature],
    pub(super) limits: RollLimits,
    pub(super) locals: Vec<Local>,
    /// Its result type, as far as it is known.
    pub(super) result: Type,
    /// Whether that was written.
    pub(super) declared: bool,
    /// Whether it is a table.
    pub(super) is_table: bool,
    /// The types of the parts of its result, as far as they are known, if only it has that type.
    pub(super) parts: Vec<Type>,
    /// A `return` with a value, and one without.
    pub(super) valued: Option<Span>,
    pub(super) bare: Option<Span>,
    /// A call of a function whose result is not known yet.
    pub(super) unresolved: Option<Span>,
    /// Whether the module is one rule.
    pub(super) is_rule: bool,
    /// The initial values of the enclosing blocks in expressions.
    pub(super) initials: Vec<Initial>,
    /// The enclosing roll, if there is one.
    pub(super) inside: Option<Inside>,
    /// The number of findings, including those of a probe.
    pub(super) reported: usize,
    /// Whether this is a probe, which says nothing about what it finds.
    probe: bool,
    pub(super) found: Diagnostics,
}

impl Scope<'_> {
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.reported += 1;
        if !self.probe {
            self.found.push(diagnostic);
        }
    }
}

/// The context inside a roll.
pub(super) struct Inside {
    /// Its `vs`, once it was found.
    pub(super) versus: Option<Versus>,
    /// Whether this expression may yield a degree.
    pub(super) versus_allowed: bool,
    /// Whether this expression may be dropped from its group.
    pub(super) selected: bool,
}

/// A `vs` that was found.
pub(super) struct Versus {
    pub(super) span: Span,
    pub(super) against: Against,
}

impl Checker {
    /// The state at the beginning of a function.
    pub(super) fn scope<'s>(
        &'s self,
        script: &'s Module,
        function: &Function,
        locals: Vec<Local>,
        probe: bool,
    ) -> Scope<'s> {
        Scope {
            script,
            signatures: &self.signatures,
            limits: self.limits,
            locals,
            result: function.result.clone(),
            declared: function.result != Type::Unknown,
            is_table: function.is_table,
            parts: Vec::new(),
            valued: None,
            bare: None,
            unresolved: None,
            is_rule: self.is_rule,
            initials: Vec::new(),
            inside: None,
            reported: 0,
            probe,
            found: Diagnostics::new(),
        }
    }
}
