//! The type checkers: they fill in the types of a HIR and refuse what has none.
//!
//! ```text
//! hir::Program (types unknown) --check--> hir::Program (typed) | Diagnostics
//! hir::script::Script (types unknown) --check_script--> hir::script::Script (typed) | Diagnostics
//! ```

mod check;
mod constant;
mod pool;
mod script;

pub use check::check;
pub use script::check_script;
