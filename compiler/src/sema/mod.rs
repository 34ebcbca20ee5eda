//! The one type checker: fills in the types of a HIR and refuses what has none.
//!
//! ```text
//! hir::Program (types unknown) --check--> hir::Program (typed) | Diagnostics
//! ```

mod check;
mod constant;
mod pool;

pub use check::check;
