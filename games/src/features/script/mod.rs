//! Features as pieces of the rolling language.
//!
//! ```text
//! Expr --code, in a World--> expressions and statements of a script
//! Feature --part, alone--> functions over a record --emit--> a script of one feature
//! ```

mod alone;
mod code;
mod emit;
mod part;

pub use code::{Code, CodeKind, Statements, World, Writer, kind_of};
pub use emit::feature_script;
