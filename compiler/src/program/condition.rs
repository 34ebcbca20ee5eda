//! Conditions on the results of a roll, for odds given that they hold.

use super::bind::Bound;
use super::failure::{ConditionFailure, Failure, internal};
use super::files::ScriptErrors;
use super::guard::guarded;
use super::program::Roll;
use crate::answer::{Answer, Condition};
use dicec_lang::check::check;
use dicec_lang::front::script::{gather_condition, to_hir};
use dicec_lang::hir::{Kind, Parts, Type};
use dicec_lang::syntax::{Code, Diagnostic, Diagnostics, Sources, nearest};
use dicec_runtime::bug;
use dicec_runtime::span::Span;
use std::sync::Arc;

/// The name in conditions of a result that is a number, and of any other single result.
const NUMBER: &str = "total";
const OTHER: &str = "result";

impl Roll {
    /// Compiles a condition on the parts of the result, by their names: `crits >= 1 and hits > 2`.
    /// A single result is `total` if it is a number, and otherwise `result`. The operators are
    /// those of compound rules; without dice and resources.
    ///
    /// # Errors
    /// All errors in the text; see `docs/errors.md`.
    pub fn condition(&self, text: &str) -> Result<Condition, ScriptErrors> {
        self.compile_guarded(text, false)
    }

    /// Compiles a number that is computed from the parts of the result, or a condition on them,
    /// which counts as 1 if it holds. Names and operators are those of conditions.
    ///
    /// # Errors
    /// As for [`Roll::condition`].
    pub(super) fn number(&self, text: &str) -> Result<Condition, ScriptErrors> {
        self.compile_guarded(text, true)
    }

    fn compile_guarded(&self, text: &str, numbers: bool) -> Result<Condition, ScriptErrors> {
        guarded(|| self.compile_condition(text, numbers)).unwrap_or_else(|what| {
            Err(ScriptErrors {
                found: internal(text, what).into(),
                sources: Sources::single("", text),
            })
        })
    }

    /// A condition, or with `numbers` also a number.
    fn compile_condition(&self, text: &str, numbers: bool) -> Result<Condition, ScriptErrors> {
        let (program, values) = (self.program(), self.values());
        let dialect = program.dialect().unwrap_or_default();
        let limits = program.limits();
        let gathered = gather_condition(text, &values, program.hir(), dialect, limits.source);
        let (mut found, sources) = (gathered.diagnostics, gathered.sources);
        let (mut module, names) = to_hir(&gathered.script, sources.text(), Some(dialect), false);
        found.append(names);
        found.append(check(&mut module, limits.roll));
        let names: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
        list_names(&mut found, text, &names);
        let function = module.rolls.first().map(|roll| roll.function);
        let function = function.unwrap_or_else(|| bug!("a condition without a roll").raise());
        if !found.has_errors() {
            // Parsing a longer text has failed.
            let whole = Span::new(0, text.len() as u32);
            let body = module.function(function);
            let is_number = numbers && matches!(body.result, Type::Int | Type::Float);
            let is_condition = body.result == Type::Bool || is_number;
            let reads_others = body.rolls || !module.resources.is_empty();
            found.extend((!is_condition).then(|| no_truth(&module.words(&body.result), whole)));
            found.extend(reads_others.then(|| rolls_dice(&names, whole)));
        }
        found.sort();
        found.dedup();
        if found.has_errors() {
            return Err(ScriptErrors { found, sources });
        }
        Ok(Condition {
            text: text.trim().into(),
            module: Arc::new(module),
            function,
            limits: limits.roll,
        })
    }

    /// The names and types of the values that a condition reads.
    fn values(&self) -> Vec<(String, Type)> {
        if self.parts().is_some_and(Parts::is_text) {
            return vec![(OTHER.to_owned(), Type::Text)];
        }
        if let Some(parts) = self.parts() {
            let values = parts.all.iter();
            return values
                .map(|part| (part.name.clone(), part.ty.clone()))
                .collect();
        }
        let result = &self.program().hir().function(self.function_id()).result;
        let value = self.kind().map(|kind| match (kind, result) {
            (Kind::Number | Kind::Float, _) => (NUMBER, result.clone()),
            // The labels of a die, and the texts that a rule gives.
            (Kind::Label, Type::Enum(_)) if self.program().is_rule() => (OTHER, Type::Text),
            (Kind::Label, Type::Enum(_) | Type::Flags(_)) => (OTHER, result.clone()),
            (Kind::Label, _) => (OTHER, Type::Text),
            _ => (OTHER, result.clone()),
        });
        value
            .into_iter()
            .map(|(name, ty)| (name.to_owned(), ty))
            .collect()
    }
}

/// Lets the errors of names that are like none of the result's list these.
fn list_names(found: &mut Diagnostics, text: &str, names: &[&str]) {
    let errors = found.iter_mut();
    for unknown in errors.filter(|found| found.code == Code::UnknownName) {
        let name = text.get(unknown.span.range()).unwrap_or_default();
        if nearest(name, names.iter().copied()).is_none() {
            let listed = names.join(", ");
            unknown.help = Some(format!("the names of the result are: {listed}"));
        }
    }
}

/// A condition that is neither true nor false.
fn no_truth(words: &str, whole: Span) -> Diagnostic {
    let message = format!("a condition is true or false, and this is {words}");
    let found = Diagnostic::error(Code::WrongType, whole, message);
    found.help("compare it with a number: `total >= 10`")
}

/// A condition that reads something else than the result.
fn rolls_dice(names: &[&str], whole: Span) -> Diagnostic {
    let message = "a condition reads the result only, no dice and no resources";
    let found = Diagnostic::error(Code::WrongType, whole, message);
    found.help(format!(
        "write numbers, and the names of the result: {}",
        names.join(", ")
    ))
}

impl Condition {
    /// An exact answer about the roll of this condition, given that it holds. If the answer is
    /// given a condition already, both hold.
    ///
    /// # Errors
    /// It never holds, it cannot be computed for an outcome, or the answer was sampled.
    pub fn applied(&self, answer: Answer) -> Result<Answer, Failure> {
        let given = answer.given(self);
        given.map_err(|why| ConditionFailure::new(self, why).into())
    }
}

impl Bound {
    /// The same roll given that a condition on its result holds; the condition is one of
    /// [`Roll::condition`] for this roll. Only exact answers heed it.
    #[must_use]
    pub fn given(mut self, condition: Condition) -> Self {
        self.set_condition(Arc::new(condition));
        self
    }
}
