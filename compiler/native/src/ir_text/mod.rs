//! The textual IR: prints and parses modules. It is not part of `ir/` because a fused draw is
//! written as code: parsing it computes its exact distribution.
//!
//! ```text
//! ir::Module --print, module--> text --lexer, function, module--> ir::Module
//! ```

mod function;
mod lexer;
mod module;
mod print;
mod quote;
mod step;

pub use function::ParseError;
pub use module::parse;
