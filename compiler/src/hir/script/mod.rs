//! The high-level IR of the rolling language (seed 004): types, functions and rolls, with every name resolved.
//!
//! Dice are not part of it: a [`Roll`] holds a [`Program`](super::Program) of the notation and the expressions that fill its holes, so
//! that each engine rolls dice with what it has for them already.
//!
//! # What a trial is
//!
//! Records and lists are references. Each trial begins with the same inputs; what a trial changes is gone with it. Operands are evaluated left
//! to right. A roll evaluates its holes in order and then draws its dice.
//!
//! Each of these costs one unit of fuel ([`ScriptLimits::fuel`](dicec_runtime::limits::ScriptLimits)), before it happens: a round of a loop
//! (after its condition held), a call of a function, each field of a record that is made (at least one a record, nested ones counted
//! too, after its values are evaluated), each element of a list that is made and two for the list itself, and each `append`. Fuel bounds both
//! time and memory.

mod data;
mod expr;
mod program;
mod stmt;
mod walk;

pub use data::{CHANCE_SIDES, DEGREES, Data, Policy, list_cost, record_cost};
pub use expr::{Expr, ExprKind, Extreme, Roll, UserOption};
pub use program::{
    Field, Function, FunctionId, Local, LocalId, OptionId, RecordType, RollDef, Script, StatId,
    Type, TypeId,
};
pub use stmt::{Block, Place, Stmt, StmtKind};
pub use walk::{each_expr, each_stmt};
