//! The high-level IR: the typed tree that every front end lowers to.
//!
//! It is explicit where the notation is not: the rule book's final clamp is a node ([`ExprKind::AtLeast`]), an
//! implied single die has its count, names are slots. Everything that a dialect decides is decided by the time a
//! tree is here; the interpreter, the exact engine and the lowering read it without knowing where it came from.
//!
//! A front end leaves [`Expr::ty`] as [`Type::Unknown`]; [`crate::sema`] fills it in.

mod expr;
mod program;

pub use expr::{ArithOp, CompareOp, Expr, ExprKind, Pool, Type};
pub use program::{Kind, Program, ResourceUse, Slot};
