//! The checker infers types, resolves operators by the types of their operands, and refuses what
//! could never work. It handles rules and scripts alike.
//!
//! ```text
//! Module --calls--> functions, those that are called first
//!                     |
//!                  function: probe (elements of lists, results of recursion),
//!                            then infer (stmt, expr, operator, numbers, roll, pool)
//!                     |
//!                  effects (unused results, rolls in rolls),
//!                  flow (missing returns, endless loops), texts, constants
//! ```
//!
//! An expression of unknown type was reported already, by the front end or here; nothing is
//! reported about it or about what is computed from it.

mod block;
mod calls;
mod complain;
mod constant;
mod constants;
mod dice;
mod effects;
mod expr;
mod flow;
mod function;
mod numbers;
mod operator;
mod pool;
mod roll;
mod stmt;
mod texts;
mod types;

use crate::hir::{Function, Module, RollDef, Type};
use crate::hir::{StmtKind, each_stmt, each_stmt_mut};
use crate::syntax::{Code, Diagnostic, Diagnostics};
use calls::Calls;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::span::Span;
use numbers::to_float;

/// Sets the type of each expression, variable and function, resolves fields and operators, and
/// reports what is wrong.
pub fn check(script: &mut Module, limits: RollLimits) -> Diagnostics {
    let is_rule = script.rule().is_some();
    let mut checker = Checker {
        is_rule,
        signatures: script.functions.iter().map(Signature::of).collect(),
        limits,
        found: Diagnostics::new(),
    };
    let calls = Calls::of(script);
    for group in &calls.groups {
        checker.group(script, group);
    }
    script.field_names = Vec::new();
    statistics(script);
    let mut found = checker.found;
    let effects = effects::of(script, &calls);
    for (function, effects) in script.functions.iter_mut().zip(&effects) {
        function.rolls = effects.rolls;
    }
    for function in &script.functions {
        effects::check(script, function, &effects, &mut found);
        flow::check(function, &effects, &mut found);
    }
    texts::check(script, &mut found);
    constants::check(script, &mut found);
    if !is_rule {
        for roll in &script.rolls {
            found.extend(roll_result(script, roll));
        }
    }
    found.sort();
    // What is wrong with a value is found in each of its copies.
    found.dedup();
    found
}

/// Lets all numbers of a statistic be floats if one of them is.
fn statistics(module: &mut Module) {
    let mut floats = Vec::new();
    for function in &module.functions {
        each_stmt(&function.body, &mut |stmt| match &stmt.kind {
            StmtKind::Stat(stat, value) if value.ty == Type::Float => floats.push(*stat),
            _ => {}
        });
    }
    floats.sort_unstable();
    floats.dedup();
    for function in &mut module.functions {
        each_stmt_mut(&mut function.body, &mut |stmt| match &mut stmt.kind {
            StmtKind::Stat(stat, value) if floats.contains(stat) => to_float(value),
            _ => {}
        });
    }
    module.float_stats = floats;
}

/// A roll returns what can be counted.
fn roll_result(script: &Module, roll: &RollDef) -> Option<Diagnostic> {
    let result = &script.function(roll.function).result;
    if !matches!(result, Type::Text | Type::List(_) | Type::Record(_)) {
        return None;
    }
    let message = format!(
        "the roll `{}` returns {}: a roll returns a number, a truth value, a degree or nothing",
        roll.name,
        script.words(result)
    );
    let found = Diagnostic::error(Code::WrongType, roll.span, message);
    Some(found.help("show texts by `output(...);`, and collect numbers by `stat(\"name\", ...);`"))
}

/// The signature of a function.
#[derive(Clone)]
struct Signature {
    name: String,
    params: Vec<(String, Type)>,
    result: Type,
    span: Span,
}

impl Signature {
    fn of(function: &Function) -> Self {
        let params = function.locals.iter().take(function.params);
        Self {
            name: function.name.clone(),
            params: params
                .map(|local| (local.name.clone(), local.ty.clone()))
                .collect(),
            result: function.result.clone(),
            span: function.span,
        }
    }
}

/// The state of a run over a script.
struct Checker {
    is_rule: bool,
    signatures: Vec<Signature>,
    limits: RollLimits,
    found: Diagnostics,
}
