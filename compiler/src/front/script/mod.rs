//! The rolling language (seed 004): types, functions and rolls.
//!
//! ```text
//! file --token--> tokens, comments --parse--> Script --imports--> Script --to_hir--> hir::Module
//!          |                             |
//!          |                             +--format--> the text in its normal layout
//!          +--notation's parser--> dice and groups, from the token at which they begin
//! ```

mod ast;
mod cursor;
mod format;
mod imports;
mod library;
mod parse;
mod signs;
mod to_hir;
mod token;
mod words;

pub use ast::{
    Arguments, AssignOp, BinaryOp, Block, Const, Expr, ExprKind, Field, Function, Import, Item,
    ItemKind, Name, Node, Param, Roll, Script, Stmt, StmtKind, Type, TypeDef, TypeName, UnaryOp,
};
pub use format::format;
pub use imports::{Gathered, Load, Loaded, MAX_FILES, gather};
pub use library::{libraries, library};
pub use parse::{Parsed, parse};
pub use to_hir::to_hir;
