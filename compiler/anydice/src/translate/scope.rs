//! The variables of a function while its body is translated.

use super::code::Code;
use super::untranslated;
use super::value::{Dice, List, Value};
use crate::ast::Variable;
use crate::failure::Failure;
use dicec_runtime::span::Span;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A variable of a function.
#[derive(Clone, Debug)]
pub(super) enum Local {
    Number(String),
    List(String),
    /// A roll, and whether it was read after it was assigned.
    Rolled(String, bool),
    /// Dice, and whether a variable of their expression has changed.
    Dice(Dice, bool),
}

/// A function whose body is translated.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) locals: FxHashMap<Variable, Local>,
    /// Variables of callers that the dice of arguments read, and whether they are lists.
    pub(super) captured: BTreeMap<String, bool>,
    /// Whether results are lists.
    pub(super) gives_list: bool,
}

impl Scope {
    /// The value of a variable of this function; `is_number` says that it is never a die here.
    pub(super) fn read(
        &mut self,
        variable: Variable,
        is_number: bool,
        span: Span,
    ) -> Option<Result<Value, Failure>> {
        let value = match self.locals.get_mut(&variable)? {
            Local::Number(name) => Value::Number(Code::local(name)),
            Local::List(name) => Value::Sequence(List::Code(Code::local(name))),
            Local::Dice(dice, false) => Value::Dice(dice.clone()),
            Local::Dice(_, true) => {
                let message = "these dice depend on a variable that has changed since";
                let help = "use another variable for the new value";
                return Some(Err(untranslated(span, message, help).into()));
            }
            Local::Rolled(name, _) if is_number => Value::Number(Code::local(name)),
            Local::Rolled(_, true) => {
                let message = "this variable holds dice that change in the function, and is read \
                               twice";
                let help = "AnyDice rolls them again each time; a script has one roll of them";
                return Some(Err(untranslated(span, message, help).into()));
            }
            Local::Rolled(name, is_read) => {
                *is_read = true;
                Value::Rolled(Code::rolled(name))
            }
        };
        Some(Ok(value))
    }

    /// A local variable has changed: dice whose expression reads it are others now.
    pub(super) fn changed(&mut self, name: &str) {
        for local in self.locals.values_mut() {
            if let Local::Dice(dice, is_stale) = local {
                *is_stale |= reads(dice).any(|read| read == name);
            }
        }
    }

    /// What holds if either of two paths was taken.
    pub(super) fn join(&mut self, other: &Self) {
        for (variable, local) in &other.locals {
            match (self.locals.get_mut(variable), local) {
                (Some(Local::Rolled(_, is_read)), Local::Rolled(_, other))
                | (Some(Local::Dice(_, is_read)), Local::Dice(_, other)) => *is_read |= *other,
                (Some(_), _) => {}
                // Where it has no value, AnyDice does not read it.
                (None, local) => {
                    self.locals.insert(*variable, local.clone());
                }
            }
        }
    }

    /// Whether a captured variable or a local one is a list.
    pub(super) fn is_list(&self, name: &str) -> bool {
        let is_named = |local: &Local| matches!(local, Local::List(other) if other == name);
        self.captured.get(name).copied().unwrap_or(false) || self.locals.values().any(is_named)
    }
}

/// The local variables that the expression of dice reads.
pub(super) fn reads(dice: &Dice) -> impl Iterator<Item = String> {
    let one = dice.one();
    let mut all = one.reads().clone();
    if let Some(count) = &dice.count {
        all.extend(count.reads().iter().cloned());
    }
    all.into_iter()
}
