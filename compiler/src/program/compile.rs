//! From text to a program.

use crate::check;
use crate::front::notation::{self, Ast, Dialect};
use crate::hir::{self, Kind, ResourceUse};
use crate::ir::{Module, verify};
use crate::lower::lower;
use crate::pass::{VectorForm, optimise, specialise};
use crate::syntax::{Diagnostics, SourceLimits};
use dicec_runtime::limits::{RollLimits, ScriptLimits};
use std::sync::Arc;

use super::simulate::Sampling;

/// Compiles rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compiler {
    dialect: Dialect,
    pub(super) source: SourceLimits,
    pub(super) roll: RollLimits,
    pub(super) script: ScriptLimits,
}

impl Compiler {
    /// A compiler with the default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// With rules in this dialect; the rule book's is the default.
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// With these bounds on the text.
    pub fn source_limits(mut self, limits: SourceLimits) -> Self {
        self.source = limits.with_nesting(limits.nesting);
        self
    }

    /// With these bounds on a roll.
    pub fn roll_limits(mut self, limits: RollLimits) -> Self {
        self.roll = limits.in_range();
        self
    }

    /// With these bounds on a trial of a script.
    pub fn script_limits(mut self, limits: ScriptLimits) -> Self {
        self.script = limits.in_range();
        self
    }

    /// Compiles a rule: an expression, a check (seed 002) or a roll against a class (seed 000).
    ///
    /// # Errors
    /// Everything that is wrong with the text; see `docs/errors.md`.
    pub fn compile(&self, text: &str) -> Result<Program, Diagnostics> {
        let parsed = notation::parse(text, self.dialect, self.source);
        let mut found = parsed.diagnostics;
        // A tree with errors in it would only lead to more of them.
        if found.has_errors() {
            return Err(found);
        }
        let mut hir = notation::to_hir(&parsed.ast, self.dialect);
        found.append(check::check(&mut hir, self.roll));
        if found.has_errors() {
            return Err(found);
        }
        if self.dialect == Dialect::Rulebook {
            found.extend(notation::success_count_lookalike(&parsed.ast, text));
        }
        Ok(Program {
            text: text.into(),
            dialect: self.dialect,
            ast: parsed.ast,
            hir: Arc::new(hir),
            limits: self.roll,
            notes: found,
        })
    }
}

/// A compiled rule. It holds no resources: [`Program::bind`] gives it theirs.
#[derive(Clone, Debug)]
pub struct Program {
    text: Arc<str>,
    dialect: Dialect,
    ast: Ast,
    hir: Arc<hir::Module>,
    limits: RollLimits,
    notes: Diagnostics,
}

impl Program {
    /// What its result is.
    pub fn kind(&self) -> Kind {
        let kind = self.hir.kind(hir::FunctionId(0));
        // A rule yields something.
        kind.unwrap_or(Kind::Number)
    }

    /// The text that it was compiled from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The dialect that it is written in.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The rule in its normal form: single blanks, the fewest parentheses.
    pub fn expression(&self) -> String {
        notation::print(&self.ast, self.dialect)
    }

    /// The same with implied counts written and percent dice as `d100`: `1d20` for `d20`, `1d100` for `d%`.
    pub fn expression_in_full(&self) -> String {
        notation::print_in_full(&self.ast, self.dialect)
    }

    /// The results of a rule that is nothing but a die with labels, each once, in written order: its outcomes are their
    /// places, counted from 0. Empty for all other rules.
    pub fn labels(&self) -> &[String] {
        self.hir.rule().map_or(&[], |roll| &roll.labels)
    }

    /// The label that an outcome stands for.
    pub fn label(&self, outcome: i64) -> Option<&str> {
        let place = usize::try_from(outcome).ok()?;
        self.labels().get(place).map(String::as_str)
    }

    /// The resources that it reads, in the order of their first mention; the values of a
    /// [`Sampler`](super::Sampler) come in the same order.
    pub fn resources(&self) -> &[ResourceUse] {
        &self.hir.resources
    }

    /// What a reader may want to know of the text; none of it is an error.
    pub fn notes(&self) -> &Diagnostics {
        &self.notes
    }

    /// The limits that it rolls under.
    pub fn limits(&self) -> RollLimits {
        self.limits
    }

    /// The syntax tree.
    pub fn ast(&self) -> &Ast {
        &self.ast
    }

    /// The typed tree.
    pub fn hir(&self) -> &Arc<hir::Module> {
        &self.hir
    }

    /// The SSA module of one trial, as it is lowered.
    pub fn lowered(&self) -> Module {
        let module = lower(
            &self.hir,
            hir::FunctionId(0),
            &[],
            self.limits,
            ScriptLimits::default(),
        );
        debug_assert_eq!(verify(&module), Ok(()), "after lowering:\n{module}");
        module
    }

    /// The module as a back end runs it: optimised, for these resource values if they are known, with the draws of
    /// `sampling`.
    pub fn optimised(&self, resources: Option<&[i64]>, sampling: Sampling) -> Module {
        let mut module = self.lowered();
        optimise(&mut module, sampling);
        if let Some(values) = resources.filter(|_| !self.resources().is_empty()) {
            specialise(&mut module, values);
        }
        module
    }

    /// The trial as fused sampling runs it in lanes, if it can be: for these resource values if they are known, otherwise for all in
    /// [`RESOURCES`](crate::pass::RESOURCES).
    pub fn vector_form(&self, resources: Option<&[i64]>) -> Option<VectorForm> {
        // Of the rule itself, so that a seed gives the same rolls whether resources are known or not.
        let form = VectorForm::new(&self.optimised(None, Sampling::Fused));
        match resources {
            None => form,
            Some(values) if VectorForm::takes(values) => Some(form?.specialised(values)),
            Some(_) => None,
        }
    }
}
