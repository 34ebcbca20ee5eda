//! The dice notation: expressions and checks, in the rule book's dialect (seed 002) and in that of
//! virtual tabletops.
//!
//! ```text
//! text --lexer--> tokens --parse--> Ast --to_hir--> hir::Module
//!                                    |
//!                                    +--print--> text that parses back to the same tree
//!                                    +--print with a trace--> the roll, shown die by die
//! ```

mod ast;
mod begin;
mod cursor;
mod dialect;
mod faces;
pub mod foreign;
mod lexer;
mod notes;
mod page;
mod parse;
mod print;
mod raw;
mod rerolled;
mod signs;
mod subtotals;
mod sums;
mod to_hir;
mod token;
mod tree;
mod words;

pub use ast::pool::{
    Bound, Condition, Dice, Die, Explosion, Face, Group, MAX_FACE, MAX_FACES, Modifier,
    ModifierKind, Selector, SortOrder,
};
pub use ast::{Ast, AstKind, BinaryOp, CompareOp, Float, Function, counts_check};
pub use begin::{begins_counted_dice, begins_dice, begins_modifiers};
pub use dialect::Dialect;
pub use notes::notes;
pub use page::{Page, Segment, Style, marked};
pub use parse::{Parsed, parse};
pub(in crate::front) use parse::{parse_dice, parse_modifiers, parse_with_holes, wrong_arguments};
pub use print::{Faces, print, print_in_full, print_roll};
pub use rerolled::rolls_again;
pub(in crate::front) use rerolled::{Rerolled, rerolled};
pub use subtotals::{MAX_LABELS, Others, Share, labels, share};
pub use to_hir::written_dice;
pub use to_hir::{dice_value, share_to_hir, to_hir};
pub(in crate::front) use to_hir::{label_to_hir, part_to_hir};
pub(in crate::front) use token::resource_name;
