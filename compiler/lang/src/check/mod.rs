//! The checker infers types, resolves operators by the types of their operands, and refuses
//! programs that could never work. It handles rules and scripts alike.
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
pub mod bounds;
mod calls;
mod complain;
mod constant;
mod constants;
mod dice;
mod dice_value;
mod effects;
mod expr;
mod flags;
mod flow;
mod function;
mod matches;
mod named;
mod numbers;
mod operator;
mod parts;
mod pool;
mod roll;
mod scope;
mod stmt;
mod texts;
mod types;

use crate::hir::{
    ExprKind, Function, Module, OptionId, RollDef, StatId, StatName, StmtKind, Type, each_expr,
    each_stmt, each_stmt_mut, verify,
};
use crate::syntax::{Code, Diagnostic, Diagnostics};
use calls::Calls;
use dicec_runtime::bug;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::span::Span;
use numbers::to_float;

/// Sets the type of each expression, variable and function, resolves fields and operators, and
/// reports errors.
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
    let mut found = checker.found;
    matches::check(script, &mut found);
    script.field_names = Vec::new();
    script.matches = Vec::new();
    statistics(script);
    options(script);
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
        found.extend(parts::on_two_scales(script));
    }
    found.sort();
    // What is wrong with a value is found in each of its copies.
    found.dedup();
    if !is_rule && !found.has_errors() {
        parts::split(script);
    }
    if cfg!(debug_assertions)
        && !found.has_errors()
        && let Err(wrong) = verify(script)
    {
        bug!("{wrong}").raise();
    }
    found
}

/// Lets all numbers of a statistic be floats if one of them is. A joined name may be that of any
/// other statistic, so then all of them are.
fn statistics(module: &mut Module) {
    let (mut floats, mut has_named, mut any_float) = (Vec::new(), false, false);
    for function in &module.functions {
        each_stmt(&function.body, &mut |stmt| {
            if let StmtKind::Stat(name, value) = &stmt.kind {
                let is_float = value.ty == Type::Float;
                any_float |= is_float;
                match name {
                    StatName::Known(stat) if is_float => floats.push(*stat),
                    StatName::Known(_) => {}
                    StatName::Text(_) => has_named = true,
                }
            }
        });
    }
    module.named_floats = has_named && any_float;
    if module.named_floats {
        floats = (0..).map(StatId).take(module.stats.len()).collect();
    }
    floats.sort_unstable();
    floats.dedup();
    for function in &mut module.functions {
        each_stmt_mut(&mut function.body, &mut |stmt| {
            if let StmtKind::Stat(name, value) = &mut stmt.kind {
                let is_float = match name {
                    StatName::Known(stat) => floats.contains(stat),
                    StatName::Text(_) => module.named_floats,
                };
                if is_float {
                    to_float(value);
                }
            }
        });
    }
    module.float_stats = floats;
}

/// Names the options whose texts are joined.
fn options(module: &mut Module) {
    let mut named: Vec<(OptionId, String)> = Vec::new();
    for function in &module.functions {
        each_expr(&function.body, &mut |expr| {
            if let ExprKind::Option(option) = &expr.kind
                && let Some(text) = &option.text
            {
                named.push((option.option, text.template()));
            }
        });
    }
    for (option, name) in named {
        module.options[option.index()] = name;
    }
}

/// Checks that the result of a roll can be counted.
fn roll_result(script: &Module, roll: &RollDef) -> Option<Diagnostic> {
    let result = &script.function(roll.function).result;
    if let Type::Flags(id) = result {
        return flags::too_many_to_count(script.choice(*id), roll);
    }
    match result {
        Type::Record(_) if script.dice_types(result).is_none() => {
            return parts::uncounted(script, roll);
        }
        Type::List(_) | Type::Record(_) => {}
        _ => return None,
    }
    let message = format!(
        "the roll `{}` returns {}: a roll returns a number, a truth value, a degree, a constant of an enum, flags, a text, a record of such values or nothing",
        roll.name,
        script.words(result)
    );
    let found = Diagnostic::error(Code::WrongType, roll.span, message);
    Some(found.help(match script.dice_types(result) {
        Some(_) => "return what they come to: `roll(x)`, `average(x)`",
        None => "show texts by `output(...);`, and collect numbers by `stat(\"name\", ...);`",
    }))
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
