//! The rolling language (seed 004): types, functions and rolls.
//!
//! ```text
//! file --token--> tokens, comments --parse--> Script --imports--> Script --to_hir--> hir::Module
//!          |                             |
//!          |                             +--format--> the text in its normal layout
//!          +--notation's parser--> dice and groups, from the token at which they begin
//! ```

mod apart;
mod ast;
mod compound;
mod condition;
mod cursor;
mod format;
mod import_file;
mod imports;
mod library;
mod outcomes;
mod parse;
mod rolled_again;
mod signs;
mod to_hir;
mod token;
mod words;

pub use apart::set_apart;
pub use ast::{
    Arguments, Arm, AssignOp, BinaryOp, Block, Const, EnumDef, Expr, ExprKind, Field, Function,
    Import, Item, ItemKind, Match, Name, Node, Param, Pattern, PatternKind, Roll, Script, Stmt,
    StmtKind, Table, Type, TypeDef, TypeName, UnaryOp,
};
pub use compound::is_compound;
pub use condition::gather_condition;
pub use format::{format, format_rule, quoted};
pub use import_file::import_file;
pub use imports::{Gathered, Load, Loaded, MAX_FILES, gather, gather_rule};
pub use library::{libraries, library, library_functions};
pub use parse::{Parsed, parse};
pub use rolled_again::rolled_again;
pub use to_hir::to_hir;

/// Whether a word has a meaning of its own in every script: nothing else can be called so.
pub fn is_reserved(word: &str) -> bool {
    is_keyword(word) || to_hir::is_builtin(word)
}

/// Whether a word is a keyword, which variables cannot be called either.
pub fn is_keyword(word: &str) -> bool {
    words::Keyword::of(word).is_some()
}
