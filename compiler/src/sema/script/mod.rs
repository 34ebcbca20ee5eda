//! Scripts: types are told from what is written, operators become what they mean for them, and what could never work is refused.
//!
//! ```text
//! Script --calls--> functions, those that are called first
//!                     |
//!                  function: probe (what lists hold, what recursion returns), then infer (stmt, expr)
//!                     |
//!                  effects --> rolls --use_of--> results that nobody uses, rolls in rolls
//! ```
//!
//! An expression of unknown type was reported already, by the front end or here; nothing is said about it or about what is computed from it.

mod calls;
mod complain;
mod effects;
mod expr;
mod function;
mod operator;
mod stmt;
mod types;

use crate::hir::script::{Function, Script, Type};
use crate::syntax::Diagnostics;
use calls::Calls;
use dicec_runtime::limits::RollLimits;
use dicec_runtime::span::Span;

/// Sets the type of each expression, variable and function, resolves fields and operators, and reports what is wrong.
pub fn check_script(script: &mut Script, limits: RollLimits) -> Diagnostics {
    let mut checker = Checker {
        signatures: script.functions.iter().map(Signature::of).collect(),
        limits,
        found: Diagnostics::new(),
    };
    let calls = Calls::of(script);
    for group in &calls.groups {
        checker.group(script, group);
    }
    effects::check(script, &calls, &mut checker.found);
    script.field_names = Vec::new();
    checker.found.sort();
    checker.found
}

/// What callers know of a function.
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
    signatures: Vec<Signature>,
    limits: RollLimits,
    found: Diagnostics,
}
