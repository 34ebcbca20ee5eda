//! The dice notation: expressions and checks, in the rule book's dialect (seed 002).
//!
//! ```text
//! text --token--> tokens --parse--> Ast --to_hir--> hir::Program
//!                                    |
//!                                    +--print--> text that parses back to the same tree
//!                                    +--print with a trace--> the roll, shown die by die
//! ```

mod ast;
mod cursor;
mod dialect;
mod parse;
mod print;
mod to_hir;
mod token;

pub use ast::{Ast, AstKind, BinaryOp, CompareOp};
pub use dialect::success_count_lookalike;
pub use parse::{Parsed, parse};
pub use print::{Faces, Plain, print};
pub use to_hir::to_hir;
