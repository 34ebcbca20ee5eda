//! HIR to IR: a typed program becomes the module of one trial.
//!
//! Instructions come out in evaluation order, so that dice are drawn and errors raised in the order that the interpreter
//! defines. A pool whose count and sides are written as numbers is one `pool`; otherwise it is `dice` of a count and sides that were
//! judged before:
//!
//! ```text
//!     v2 = dice_count 10000 v0
//!     v3 = die_sides v1
//!     v4 = dice v2, v3
//! ```

mod chain;
mod expr;
mod inline;
mod pool;
mod real;
pub mod script;
mod versus;

use crate::hir;
use crate::ir::{FunctionBuilder, Imm, Module, Op, Type, Value};
use dicec_runtime::degree::Ladder;
use dicec_runtime::limits::RollLimits;

/// The module of one trial of `program`, which [`crate::check::check`] found correct.
pub fn lower(program: &hir::Program, limits: RollLimits) -> Module {
    let result = match program.kind {
        hir::Kind::Number | hir::Kind::Real | hir::Kind::Degree(_) | hir::Kind::Label => Type::I64,
        hir::Kind::Check => Type::Bool,
    };
    let resources = program.resources.iter().map(|used| used.name.clone());
    let mut builder = FunctionBuilder::new(result, resources.collect());
    let value = rule(&mut builder, program, limits, None);
    builder.ret(value);
    builder.finish().compacted().into()
}

/// Appends a rule, in which resources stand for `holes` if there are some; gives its result.
fn rule(
    builder: &mut FunctionBuilder,
    program: &hir::Program,
    limits: RollLimits,
    holes: Option<&[Value]>,
) -> Value {
    let ladder = match program.kind {
        hir::Kind::Degree(ladder) => ladder,
        hir::Kind::Number | hir::Kind::Real | hir::Kind::Check | hir::Kind::Label => {
            Ladder::Pathfinder
        }
    };
    let mut lowering = expr::Lowering {
        holes,
        ..expr::Lowering::new(builder, limits, ladder)
    };
    let value = lowering.expr(&program.body);
    // A degree is a by-product of the expression that reaches it; the total goes unused.
    match (lowering.rung, program.kind) {
        (Some(rung), _) => rung,
        (None, hir::Kind::Real) => lowering.inst(program.body.span, Op::Fkey, &[value], Imm::None),
        (None, _) => value,
    }
}
