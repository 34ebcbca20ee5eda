//! HIR to IR: a typed program becomes the function of one trial.
//!
//! Instructions come out in evaluation order, so that dice are drawn and errors raised in the order that the interpreter
//! defines. A pool whose count and sides are written as numbers is one `pool`; otherwise it is a loop, with the dice
//! still to roll and the sum so far as block parameters:
//!
//! ```text
//!     v2 = dice_count 10000 v0
//!     v3 = die_sides v1
//!     v4 = iconst 0
//!     jump block1(v2, v4)
//! block1(v5: i64, v6: i64):       ; dice left, sum
//!     v7 = igt v5, v4
//!     branch v7, block2, block3
//! block2:
//!     v8 = roll v3
//!     ...
//!     jump block1(v5 - 1, v6 + v8)
//! block3:                          ; goes on with v6
//! ```

mod chain;
mod expr;
mod inline;
mod pool;
mod real;
mod versus;

use crate::hir;
use crate::ir::{Function, FunctionBuilder, Imm, Op, Type};
use dicec_runtime::degree::Ladder;
use dicec_runtime::limits::RollLimits;

/// The function of one trial of `program`, which [`crate::sema::check`] found correct.
pub fn lower(program: &hir::Program, limits: RollLimits) -> Function {
    let result = match program.kind {
        hir::Kind::Number | hir::Kind::Real | hir::Kind::Degree(_) | hir::Kind::Label => Type::I64,
        hir::Kind::Check => Type::Bool,
    };
    let resources = program.resources.iter().map(|used| used.name.clone());
    let mut builder = FunctionBuilder::new(result, resources.collect());
    let ladder = match program.kind {
        hir::Kind::Degree(ladder) => ladder,
        hir::Kind::Number | hir::Kind::Real | hir::Kind::Check | hir::Kind::Label => {
            Ladder::Pathfinder
        }
    };
    let mut lowering = expr::Lowering::new(&mut builder, limits, ladder);
    let value = lowering.expr(&program.body);
    // A degree is a by-product of the expression that reaches it; the total goes unused.
    let result = match (lowering.rung, program.kind) {
        (Some(rung), _) => rung,
        (None, hir::Kind::Real) => lowering.inst(program.body.span, Op::Fkey, &[value], Imm::None),
        (None, _) => value,
    };
    builder.ret(result);
    builder.finish().compacted()
}
