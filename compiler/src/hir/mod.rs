//! The high-level IR: the typed tree that every front end lowers to.
//!
//! It is explicit where the notation is not: the rule book's final clamp is a node ([`ExprKind::AtLeast`]), an
//! implied single die has its count, names are slots. Everything that a dialect decides is decided by the time a
//! tree is here; the interpreter, the exact engine and the lowering read it without knowing where it came from.
//!
//! A front end leaves [`Expr::ty`] as [`Type::Unknown`] and does not know the program's [`Kind`]; [`crate::check`] fills both in.

mod expr;
mod pool;
mod program;
pub mod script;
mod spans;

pub use dicec_runtime::compare::CompareOp;
pub use expr::{ArithOp, Decimal, Expr, ExprKind, Function, Type};
pub use pool::{Condition, Counting, Die, Face, Group, Marks, Members, Pool, Select, Stage, Term};
pub use program::{Kind, Program, ResourceUse, Slot};
